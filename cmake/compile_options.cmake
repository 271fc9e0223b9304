# How our own sources are compiled; clients of the library do not inherit it.
add_library(miniapp_options INTERFACE)
target_compile_features(miniapp PUBLIC cxx_std_20)
target_compile_options(miniapp_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow)
if(MINIAPP_NATIVE)
  target_compile_options(miniapp_options INTERFACE -march=native)
endif()
