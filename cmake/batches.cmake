# MINIAPP_BATCHES: small sources of one folder are compiled together (parsing Kokkos takes longer than they do), and the
# tests' headers are precompiled. Sources that are timed, large or different per build stay separate.
if(MINIAPP_BATCHES)
  foreach(target IN ITEMS miniapp miniapp_base miniapp_main_job miniapp_commands)
    if(NOT TARGET ${target})
      continue()
    endif()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "^(src|apps)/")
    list(FILTER sources EXCLUDE REGEX "/(streaming|loops|forms)/|/(bisection|boomer_amg|case|element_operator|integrator|lanes_base|level_ilu|owner_plan|reference|roofs|session|sort)[.]cpp|/(assembled_operator|assembly|block_matrix|cantilever)[.]cpp")
    foreach(source IN LISTS sources)
      get_filename_component(folder ${source} DIRECTORY)
      string(MAKE_C_IDENTIFIER ${folder} group)
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
    endforeach()
  endforeach()
endif()
# The program's own code runs once, so it need not be fast. Solvers are instances in these two sources.
if(MINIAPP_BUILD_APPS AND CMAKE_CXX_FLAGS_RELEASE MATCHES "-O3" AND NOT MINIAPP_DEVICE_BUILD)  # nvcc_wrapper warns of two levels
  foreach(target IN ITEMS miniapp_main_job miniapp_commands miniapp_main miniapp_first)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  endforeach()
  set_source_files_properties(src/runs/tensor/kernel_run.cpp src/runs/solver/chosen_solver.cpp
    PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:-O3>)
endif()
