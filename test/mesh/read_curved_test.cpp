// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "miniapp/mesh/read.hpp"
#include "support/catch.hpp"

namespace {

/// Files of the unit cube as one element, which Gmsh 4.15 wrote.
std::string path_of(const std::string& name) {
  return (std::filesystem::path(__FILE__).parent_path() / "gmsh" / (name + ".msh")).string();
}
std::string text_of(const std::string& name) {
  std::ifstream file(path_of(name), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
std::string replaced(std::string text, const std::string& from, const std::string& to) {
  REQUIRE(text.find(from) != text.npos);
  return text.replace(text.find(from), from.size(), to);
}

}  // namespace

TEST_CASE("Nodes of curved hexahedra are put where the element's frame has them", "[mesh][read][curved]") {
  const auto [name, order] =
      GENERATE(table<std::string, int>({{"order2", 2}, {"order2_20_nodes", 2}, {"order3", 3}, {"order4", 4}}));
  const mesh::Mesh mesh = mesh::read_gmsh(path_of(name));

  CHECK(mesh.vertices.size() == 8);
  CHECK(mesh.curved.order == order);
  REQUIRE(mesh.curved.nodes.size() == mesh.curved.per_element());
  // the frame is one of the cube's: a permutation of axes with signs, by the vertices
  const auto vertex = [&](int v) { return mesh.vertices[std::size_t(mesh.element_to_vertex[0][v])]; };
  const std::size_t n = std::size_t(order) + 1;
  for (std::size_t i = 0; i < mesh.curved.nodes.size(); ++i) {
    const std::size_t at[3] = {i % n, i / n % n, i / (n * n)};
    for (int d = 0; d < 3; ++d) {
      double expected = vertex(0)[d];
      for (int a = 0; a < 3; ++a) expected += (vertex(1 << a)[d] - vertex(0)[d]) * double(at[a]) / order;
      CHECK(std::abs(mesh.curved.nodes[i][d] - expected) < 1e-12);
    }
  }
  REQUIRE(mesh.find_group("x0"));
  CHECK(mesh.find_group("x0")->sides.size() == 1);
  CHECK(mesh.find_group("cube")->cells == std::vector<Index>{0});
}

TEST_CASE("A left-handed curved cell is turned with its nodes", "[mesh][read][curved]") {
  const std::string text = text_of("order2_20_nodes");
  const mesh::Mesh right = mesh::parse_gmsh(text, "right");
  std::string mirrored = text;  // z becomes -z: 1 at the end of nodes' lines
  for (std::size_t at = mirrored.find("$Nodes"), end = mirrored.find("$EndNodes"); at < end; ++at) {
    const std::size_t line = mirrored.find('\n', at);
    const std::size_t word = mirrored.rfind(' ', line);
    if (line < end && word > at && mirrored[word + 1] != '-' && mirrored[word + 1] != '0') {
      mirrored.insert(word + 1, "-");
      ++end;
    }
    if (line < end && word > at && mirrored.compare(word + 1, 2, "0.") == 0) {
      mirrored.insert(word + 1, "-");
      ++end;
    }
    at = mirrored.find('\n', at);
  }
  const mesh::Mesh turned = mesh::parse_gmsh(mirrored, "mirrored");
  for (int v = 0; v < 8; ++v) {
    const std::size_t at = std::size_t((v & 1 ? 2 : 0) + (v & 2 ? 6 : 0) + (v & 4 ? 18 : 0));
    CHECK(turned.curved.nodes[at] == turned.vertices[std::size_t(turned.element_to_vertex[0][v])]);
  }
  CHECK(turned.element_to_vertex[0][1] == right.element_to_vertex[0][2]);
  CHECK(turned.curved.nodes[1][0] == right.curved.nodes[3][0]);
  CHECK(turned.curved.nodes[1][2] == -right.curved.nodes[3][2]);
}

TEST_CASE("Curved cells of other kinds, of two orders, and nodes that are missing are refused",
          "[mesh][read][curved]") {
  const std::string text = text_of("order2_20_nodes");
  CHECK_THROWS_WITH(mesh::parse_gmsh(replaced(text, "20 0.", "99 0."), "a"),
                    contains("vertex 20 does not exist; accepted is a vertex of $Nodes"));
  const std::size_t cell = text.find("\n2 17 ");
  REQUIRE(cell != text.npos);
  std::string two = replaced(text, "$Elements\n2\n", "$Elements\n3\n");
  two.insert(two.find("$EndElements"), "3 5 2 7 1 1 2 3 4 5 6 7 8\n");
  CHECK_THROWS_WITH(mesh::parse_gmsh(two, "a"),
                    contains("element type 5 beside type 17; accepted is elements of one order"));
  std::string plane = text;
  plane.erase(cell + 1, plane.find('\n', cell + 1) - cell);
  CHECK_THROWS_WITH(mesh::parse_gmsh(replaced(plane, "$Elements\n2\n", "$Elements\n1\n"), "a"),
                    contains("a: quadrilaterals of order 2; accepted of an order above 1 are hexahedra"));
  const mesh::Mesh mesh = mesh::parse_gmsh(text, "a");
  CHECK_THROWS_WITH(mesh::write_gmsh(mesh, "b.msh"), contains("b.msh: a mesh of curved elements"));
}
