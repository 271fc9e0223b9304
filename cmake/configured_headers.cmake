# Headers that the build writes: orders, features, where the program comes from.
list(JOIN MINIAPP_ORDERS ", " MINIAPP_ORDERS_COMMAS)
execute_process(COMMAND git describe --always --dirty=+changes --abbrev=12 WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
  OUTPUT_VARIABLE MINIAPP_COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT MINIAPP_COMMIT)
  set(MINIAPP_COMMIT unknown)
endif()
string(TOUPPER "${CMAKE_BUILD_TYPE}" BUILD_TYPE_UPPER)
set(MINIAPP_FLAGS "${CMAKE_BUILD_TYPE} ${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${BUILD_TYPE_UPPER}}")
configure_file(src/core/orders.hpp.in include/miniapp/core/orders.hpp @ONLY)
configure_file(src/core/features.hpp.in include/miniapp/core/features.hpp @ONLY)
configure_file(src/core/build_info.hpp.in include/miniapp/core/build_info.hpp @ONLY)
