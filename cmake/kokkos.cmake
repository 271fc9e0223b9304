# Kokkos, installed or fetched, and the check that it has the requested back end.
set(kokkos_release 4.7.03)
if(MINIAPP_BACKEND)
  set(Kokkos_ENABLE_${MINIAPP_BACKEND} ON CACHE BOOL "Read by a Kokkos that is fetched")
endif()
FetchContent_Declare(Kokkos
  URL https://github.com/kokkos/kokkos/releases/download/${kokkos_release}/kokkos-${kokkos_release}.tar.gz
  URL_HASH SHA256=969e7933b9426219b220f08036e489b3226e6d8cd24eecf2c5b80df8c37443c0
  SYSTEM FIND_PACKAGE_ARGS)
FetchContent_MakeAvailable(Kokkos)
if(NOT Kokkos_FOUND)
  get_directory_property(Kokkos_VERSION DIRECTORY ${kokkos_SOURCE_DIR} DEFINITION Kokkos_VERSION)
endif()
include(${CMAKE_CURRENT_LIST_DIR}/TrilinosKokkos.cmake)

set(default_backend ${MINIAPP_BACKEND})
if(Kokkos_FOUND)
  # Kokkos runs on the first of these that it was built with, and so does miniapp.
  foreach(backend IN ITEMS CUDA HIP SYCL OPENMPTARGET OPENACC OPENMP THREADS HPX SERIAL)
    if(backend IN_LIST Kokkos_DEVICES)
      set(default_backend ${backend})
      break()
    endif()
  endforeach()
  list(JOIN Kokkos_DEVICES ", " devices)
  if(default_backend MATCHES "^(SYCL|OPENMPTARGET|OPENACC)$")
    message(FATAL_ERROR "Kokkos ${Kokkos_VERSION} in ${Kokkos_DIR} runs on ${default_backend}, for which miniapp has no kernels "
      "yet: give -D Kokkos_ROOT=<prefix of a Kokkos with CUDA, HIP, OpenMP or Serial>\n")
  endif()
  if(MINIAPP_BACKEND AND NOT MINIAPP_BACKEND STREQUAL default_backend)
    string(TOLOWER "${default_backend}" preset)
    message(FATAL_ERROR
      "The backend ${MINIAPP_BACKEND} was asked for (MINIAPP_BACKEND), but Kokkos ${Kokkos_VERSION} in ${Kokkos_DIR} "
      "was built with ${devices} and runs on ${default_backend}. One of these helps, in a fresh build folder:\n"
      "  -D Kokkos_ROOT=<prefix of a Kokkos that was built with ${MINIAPP_BACKEND}>\n"
      "  -D CMAKE_DISABLE_FIND_PACKAGE_Kokkos=ON   fetches and builds Kokkos ${kokkos_release} with ${MINIAPP_BACKEND}\n"
      "  --preset ${preset}   takes what is installed\n")
  endif()
  message(STATUS "Kokkos ${Kokkos_VERSION} in ${Kokkos_DIR}, built with ${devices}: runs on ${default_backend}")
endif()
if(Kokkos_FOUND AND default_backend STREQUAL "CUDA" AND NOT MINIAPP_VIEW_LAYOUT_AGREES)
  set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
  try_compile(MINIAPP_VIEW_LAYOUT_AGREES ${CMAKE_BINARY_DIR}/view_layout ${CMAKE_CURRENT_LIST_DIR}/view_layout.cpp
    LINK_LIBRARIES Kokkos::kokkos CXX_STANDARD 20 OUTPUT_VARIABLE view_layout)
  unset(CMAKE_TRY_COMPILE_TARGET_TYPE)
  if(view_layout MATCHES "disagree about the layout")
    message(FATAL_ERROR "Kokkos ${Kokkos_VERSION} in ${Kokkos_DIR} passes wrong Views to kernels with this nvcc (12.9 and later; "
      "cmake/view_layout.cpp says why). One of these helps, in a fresh build folder:\n"
      "  -D Kokkos_ROOT=<prefix of Kokkos 4.7.02 or later, or of one built with -D Kokkos_ENABLE_IMPL_VIEW_LEGACY=ON>\n"
      "  -D CMAKE_DISABLE_FIND_PACKAGE_Kokkos=ON   fetches and builds Kokkos ${kokkos_release}\n"
      "  an nvcc before 12.9\n")
  elseif(NOT MINIAPP_VIEW_LAYOUT_AGREES)
    message(FATAL_ERROR "A file that only includes Kokkos ${Kokkos_VERSION} of ${Kokkos_DIR} does not compile with "
      "${CMAKE_CXX_COMPILER}:\n${view_layout}")
  endif()
endif()
if(Kokkos_FOUND AND "$CACHE{Kokkos_ENABLE_DEBUG_BOUNDS_CHECK}" AND NOT DEBUG_BOUNDS_CHECK IN_LIST Kokkos_OPTIONS)
  list(APPEND MINIAPP_COMPILE_OPTIONS -DKOKKOS_ENABLE_DEBUG_BOUNDS_CHECK)  # views check in their headers: ours can be told to
endif()

if(Kokkos_FOUND AND default_backend MATCHES "^(CUDA|HIP)$")  # which presets of one GPU name
  get_cmake_property(names CACHE_VARIABLES)
  list(FILTER names INCLUDE REGEX "^Kokkos_ARCH_")
  foreach(name IN LISTS names)
    string(REPLACE Kokkos_ARCH_ "" arch ${name})
    if(${name} AND Kokkos_ARCH AND NOT arch IN_LIST Kokkos_ARCH)
      message(WARNING "${name} was asked for, but Kokkos ${Kokkos_VERSION} in ${Kokkos_DIR} was built for ${Kokkos_ARCH}")
    endif()
  endforeach()
endif()

set(MINIAPP_DEVICE_BUILD OFF)
if(default_backend MATCHES "^(CUDA|HIP)$")
  set(MINIAPP_DEVICE_BUILD ON)
endif()
