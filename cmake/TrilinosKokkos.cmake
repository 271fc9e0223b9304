# Kokkos 3.4 as Debian's and Ubuntu's Trilinos packages hold it: their Kokkos::kokkos names a folder that does not exist,
# and their Kokkos Kernels name LAPACK's development files, on which the package does not depend. Newer packages do not
# need this file. It is included after each of the two was found.
if(TARGET trilinos_kokkoscore AND Kokkos_VERSION VERSION_LESS 4)
  file(REAL_PATH "${Kokkos_INCLUDE_DIRS}" MINIAPP_TRILINOS_INCLUDE_DIR)
  set_target_properties(Kokkos::kokkos PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES ${MINIAPP_TRILINOS_INCLUDE_DIR}
    INTERFACE_LINK_LIBRARIES "${Kokkos_LIBRARIES};${CMAKE_DL_LIBS}")
endif()
if(TARGET trilinos_kokkoskernels)
  set_target_properties(trilinos_kokkoskernels PROPERTIES INTERFACE_LINK_LIBRARIES trilinos_kokkoscore)
endif()
