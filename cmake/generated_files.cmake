# Files that the build writes: a translation unit an order, and headers that say what was built and from where.
foreach(ORDER IN LISTS MINIAPP_ORDERS)
  configure_file(src/tensor/order.cpp.in src/tensor/order_${ORDER}.cpp @ONLY)
  target_sources(miniapp PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/src/tensor/order_${ORDER}.cpp)
endforeach()
foreach(ORDER IN LISTS MINIAPP_ORDERS)
  if(ORDER GREATER 7)  # no prisms of higher order
    continue()
  endif()
  configure_file(src/elasticity/order.cpp.in src/elasticity/order_${ORDER}.cpp @ONLY)
  target_sources(miniapp PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/src/elasticity/order_${ORDER}.cpp)
endforeach()
list(JOIN MINIAPP_ORDERS ", " MINIAPP_ORDERS_COMMAS)
configure_file(src/core/orders.hpp.in include/miniapp/core/orders.hpp @ONLY)
file(READ src/tensor/tuning.txt MINIAPP_TUNING)
configure_file(src/tensor/tuning_text.hpp.in include/miniapp/tensor/tuning_text.hpp @ONLY)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/src/tensor/tuning.txt)
configure_file(src/core/features.hpp.in include/miniapp/core/features.hpp @ONLY)

# The commit is that of each build, not of the last configure: a script fills it in and rewrites the header if it changed.
set(flags ${MINIAPP_COMPILE_OPTIONS})
list(FILTER flags EXCLUDE REGEX "^-W")  # warnings do not change the program
list(JOIN flags " " flags)
string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
string(REGEX REPLACE " +" " " MINIAPP_FLAGS "${CMAKE_BUILD_TYPE} ${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type}} ${flags}")
set(MINIAPP_COMMIT @MINIAPP_COMMIT@)
configure_file(src/core/build_info.hpp.in build_info.hpp.in @ONLY)
set(command ${CMAKE_COMMAND} -D SOURCE_DIR=${CMAKE_CURRENT_SOURCE_DIR} -D INPUT=${CMAKE_CURRENT_BINARY_DIR}/build_info.hpp.in
  -D OUTPUT=${CMAKE_CURRENT_BINARY_DIR}/include/miniapp/core/build_info.hpp
  -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/write_commit.cmake)
execute_process(COMMAND ${command})  # for tools that read the sources before the first build
add_custom_target(miniapp_commit COMMAND ${command} VERBATIM COMMENT "Asking git for the commit"
  BYPRODUCTS ${CMAKE_CURRENT_BINARY_DIR}/include/miniapp/core/build_info.hpp)
add_dependencies(miniapp miniapp_commit)

target_sources(miniapp PUBLIC FILE_SET generated TYPE HEADERS BASE_DIRS ${CMAKE_CURRENT_BINARY_DIR}/include FILES
  ${CMAKE_CURRENT_BINARY_DIR}/include/miniapp/core/build_info.hpp
  ${CMAKE_CURRENT_BINARY_DIR}/include/miniapp/core/features.hpp
  ${CMAKE_CURRENT_BINARY_DIR}/include/miniapp/core/orders.hpp)
