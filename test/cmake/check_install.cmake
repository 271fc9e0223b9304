# cmake -D BUILD=<build folder> -D CLIENT=<its source> -D EXAMPLES=<theirs> -D MPIEXEC=<words of mpiexec -n, or none> -P
# check_install.cmake: installs to a folder of its own, then configures, builds and runs clients and examples there that
# know nothing but find_package(miniapp).
set(work ${BUILD}/install_test)
file(REMOVE_RECURSE ${work})
load_cache(${BUILD} READ_WITH_PREFIX from_ CMAKE_CXX_COMPILER CMAKE_CXX_FLAGS CMAKE_CXX_FLAGS_DEBUG CMAKE_GENERATOR CMAKE_PREFIX_PATH
  Kokkos_DIR Kokkos_ROOT KokkosKernels_DIR METIS_ROOT HYPRE_ROOT)

function(run)
  list(JOIN ARGN " " command)
  message("${command}")
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${work}/prefix --config ${CONFIG})
set(options "")
foreach(name IN ITEMS CMAKE_CXX_COMPILER CMAKE_CXX_FLAGS CMAKE_CXX_FLAGS_DEBUG Kokkos_DIR Kokkos_ROOT KokkosKernels_DIR
    METIS_ROOT HYPRE_ROOT)
  if(from_${name} AND NOT from_${name} MATCHES pkgRedirects)  # of a Kokkos that was fetched: it is in the prefix now
    list(APPEND options "-D${name}=${from_${name}}")
  endif()
endforeach()
string(REPLACE ";" "\\;" prefix_path "${work}/prefix;${from_CMAKE_PREFIX_PATH}")
run(${CMAKE_COMMAND} -S ${CLIENT} -B ${work}/build -G ${from_CMAKE_GENERATOR} -D CMAKE_BUILD_TYPE=${CONFIG} -D EXAMPLES=${EXAMPLES}
  "-DCMAKE_PREFIX_PATH=${prefix_path}" ${options})
run(${CMAKE_COMMAND} --build ${work}/build --config ${CONFIG})
run(${work}/build/main)
foreach(example IN ITEMS matrix indirect_loop weak_form)  # of one process
  run(${work}/build/examples/${example})
endforeach()
function(solve)  # these words
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${work} OUTPUT_VARIABLE said RESULT_VARIABLE code ERROR_VARIABLE errors)
  if(NOT code EQUAL 0 AND NOT errors MATCHES "order 1 has no lower one")  # a build of order 1 alone
    message(FATAL_ERROR "${ARGN} ended with ${code}: ${said}${errors}")
  endif()
  set(said "${said}" PARENT_SCOPE)
endfunction()
set(meshes ${work}/prefix/share/miniapp/inputs/meshes)
function(solve_on_ranks program)  # and its words: says the same on one rank and on three
  solve(${work}/build/examples/${program} ${ARGN})
  set(alone "${said}")
  if(MPIEXEC AND NOT alone STREQUAL "")
    solve(${MPIEXEC} -n 3 ${work}/build/examples/${program} ${ARGN})
    if(NOT said STREQUAL alone)
      message(FATAL_ERROR "${program} on 3 ranks says ${said}, alone ${alone}")
    endif()
  endif()
endfunction()
solve_on_ranks(operator)
solve_on_ranks(poisson ${meshes}/layers.msh)
solve_on_ranks(heat)
solve_on_ranks(elastic ${meshes}/bracket.msh)
solve_on_ranks(elastic_body ${meshes}/wing.msh)
solve_on_ranks(reaction_diffusion 5)
foreach(file IN ITEMS heat_2 elastic_2 body_2 spots_2)
  if(MPIEXEC AND NOT EXISTS ${work}/${file}.vtu)
    message(FATAL_ERROR "there is no ${file}.vtu of rank 2")
  endif()
endforeach()
execute_process(COMMAND ${work}/build/examples/operator 16 RESULT_VARIABLE code ERROR_VARIABLE said)
if(NOT code EQUAL 2 OR NOT said MATCHES "order")
  message(FATAL_ERROR "operator 16 ended with ${code}, not 2: ${said}")
endif()

# What a user of the install needs in addition to the library.
run(${work}/prefix/bin/miniapp --version)
run(${work}/prefix/bin/miniapp --config ${work}/prefix/share/miniapp/inputs/tensor/main.toml --help)
find_program(PYTHON python3 NO_CACHE)  # which the program itself does not need
if(PYTHON)
  run(${work}/prefix/bin/miniapp-plot --help)
  run(${work}/prefix/share/miniapp/scripts/plot --help)
endif()
foreach(file IN ITEMS share/bash-completion/completions/miniapp share/man/man1/miniapp.1)
  file(STRINGS ${work}/prefix/${file} lines REGEX "help --(completion|man)")
  if(lines STREQUAL "")
    message(FATAL_ERROR "${file} is not what miniapp help prints")
  endif()
endforeach()
find_program(BASH bash NO_CACHE)
if(BASH)
  run(${BASH} -n ${work}/prefix/share/bash-completion/completions/miniapp)
endif()
foreach(file IN ITEMS README.md LICENSE CITATION.cff CHANGELOG.md docs/commands.md docs/record.md docs/results/tensor.md
    docs/results/plots/h200/bp3.5-4096.svg)
  if(NOT EXISTS ${work}/prefix/share/doc/miniapp/${file})
    message(FATAL_ERROR "the install has no share/doc/miniapp/${file}")
  endif()
endforeach()
