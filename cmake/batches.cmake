# MINIAPP_BATCHES: small sources of one folder are compiled together, and what most of them include is parsed once
# (parsing Kokkos takes longer than they do); the tests' headers are precompiled too. Sources that are timed, large or
# different per build stay separate.
set(separate "^src/(streaming|indirect/loops|weakform/forms)/")
string(APPEND separate "|/(bisection|boomer_amg|case|element_operator|integrator|lanes_base|level_ilu|owner_plan|reference|roofs)[.]cpp")
string(APPEND separate "|/(session|sort|assembled_operator|assembly|block_matrix|cantilever|kernel_run|chosen_solver|preconditioner)[.]cpp")
if(MINIAPP_BATCHES)
  foreach(target IN ITEMS miniapp_base miniapp miniapp_main_job miniapp_commands)
    if(NOT TARGET ${target})
      continue()
    endif()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "^(src|apps)/")
    list(FILTER sources EXCLUDE REGEX "${separate}")
    foreach(source IN LISTS sources)
      get_filename_component(folder ${source} DIRECTORY)
      string(MAKE_C_IDENTIFIER ${folder} group)
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
    endforeach()
  endforeach()
  set(parsed_once <algorithm> <any> <array> <cmath> <cstdint> <functional> <map> <memory> <optional> <string> <tuple> <utility>
    <vector> <Kokkos_Core.hpp> <fmt/format.h> "\"miniapp/core/communicator.hpp\"" "\"miniapp/core/lanes.hpp\""
    "\"miniapp/core/teams.hpp\"")
  target_precompile_headers(miniapp_base PRIVATE ${parsed_once})
  target_precompile_headers(miniapp REUSE_FROM miniapp_base)
  if(MINIAPP_BUILD_APPS)
    target_precompile_headers(miniapp_main_job PRIVATE ${parsed_once} <nlohmann/json.hpp> "\"report/record.hpp\"")
    target_precompile_headers(miniapp_commands REUSE_FROM miniapp_main_job)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    foreach(target IN ITEMS miniapp_base miniapp miniapp_main_job miniapp_commands)
      if(TARGET ${target})  # the compiler collects garbage less often: a tenth of its time, for at most 0.5 GB per job
        target_compile_options(${target} PRIVATE "SHELL:--param ggc-min-heapsize=400000")
      endif()
    endforeach()
  endif()
endif()
if(NOT CMAKE_CXX_FLAGS_RELEASE MATCHES "-O3" OR MINIAPP_DEVICE_BUILD)  # nvcc_wrapper warns of two levels
  return()
endif()
# The program's own code runs once, so it need not be fast. Solvers and preconditioners are instances in these sources.
if(MINIAPP_BUILD_APPS)
  foreach(target IN ITEMS miniapp_main_job miniapp_commands miniapp_main miniapp_first)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  endforeach()
  set_source_files_properties(src/runs/tensor/kernel_run.cpp src/runs/tensor/preconditioner.cpp src/runs/solver/chosen_solver.cpp
    PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:-O3> SKIP_PRECOMPILE_HEADERS ON)
endif()
