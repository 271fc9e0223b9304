# cmake --install: the library, its headers and the program, so that find_package(miniapp) finds them; scripts/plot as
# miniapp-plot, the inputs, and the pages with the licence, in the folders that their links expect.
if(NOT MINIAPP_INSTALL)
  return()
endif()
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/miniapp)
install(TARGETS miniapp EXPORT miniappTargets FILE_SET HEADERS FILE_SET generated)
install(EXPORT miniappTargets NAMESPACE miniapp:: DESTINATION ${package_dir})
configure_package_config_file(cmake/miniappConfig.cmake.in miniappConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(miniappConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/miniappConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/miniappConfigVersion.cmake
  cmake/TrilinosKokkos.cmake cmake/FindMETIS.cmake DESTINATION ${package_dir})

if(NOT MINIAPP_BUILD_APPS)
  return()
endif()
install(TARGETS miniapp_program)
install(PROGRAMS scripts/plot DESTINATION ${CMAKE_INSTALL_BINDIR} RENAME miniapp-plot)
install(DIRECTORY inputs DESTINATION ${CMAKE_INSTALL_DATADIR}/miniapp)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES README.md CHANGELOG.md CONTRIBUTING.md CITATION.cff LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
