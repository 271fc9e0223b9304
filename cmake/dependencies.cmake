# All libraries that the project uses: an installed one if there is one, else a release is fetched, identified by
# its hash, and built.
include(FetchContent)
list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR})

include(${CMAKE_CURRENT_LIST_DIR}/kokkos.cmake)

set(FMT_INSTALL ${MINIAPP_INSTALL})  # clients link it
FetchContent_Declare(fmt GIT_REPOSITORY https://github.com/fmtlib/fmt.git
  GIT_TAG e69e5f977d458f2650bb346dadf2ad30c5320281  # 10.2.1
  FIND_PACKAGE_ARGS)
FetchContent_MakeAvailable(fmt)
if(NOT fmt_FOUND)
  set(fmt_VERSION 10.2.1)
endif()
if(MINIAPP_BUILD_APPS)
  FetchContent_Declare(CLI11 GIT_REPOSITORY https://github.com/CLIUtils/CLI11.git
    GIT_TAG 6c7b07a878ad834957b98d0f9ce1dbe0cb204fc9  # 2.4.2
    FIND_PACKAGE_ARGS)
  FetchContent_Declare(nlohmann_json GIT_REPOSITORY https://github.com/nlohmann/json.git
    GIT_TAG 9cca280a4d0ccf0c08f47a99aa71d1b0e52f8d03  # 3.11.3
    FIND_PACKAGE_ARGS)
  FetchContent_Declare(tomlplusplus GIT_REPOSITORY https://github.com/marzer/tomlplusplus.git
    GIT_TAG 30172438cee64926dc41fdd9c11fb3ba5b2ba9de  # 3.4.0
    FIND_PACKAGE_ARGS)
  set(ENABLE_SAMPLES OFF)  # of muparser
  set(ENABLE_OPENMP OFF)
  FetchContent_Declare(muparser GIT_REPOSITORY https://github.com/beltoforion/muparser.git
    GIT_TAG fbafd7f8774af2b53f4d2de07c57353fcfc09216  # 2.3.5
    FIND_PACKAGE_ARGS)
  FetchContent_MakeAvailable(CLI11 nlohmann_json tomlplusplus muparser)
endif()
if(default_backend STREQUAL CUDA)
  list(APPEND MINIAPP_COMPILE_OPTIONS -DFMT_USE_CONSTEXPR=1)  # fmt 9 takes nvcc in C++20 for a compiler without constexpr
endif()
if(BUILD_TESTING AND PROJECT_IS_TOP_LEVEL AND MINIAPP_BUILD_APPS)
  FetchContent_Declare(Catch2 GIT_REPOSITORY https://github.com/catchorg/Catch2.git
    GIT_TAG b5373dadca40b7edc8570cf9470b9b1cb1934d40  # 3.5.4
    FIND_PACKAGE_ARGS)
  FetchContent_MakeAvailable(Catch2)
endif()

include(${CMAKE_CURRENT_LIST_DIR}/kokkos_kernels.cmake)

find_package(METIS 5.1)
if(METIS_FOUND)
  set(MINIAPP_HAVE_METIS ON)
  list(APPEND MINIAPP_OPTIONAL_LIBRARIES METIS::METIS)
else()
  message(STATUS "Without METIS: --reorder metis will not be available (Debian: libmetis-dev; elsewhere: METIS_ROOT)")
endif()

find_package(ZLIB)
if(ZLIB_FOUND)
  set(MINIAPP_HAVE_ZLIB ON)
  list(APPEND MINIAPP_OPTIONAL_LIBRARIES $<LINK_ONLY:ZLIB::ZLIB>)  # one source includes its header
else()
  message(STATUS "Without zlib: --output-compress zlib will not be available (Debian: zlib1g-dev; elsewhere: ZLIB_ROOT)")
endif()

set(MINIAPP_HAVE_MPI OFF)
if(MINIAPP_ENABLE_MPI)
  set(MPI_CXX_SKIP_MPICXX ON)  # the C++ bindings that MPI has dropped
  find_package(MPI 3 COMPONENTS CXX)
  if(MPI_CXX_FOUND)
    set(MINIAPP_HAVE_MPI ON)
  else()
    message(STATUS "Without MPI: the program will run on one rank (Debian: libopenmpi-dev)")
  endif()
endif()

# NCCL, optional: messages between GPUs of several hosts that are part of a stream
set(MINIAPP_HAVE_NCCL OFF)
if(MINIAPP_HAVE_MPI AND MINIAPP_BACKEND STREQUAL "CUDA")
  find_path(NCCL_INCLUDE_DIR nccl.h HINTS ${NCCL_ROOT}/include)
  find_library(NCCL_LIBRARY nccl HINTS ${NCCL_ROOT}/lib)
  mark_as_advanced(NCCL_INCLUDE_DIR NCCL_LIBRARY)
  if(NCCL_INCLUDE_DIR AND NCCL_LIBRARY)
    set(MINIAPP_HAVE_NCCL ON)
    list(APPEND MINIAPP_OPTIONAL_LIBRARIES $<LINK_ONLY:${NCCL_LIBRARY}>)  # one source includes its header
    if(NOT NCCL_INCLUDE_DIR STREQUAL "/usr/include")  # whose order among the compiler's folders matters
      set_source_files_properties(src/messages/nccl.cpp PROPERTIES COMPILE_OPTIONS "-isystem;${NCCL_INCLUDE_DIR}")
    endif()
    message(STATUS "NCCL: ${NCCL_LIBRARY}")
  else()
    message(STATUS "Without NCCL: --halo nccl will not be available (libnccl-dev; elsewhere: NCCL_ROOT)")
  endif()
endif()

# hypre, optional: multigrid whose levels are those of all ranks. The link is tried, since a static hypre may want more.
set(MINIAPP_HAVE_HYPRE OFF)
if(NOT MINIAPP_ENABLE_HYPRE STREQUAL "OFF")
  set(without "multigrid over several ranks will not be available")
  if(MINIAPP_HAVE_MPI)
    find_package(HYPRE 2.20 QUIET)
    if(NOT HYPRE_FOUND)
      set(reason "not found (Debian: libhypre-dev; elsewhere: HYPRE_ROOT)")
    elseif(HYPRE_UNFIT)
      set(reason "${HYPRE_LIBRARY} does not fit: ${HYPRE_UNFIT}")
    else()
      set(CMAKE_REQUIRED_LIBRARIES HYPRE::HYPRE MPI::MPI_CXX)
      set(CMAKE_REQUIRED_QUIET ON)
      unset(MINIAPP_LINKS_HYPRE CACHE)  # hypre, or what it needs, may be another one by now
      check_cxx_source_compiles("#include <HYPRE.h>\n#include <HYPRE_parcsr_ls.h>\nint main() { HYPRE_Solver s; return HYPRE_BoomerAMGCreate(&s); }"
        MINIAPP_LINKS_HYPRE)
      unset(CMAKE_REQUIRED_LIBRARIES)
      unset(CMAKE_REQUIRED_QUIET)
      if(MINIAPP_LINKS_HYPRE)
        set(MINIAPP_HAVE_HYPRE ON)
        list(APPEND MINIAPP_OPTIONAL_LIBRARIES $<LINK_ONLY:HYPRE::HYPRE>)  # one source includes its headers
        set_source_files_properties(src/solver/boomer_amg.cpp PROPERTIES COMPILE_OPTIONS "-isystem;${HYPRE_INCLUDE_DIR}")
        message(STATUS "hypre ${HYPRE_VERSION}: ${HYPRE_LIBRARY}")
      else()
        set(reason "${HYPRE_LIBRARY} does not link")
      endif()
    endif()
  else()
    set(reason "there is no MPI")
  endif()
  if(NOT MINIAPP_HAVE_HYPRE AND MINIAPP_ENABLE_HYPRE STREQUAL "ON")
    message(FATAL_ERROR "MINIAPP_ENABLE_HYPRE is ON, but hypre: ${reason}; with AUTO ${without}")
  elseif(NOT MINIAPP_HAVE_HYPRE)
    message(STATUS "Without hypre: ${without}: ${reason}")
  endif()
endif()
