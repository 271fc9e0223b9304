# The program: what runs cases (src/runs), records and tables (src/report), options and commands (apps). What the main job
# needs is a library of its own.
# Runs have instances of solvers and of loops that are timed, and are compiled like the library: weak copies of such
# instances from slower objects would take the place of the library's.
file(READ results/devices.json MINIAPP_DEVICE_TABLE)
configure_file(src/report/device_table.hpp.in include/report/device_table.hpp @ONLY)
file(READ results/expected.json MINIAPP_EXPECTED)
configure_file(src/report/expected_text.hpp.in include/report/expected_text.hpp @ONLY)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/results/devices.json
  ${CMAKE_CURRENT_SOURCE_DIR}/results/expected.json)
add_library(miniapp_main_run OBJECT
  src/runs/memory_need.cpp
  src/runs/mesh_parts.cpp
  src/runs/tensor/automatic.cpp
  src/runs/tensor/choice.cpp
  src/runs/tensor/kernel_run.cpp
  src/runs/tensor/memory.cpp
  src/runs/tensor/preconditioner.cpp
  src/runs/tensor/settings.cpp)
add_library(miniapp_runs OBJECT
  src/runs/elasticity/beam_run.cpp
  src/runs/elasticity/body_run.cpp
  src/runs/elasticity/matrix_run.cpp
  src/runs/elasticity/memory.cpp
  src/runs/elasticity/settings.cpp
  src/runs/elasticity/system_run.cpp
  src/runs/indirect/combination.cpp
  src/runs/indirect/planned.cpp
  src/runs/solver/automatic.cpp
  src/runs/solver/chosen_solver.cpp
  src/runs/solver/settings.cpp
  src/runs/streaming/suite.cpp
  src/runs/streaming/suite_run.cpp
  src/runs/weakform/form_run.cpp
  src/runs/weakform/memory.cpp
  src/runs/weakform/ordered_form.cpp
  src/runs/weakform/tuning.cpp
  apps/solver/run.cpp)
add_library(miniapp_main_job OBJECT
  src/report/compare.cpp
  src/report/csv_file.cpp
  src/report/machine.cpp
  src/report/read_records.cpp
  src/report/record.cpp
  src/report/rows.cpp
  src/report/table.cpp
  apps/all_commands.cpp
  apps/compare/command.cpp
  apps/frontend/colour.cpp
  apps/frontend/command_line.cpp
  apps/frontend/config_file.cpp
  apps/frontend/data_files.cpp
  apps/frontend/examples.cpp
  apps/frontend/expression.cpp
  apps/frontend/groups.cpp
  apps/frontend/help_files.cpp
  apps/frontend/interrupt.cpp
  apps/frontend/memory.cpp
  apps/frontend/options.cpp
  apps/frontend/plot.cpp
  apps/frontend/printer.cpp
  apps/frontend/progress.cpp
  apps/frontend/same.cpp
  apps/frontend/solution_file.cpp
  apps/frontend/words.cpp
  apps/tensor/command.cpp
  apps/tensor/options.cpp
  apps/tensor/problem.cpp
  apps/tensor/record.cpp
  apps/tensor/report.cpp)
add_library(miniapp_commands STATIC
  src/report/devices.cpp
  src/report/expected.cpp
  src/report/html.cpp
  src/report/sections.cpp
  src/report/suite.cpp
  src/report/svg.cpp
  src/report/what_if.cpp
  src/report/what_if_page.cpp
  apps/elasticity/beam_report.cpp
  apps/elasticity/body.cpp
  apps/elasticity/body_report.cpp
  apps/elasticity/command.cpp
  apps/elasticity/options.cpp
  apps/indirect/command.cpp
  apps/indirect/options.cpp
  apps/info/command.cpp
  apps/report/command.cpp
  apps/report/options.cpp
  apps/report/suite.cpp
  apps/solver/choice.cpp
  apps/solver/command.cpp
  apps/solver/matrix.cpp
  apps/solver/memory.cpp
  apps/solver/near_null.cpp
  apps/solver/options.cpp
  apps/solver/report.cpp
  apps/streaming/command.cpp
  apps/streaming/options.cpp
  apps/tune/command.cpp
  apps/tune/options.cpp
  apps/weakform/command.cpp
  apps/weakform/options.cpp
  apps/weakform/problem.cpp
  apps/weakform/report.cpp
  $<TARGET_OBJECTS:miniapp_runs>
  $<TARGET_OBJECTS:miniapp_main_run>
  $<TARGET_OBJECTS:miniapp_main_job>)
add_library(miniapp_main OBJECT apps/main.cpp)
add_executable(miniapp_program $<TARGET_OBJECTS:miniapp_main>)
set_target_properties(miniapp_program PROPERTIES OUTPUT_NAME miniapp)
# The main job alone, for scripts/quickstart: of the same objects, so that nothing is compiled twice.
add_executable(miniapp_first EXCLUDE_FROM_ALL $<TARGET_OBJECTS:miniapp_main> $<TARGET_OBJECTS:miniapp_main_job>
  $<TARGET_OBJECTS:miniapp_main_run> $<TARGET_OBJECTS:miniapp_base> apps/not_yet.cpp ${CMAKE_CURRENT_BINARY_DIR}/src/not_yet.cpp)

set(targets miniapp_main_run miniapp_runs miniapp_main_job miniapp_commands miniapp_main miniapp_first)
miniapp_use_headers(${targets})
miniapp_compile_options(${targets})
foreach(target IN LISTS targets)
  target_link_libraries(${target} PUBLIC fmt::fmt CLI11::CLI11 nlohmann_json::nlohmann_json tomlplusplus::tomlplusplus
    muparser::muparser)
  add_dependencies(${target} miniapp_commit)
endforeach()
target_link_libraries(miniapp_commands PUBLIC miniapp)
target_link_libraries(miniapp_program PRIVATE miniapp_commands)
target_link_libraries(miniapp_first PRIVATE ${MINIAPP_LIBRARIES})

set(kernels_version "")
if(MINIAPP_HAVE_KOKKOS_KERNELS)
  set(kernels_version "${KokkosKernels_VERSION}")
  if(kernels_version STREQUAL "")  # Trilinos's package says that of Trilinos, in a header beside theirs
    set(kernels_version unknown)
    find_file(trilinos_version Trilinos_version.h PATHS ${KokkosKernels_INCLUDE_DIRS} NO_DEFAULT_PATH NO_CACHE)
    if(trilinos_version)
      file(STRINGS ${trilinos_version} kernels_version_line REGEX "define TRILINOS_VERSION_STRING")
      if(kernels_version_line MATCHES "\"([^\"]+)\"")
        set(kernels_version "of Trilinos ${CMAKE_MATCH_1}")
      endif()
    endif()
  endif()
endif()
set(hypre_version "")
if(MINIAPP_HAVE_HYPRE)
  set(hypre_version "${HYPRE_VERSION}")
endif()
set_source_files_properties(src/report/machine.cpp PROPERTIES COMPILE_DEFINITIONS
  "MINIAPP_KOKKOS_KERNELS_VERSION=\"${kernels_version}\";MINIAPP_METIS_VERSION=\"${METIS_VERSION}\";MINIAPP_ZLIB_VERSION=\"${ZLIB_VERSION_STRING}\";MINIAPP_HYPRE_VERSION=\"${hypre_version}\"")
include(GNUInstallDirs)
file(RELATIVE_PATH data_from_bin ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_DATADIR})
set_source_files_properties(apps/frontend/data_files.cpp PROPERTIES COMPILE_DEFINITIONS  # where scripts/plot and inputs/ are
  "MINIAPP_DATA_FROM_BIN=\"${data_from_bin}\";MINIAPP_SOURCE_FOLDER=\"${PROJECT_SOURCE_DIR}\"")
if(CMAKE_CXX_COMPILER MATCHES "nvcc_wrapper$")
  set_source_files_properties(apps/frontend/config_file.cpp PROPERTIES COMPILE_OPTIONS --host-only)  # nvcc 13 does not parse toml++
endif()
