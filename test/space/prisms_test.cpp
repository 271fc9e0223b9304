// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/space/space.hpp"

#include "miniapp/basis/prism.hpp"
#include "miniapp/elasticity/integrator.hpp"
#include "miniapp/geometry/prism.hpp"
#include "miniapp/mesh/generate_2d.hpp"
#include "support/prism_meshes.hpp"
#include "support/vectors.hpp"

namespace {

/// The largest distance between the positions that two elements give one node [m].
double disagreement(const mesh::Mesh& mesh, const space::Space& space) {
  const std::vector<mesh::Point> nodes = node_points(mesh, space);
  double worst = 0;
  for (std::size_t e = 0; e < mesh.num_elements(); ++e) {  // each element's own view
    mesh::Mesh alone{mesh.vertices, Map(1, 6), mesh.kind};
    const int arity = space.element_to_node.arity();
    Map own_nodes(1, arity);
    std::copy_n(mesh.element_to_vertex[e], 6, alone.element_to_vertex[0]);
    std::copy_n(space.element_to_node.host()[e], arity, own_nodes[0]);
    space::Space own = space;
    own.element_to_node = SharedMap(own_nodes);
    const std::vector<mesh::Point> points = node_points(alone, own);
    for (const Index node : own_nodes.entries) worst = std::max(worst, distance(points[node], nodes[node]));
  }
  return worst;
}

}  // namespace

TEST_CASE("Nodes of one number coincide and others do not, however elements are turned", "[space][prisms]") {
  const int order = GENERATE(range(1, 8));
  const unsigned seed = GENERATE(1, 2, 3);
  const mesh::Mesh mesh = make_shaken_prisms(3, 2, 2, seed);

  const space::Space space = space::make_space(mesh, order, 3, Boundary::neumann, Layout::aos);

  CHECK(space.num_nodes == (3 * order + 1) * (2 * order + 1) * (2 * order + 1));
  CHECK(disagreement(mesh, space) <= tolerance<double>(6, 4));
  CHECK(least_distance(node_points(mesh, space)) > 1e-3);
}

TEST_CASE("Quadrilaterals agree where lines cross", "[space][prisms]") {
  const int order = GENERATE(range(1, 8));
  mesh::Mesh mesh = make_crossed_prisms();
  mesh::rotate_elements(mesh, GENERATE(range(0u, 8u)));
  mesh = mesh::shuffle(mesh, 3);

  const space::Space space = space::make_space(mesh, order, 3, Boundary::neumann, Layout::aos);

  CHECK(space.num_nodes == 2 * basis::number_of_shape_functions(order) - (order + 1) * (order + 1));
  CHECK(disagreement(mesh, space) <= tolerance<double>(6, 1));
}

TEST_CASE("Masked nodes keep their numbers and count no unknowns", "[space][prisms]") {
  const mesh::Mesh mesh = make_shaken_prisms(2, 1, 1);
  space::Space space = space::make_space(mesh, 2, 3, Boundary::neumann, Layout::aos);
  const space::Space before = space;
  std::vector<char> held(space.num_nodes, 0);
  held[3] = held[7] = 1;

  hold(space, held);
  hold(space, held);  // a second call changes nothing

  CHECK(space.masked == std::vector<Index>{3, 7});
  CHECK(space.num_dofs() == 3 * (space.num_nodes - 2));
  const Map &was = before.element_to_node.host(), &is = space.element_to_node.host();
  for (std::size_t i = 0; i < was.entries.size(); ++i)
    CHECK(is.entries[i] == (held[was.entries[i]] ? ~was.entries[i] : was.entries[i]));
}

TEST_CASE("The surface of prisms is masked, and nothing inside", "[space][prisms]") {
  const int order = GENERATE(range(1, 8));
  const mesh::Mesh mesh = mesh::make_prism_box(3, 2, 2);

  const space::Space fixed = space::make_space(mesh, order, 1, Boundary::dirichlet);

  const std::vector<mesh::Point> nodes = node_points(mesh, fixed);
  std::vector<Index> expected;
  for (Index node = 0; node < fixed.num_nodes; ++node)
    if (std::any_of(nodes[node].begin(), nodes[node].end(), [](double x) { return x < 1e-9 || x > 1 - 1e-9; }))
      expected.push_back(node);
  CHECK(fixed.masked == expected);
  CHECK(fixed.num_dofs() == (3 * order - 1) * (2 * order - 1) * (2 * order - 1));
}

TEST_CASE("Prisms of a mesh have its vertices and one material", "[space][prisms]") {
  const mesh::Mesh mesh = make_shaken_prisms(2, 1, 2);

  const elasticity::Prisms prisms = elasticity::make_prisms(mesh, 3, 0.25);

  REQUIRE(prisms.size() == mesh.num_elements());
  CHECK(prisms.vertices[18 * 5 + 3 * 4 + 1] == mesh.vertices[mesh.element_to_vertex[5][4]][1]);
  CHECK(prisms.materials[2 * 5 + 1] == close<double>(1.2, 4));
}

TEST_CASE("Meshes of other cells, other orders and inverted prisms are rejected", "[space][prisms]") {
  mesh::Mesh mesh = mesh::make_prism_box(1, 1, 1);

  CHECK_THROWS_WITH(space::make_space(mesh::make_rectangle(mesh::CellKind::triangle, 2, 2), 2, 1, Boundary::neumann),
                    contains("triangle"));
  CHECK_THROWS_WITH(space::make_space(mesh, 2, 0, Boundary::neumann), contains("0 components"));
  CHECK_THROWS_AS(space::make_space(mesh, 8, 3, Boundary::neumann, Layout::aos), InputError);
  std::swap(mesh.element_to_vertex[1][0], mesh.element_to_vertex[1][1]);
  CHECK_THROWS_AS(elasticity::make_prisms(mesh, 1, 0), InputError);
  CHECK_THROWS_AS(elasticity::make_prisms(mesh::make_box(1, 1, 1), 1, 0), InputError);
}
