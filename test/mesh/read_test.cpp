// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/mesh/read.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>

#include "miniapp/mesh/generate_2d.hpp"
#include "support/all_close.hpp"
#include "support/plane.hpp"
#include "support/prism_meshes.hpp"
#include "support/temporary_folder.hpp"
#include "support/tetrahedra.hpp"

using mesh::CellKind;

namespace {

/// A name for a mesh, which nothing has yet.
class TemporaryFile {
 public:
  std::string path() const { return folder_.file("mesh.msh"); }

 private:
  TemporaryFolder folder_;
};

mesh::Mesh make_mesh(CellKind kind) {
  if (kind == CellKind::quadrilateral) return mesh::make_o_grid(14, 5);
  if (kind == CellKind::prism) return make_shaken_prisms(4, 3, 2);
  if (kind == CellKind::tetrahedron) return mesh::shuffle(make_tetrahedra(2, 3, 2), 1);
  return mesh::shuffle(
      kind == CellKind::triangle ? mesh::make_rectangle(CellKind::triangle, 5, 3) : make_turned_box(4, 3, 2), 1);
}

mesh::Mesh read_text(const std::string& text) {
  const TemporaryFile file;
  std::ofstream(file.path(), std::ios::binary) << text;
  return mesh::read_gmsh(file.path());
}

/// What is wrong with a file of this text, without its name.
std::string complaint(const std::string& text) {
  const TemporaryFile file;
  std::ofstream(file.path(), std::ios::binary) << text;
  try {
    mesh::read_gmsh(file.path());
  } catch (const InputError& error) {
    const std::string message = error.what(), start = file.path() + ": ";
    CHECK(message.compare(0, start.size(), start) == 0);
    CHECK(message.find_first_not_of(
              " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~") ==
          std::string::npos);
    CHECK_THAT(message, contains("; accepted "));
    return message.substr(std::min(message.size(), start.size()));
  }
  return "nothing";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

const std::string square_2_2 = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
1
1 7 "wall $Nodes"
$EndPhysicalNames
$Nodes
5
10 0 0 0
20 1 0 0
99 5 5 5
30 1e0 +1 0
40 0. 1.0 -0
$EndNodes
$Elements
4
1 15 2 0 1 10
2 1 2 7 1 10 20
3 2 2 0 1 10 20 30
4 2 3 0 1 2 10 40 30
$EndElements
)";

const std::string cube_4_1 = R"($MeshFormat
4.1 0 8
$EndMeshFormat
$Entities
0 0 0 0
$EndEntities
$Nodes
3 8 1 8
0 1 0 2
1
2
0 0 0
1 0 0
1 1 1 1
3
1 1 0 0.5
3 1 0 5
4
5
6
7
8
0 1 0
0 0 1
1 0 1
1 1 1
0 1 1
$EndNodes
$Elements
2 2 1 2
2 1 3 1
1 1 2 3 4
3 1 5 1
2 1 2 3 4 5 6 7 8
$EndElements
)";

}  // namespace

namespace {

/// Sections of a binary file.
class Binary {
 public:
  explicit Binary(bool swapped) : swapped_(swapped) {}
  template <class Number>
  Binary& add(Number value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    if (swapped_) std::reverse(bytes, bytes + sizeof value);
    text.append(bytes, sizeof value);
    return *this;
  }
  Binary& ints(std::initializer_list<std::int32_t> values) {
    for (const std::int32_t value : values) add(value);
    return *this;
  }
  Binary& sizes(std::initializer_list<std::int64_t> values) {
    for (const std::int64_t value : values) add(value);
    return *this;
  }
  Binary& reals(std::initializer_list<double> values) {
    for (const double value : values) add(value);
    return *this;
  }
  Binary& words(const std::string& more) {
    text += more;
    return *this;
  }
  std::string text;

 private:
  bool swapped_;
};

/// The unit cube with the groups "low", z = 0, and "all".
std::string binary_4_1(bool swapped) {
  Binary file(swapped);
  file.words("$MeshFormat\n4.1 1 8\n")
      .ints({1})
      .words("\n$EndMeshFormat\n$PhysicalNames\n2\n2 7 \"low\"\n3 9 \"all\"\n");
  file.words("$EndPhysicalNames\n$Entities\n").sizes({0, 0, 1, 1});
  file.ints({3}).reals({0, 0, 0, 1, 1, 0}).sizes({1}).ints({7}).sizes({0});
  file.ints({1}).reals({0, 0, 0, 1, 1, 1}).sizes({1}).ints({9}).sizes({1}).ints({3});
  file.words("\n$EndEntities\n$Nodes\n").sizes({1, 8, 1, 8}).ints({3, 1, 0}).sizes({8});
  for (std::int64_t number = 1; number <= 8; ++number) file.add(number);
  for (const double z : {0., 1.}) file.reals({0, 0, z, 1, 0, z, 1, 1, z, 0, 1, z});
  file.words("\n$EndNodes\n$Elements\n").sizes({2, 2, 1, 2});
  file.ints({2, 3, 3}).sizes({1}).sizes({1, 1, 2, 3, 4});
  file.ints({3, 1, 5}).sizes({1}).sizes({2, 1, 2, 3, 4, 5, 6, 7, 8});
  return file.words("\n$EndElements\n").text;
}
std::string binary_2_2(bool swapped) {
  Binary file(swapped);
  file.words("$MeshFormat\n2.2 1 8\n")
      .ints({1})
      .words("\n$EndMeshFormat\n$PhysicalNames\n2\n2 7 \"low\"\n3 9 \"all\"\n");
  file.words("$EndPhysicalNames\n$Nodes\n8\n");
  std::int32_t number = 0;
  for (const double z : {0., 1.})
    for (const auto& [x, y] : {std::pair(0., 0.), {1., 0.}, {1., 1.}, {0., 1.}}) file.ints({++number}).reals({x, y, z});
  file.words("\n$EndNodes\n$Elements\n2\n").ints({3, 1, 2, 1, 7, 3, 1, 2, 3, 4});
  file.ints({5, 1, 2, 2, 9, 1, 1, 2, 3, 4, 5, 6, 7, 8});
  return file.words("\n$EndElements\n").text;
}

}  // namespace

TEST_CASE("Binary files of both formats and both orders of bytes are read", "[mesh][read]") {
  const bool swapped = GENERATE(false, true);
  const std::string file = GENERATE_COPY(binary_4_1(swapped), binary_2_2(swapped));
  const mesh::Mesh mesh = read_text(file), box = mesh::make_box(1, 1, 1);

  CHECK(mesh.kind == CellKind::hexahedron);
  REQUIRE(mesh.num_elements() == 1);
  for (int v = 0; v < 8; ++v)
    CHECK(mesh.vertices[mesh.element_to_vertex[0][v]] == box.vertices[box.element_to_vertex[0][v]]);
  REQUIRE(mesh.find_group("low"));
  CHECK(mesh.find_group("low")->sides == std::vector<mesh::CellSide>{{0, 4}});
  REQUIRE(mesh.find_group("all"));
  CHECK(mesh.find_group("all")->cells == std::vector<Index>{0});
}

TEST_CASE("A binary file that is cut short anywhere, or counts wrongly, is bad input", "[mesh][read]") {
  const std::string file = GENERATE(binary_4_1(false), binary_2_2(true));
  const std::size_t last = file.find_last_not_of('\n');
  int accepted = 0;
  for (std::size_t size = 0; size <= last; ++size) accepted += complaint(file.substr(0, size)) == "nothing";
  CHECK(accepted == 0);

  const std::size_t counts = binary_4_1(false).find("$Elements") + 10 + 4 * 8 + 12;
  std::string wrong = binary_4_1(false);
  wrong[counts + 6] = '\x7f';
  CHECK_THAT(complaint(wrong),
             contains("byte " + std::to_string(counts + 1) + ": ") && contains("which the rest of the file can hold"));
}

TEST_CASE("A mesh that was written is read back without change", "[mesh][read]") {
  const mesh::Mesh mesh = make_mesh(GENERATE(from_range(std::begin(mesh::cell_kinds), std::end(mesh::cell_kinds))));
  const TemporaryFile file;

  mesh::write_gmsh(mesh, file.path());
  const mesh::Mesh read = mesh::read_gmsh(file.path());

  CHECK(read.kind == mesh.kind);
  CHECK(read.vertices == mesh.vertices);
  CHECK(read.element_to_vertex.arity == mesh.element_to_vertex.arity);
  CHECK(read.element_to_vertex.entries == mesh.element_to_vertex.entries);
}

TEST_CASE("Format 2.2: cells of the highest dimension and their vertices are kept, turned counter-clockwise",
          "[mesh][read]") {
  const mesh::Mesh mesh = read_text(square_2_2);

  CHECK(mesh.kind == CellKind::triangle);
  CHECK(mesh.vertices == std::vector<mesh::Point>{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}});
  CHECK(mesh.element_to_vertex.entries == std::vector<Index>{0, 1, 2, 0, 2, 3});
}

TEST_CASE("Format 4.1: the vertices of a hexahedron come in our order", "[mesh][read]") {
  const mesh::Mesh mesh = read_text(cube_4_1);

  CHECK(mesh.kind == CellKind::hexahedron);
  REQUIRE(mesh.num_elements() == 1);
  REQUIRE(mesh.vertices.size() == 8);
  for (int v = 0; v < 8; ++v)
    CHECK(mesh.vertices[mesh.element_to_vertex[0][v]] ==
          mesh::Point{double(v & 1), double(v >> 1 & 1), double(v >> 2)});
}

TEST_CASE("Plane cells of two kinds next to a solid are its boundary", "[mesh][read]") {
  const std::string third = replaced(cube_4_1, "$Elements\n2 2 1 2", "$Elements\n3 3 1 3");

  const mesh::Mesh mesh = read_text(replaced(third, "6 7 8\n", "6 7 8\n2 2 2 1\n3 1 2 3\n"));

  CHECK(mesh.kind == CellKind::hexahedron);
  CHECK(mesh.num_elements() == 1);
}

TEST_CASE("Left-handed hexahedra are turned", "[mesh][read]") {
  mesh::Mesh mesh = make_shaken_box(2, 1, 3);
  for (int v = 0; v < 4; ++v) std::swap(mesh.element_to_vertex[4][v], mesh.element_to_vertex[4][v + 4]);
  const Index first = mesh.element_to_vertex[4][0];
  const TemporaryFile file;
  mesh::write_gmsh(mesh, file.path());

  const mesh::Mesh read = mesh::read_gmsh(file.path());

  CHECK(volume(mesh, 4) < 0);
  CHECK(volume(read, 4) == close<double>(-volume(mesh, 4), 64, 8));
  CHECK(read.element_to_vertex[4][0] == first);
  CHECK(volume(read, 3) == volume(mesh, 3));
}

TEST_CASE("Left-handed prisms are turned about their first vertex", "[mesh][read]") {
  const mesh::Mesh expected = make_shaken_prisms(2, 1, 3);
  mesh::Mesh mesh = expected;
  for (const int v : {1, 4}) std::swap(mesh.element_to_vertex[4][v], mesh.element_to_vertex[4][v + 1]);
  const TemporaryFile file;
  mesh::write_gmsh(mesh, file.path());

  CHECK(mesh::read_gmsh(file.path()).element_to_vertex.entries == expected.element_to_vertex.entries);
}

TEST_CASE("Clockwise quadrilaterals are turned about their first vertex", "[mesh][read]") {
  mesh::Mesh mesh = mesh::make_rectangle(CellKind::quadrilateral, 3, 2);
  const auto expected = mesh.element_to_vertex.entries;
  std::swap(mesh.element_to_vertex[4][1], mesh.element_to_vertex[4][3]);
  const TemporaryFile file;
  mesh::write_gmsh(mesh, file.path());

  CHECK(mesh::read_gmsh(file.path()).element_to_vertex.entries == expected);
}

TEST_CASE("Line ends of other systems, missing last ones and sections in another order are accepted", "[mesh][read]") {
  const auto expected = read_text(square_2_2).element_to_vertex.entries;
  std::string dos;
  for (const char c : square_2_2) dos += c == '\n' ? std::string("\r\n") : std::string(1, c);
  const auto nodes = square_2_2.find("\n$Nodes") + 1, elements = square_2_2.find("$Elements");

  CHECK(read_text(dos).element_to_vertex.entries == expected);
  CHECK(read_text(square_2_2.substr(0, square_2_2.size() - 1)).element_to_vertex.entries == expected);
  CHECK(
      read_text(square_2_2.substr(0, nodes) + square_2_2.substr(elements) + square_2_2.substr(nodes, elements - nodes))
          .element_to_vertex.entries == expected);
}

TEST_CASE("A file that cannot be opened or written is bad input", "[mesh][read]") {
  const TemporaryFile nowhere;
  const std::string folder = std::filesystem::temp_directory_path().string();

  CHECK_THROWS_WITH(
      mesh::read_gmsh(nowhere.path()),
      nowhere.path() + ": cannot be read: No such file or directory; accepted is a file of Gmsh, 2.2 or 4.1");
  for (const std::string& path : {folder, std::string("/dev/null")})
    CHECK_THROWS_WITH(mesh::read_gmsh(path), contains("cannot be read: it is no file on a disk; accepted is"));
  CHECK_THROWS_WITH(mesh::read_gmsh(std::string(300, 'x')), contains("File name too long; accepted is"));
  CHECK_THROWS_WITH(mesh::read_gmsh("none\n\x1b"), contains("none\\x0a\\x1b: cannot be read"));
  CHECK_THROWS_WITH(mesh::write_gmsh(mesh::make_box(1, 1, 1), nowhere.path() + "/x"),
                    contains("cannot be written; accepted is"));
}

TEST_CASE("A second mesh in a file is refused, and a file of another kind is not written over", "[mesh][read]") {
  CHECK_THAT(complaint(square_2_2 + square_2_2), contains("$MeshFormat a second time; accepted is one mesh"));
  const TemporaryFile notes;
  std::ofstream(notes.path()) << "notes";
  CHECK_THROWS_WITH(mesh::write_gmsh(mesh::make_box(1, 1, 1), notes.path()),
                    contains("holds something else, which stays; accepted is a new file or a mesh of Gmsh"));
  std::ifstream file(notes.path());
  CHECK(std::string(std::istreambuf_iterator<char>(file), {}) == "notes");
}

TEST_CASE("A file of another format is bad input", "[mesh][read]") {
  CHECK_THAT(complaint(""), contains("there is no $MeshFormat"));
  CHECK_THAT(complaint("solid cube\n"), contains("not a mesh of Gmsh"));
  CHECK(complaint(replaced(square_2_2, "2.2 0 8", "4 0 8")) == "line 2: format '4'; accepted is 2.2 or 4.1");
  CHECK(complaint(replaced(square_2_2, "2.2 0 8", "2.2 2 8")) ==
        "line 2: file type 2; accepted is 0, ASCII, or 1, binary");
  CHECK(complaint(replaced(square_2_2, "2.2 0 8", "2.2 1 4")) == "line 2: numbers of 4 bytes; accepted is 8");
  CHECK_THAT(complaint(replaced(square_2_2, "2.2 0 8", "2.2 1 8")), contains("no 1 after the format; accepted is a 1"));
  CHECK(complaint(replaced(square_2_2, "$EndMeshFormat", "$End\x01")) ==
        "line 3: '$End\\x01' where $EndMeshFormat is due; accepted is as many entries as the section announces");
}

TEST_CASE("A file that is cut short anywhere is bad input", "[mesh][read]") {
  const std::string whole = GENERATE_REF(square_2_2, cube_4_1);
  const std::size_t last = whole.find_last_not_of('\n');

  int accepted = 0;
  for (std::size_t size = 0; size <= last; ++size) accepted += complaint(whole.substr(0, size)) == "nothing";

  CHECK(accepted == 0);
  CHECK_THAT(complaint(square_2_2.substr(0, square_2_2.find("40 0."))), contains("line 14: the file ends in $Nodes"));
}

TEST_CASE("Numbers of entries that are wrong are bad input", "[mesh][read]") {
  CHECK(complaint(replaced(square_2_2, "\n$Nodes\n5", "\n$Nodes\n6")) ==
        "line 15: '$EndNodes'; accepted is an integer of 64 bits");
  CHECK(complaint(replaced(square_2_2, "\n$Nodes\n5", "\n$Nodes\n4")) ==
        "line 14: '40' where $EndNodes is due; accepted is as many entries as the section announces");
  CHECK_THAT(complaint(replaced(square_2_2, "\n$Nodes\n5", "\n$Nodes\n-5")),
             contains("line 9: -5 entries; accepted is 0 to "));
  CHECK_THAT(complaint(replaced(square_2_2, "\n$Nodes\n5", "\n$Nodes\n9000000000000000000")),
             contains("entries; accepted is 0 to "));
  CHECK_THAT(complaint(replaced(cube_4_1, "2 2 1 2", "3 2 1 2")), contains("'$EndElements'; accepted is an integer"));
  CHECK_THAT(complaint(replaced(cube_4_1, "1 1 1 1", "1 1 1 9000000000000000000")),
             contains("entries; accepted is 0 to "));
}

TEST_CASE("Words that are not numbers are bad input", "[mesh][read]") {
  CHECK(complaint(replaced(square_2_2, "20 1 0 0", "20 1 x 0")) ==
        "line 11: 'x'; accepted is a number of double precision");
  CHECK(complaint(replaced(square_2_2, "20 1 0 0", "20 1 1e999 0")) ==
        "line 11: '1e999'; accepted is a number of double precision");
  for (const char* small : {"1e-400", "5e-324", "-1e-308"})
    CHECK(complaint(replaced(square_2_2, "20 1 0 0", std::string("20 1 ") + small + " 0")) == "nothing");
  CHECK(complaint(replaced(square_2_2, "20 1 0 0", "20 0x1 0 0")) ==
        "line 11: '0x1'; accepted is a number of double precision");
  CHECK(complaint("\xef\xbb\xbf" + square_2_2) == "nothing");
  CHECK(complaint(replaced(square_2_2, "20 1 0 0", "20 1 nan 0")) ==
        "line 11: 'nan' is not finite; accepted is a finite number");
  CHECK(complaint(replaced(square_2_2, "20 1 0 0", "2.5 1 0 0")) ==
        "line 11: '2.5'; accepted is an integer of 64 bits");
}

TEST_CASE("Vertices that do not exist or exist twice are bad input", "[mesh][read]") {
  CHECK(complaint(replaced(square_2_2, "10 40 30", "10 40 31")) ==
        "line 21: vertex 31 does not exist; accepted is a vertex of $Nodes");
  CHECK(complaint(replaced(square_2_2, "10 40 30", "10 0 30")) ==
        "line 21: vertex 0 does not exist; accepted is a vertex of $Nodes");
  CHECK(complaint(replaced(square_2_2, "10 40 30", "10 -9223372036854775808 30")) ==
        "line 21: vertex -9223372036854775808 does not exist; accepted is a vertex of $Nodes");
  CHECK_THAT(complaint(replaced(square_2_2, "40 0. 1.0", "20 0. 1.0")), contains("two vertices have the number 20"));
  CHECK(complaint(replaced(cube_4_1, "6 7 8\n", "6 7 9\n")) ==
        "line 34: vertex 9 does not exist; accepted is a vertex of $Nodes");
}

TEST_CASE("Elements of other types or of two kinds, no elements, and elements without size are bad input",
          "[mesh][read]") {
  CHECK_THAT(complaint(replaced(square_2_2, "2 1 2 7 1 10 20", "2 9 2 7 1 10 20 30")),
             contains("line 19: element type 9, a triangle of order 2; accepted is 15 (point)"));
  CHECK_THAT(complaint(replaced(square_2_2, "2 1 2 7 1 10 20", "2 11 2 7 1 10 20 30")),
             contains("line 19: element type 11, a tetrahedron of order 2; accepted is 15 (point)"));
  CHECK_THAT(complaint(replaced(square_2_2, "2 1 2 7 1 10 20", "2 18 2 7 1 10 20 30")),
             contains("a prism of order 2;"));
  CHECK_THAT(complaint(replaced(square_2_2, "2 1 2 7 1 10 20", "2 99 2 7 1 10 20 30")), contains("element type 99; "));
  CHECK_THAT(complaint(replaced(square_2_2, "3 2 2 0 1 10 20 30", "3 3 2 0 1 10 20 30 40")),
             contains("triangles and quadrilaterals; accepted are cells of one kind"));
  const std::string points = replaced(square_2_2, "3 2 2 0 1 10 20 30", "3 15 2 0 1 10");
  CHECK_THAT(complaint(replaced(points, "4 2 3 0 1 2 10 40 30", "4 1 3 0 1 2 10 40")), contains("no cells"));
  CHECK(complaint(replaced(square_2_2, "10 40 30", "10 40 40")) ==
        "line 21: cell 2 of 2, a triangle, has no area in the x-y plane; accepted is one that is larger than rounding");
  CHECK_THAT(complaint(replaced(cube_4_1, "3 4 5 6 7 8", "3 4 1 2 3 4")), contains("has no volume"));
  CHECK_THAT(complaint(replaced(square_2_2, "3 2 2 0 1 10 20 30", "3 6 2 0 1 10 20 30 10 20 30")),
             contains("line 20: cell 1 of 1, a prism, has no volume"));
  const std::string on_a_line = replaced(square_2_2, "40 0. 1.0 -0", "40 0.1 0.3 0");  // but for rounding
  CHECK(complaint(replaced(on_a_line, "30 1e0 +1 0", "30 0.3 0.9 0")) ==
        "line 21: cell 2 of 2, a triangle, has no area in the x-y plane; accepted is one that is larger than rounding");
  CHECK_THAT(complaint(replaced(square_2_2, "20 1 0 0", "20 1e300 0 0")), contains("nothing"));
  CHECK_THAT(complaint(replaced(replaced(square_2_2, "20 1 0 0", "20 1e300 0 0"), "30 1e0 +1 0", "30 0 1e300 0")),
             contains("cell 1 of 2, a triangle, has no area"));
  const std::string third = replaced(cube_4_1, "$Elements\n2 2 1 2", "$Elements\n3 3 1 3");
  CHECK_THAT(complaint(replaced(third, "6 7 8\n", "6 7 8\n3 2 6 1\n3 1 2 3 5 6 7\n")),
             contains("hexahedra and prisms; accepted are cells of one kind"));
}

TEST_CASE("Cells that are listed twice in one group, or in another order, are bad input", "[mesh][read]") {
  const auto with = [](const std::string& cell) {
    return replaced(replaced(square_2_2, "$Elements\n4", "$Elements\n5"), "$EndElements", cell + "\n$EndElements");
  };

  CHECK(complaint(with("5 2 2 3 1 10 20 30")) ==
        "line 22: cell 3 has the vertices of cell 1; accepted is each cell once, or with the same vertices once in "
        "each of "
        "its groups");
  CHECK(complaint(with("5 2 2 0 1 30 10 20")) ==
        "line 22: cell 3 has the vertices of cell 1 in another order; accepted is each cell once, or with the same "
        "vertices "
        "once in each of its groups");
}

TEST_CASE("A cell in two groups is one cell, whatever is listed after it", "[mesh][read]") {
  const std::string first = "3 2 2 7 1 10 20 30";
  const std::string once = replaced(square_2_2, "3 2 2 0 1 10 20 30", first);
  const std::string twice =
      replaced(replaced(once, "$Elements\n4", "$Elements\n5"), first, first + "\n5 2 2 9 1 10 20 30");

  const mesh::Mesh expected = mesh::parse_gmsh(once, "once"), mesh = mesh::parse_gmsh(twice, "twice");

  CHECK(mesh.num_elements() == 2);
  CHECK(mesh.element_to_vertex.entries == expected.element_to_vertex.entries);
}

TEST_CASE("Cells that do not fit together are bad input", "[mesh][read]") {
  CHECK(complaint(replaced(square_2_2, "10 40 30", "10 20 40")) ==
        "cells 1 and 2 of the mesh lie on the same side of their interface; accepted are cells that do not overlap");
  // the last vertex is dragged over the side of its neighbour: both readings of the cell have an area
  CHECK_THAT(complaint(replaced(square_2_2, "40 0. 1.0 -0", "40 0.9 0.1 0")),
             contains("cells 1 and 2 of the mesh lie on the same side of their interface"));
  const std::string third = replaced(replaced(square_2_2, "$Elements\n4", "$Elements\n5"), "99 5 5 5", "99 .5 .5 0");
  CHECK_THAT(complaint(replaced(replaced(third, "4 2 3 0 1 2 10 40 30", "4 2 2 0 1 10 40 99"), "$EndElements",
                                "5 2 2 0 1 99 40 30\n$EndElements")),
             contains("vertex 3 of the mesh, (0.5, 0.5, 0), lies inside a side of cell 1"));
}

TEST_CASE("Plane cells lie in a plane z = const", "[mesh][read]") {
  std::string above = square_2_2;
  for (const auto& [from, to] :
       {std::pair("10 0 0 0", "10 0 0 3"), std::pair("20 1 0 0", "20 1 0 3"),
        std::pair("30 1e0 +1 0", "30 1 1 3.0000000000001"), std::pair("40 0. 1.0 -0", "40 0 1 3")})
    above = replaced(above, from, to);

  CHECK(complaint(above) == "nothing");
  CHECK(complaint(replaced(square_2_2, "20 1 0 0", "20 1 0 0.001")).find("line 20: cell 1 of 2, a triangle") == 0);
  CHECK(
      complaint(replaced(square_2_2, "40 0. 1.0 -0", "40 0 1 0.001")) ==
      "line 21: cell 2 of 2, a triangle, leaves the plane z = 0: z is from 0 to 0.001 in this mesh; accepted is plane "
      "cells of one z");
}
