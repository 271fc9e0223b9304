# Files that the build generates: translation units of one order or of a few, what says which orders there are, and headers
# with the build configuration and the commit.
# The orders that the main job needs by default: 7, and those that multigrid has below it (multigrid::lower_order()).
set(first_orders "")
set(order 7)
while(order GREATER 1)
  set(lower 1)
  foreach(other IN LISTS MINIAPP_ORDERS)
    math(EXPR twice "2 * ${other}")
    if(twice LESS_EQUAL order)
      set(lower ${other})
    endif()
  endforeach()
  if(order IN_LIST MINIAPP_ORDERS)
    list(PREPEND first_orders ${order})
  endif()
  set(order ${lower})
endwhile()
# On hosts a source has the kernels of an order, which share what is parsed. On GPUs each problem in each precision has its own:
# before one of its kernels runs, the driver loads all of a source, 10 us for each kernel that it has.
foreach(ORDER IN LISTS MINIAPP_ORDERS)
  set(files ${CMAKE_CURRENT_BINARY_DIR}/src/order_${ORDER}.cpp)
  set(all_operators "")
  foreach(problem bp1_0 bp3_5 bp3_0)
    foreach(number double float)
      string(CONCAT OPERATORS "template std::unique_ptr<ElementOperator<${number}>>\n"
        "make_problem_operator<Problem::${problem}, ${ORDER}, ${number}>(const Variant&, const Discretisation&);\n")
      string(APPEND all_operators "${OPERATORS}")
      if(MINIAPP_DEVICE_BUILD)
        set(file ${CMAKE_CURRENT_BINARY_DIR}/src/operators_${ORDER}_${problem}_${number}.cpp)
        configure_file(src/tensor/operators.cpp.in ${file} @ONLY)
        list(APPEND files ${file})
      endif()
    endforeach()
  endforeach()
  set(OPERATORS "${all_operators}")
  if(MINIAPP_DEVICE_BUILD)
    set(OPERATORS "")
  endif()
  configure_file(src/multigrid/order.cpp.in ${CMAKE_CURRENT_BINARY_DIR}/src/order_${ORDER}.cpp @ONLY)
  if(ORDER IN_LIST first_orders)
    target_sources(miniapp_base PRIVATE ${files})
  else()
    target_sources(miniapp PRIVATE ${files})
  endif()
endforeach()

# Rungs in batches of four orders, which share what is parsed; one by one for GPUs, whose compilers take longer. Not at -O2:
# that takes half of the compile time, but rungs run 1.5 times slower on hosts.
set(batch_size 4)
if(MINIAPP_DEVICE_BUILD)
  set(batch_size 1)
endif()
foreach(BATCH RANGE 1 15 ${batch_size})
  set(ORDERS_OF_BATCH "")
  set(INSTANCES_OF_BATCH "")
  math(EXPR last "${BATCH} + ${batch_size} - 1")
  foreach(ORDER IN LISTS MINIAPP_ORDERS)
    if(ORDER GREATER_EQUAL BATCH AND ORDER LESS_EQUAL last)
      list(APPEND ORDERS_OF_BATCH ${ORDER})
      string(APPEND INSTANCES_OF_BATCH
        "template std::unique_ptr<ElementOperator<double>> make_order_rung<${ORDER}>(int, const Discretisation&);\n")
    endif()
  endforeach()
  if(ORDERS_OF_BATCH)
    list(JOIN ORDERS_OF_BATCH ", " ORDERS_OF_BATCH)
    set(file ${CMAKE_CURRENT_BINARY_DIR}/src/rungs_from_${BATCH}.cpp)
    configure_file(src/tensor/ladder/rungs.cpp.in ${file} @ONLY)
    target_sources(miniapp PRIVATE ${file})
  endif()
endforeach()

foreach(ORDER IN LISTS MINIAPP_ORDERS)
  if(ORDER GREATER 7)  # no prisms of higher order
    continue()
  endif()
  configure_file(src/elasticity/order.cpp.in ${CMAKE_CURRENT_BINARY_DIR}/src/prisms_${ORDER}.cpp @ONLY)
  target_sources(miniapp PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/src/prisms_${ORDER}.cpp)
endforeach()
list(JOIN MINIAPP_ORDERS ", " MINIAPP_ORDERS_COMMAS)
configure_file(src/core/orders.hpp.in include/miniapp/core/orders.hpp @ONLY)
set(ORDERS ${MINIAPP_ORDERS_COMMAS})
configure_file(src/tensor/built_orders.cpp.in src/built_orders.cpp @ONLY)
target_sources(miniapp PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/src/built_orders.cpp)

# In place of orders and rungs that the main job does not need, for a program that is linked before they are compiled.
set(OTHER_ORDERS "")
foreach(ORDER IN LISTS MINIAPP_ORDERS)
  string(APPEND OTHER_ORDERS "RUNGS_NOT_YET(${ORDER})\n")
  if(NOT ORDER IN_LIST first_orders)
    string(APPEND OTHER_ORDERS "ORDER_NOT_YET(${ORDER})\n")
  endif()
endforeach()
list(JOIN first_orders ", " ORDERS)
configure_file(src/multigrid/not_yet.cpp.in src/not_yet.cpp @ONLY)

file(READ src/tensor/tuning.txt MINIAPP_TUNING)
configure_file(src/tensor/tuning_text.hpp.in include/miniapp/tensor/tuning_text.hpp @ONLY)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/src/tensor/tuning.txt)

# What known machines and other programs reached, for miniapp report.
file(GLOB results CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/results/*.json)
list(FILTER results EXCLUDE REGEX "/(devices|expected)[.]json$")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${results})
set(MACHINES "")
set(NUMBER_OF_MACHINES 0)
foreach(file IN LISTS results)
  file(READ ${file} text)
  if(file MATCHES "/peers.json$")
    set(PEERS "${text}")
  else()
    string(APPEND MACHINES "R\"json(${text})json\",")
    math(EXPR NUMBER_OF_MACHINES "${NUMBER_OF_MACHINES} + 1")
  endif()
endforeach()
configure_file(src/report/known_machines_text.hpp.in include/miniapp/report/known_machines_text.hpp @ONLY)
configure_file(src/core/features.hpp.in include/miniapp/core/features.hpp @ONLY)

# The commit is that of each build, not of the last configure: a script fills it in and rewrites the header if it changed.
set(flags ${MINIAPP_COMPILE_OPTIONS})
list(FILTER flags EXCLUDE REGEX "^-W")  # warnings do not change the program
list(JOIN flags " " flags)
string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
string(REGEX REPLACE " +" " " MINIAPP_FLAGS "${CMAKE_BUILD_TYPE} ${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type}} ${flags}")
if(CMAKE_CONFIGURATION_TYPES)  # of the library alone
  string(PREPEND MINIAPP_FLAGS "several configurations")
endif()
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
