// SPDX-License-Identifier: BSD-3-Clause
/// Files of VTK's unstructured grids: bytes -> parse_vtu(). A mesh that is accepted names its own vertices only, uses
/// all of them, and holds finite coordinates; arrays have numbers for each; written and read again it is the same mesh.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/finding.hpp"
#include "miniapp/core/session.hpp"
#include "miniapp/mesh/vtu.hpp"
#include "miniapp/space/vtu.hpp"

namespace {

using namespace miniapp;
using fuzz::expect;

void check(const mesh::Vtu& file) {
  const mesh::Mesh& mesh = file.mesh;
  const auto arity = static_cast<std::size_t>(mesh::num_vertices(mesh.kind));
  expect(mesh.num_elements() > 0 && mesh.element_to_vertex.entries.size() == mesh.num_elements() * arity,
         "a mesh of no whole number of cells");
  std::vector<char> used(mesh.vertices.size(), 0);
  for (const Index v : mesh.element_to_vertex.entries) {
    expect(v >= 0 && std::size_t(v) < used.size(), "a cell with a vertex that does not exist");
    used[v] = 1;
  }
  expect(std::count(used.begin(), used.end(), 0) == 0, "a vertex that no cell names");
  for (const mesh::Point& point : mesh.vertices)
    for (const double x : point) expect(std::isfinite(x), "a coordinate that is not finite");
  for (std::size_t e = 0; e < mesh.num_elements(); ++e)
    expect(std::is_permutation(file.listed[e], file.listed[e] + arity, mesh.element_to_vertex[e]),
           "a cell that is listed with other vertices");
}

void check_sizes(const std::vector<mesh::VtuArray>& arrays, std::size_t entities) {
  for (const mesh::VtuArray& array : arrays)
    expect(array.values.size() == entities * static_cast<std::size_t>(array.components), "an array of another length");
}

void check_written(const mesh::Mesh& mesh) {
  std::string text;
  if (!fuzz::accepts([&] { text = space::vtu(mesh, {}, {}); })) return;  // prisms
  mesh::Vtu again;
  expect(fuzz::accepts([&] { again = mesh::parse_vtu(text, "x.vtu"); }), "a mesh that is refused once it is written");
  expect(again.mesh.kind == mesh.kind && again.mesh.vertices == mesh.vertices &&
             again.mesh.element_to_vertex.entries == mesh.element_to_vertex.entries,
         "a mesh that is read as another");
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const Session session{std::vector<std::string>()};  // sides of cells are found on the device
  std::optional<mesh::Vtu> file;
  if (fuzz::accepts([&] { file = mesh::parse_vtu(std::string(fuzz::text(bytes, size)), "x.vtu"); })) {
    check(*file);
    check_sizes(file->point_data, file->mesh.vertices.size());
    check_sizes(file->cell_data, file->mesh.num_elements());
    check_written(file->mesh);
  }
  return 0;
}
