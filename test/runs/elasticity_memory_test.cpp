// SPDX-License-Identifier: BSD-3-Clause
#include "runs/elasticity/memory.hpp"

#include "miniapp/linalg/block_matrix.hpp"
#include "support/catch.hpp"
#include "support/prism_meshes.hpp"

TEST_CASE("The nodes and blocks of a body without holes are counted", "[runs][elasticity]") {
  const int order = GENERATE(1, 2, 3, 5);
  const mesh::Mesh mesh = make_shaken_prisms(6, 5, 7);
  const space::Space space = space::make_space(mesh, order, 3, Boundary::neumann, Layout::aos);
  const auto pattern = linalg::make_block_pattern(space.element_to_node.host(), space.num_nodes);
  const elasticity::SystemSize size = elasticity::size_of(mesh, order);

  CHECK(size.prisms == 420);
  CHECK(size.nodes == Approx(space.num_nodes));
  CHECK(size.blocks == Approx(double(pattern.entries.size())));
}

TEST_CASE("Elongation is the largest ratio of edges of a prism", "[runs][elasticity]") {
  mesh::Mesh mesh = mesh::make_prism_box(1, 1, 2);  // two cubes halved, flattened and stretched
  for (mesh::Point& x : mesh.vertices) x = {3 * x[0], 4 * x[1], x[2]};
  CHECK(elasticity::elongation(mesh) == Approx(5 / 0.5));
  mesh.vertices[mesh.element_to_vertex[0][3]][2] += 20;
  CHECK(elasticity::elongation(mesh) > 20);
  elasticity::Cantilever beam;  // 8 x 1 x 2 cells of 10 x 1 x 1 m
  CHECK(elasticity::elongation(beam) == Approx(std::hypot(1.25, 1) / 0.5));
}

TEST_CASE("Nearly incompressible and long bodies are hard, later with multigrid", "[runs][elasticity]") {
  using elasticity::ElasticPreconditioner;
  CHECK_FALSE(elasticity::is_hard(ElasticPreconditioner::jacobi, 16, 0.45));
  CHECK(elasticity::is_hard(ElasticPreconditioner::block_jacobi, 16, 0.49));
  CHECK_FALSE(elasticity::is_hard(ElasticPreconditioner::amg, 16, 0.49));
  CHECK(elasticity::is_hard(ElasticPreconditioner::amg, 16, 0.4999));
}
