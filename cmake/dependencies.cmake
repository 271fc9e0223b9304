# Every library that the project uses: an installed one is taken where there is one, else a release is fetched and built.
include(FetchContent)
list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR})

include(${CMAKE_CURRENT_LIST_DIR}/kokkos.cmake)

set(JSON_Install ON)  # what is fetched is installed with the library: clients need it too
set(FMT_INSTALL ON)
FetchContent_Declare(CLI11 GIT_REPOSITORY https://github.com/CLIUtils/CLI11.git GIT_TAG v2.4.2 GIT_SHALLOW ON
  FIND_PACKAGE_ARGS)
FetchContent_Declare(nlohmann_json GIT_REPOSITORY https://github.com/nlohmann/json.git GIT_TAG v3.11.3 GIT_SHALLOW ON
  FIND_PACKAGE_ARGS)
FetchContent_Declare(fmt GIT_REPOSITORY https://github.com/fmtlib/fmt.git GIT_TAG 10.2.1 GIT_SHALLOW ON FIND_PACKAGE_ARGS)
FetchContent_Declare(tomlplusplus GIT_REPOSITORY https://github.com/marzer/tomlplusplus.git GIT_TAG v3.4.0 GIT_SHALLOW ON
  FIND_PACKAGE_ARGS)
FetchContent_MakeAvailable(CLI11 nlohmann_json fmt tomlplusplus)
if(default_backend STREQUAL CUDA)
  list(APPEND MINIAPP_COMPILE_OPTIONS -DFMT_USE_CONSTEXPR=1)  # fmt 9 takes nvcc in C++20 for a compiler without constexpr
endif()
if(BUILD_TESTING AND PROJECT_IS_TOP_LEVEL)
  FetchContent_Declare(Catch2 GIT_REPOSITORY https://github.com/catchorg/Catch2.git GIT_TAG v3.5.4 GIT_SHALLOW ON
    FIND_PACKAGE_ARGS)
  FetchContent_MakeAvailable(Catch2)
endif()

find_package(METIS 5.1)
if(METIS_FOUND)
  set(MINIAPP_HAVE_METIS ON)
  list(APPEND MINIAPP_OPTIONAL_LIBRARIES METIS::METIS)
else()
  message(STATUS "Without METIS: --reorder metis will not be available (Debian: libmetis-dev; elsewhere: METIS_ROOT)")
endif()
