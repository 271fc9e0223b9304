# cmake --install: the library, its headers and the program, so that find_package(miniapp) finds them; scripts/plot with
# its package, which bin/miniapp-plot calls, what completes words in bash, a page for man, the inputs, and the pages with
# the licence, in the folders that their links expect.
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
  cmake/TrilinosKokkos.cmake cmake/FindMETIS.cmake cmake/FindHYPRE.cmake DESTINATION ${package_dir})

if(NOT MINIAPP_BUILD_APPS)
  return()
endif()
install(TARGETS miniapp_program)
install(PROGRAMS scripts/plot DESTINATION ${CMAKE_INSTALL_DATADIR}/miniapp/scripts)
install(DIRECTORY scripts/pictures DESTINATION ${CMAKE_INSTALL_DATADIR}/miniapp/scripts FILES_MATCHING PATTERN *.py)
configure_file(cmake/miniapp-plot.in ${CMAKE_CURRENT_BINARY_DIR}/miniapp-plot @ONLY)
install(PROGRAMS ${CMAKE_CURRENT_BINARY_DIR}/miniapp-plot DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY inputs DESTINATION ${CMAKE_INSTALL_DATADIR}/miniapp)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES README.md CHANGELOG.md CONTRIBUTING.md CITATION.cff LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# The program prints its completion and its manual from its own table of options. Where it cannot run, as after cross
# compiling or without the libraries of a GPU's driver, an install goes without.
install(CODE "
  foreach(file IN ITEMS completion:${CMAKE_INSTALL_DATADIR}/bash-completion/completions/miniapp
      man:${CMAKE_INSTALL_MANDIR}/man1/miniapp.1)
    string(REGEX MATCH \"^([a-z]+):(.*)/([^/]+)$\" matched \"\${file}\")
    set(what \${CMAKE_MATCH_1})
    set(folder \${CMAKE_MATCH_2})
    set(name \${CMAKE_MATCH_3})
    set(made \"${CMAKE_CURRENT_BINARY_DIR}/help_files/\${name}\")
    file(MAKE_DIRECTORY \"${CMAKE_CURRENT_BINARY_DIR}/help_files\")
    set(code cross-compiled)
    if(NOT \"${CMAKE_CROSSCOMPILING}\")
      execute_process(COMMAND \"$<TARGET_FILE:miniapp_program>\" help --\${what} OUTPUT_FILE \"\${made}\" RESULT_VARIABLE code)
    endif()
    if(code EQUAL 0)
      if(NOT IS_ABSOLUTE \"\${folder}\")
        set(folder \"\${CMAKE_INSTALL_PREFIX}/\${folder}\")
      endif()
      file(INSTALL DESTINATION \"\${folder}\" TYPE FILE FILES \"\${made}\")
    else()
      message(WARNING \"miniapp help --\${what} failed (\${code}): \${folder}/\${name} is not installed\")
    endif()
  endforeach()")
