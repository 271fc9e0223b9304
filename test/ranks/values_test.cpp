// SPDX-License-Identifier: BSD-3-Clause
// Vectors of all ranks in the numbering of the whole mesh.
#include "miniapp/space/values.hpp"

#include <algorithm>
#include <set>

#include "miniapp/mesh/generate.hpp"
#include "miniapp/mesh/generate_2d.hpp"
#include "support/parts.hpp"
#include "support/vectors.hpp"

using namespace space;

namespace {

struct Case {
  mesh::CellKind kind;
  int order, components;
  Layout layout;
};
const std::vector<Case> cases = {
    {mesh::CellKind::hexahedron, 1, 1, Layout::soa},  {mesh::CellKind::hexahedron, 4, 3, Layout::soa},
    {mesh::CellKind::hexahedron, 2, 3, Layout::aos},  {mesh::CellKind::prism, 3, 2, Layout::aos},
    {mesh::CellKind::tetrahedron, 1, 3, Layout::aos}, {mesh::CellKind::triangle, 1, 1, Layout::soa}};

mesh::Mesh make_whole(mesh::CellKind kind) {
  mesh::Mesh whole = kind == mesh::CellKind::hexahedron ? mesh::make_box(3, 4, 2)
                     : kind == mesh::CellKind::prism    ? mesh::make_prism_box(3, 2, 2)
                     : kind == mesh::CellKind::triangle ? mesh::make_rectangle(mesh::CellKind::triangle, 4, 3)
                                                        : mesh::make_tetrahedron_box(2, 3, 2);
  mesh::rotate_elements(whole, 5);
  return whole;
}

/// A number for each node and component that says where the node is.
double value_at(const mesh::Point& x, int c) { return 1 + x[0] + 10 * x[1] + 100 * x[2] + 1000 * c; }

Vector<double> evaluate(const mesh::Mesh& mesh, const Space& space) {
  std::vector<double> x(space.num_entries());
  const std::vector<mesh::Point> points = node_points(mesh, space);
  for (Index node = 0; node < space.num_nodes; ++node)
    for (int c = 0; c < space.components; ++c)
      x[space.entry(node, c)] = value_at(points[static_cast<std::size_t>(node)], c);
  return test::to_device<double>(x);
}

}  // namespace

TEST_CASE("A vector of all ranks is gathered as one process has it, and scattered back", "[ranks][space]") {
  const Case c = GENERATE(from_range(cases));
  const Boundary boundary = c.kind == mesh::CellKind::hexahedron ? Boundary::dirichlet : Boundary::neumann;
  CAPTURE(mesh::name(c.kind), c.order, c.components);
  const Communicator world = Communicator::world();
  const mesh::Mesh whole = make_whole(c.kind), part = take_part(whole, world, 3);
  const Space all = make_space(whole, c.order, c.components, boundary, c.layout),
              own = make_space(part, c.order, c.components, boundary, c.layout);
  const WholeNodes of_all(whole, all), of_ranks(part, own);
  CHECK(of_ranks.size() == all.num_nodes);

  const Vector<double> x = evaluate(part, own);
  const std::vector<double> expected = of_all.gather(evaluate(whole, all)), found = of_ranks.gather(x);
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i] == Approx(expected[i]).epsilon(1e-13));
  CHECK(std::set<double>(expected.begin(), expected.end()).size() == expected.size());  // each node once
  if (c.kind == mesh::CellKind::tetrahedron)  // the first element's vertices are the first nodes
    CHECK(expected[3] == Approx(value_at(whole.vertices[std::size_t(whole.element_to_vertex[0][1])], 0)));

  const auto back = to_vector(of_ranks.scatter(found)), before = to_vector(x);
  REQUIRE(back.size() == before.size());
  for (std::size_t i = 0; i < back.size(); ++i) CHECK(back[i] == Approx(before[i]).epsilon(1e-13));
}

TEST_CASE("Vectors of another length are refused", "[ranks][space]") {
  const Communicator world = Communicator::world();
  const mesh::Mesh part = take_part(make_whole(mesh::CellKind::hexahedron), world, 3);
  const Space own = make_space(part, 1, 1, Boundary::neumann);
  const WholeNodes nodes(part, own);
  CHECK_THROWS_WITH(nodes.gather(make_zeros<double>("x", 1)), contains("x 1: entries; accepted are the"));
  CHECK_THROWS_WITH(nodes.scatter({1, 2}), contains("whole 2: values; accepted are 60"));
  CHECK_THROWS_WITH(set_to_zero(own, make_zeros<double>("x", 1)), contains("x 1: entries"));
  if (world.is_alone()) CHECK_THROWS_WITH(WholeNodes(part, make_unknowns(3)), contains("belongs to no element"));
}

TEST_CASE("Constrained entries of all components are set to zero, and no others", "[ranks][space]") {
  const Communicator world = Communicator::world();
  const mesh::Mesh part = take_part(make_whole(mesh::CellKind::hexahedron), world, 3);
  const Space own = make_space(part, 3, 2, Boundary::dirichlet, GENERATE(Layout::soa, Layout::aos));
  const Vector<double> x = make_vector<double>("x", own.num_entries());
  Kokkos::deep_copy(x, 2.);
  set_to_zero(own, x);
  const auto found = to_vector(x);
  for (Index node = 0; node < own.num_nodes; ++node)
    for (int c = 0; c < 2; ++c)
      CHECK(found[own.entry(node, c)] == (std::binary_search(own.masked.begin(), own.masked.end(), node) ? 0 : 2));
}
