# Every library that the project uses: found first, fetched otherwise.
find_package(Kokkos REQUIRED)
if(TARGET trilinos_kokkoscore)  # Debian's Trilinos packages: their Kokkos::kokkos names a folder that does not exist
  set_target_properties(Kokkos::kokkos PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES /usr/include/trilinos
    INTERFACE_LINK_LIBRARIES "${Kokkos_LIBRARIES};${CMAKE_DL_LIBS}")
endif()
find_package(KokkosKernels QUIET)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(fmt REQUIRED)

add_library(miniapp_optional INTERFACE)
find_path(METIS_INCLUDE_DIR metis.h)
find_library(METIS_LIBRARY metis)
if(METIS_INCLUDE_DIR AND METIS_LIBRARY)
  set(MINIAPP_HAVE_METIS ON)
  target_link_libraries(miniapp_optional INTERFACE ${METIS_LIBRARY})
endif()
if(KokkosKernels_FOUND)
  set(MINIAPP_HAVE_KOKKOS_KERNELS ON)
  if(TARGET Kokkos::kokkoskernels)
    target_link_libraries(miniapp_optional INTERFACE Kokkos::kokkoskernels)
  else()
    target_link_libraries(miniapp_optional INTERFACE ${KokkosKernels_LIBRARIES})
  endif()
endif()
