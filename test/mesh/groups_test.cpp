// SPDX-License-Identifier: BSD-3-Clause
// Named groups of cells and of their sides: read from Gmsh's files, kept when a mesh changes.
#include <cmath>
#include <numeric>
#include <set>

#include "miniapp/mesh/read.hpp"
#include "miniapp/mesh/reorder.hpp"
#include "support/catch.hpp"
#include "support/prism_meshes.hpp"
#include "support/temporary_folder.hpp"
#include "support/tetrahedra.hpp"

using mesh::CellKind;
using mesh::CellSide;

namespace {

/// Two squares side by side: the left one and the wall x = 0 have names, the right one has a number alone.
const std::string squares_2_2 = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
2
1 7 "cold wall"
2 3 "left"
$EndPhysicalNames
$Nodes
6
1 0 0 0
2 1 0 0
3 2 0 0
4 0 1 0
5 1 1 0
6 2 1 0
$EndNodes
$Elements
4
1 1 2 7 1 1 4
2 1 2 0 1 1 2
3 3 2 3 1 1 2 5 4
4 3 2 9 1 2 3 6 5
$EndElements
)";

/// Both squares in format 4.1, where groups belong to geometric entities: the left square is in two.
const std::string squares_4_1 = R"($MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
3
1 7 "cold wall"
2 3 "left"
2 4 "all of it"
$EndPhysicalNames
$Entities
1 1 2 0
5 0 0 0 1 8
11 0 0 0 0 1 0 1 7 2 5 5
21 0 0 0 1 1 0 2 3 4 1 11
22 1 0 0 2 1 0 1 4 0
$EndEntities
$Nodes
1 6 1 6
2 21 0 6
1
2
3
4
5
6
0 0 0
1 0 0
2 0 0
0 1 0
1 1 0
2 1 0
$EndNodes
$Elements
3 3 1 3
1 11 1 1
1 1 4
2 21 3 1
2 1 2 5 4
2 22 3 1
3 2 3 6 5
$EndElements
)";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

mesh::Mesh make_mesh(CellKind kind) {
  if (kind == CellKind::prism) return make_shaken_prisms(4, 3, 2);
  if (kind == CellKind::tetrahedron) return make_tetrahedra(4, 2, 3);
  return mesh::make_box(4, 3, 2);
}

mesh::Point centre(const mesh::Mesh& mesh, Index e) {
  mesh::Point sum{};
  const int corners = mesh::num_vertices(mesh.kind);
  for (int v = 0; v < corners; ++v)
    for (int d = 0; d < 3; ++d) sum[d] += mesh.vertices[mesh.element_to_vertex[e][v]][d] / corners;
  return sum;
}
mesh::Point centre(const mesh::Mesh& mesh, const CellSide& side) {
  mesh::Point sum{};
  const mesh::SideVertices vertices = side_vertices(mesh, side);
  const int size = vertices[3] < 0 ? 3 : 4;
  for (int v = 0; v < size; ++v)
    for (int d = 0; d < 3; ++d) sum[d] += mesh.vertices[vertices[v]][d] / size;
  return sum;
}

/// Gives every third cell, and two sides of each fifth, to groups.
void add_groups(mesh::Mesh& mesh) {
  mesh::Group third{"every third", 3, {}, {}}, some{"some sides", 2, {}, {}};
  for (Index e = 0; e < static_cast<Index>(mesh.num_elements()); ++e) {
    if (e % 3 == 0) third.cells.push_back(e);
    if (e % 5 == 0) some.sides.insert(some.sides.end(), {{e, 1}, {e, 3}});
  }
  mesh.groups = {some, third};
}

/// Where the members of a group are, rounded: what must not change.
using Places = std::multiset<std::array<long, 3>>;
Places places(const mesh::Mesh& mesh, const std::string& name) {
  const mesh::Group* const group = mesh.find_group(name);
  REQUIRE(group);
  Places found;
  const auto add = [&](const mesh::Point& x) {
    found.insert({std::lround(1e6 * x[0]), std::lround(1e6 * x[1]), std::lround(1e6 * x[2])});
  };
  for (const Index e : group->cells) add(centre(mesh, e));
  for (const CellSide& side : group->sides) add(centre(mesh, side));
  CHECK(std::is_sorted(group->cells.begin(), group->cells.end()));
  CHECK(std::is_sorted(group->sides.begin(), group->sides.end()));
  return found;
}

}  // namespace

TEST_CASE("Physical groups of cells and of their sides are read by name, or by number", "[mesh][groups]") {
  const mesh::Mesh mesh = mesh::parse_gmsh(squares_2_2, "FILE");

  REQUIRE(mesh.groups.size() == 3);
  REQUIRE(mesh.find_group("cold wall"));
  CHECK(mesh.find_group("cold wall")->dimension == 1);
  CHECK(mesh.find_group("cold wall")->cells.empty());
  CHECK(mesh.find_group("cold wall")->sides == std::vector<CellSide>{{0, 3}});  // edges 0 1, 1 2, 2 3, 3 0
  CHECK(mesh.find_group("left")->cells == std::vector<Index>{0});
  CHECK(mesh.find_group("9")->cells == std::vector<Index>{1});
  CHECK(mesh.find_group("9")->dimension == 2);
  CHECK(mesh.find_group("right") == nullptr);
}

TEST_CASE("Groups of format 4.1 are those of geometric entities, any number for each", "[mesh][groups]") {
  const mesh::Mesh mesh = mesh::parse_gmsh(squares_4_1, "FILE");

  REQUIRE(mesh.groups.size() == 3);
  CHECK(mesh.find_group("cold wall")->sides == std::vector<CellSide>{{0, 3}});
  CHECK(mesh.find_group("left")->cells == std::vector<Index>{0});
  CHECK(mesh.find_group("all of it")->cells == std::vector<Index>{0, 1});
}

TEST_CASE("A cell that format 2.2 lists for each of its groups is one cell of all of them", "[mesh][groups]") {
  const std::string again = replaced(squares_2_2, "4 3 2 9 1 2 3 6 5\n", "4 3 2 9 1 2 3 6 5\n5 3 2 9 1 1 2 5 4\n");

  const mesh::Mesh mesh = mesh::parse_gmsh(replaced(again, "$Elements\n4", "$Elements\n5"), "FILE");

  CHECK(mesh.num_elements() == 2);
  CHECK(mesh.find_group("left")->cells == std::vector<Index>{0});
  CHECK(mesh.find_group("9")->cells == std::vector<Index>{0, 1});
  CHECK(mesh.find_group("cold wall")->sides == std::vector<CellSide>{{0, 3}});
}

TEST_CASE("Turned entities have groups below zero: their cells and sides stay in the group", "[mesh][groups]") {
  const std::string cells = replaced(squares_4_1, "22 1 0 0 2 1 0 1 4 0", "22 1 0 0 2 1 0 1 -4 0");
  const mesh::Mesh mesh = mesh::parse_gmsh(replaced(cells, "0 1 0 1 7 2 5 5", "0 1 0 1 -7 2 5 5"), "FILE");
  const mesh::Mesh older = mesh::parse_gmsh(replaced(squares_2_2, "3 3 2 3 1", "3 3 2 -3 1"), "FILE");

  REQUIRE(mesh.groups.size() == 3);
  CHECK(mesh.find_group("cold wall")->sides == std::vector<CellSide>{{0, 3}});
  CHECK(mesh.find_group("all of it")->cells == std::vector<Index>{0, 1});
  CHECK(older.groups.size() == 3);
  CHECK(older.find_group("left")->cells == std::vector<Index>{0});
}

TEST_CASE("Pieces of entities that a partition cuts have groups of their own", "[mesh][groups]") {
  // points, curves and surfaces: number, parent's dimension and number, partitions, box, groups, what is around
  const std::string pieces = R"($PartitionedEntities
2
1
6 2
1 1 2 0
9 0 5 1 1 0 0 0 1 8
31 1 11 1 1 0 0 0 0 1 0 1 7 2 9 9
41 2 21 1 1 0 0 0 1 1 0 2 3 4 1 31
42 2 22 2 1 2 1 0 0 2 1 0 1 -4 0
$EndPartitionedEntities
$Nodes)";
  std::string text = replaced(squares_4_1, "$Nodes", pieces);
  text = replaced(replaced(replaced(text, "\n1 11 1 1\n", "\n1 31 1 1\n"), "\n2 21 3 1\n", "\n2 41 3 1\n"),
                  "\n2 22 3 1\n", "\n2 42 3 1\n");

  const mesh::Mesh mesh = mesh::parse_gmsh(text, "FILE");

  REQUIRE(mesh.groups.size() == 3);
  CHECK(mesh.find_group("cold wall")->sides == std::vector<CellSide>{{0, 3}});
  CHECK(mesh.find_group("left")->cells == std::vector<Index>{0});
  CHECK(mesh.find_group("all of it")->cells == std::vector<Index>{0, 1});
}

TEST_CASE("A side between two cells is in a group for both of them", "[mesh][groups]") {
  const mesh::Mesh mesh = mesh::parse_gmsh(replaced(squares_2_2, "1 1 2 7 1 1 4", "1 1 2 7 1 5 2"), "FILE");

  CHECK(mesh.find_group("cold wall")->sides == std::vector<CellSide>{{0, 1}, {1, 3}});
}

TEST_CASE("Groups stay with their cells and sides when a mesh is shuffled, turned and reordered", "[mesh][groups]") {
  mesh::Mesh mesh = make_mesh(GENERATE(CellKind::hexahedron, CellKind::prism, CellKind::tetrahedron));
  add_groups(mesh);
  const Places cells = places(mesh, "every third"), sides = places(mesh, "some sides");

  mesh = mesh::shuffle(mesh, 1);
  CHECK(places(mesh, "every third") == cells);
  CHECK(places(mesh, "some sides") == sides);
  mesh::rotate_elements(mesh, 2);
  CHECK(places(mesh, "some sides") == sides);
  std::vector<Index> order(mesh.num_elements());
  std::iota(order.rbegin(), order.rend(), 0);
  std::swap(order[0], order[2]);
  mesh = mesh::reorder(mesh, order);
  CHECK(places(mesh, "every third") == cells);
  CHECK(places(mesh, "some sides") == sides);
}

TEST_CASE("Groups are written and read back", "[mesh][groups]") {
  mesh::Mesh mesh = make_mesh(GENERATE(CellKind::hexahedron, CellKind::prism, CellKind::tetrahedron));
  add_groups(mesh);
  const TemporaryFolder folder;
  const std::string path = folder.file("groups.msh");

  mesh::write_gmsh(mesh, path);
  const mesh::Mesh read = mesh::read_gmsh(path);

  CHECK(read.groups.size() == 2);
  CHECK(places(read, "every third") == places(mesh, "every third"));
  const Places written = places(mesh, "some sides"), found = places(read, "some sides");  // found: for both cells
  CHECK(std::set(found.begin(), found.end()) == std::set(written.begin(), written.end()));
  mesh.groups.push_back({"twice", 3, {0}, {}});
  CHECK_THROWS_WITH(mesh::write_gmsh(mesh, path), contains("cell 1 is in the groups 'every third' and 'twice'"));
}

TEST_CASE("Groups that make no sense are refused with their line", "[mesh][groups]") {
  const auto complaint = [](const std::string& text) {
    try {
      mesh::parse_gmsh(text, "FILE");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };

  CHECK_THAT(complaint(replaced(squares_2_2, "\"left\"", "left")),
             contains("FILE: line 7: 'left'") && contains("quotation"));
  CHECK_THAT(complaint(replaced(squares_2_2, "\"left\"", "\"left")), contains("line 7"));
  CHECK_THAT(complaint(replaced(squares_2_2, "1 1 2 7 1 1 4", "1 1 2 7 1 1 5")),
             contains("line 20: a member of the group 'cold wall' is a side of no cell"));
  CHECK_THAT(
      complaint(replaced(replaced(squares_2_2, "6\n1 0 0 0", "7\n8 5 5 0\n1 0 0 0"), "1 1 2 7 1 1 4", "1 1 2 7 1 1 8")),
      contains("line 21: a member of the group 'cold wall' is a side of no cell"));
  CHECK_THAT(complaint(replaced(squares_4_1, "1 1 2 0\n", "1 1 3 0\n")), contains("FILE: line"));
}
