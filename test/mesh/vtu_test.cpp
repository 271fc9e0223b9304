// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/mesh/vtu.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "miniapp/core/features.hpp"
#include "miniapp/mesh/generate.hpp"
#include "miniapp/mesh/generate_2d.hpp"
#include "miniapp/mesh/read.hpp"
#include "miniapp/space/vtu.hpp"
#include "support/catch.hpp"
#include "support/tetrahedra.hpp"

namespace {

#ifdef MINIAPP_HAVE_ZLIB
constexpr bool have_zlib = true;
#else
constexpr bool have_zlib = false;
#endif

/// Files of three quadrilaterals with an edge of the boundary before them and a point that none uses, which VTK 9.7.2
/// wrote, those called meshio* meshio 5.3.5. Blocks of compressed ones are of 32 bytes, so that arrays have several.
std::string text_of(const std::string& name) {
  const std::filesystem::path path = std::filesystem::path(__FILE__).parent_path() / "vtu" / (name + ".vtu");
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  REQUIRE(text.find(from) != text.npos);
  return text.replace(text.find(from), from.size(), to);
}

/// What is wrong with a text.
std::string complaint(const std::string& text) {
  try {
    mesh::parse_vtu(text, "a.vtu");
  } catch (const InputError& error) {
    const std::string message = error.what();
    CHECK(message.rfind("a.vtu: ", 0) == 0);
    CHECK_THAT(message, contains("; accepted "));
    return message.substr(7);
  }
  return "nothing";
}

mesh::Mesh make_bent_box() {
  mesh::Mesh box = mesh::make_box(4, 3, 2);
  mesh::deform(box, 0.1);
  return box;
}

const mesh::VtuArray& find(const std::vector<mesh::VtuArray>& arrays, const std::string& name) {
  for (const mesh::VtuArray& array : arrays)
    if (array.name == name) return array;
  FAIL("no array " << name);
  return arrays.front();
}

/// Triangles of a file without data.
std::string triangles(const std::string& cells) {
  return "<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid><Piece NumberOfPoints='4' NumberOfCells='2'><Points>"
         "<DataArray type='Float64' NumberOfComponents='3' format='ascii'>0 0 0 1 0 0 0 1 0 1 1 0</DataArray></Points>"
         "<Cells>" +
         cells + "</Cells></Piece></UnstructuredGrid></VTKFile>";
}
std::string array(const std::string& name, const std::string& numbers) {
  return "<DataArray type='Int32' Name='" + name + "' format='ascii'>" + numbers + "</DataArray>";
}

}  // namespace

TEST_CASE("Files of VTK and of meshio are read however their numbers are stored", "[mesh][vtu]") {
  const std::string name = GENERATE("ascii", "base64", "base64_zlib", "appended", "appended_zlib", "appended_base64",
                                    "appended_base64_zlib", "single", "meshio", "meshio_zlib");
  if (!have_zlib && name.find("zlib") != name.npos) return;
  CAPTURE(name);
  const mesh::Vtu read = mesh::parse_vtu(text_of(name), name);

  const bool single = name == "single";
  const auto stored = [&](double value) { return single ? double(float(value)) : value; };
  CHECK(read.mesh.kind == mesh::CellKind::quadrilateral);
  CHECK(read.mesh.element_to_vertex.entries == std::vector<Index>{0, 1, 5, 4, 1, 2, 6, 5, 2, 3, 7, 6});
  CHECK(read.listed.entries == std::vector<Index>{0, 1, 5, 4, 1, 5, 6, 2, 2, 3, 7, 6});
  REQUIRE(read.mesh.vertices.size() == 8);
  CHECK(read.mesh.vertices[1] == mesh::Point{1, stored(0.1), 0});
  CHECK(read.mesh.vertices[5] == mesh::Point{stored(1.1), stored(0.9), 0});
  CHECK(find(read.cell_data, "density").values == std::vector<double>{1.5, 2.25, stored(0.1)});
  CHECK(find(read.cell_data, "id").values == std::vector<double>{30, 20, 10});
  CHECK(find(read.cell_data, "momentum").components == 3);
  CHECK(find(read.cell_data, "momentum").values == std::vector<double>{1, 2, 0, 3, -4, 0, 5, stored(6e-3), 0});
  CHECK(find(read.point_data, "t").values == std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7});
  CHECK(read.cell_data.size() == 3);  // without the texts that VTK wrote
}

TEST_CASE("Cells that are turned over are put right, and their order in the file is kept", "[mesh][vtu]") {
  const mesh::Vtu read = mesh::parse_vtu(
      triangles(array("connectivity", "0 2 1 1 3 2") + array("offsets", "3 6") + array("types", "5 5")), "a.vtu");
  CHECK(read.mesh.element_to_vertex.entries == std::vector<Index>{0, 1, 2, 1, 3, 2});
  CHECK(read.listed.entries == std::vector<Index>{0, 2, 1, 1, 3, 2});
}

TEST_CASE("Meshes and their fields are read as they were written", "[mesh][vtu]") {
  const mesh::Mesh mesh =
      GENERATE_COPY(mesh::make_o_grid(14, 5), mesh::shuffle(mesh::make_rectangle(mesh::CellKind::triangle, 5, 3), 1),
                    mesh::shuffle(make_tetrahedra(2, 3, 2), 1), make_bent_box());
  const auto compress = GENERATE(space::Compress::none, space::Compress::zlib);
  if (!have_zlib && compress == space::Compress::zlib) return;
  std::vector<double> vector, number, corners;
  for (std::size_t i = 0; i < 2 * mesh.vertices.size(); ++i) vector.push_back(1. / double(i + 3));
  for (std::size_t i = 0; i < mesh.num_elements(); ++i) number.push_back(-1e300 / double(i + 7));
  for (std::size_t i = 0; i < 4 * mesh.num_elements(); ++i) corners.push_back(double(i));
  const std::string text = space::vtu(mesh, {{"v", vector, 2}}, {{"n", number}, {"c", corners, 4}}, compress);
  CHECK_THAT(text, contains("version=\"1.0\""));  // newer ones meshio does not read
  const mesh::Vtu read = mesh::parse_vtu(text, "a.vtu");

  CHECK(read.mesh.kind == mesh.kind);
  CHECK(read.mesh.vertices == mesh.vertices);
  CHECK(read.mesh.element_to_vertex.entries == mesh.element_to_vertex.entries);
  CHECK(find(read.cell_data, "n").values == number);
  CHECK(find(read.cell_data, "c").values == corners);
  const mesh::VtuArray& padded = read.point_data.at(0);
  CHECK(padded.name == "v");
  CHECK(padded.components == 3);
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    CHECK(padded.values[3 * v] == vector[2 * v]);
    CHECK(padded.values[3 * v + 1] == vector[2 * v + 1]);
    CHECK(padded.values[3 * v + 2] == 0);
  }
}

TEST_CASE("A file of VTK that is no grid of one piece is refused", "[mesh][vtu]") {
  const std::string text = text_of("ascii");
  const auto with = [&](const std::string& from, const std::string& to) { return complaint(replaced(text, from, to)); };
  CHECK_THAT(complaint("solid cube"), contains("not a file of XML"));
  CHECK_THAT(complaint("<html></html>"), contains("'html' where 'VTKFile' is due"));
  CHECK_THAT(with("\"UnstructuredGrid\"", "\"PolyData\""),
             contains("line 1: type 'PolyData'; accepted is UnstructuredGrid"));
  CHECK_THAT(with("LittleEndian", "BigEndian"), contains("byte_order 'BigEndian'; accepted is LittleEndian"));
  CHECK_THAT(with("UInt32", "UInt16"), contains("header_type 'UInt16'; accepted is UInt32 or UInt64"));
  CHECK_THAT(with("header_type=", "compressor=\"vtkLZ4DataCompressor\" header_type="),
             contains("compressor 'vtkLZ4DataCompressor'; accepted is vtkZLib"));
  CHECK_THAT(with("</Piece>", "</Piece><Piece NumberOfPoints=\"0\" NumberOfCells=\"0\"></Piece>"),
             contains("2 pieces; accepted is a grid of one piece"));
  CHECK_THAT(with("</Piece>", "</Pieces>"), contains("'Pieces' ends where 'Piece' is due"));
  CHECK_THAT(with("NumberOfCells=\"4\"", "NumberOfCells=\"5\""), contains("of 5 cells"));
  CHECK_THAT(with("NumberOfPoints=\"9\"", "NumberOfPoints=\"8\""), contains("27 coordinates of 8 points"));
  CHECK_THAT(with("NumberOfPoints=\"9\"", "NumberOfPoints=\"9e9\""), contains("NumberOfPoints '9e9'"));
  CHECK_THAT(with("Name=\"offsets\"", "Name=\"offset\""), contains("no array offsets"));
  CHECK_THAT(with("Name=\"t\"", "Nome=\"t\""), contains("without Name"));
  CHECK_THAT(with("Name=\"id\"", "Name=\"density\""), contains("a second array 'density'"));
  CHECK_THAT(with("type=\"Float64\" Name=\"t\" format=\"ascii\"", "type=\"Float64\" Name=\"t\" format=\"hex\""),
             contains("line 5: array 't': format 'hex'"));
}

TEST_CASE("Numbers of a file of VTK that are wrong or too few are refused with their array", "[mesh][vtu]") {
  const std::string text = text_of("ascii");
  const auto with = [&](const std::string& from, const std::string& to) { return complaint(replaced(text, from, to)); };
  CHECK_THAT(with("99 0 1", "99 0 x"), contains("array 't': 'x'; accepted is a number"));
  CHECK_THAT(with("99 0 1", "99 0"), contains("array 't': 8 numbers of 9 points; accepted is 1 of each"));
  CHECK_THAT(with("40 30", "40 30.5"), contains("array 'id': '30.5'; accepted is an integer"));
  CHECK_THAT(with("9 9 0", "9 9 nan"), contains("point 1 has a coordinate nan"));
  CHECK(with("-1 1.5", "nan 1.5") == "nothing");  // whether that is right, users of the array know
  const std::string packed = text_of("base64");
  CHECK_THAT(complaint(replaced(packed, "SAAAAAAAAAAAwFhA", "SAAAAAAAAAAAw*hA")),
             contains("array 't': its 72 bytes end"));
  CHECK_THAT(complaint(triangles("<DataArray type='Int8' Name='connectivity' format='binary'>AA==</DataArray>")),
             contains("array 'connectivity': its data end early"));
  CHECK_THAT(complaint(text_of("appended").substr(0, 2300)), contains("bytes end early"));
  CHECK_THAT(complaint(replaced(text_of("appended"), "offset=\"0\"", "offset=\"9999\"")),
             contains("its data are missing"));
  if (!have_zlib) return;
  CHECK_THAT(complaint(replaced(text_of("base64_zlib"), "eF5jYACB", "eF5jYBCB")),
             contains("array 'density': a compressed block is damaged"));
  CHECK_THAT(complaint(replaced(text_of("base64_zlib"), "AQAAAAAAAAAgAAAAAAAAAAAAAAAAAAAAHAAAAAAAAAA=",
                                "AQAAAAAAAAAgAAAAAAAAACEAAAAAAAAAHAAAAAAAAAA=")),
             contains("array 'density': 1 blocks of 32 bytes end early"));
}

TEST_CASE("Cells of a file of VTK that make no mesh are refused", "[mesh][vtu]") {
  const auto with = [](const std::string& connectivity, const std::string& offsets, const std::string& types) {
    return complaint(
        triangles(array("connectivity", connectivity) + array("offsets", offsets) + array("types", types)));
  };
  CHECK(with("0 1 2 1 3 2", "3 6", "5 5") == "nothing");
  CHECK_THAT(with("0 1 2 1 3 2", "3 6", "5 7"),
             contains("cell 2 is of VTK's type 7; accepted is a grid of straight cells of one kind"));
  CHECK_THAT(with("0 1 2 0 1 3 2", "3 7", "5 9"), contains("cells of VTK's types 5 and 9"));
  CHECK_THAT(with("0 1 1 3", "2 4", "3 3"), contains("no cells with an area or a volume"));
  CHECK_THAT(with("0 1 2 1 3 4", "3 6", "5 5"), contains("cell 2 has point 4; accepted is a number below 4"));
  CHECK_THAT(with("0 1 2 1 3 2", "3 7", "5 5"), contains("offset 7 of cell 2"));
  CHECK_THAT(with("0 1 2 1 3 2", "6 3", "5 5"), contains("offset 3 of cell 2"));
  CHECK_THAT(with("0 1 2 1 3 2", "2 6", "5 5"), contains("cell 1, a triangle, has 2 points; accepted is 3"));
  CHECK_THAT(with("0 1 2 1 3 2", "3 -6", "5 5"), contains("array 'offsets': -6"));
  CHECK_THAT(with("0 1 2 0 1 2", "3 6", "5 5"), contains("cell"));  // twice
  CHECK_THAT(with("0 1 1 1 3 2", "3 6", "5 5"), contains("cell 1 of 2, a triangle, has no area"));
}

TEST_CASE("Names of a file of VTK may have any characters, and comments are passed over", "[mesh][vtu]") {
  const std::string text = replaced(text_of("ascii"), "Name=\"t\"", "Name='&lt;a&gt; &amp;lt; \"&quot;&apos;'");
  const mesh::Vtu read = mesh::parse_vtu(
      "<?xml version='1.0'?>\n<!-- <VTKFile> -->" + replaced(text, "<PointData>", "<!-- -- > --><PointData >"),
      "a.vtu");
  CHECK(read.point_data.at(0).name == "<a> &lt; \"\"'");
}

TEST_CASE("A file of VTK that cannot be read is refused", "[mesh][vtu]") {
  CHECK_THROWS_WITH(mesh::read_vtu("none.vtu"), contains("none.vtu: cannot be read"));
}
