# The program: records and tables (report), what reads and checks options, commands.
add_library(miniapp_report STATIC
  src/report/compare.cpp
  src/report/csv_file.cpp
  src/report/machine.cpp
  src/report/read_records.cpp
  src/report/record.cpp
  src/report/rows.cpp
  src/report/table.cpp)
target_include_directories(miniapp_report PUBLIC src)
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
  "MINIAPP_KOKKOS_KERNELS_VERSION=\"${kernels_version}\";MINIAPP_METIS_VERSION=\"${METIS_VERSION}\";MINIAPP_HYPRE_VERSION=\"${hypre_version}\"")
target_link_libraries(miniapp_report PUBLIC miniapp nlohmann_json::nlohmann_json PRIVATE fmt::fmt)

add_library(miniapp_options OBJECT  # for the program and for the fuzz targets
  apps/command_line.cpp
  apps/config_file.cpp
  apps/elasticity_options.cpp
  apps/examples.cpp
  apps/help_files.cpp
  apps/indirect_options.cpp
  apps/memory.cpp
  apps/options.cpp
  apps/plot.cpp
  apps/solver_choice.cpp
  apps/solver_memory.cpp
  apps/solver_options.cpp
  apps/streaming_options.cpp
  apps/tensor_options.cpp
  apps/tune_options.cpp
  apps/weakform_options.cpp
  apps/words.cpp)
target_include_directories(miniapp_options PUBLIC apps)
include(GNUInstallDirs)
file(RELATIVE_PATH data_from_bin ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_DATADIR})
set_source_files_properties(apps/plot.cpp PROPERTIES COMPILE_DEFINITIONS  # where scripts/plot is
  "MINIAPP_DATA_FROM_BIN=\"${data_from_bin}\";MINIAPP_SOURCE_FOLDER=\"${PROJECT_SOURCE_DIR}\"")
target_link_libraries(miniapp_options PUBLIC miniapp_report CLI11::CLI11 fmt::fmt tomlplusplus::tomlplusplus)
add_executable(miniapp_program
  apps/beam_report.cpp
  apps/colour.cpp
  apps/compare_command.cpp
  apps/elasticity_command.cpp
  apps/indirect_command.cpp
  apps/info_command.cpp
  apps/interrupt.cpp
  apps/main.cpp
  apps/printer.cpp
  apps/progress.cpp
  apps/solver_command.cpp
  apps/solver_matrix.cpp
  apps/solver_report.cpp
  apps/solver_run.cpp
  apps/streaming_command.cpp
  apps/tensor_command.cpp
  apps/tensor_record.cpp
  apps/tensor_report.cpp
  apps/tune_command.cpp
  apps/weakform_command.cpp
  apps/weakform_report.cpp)
set_target_properties(miniapp_program PROPERTIES OUTPUT_NAME miniapp)
target_link_libraries(miniapp_program PRIVATE miniapp_options)
if(CMAKE_CXX_COMPILER MATCHES "nvcc_wrapper$")
  set_source_files_properties(apps/config_file.cpp PROPERTIES COMPILE_OPTIONS --host-only)  # nvcc 13 does not parse toml++
endif()
miniapp_compile_options(miniapp_report miniapp_options miniapp_program)
include(${CMAKE_CURRENT_LIST_DIR}/commands.cmake)
