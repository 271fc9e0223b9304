# cmake -D BUILD=<build folder> -D CLIENT=<its source> -D SOURCE=<source tree> -P check_subproject.cmake: configures a
# project that adds this one by add_subdirectory and compiles its source. The library alone is there, and nothing that
# only the program needs was looked for: that can be neither found nor fetched here.
set(work ${BUILD}/subproject_test)
file(REMOVE_RECURSE ${work})
load_cache(${BUILD} READ_WITH_PREFIX from_ CMAKE_CXX_COMPILER CMAKE_CXX_FLAGS CMAKE_GENERATOR CMAKE_PREFIX_PATH Kokkos_DIR Kokkos_ROOT KokkosKernels_DIR
  METIS_ROOT HYPRE_ROOT fmt_DIR)
set(options "")
foreach(name IN ITEMS CMAKE_CXX_COMPILER CMAKE_CXX_FLAGS CMAKE_PREFIX_PATH Kokkos_DIR Kokkos_ROOT KokkosKernels_DIR METIS_ROOT HYPRE_ROOT fmt_DIR)
  if(from_${name})
    string(REPLACE ";" "\\;" value "${from_${name}}")
    list(APPEND options "-D${name}=${value}")
  endif()
endforeach()
foreach(name IN ITEMS CLI11 nlohmann_json tomlplusplus Catch2)
  list(APPEND options -DCMAKE_DISABLE_FIND_PACKAGE_${name}=ON)
endforeach()
execute_process(COMMAND ${CMAKE_COMMAND} -S ${CLIENT} -B ${work} -G ${from_CMAKE_GENERATOR} -D MINIAPP_SOURCE=${SOURCE}
  -D FETCHCONTENT_FULLY_DISCONNECTED=ON ${options} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${work} --target client COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${work} --target help OUTPUT_VARIABLE targets COMMAND_ERROR_IS_FATAL ANY)
if(targets MATCHES "miniapp_(program|report|options)|test_core|Experimental" OR NOT targets MATCHES "libminiapp")
  message(FATAL_ERROR "a subproject builds ${CMAKE_MATCH_0}; accepted is the library alone")
endif()
file(GLOB installs ${work}/miniapp/cmake_install.cmake)
file(READ ${installs} rules)
if(rules MATCHES "libminiapp")
  message(FATAL_ERROR "a subproject installs the library without MINIAPP_INSTALL")
endif()
