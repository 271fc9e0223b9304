# MINIAPP_BATCHES: small sources of the library and of the options are compiled together (parsing Kokkos takes longer than
# they do), and the tests' headers are precompiled. Sources that are timed, large or different per build stay separate.
if(MINIAPP_BATCHES)
  foreach(target IN ITEMS miniapp miniapp_options)
    if(TARGET ${target})
      set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
    endif()
  endforeach()
  get_target_property(alone miniapp SOURCES)
  list(FILTER alone INCLUDE REGEX
    "/(streaming|loops|forms)/|/(order|rungs)_|/(bisection|boomer_amg|case|element_operator|integrator|lanes_base|level_ilu|owner_plan|reference|roofs|session|sort)[.]cpp|/(assembled_operator|assembly|block_matrix|cantilever)[.]cpp")
  set_source_files_properties(${alone} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endif()
# Options are read once, so their code need not be fast.
if(MINIAPP_BUILD_APPS AND CMAKE_CXX_FLAGS_RELEASE MATCHES "-O3" AND NOT MINIAPP_DEVICE_BUILD)  # nvcc_wrapper warns of two levels
  target_compile_options(miniapp_options PRIVATE $<$<CONFIG:Release>:-O1>)
endif()
