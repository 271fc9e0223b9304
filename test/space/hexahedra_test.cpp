// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/space/space.hpp"

#include <set>

#include "miniapp/mesh/entities.hpp"
#include "miniapp/mesh/reorder.hpp"
#include "support/all_close.hpp"
#include "support/meshes.hpp"

namespace {

/// Meshes with every relative orientation of neighbours.
mesh::Mesh make_mesh(const std::string& which) {
  if (which == "one element") return make_turned_box(1, 1, 1);
  if (which == "plain box") return mesh::make_box(3, 2, 5);
  if (which == "shaken box") return make_shaken_box(7, 3, 2);
  if (which == "turned box") return make_turned_box(3, 2, 5);
  if (which == "turned cube") return make_turned_box(3, 3, 3, 2);
  if (which == "fan of three") return make_fan(3, 2);
  return make_fan(5, 3);
}
std::string any_mesh() {
  return GENERATE(as<std::string>(), "one element", "plain box", "shaken box", "turned box", "turned cube",
                  "fan of three", "fan of five");
}

/// Different points differ by much more in some coordinate.
const double same_point = tolerance<double>(64, 10);

/// The largest distance of a local node from the place of its global node.
double largest_gap(const mesh::Mesh& mesh, const space::Space& space) {
  const std::vector<mesh::Point> local = local_coordinates(mesh, space.order), nodes = node_points(mesh, space);
  double gap = 0;
  for (std::size_t q = 0; q < local.size(); ++q)
    gap = std::max(gap, distance(local[q], nodes[node_of(space.element_to_node.host().entries[q])]));
  return gap;
}

std::set<Index> used_nodes(const space::Space& space) {
  std::set<Index> used;
  for (const Index entry : space.element_to_node.host().entries) used.insert(node_of(entry));
  return used;
}

/// Nodes of faces that belong to only one element.
std::set<Index> surface_nodes(const mesh::Mesh& mesh, const space::Space& space) {
  const mesh::Entities faces = mesh::find_faces(mesh);
  const auto of_cell = to_host(faces.of_cell), multiplicity = to_host(faces.multiplicity);
  const int n = space.order + 1, strides[3] = {1, n, n * n};
  std::set<Index> nodes;
  for (std::size_t e = 0; e < mesh.num_elements(); ++e)
    for (int face = 0; face < 6; ++face)
      for (int q = 0; q < n * n * n; ++q)
        if (multiplicity(of_cell(6 * e + face)) == 1 && q / strides[face / 2] % n == (face % 2 ? n - 1 : 0))
          nodes.insert(node_of(space.element_to_node.host()[e][q]));
  return nodes;
}

}  // namespace

TEST_CASE("A box has as many nodes as the grid of its nodes", "[space][hexahedra]") {
  const int order = GENERATE(range(1, 9));
  const auto [nx, ny, nz] = GENERATE(table<int, int, int>({{1, 1, 1}, {3, 2, 5}, {7, 3, 2}, {4, 4, 4}}));

  const space::Space space = space::make_space(make_turned_box(nx, ny, nz), order, 1, Boundary::neumann);

  CHECK(space.num_nodes == (nx * order + 1) * (ny * order + 1) * (nz * order + 1));
  CHECK(space.order == order);
  CHECK(space.element_to_node.arity() == (order + 1) * (order + 1) * (order + 1));
}

TEST_CASE("count_nodes counts a mesh's nodes by its entities", "[space][hexahedra]") {
  const int order = GENERATE(range(1, 9));
  const mesh::Mesh mesh = make_mesh(any_mesh());

  const auto counted =
      space::count_nodes(std::int64_t(mesh.vertices.size()), std::int64_t(mesh::find_edges(mesh).size()),
                         std::int64_t(mesh::find_faces(mesh).size()), std::int64_t(mesh.num_elements()), order);

  CHECK(counted == space::make_space(mesh, order, 1, Boundary::neumann).num_nodes);
}

TEST_CASE("Every number from 0 up is the number of some node", "[space][hexahedra]") {
  const int order = GENERATE(1, 2, 3, 6);
  const std::string which = any_mesh();

  const space::Space space = space::make_space(make_mesh(which), order, 1, Boundary::dirichlet);

  const std::set<Index> used = used_nodes(space);
  CAPTURE(which, order);
  CHECK(Index(used.size()) == space.num_nodes);
  CHECK(*used.begin() == 0);
  CHECK(*used.rbegin() == space.num_nodes - 1);
}

TEST_CASE("Local nodes have one number if and only if they lie in one place", "[space][hexahedra]") {
  const int order = GENERATE(1, 2, 3, 4, 7);
  const std::string which = any_mesh();
  const mesh::Mesh mesh = make_mesh(which);

  const space::Space space = space::make_space(mesh, order, 1, Boundary::neumann);

  CAPTURE(which, order);
  CHECK(largest_gap(mesh, space) <= same_point);
  CHECK(least_distance(node_points(mesh, space)) > 100 * same_point);
}

TEST_CASE("Numbers are right for any orientation of elements", "[space][hexahedra]") {
  const unsigned seed = GENERATE(range(1u, 40u));
  const mesh::Mesh mesh = make_turned_box(2, 2, 2, seed);

  const space::Space space = space::make_space(mesh, 4, 1, Boundary::neumann);

  CAPTURE(seed);
  CHECK(space.num_nodes == 9 * 9 * 9);
  CHECK(largest_gap(mesh, space) <= same_point);
}

TEST_CASE("Rows of nodes are consecutive where neighbours share their r direction", "[space][hexahedra]") {
  const int order = GENERATE(1, 2, 5), n = order + 1;
  const Boundary boundary = GENERATE(Boundary::neumann, Boundary::dirichlet);

  const space::Space space = space::make_space(make_shaken_box(7, 3, 2), order, 1, boundary);

  for (std::size_t e = 0; e < space.element_to_node.size(); ++e)
    for (int q = 0; q < n * n * n; ++q)
      if (q % n)
        CHECK(node_of(space.element_to_node.host()[e][q]) == node_of(space.element_to_node.host()[e][q - 1]) + 1);
}

TEST_CASE("Lines that close to rings are cut after their lowest elements", "[space][hexahedra]") {
  const int around = GENERATE(3, 4, 5, 8), order = GENERATE(2, 3);
  mesh::Mesh mesh = mesh::make_box(around, 2, 3);
  for (Index& vertex : mesh.element_to_vertex.entries)  // the end x = 1 is the end x = 0
    if (vertex % (around + 1) == around) vertex -= around;
  CAPTURE(around, order);

  const space::Space space = space::make_space(mesh, order, 1, Boundary::neumann);

  const int n = order + 1, unused = 3 * 4;
  CHECK(space.num_nodes == around * order * (2 * order + 1) * (3 * order + 1) + unused);
  CHECK(Index(used_nodes(space).size()) == space.num_nodes - unused);
  for (std::size_t e = 0; e < mesh.num_elements(); ++e) {
    const bool closes = e % around == 0;  // the lowest of its ring comes last
    for (int q = 0; q < n * n * n; ++q) {
      if (q % n == 0 || (closes && q % n == order)) continue;
      CHECK(space.element_to_node.host()[e][q] == space.element_to_node.host()[e][q - 1] + 1);
    }
  }
}

TEST_CASE("Exactly the nodes of the surface are masked, wherever they appear", "[space][hexahedra]") {
  const int order = GENERATE(1, 2, 3, 6);
  const std::string which = any_mesh();
  const mesh::Mesh mesh = make_mesh(which);

  const space::Space space = space::make_space(mesh, order, 1, Boundary::dirichlet);

  const std::set<Index> surface = surface_nodes(mesh, space);
  CAPTURE(which, order);
  CHECK(space.masked == std::vector<Index>(surface.begin(), surface.end()));
  CHECK(space.num_dofs() == space.num_nodes - Index(surface.size()));
  for (const Index entry : space.element_to_node.host().entries)
    CHECK((entry < 0) == (surface.count(node_of(entry)) == 1));
}

TEST_CASE("The surface of the unit cube is where a coordinate is 0 or 1", "[space][hexahedra]") {
  const int order = GENERATE(1, 2, 5);
  mesh::Mesh mesh = mesh::make_box(3, 2, 5);
  mesh::deform(mesh, 0.05);
  mesh::rotate_elements(mesh, 1);

  const space::Space space = space::make_space(mesh, order, 1, Boundary::dirichlet);

  const std::vector<mesh::Point> nodes = node_points(mesh, space);
  std::vector<Index> expected;
  for (Index node = 0; node < space.num_nodes; ++node)
    if (std::any_of(nodes[node].begin(), nodes[node].end(),
                    [](double c) { return std::fabs(c) <= same_point || std::fabs(c - 1) <= same_point; }))
      expected.push_back(node);
  CHECK(space.masked == expected);
  CHECK(space.num_dofs() == (3 * order - 1) * (2 * order - 1) * (5 * order - 1));
}

TEST_CASE("A natural boundary masks nothing and numbers alike", "[space][hexahedra]") {
  const mesh::Mesh mesh = make_turned_box(3, 2, 5);
  const space::Space free = space::make_space(mesh, 3, 1, Boundary::neumann);
  Map unmasked = space::make_space(mesh, 3, 1, Boundary::dirichlet).element_to_node.host();

  for (Index& entry : unmasked.entries) entry = node_of(entry);

  CHECK(free.masked.empty());
  CHECK(free.num_dofs() == free.num_nodes);
  CHECK(free.element_to_node.host().entries == unmasked.entries);
}

TEST_CASE("Vertices of no element are numbered last", "[space][hexahedra]") {
  mesh::Mesh mesh = make_turned_box(2, 1, 1);
  mesh.vertices.insert(mesh.vertices.begin(), {9, 9, 9});
  for (Index& vertex : mesh.element_to_vertex.entries) ++vertex;

  const space::Space space = space::make_space(mesh, 2, 1, Boundary::neumann);

  CHECK(space.num_nodes == 5 * 3 * 3 + 1);
  CHECK(*used_nodes(space).rbegin() == space.num_nodes - 2);
}

TEST_CASE("Components multiply the entries of vectors and the free unknowns", "[space][hexahedra]") {
  const Layout layout = GENERATE(Layout::soa, Layout::aos);

  const space::Space space = space::make_space(mesh::make_box(2, 2, 2), 3, 3, Boundary::dirichlet, layout);

  CHECK(space.num_entries() == 3 * 7 * 7 * 7);
  CHECK(space.num_dofs() == 3 * 5 * 5 * 5);
  std::set<std::size_t> entries;
  for (Index node = 0; node < space.num_nodes; ++node)
    for (int c = 0; c < 3; ++c) entries.insert(space.entry(node, c));
  CHECK(entries.size() == space.num_entries());
  CHECK(*entries.rbegin() == space.num_entries() - 1);
  CHECK(space.entry(5, 2) == (layout == Layout::soa ? 2 * 343 + 5 : 5 * 3 + 2));
}

TEST_CASE("Counts of nodes may exceed the range of an index", "[space][hexahedra]") {
  const std::int64_t n = 1290;

  const std::int64_t nodes =
      space::count_nodes((n + 1) * (n + 1) * (n + 1), 3 * n * (n + 1) * (n + 1), 3 * n * n * (n + 1), n * n * n, 15);

  CHECK(nodes == (15 * n + 1) * (15 * n + 1) * (15 * n + 1));
}
