# Sources of the test programs, one program a module. Include directories of all: test (support/...); of the tensor
# tests src too, since tensor/lane_groups.hpp is private. test/cli has a CMakeLists.txt of its own (add_subdirectory).
set(MINIAPP_TEST_SOURCES_support support/all_close_test.cpp)
set(MINIAPP_TEST_SOURCES_core
  core/error_test.cpp
  core/execution_test.cpp
  core/kokkos_test.cpp
  core/lanes_test.cpp
  core/session_test.cpp
  core/tolerance_test.cpp)
set(MINIAPP_TEST_SOURCES_basis
  basis/even_odd_test.cpp
  basis/lagrange_test.cpp
  basis/quadrature_test.cpp
  basis/tensor_basis_test.cpp)
set(MINIAPP_TEST_SOURCES_mesh
  mesh/generate_test.cpp
  mesh/map_test.cpp
  mesh/mesh_test.cpp
  mesh/numbering_test.cpp
  mesh/reorder_test.cpp)
set(MINIAPP_TEST_SOURCES_geometry
  geometry/hexahedron_test.cpp
  geometry/line_test.cpp)
set(MINIAPP_TEST_SOURCES_measure
  measure/cost_test.cpp
  measure/roofs_test.cpp
  measure/stopwatch_test.cpp)
set(MINIAPP_TEST_SOURCES_streaming
  streaming/gather_scatter_test.cpp
  streaming/vector_kernels_test.cpp)
set(MINIAPP_TEST_SOURCES_report
  report/record_test.cpp
  report/table_test.cpp)
