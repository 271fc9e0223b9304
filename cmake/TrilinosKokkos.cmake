# Kokkos 3.4 as Debian's and Ubuntu's Trilinos packages hold it: their Kokkos::kokkos names a folder that does not exist.
# Newer packages do not need this file.
if(TARGET trilinos_kokkoscore AND Kokkos_VERSION VERSION_LESS 4)
  file(REAL_PATH "${Kokkos_INCLUDE_DIRS}" MINIAPP_TRILINOS_INCLUDE_DIR)
  set_target_properties(Kokkos::kokkos PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES ${MINIAPP_TRILINOS_INCLUDE_DIR}
    INTERFACE_LINK_LIBRARIES "${Kokkos_LIBRARIES};${CMAKE_DL_LIBS}")
endif()
