// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/elasticity/numbering.hpp"

#include "miniapp/core/error.hpp"
#include "miniapp/geometry/prism.hpp"
#include "support/prism_meshes.hpp"
#include "support/vectors.hpp"

using namespace miniapp;
using namespace miniapp::test;
using elasticity::Numbering;

namespace {

/// The largest distance of a node, as an element places it, from where another does [m].
double disagreement(const mesh::Mesh& mesh, const Numbering& numbering) {
  const std::vector<mesh::Point> nodes = node_points(mesh, numbering);
  double worst = 0;
  for (std::size_t e = 0; e < mesh.num_elements(); ++e) {  // each element's own view
    mesh::Mesh alone{mesh.vertices, Map(1, 6), mesh.kind};
    Numbering own{numbering.order, {1, numbering.element_to_node.arity}, numbering.num_nodes, 0};
    std::copy_n(mesh.element_to_vertex[e], 6, alone.element_to_vertex[0]);
    std::copy_n(numbering.element_to_node[e], own.element_to_node.arity, own.element_to_node[0]);
    const std::vector<mesh::Point> points = node_points(alone, own);
    for (const Index node : own.element_to_node.entries) worst = std::max(worst, distance(points[node], nodes[node]));
  }
  return worst;
}

/// The least distance of two nodes [m].
double least_distance(const std::vector<mesh::Point>& nodes) {
  const std::vector<std::size_t> order = sweep(nodes);
  double least = INFINITY;
  for (std::size_t i = 1; i < order.size(); ++i)
    least = std::min(least, distance(nodes[order[i - 1]], nodes[order[i]]));
  return least;
}

}  // namespace

TEST_CASE("Nodes of one number coincide and others do not, however elements are turned", "[elasticity][numbering]") {
  const int order = GENERATE(range(1, 8));
  const unsigned seed = GENERATE(1, 2, 3);
  const mesh::Mesh mesh = make_shaken_prisms(3, 2, 2, seed);

  const Numbering numbering = elasticity::make_numbering(mesh, order);

  CHECK(numbering.num_nodes == (3 * order + 1) * (2 * order + 1) * (2 * order + 1));
  CHECK(disagreement(mesh, numbering) <= tolerance<double>(6, 4));
  CHECK(least_distance(node_points(mesh, numbering)) > 1e-3);
}

TEST_CASE("Quadrilaterals agree where lines cross", "[elasticity][numbering]") {
  const int order = GENERATE(range(1, 8));
  mesh::Mesh mesh = make_crossed_prisms();
  mesh::rotate_elements(mesh, GENERATE(range(0u, 8u)));
  mesh = mesh::shuffle(mesh, 3);

  const Numbering numbering = elasticity::make_numbering(mesh, order);

  CHECK(numbering.num_nodes == 2 * basis::number_of_shape_functions(order) - (order + 1) * (order + 1));
  CHECK(disagreement(mesh, numbering) <= tolerance<double>(6, 1));
}

TEST_CASE("Masked nodes keep their numbers and count no unknowns", "[elasticity][numbering]") {
  const mesh::Mesh mesh = make_shaken_prisms(2, 1, 1);
  Numbering numbering = elasticity::make_numbering(mesh, 2);
  const Numbering before = numbering;
  std::vector<char> held(numbering.num_nodes, 0);
  held[3] = held[7] = 1;

  mask(numbering, held);
  mask(numbering, held);  // once more changes nothing

  CHECK(numbering.num_masked == 2);
  CHECK(numbering.num_dofs() == 3 * (numbering.num_nodes - 2));
  for (std::size_t i = 0; i < before.element_to_node.entries.size(); ++i) {
    const Index node = before.element_to_node.entries[i];
    CHECK(numbering.element_to_node.entries[i] == (held[node] ? ~node : node));
  }
}

TEST_CASE("Prisms of a mesh have its vertices and one material", "[elasticity][numbering]") {
  const mesh::Mesh mesh = make_shaken_prisms(2, 1, 2);

  const elasticity::Prisms prisms = elasticity::make_prisms(mesh, 3, 0.25);

  REQUIRE(prisms.size() == mesh.num_elements());
  CHECK(prisms.vertices[18 * 5 + 3 * 4 + 1] == mesh.vertices[mesh.element_to_vertex[5][4]][1]);
  CHECK(prisms.materials[2 * 5 + 1] == close<double>(1.2, 4));
}

TEST_CASE("Meshes of other cells, orders and prisms inside out are refused", "[elasticity][numbering]") {
  mesh::Mesh mesh = mesh::make_prism_box(1, 1, 1);

  CHECK_THROWS_WITH(elasticity::make_numbering(mesh::make_box(1, 1, 1), 2), contains("hexahedron"));
  CHECK_THROWS_AS(elasticity::make_numbering(mesh, 8), InputError);
  std::swap(mesh.element_to_vertex[1][0], mesh.element_to_vertex[1][1]);
  CHECK_THROWS_AS(elasticity::make_prisms(mesh, 1, 0), InputError);
  CHECK_THROWS_AS(elasticity::make_prisms(mesh::make_box(1, 1, 1), 1, 0), InputError);
}
