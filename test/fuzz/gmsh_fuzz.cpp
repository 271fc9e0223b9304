// SPDX-License-Identifier: BSD-3-Clause
/// Files of Gmsh: bytes -> parse_gmsh(). A mesh that is accepted names its own vertices only, uses all of them, and
/// holds finite coordinates; written and read again it is the same mesh.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "fuzz/finding.hpp"
#include "miniapp/core/session.hpp"
#include "miniapp/mesh/read.hpp"

namespace {

using namespace miniapp;
using fuzz::expect;

void check(const mesh::Mesh& mesh) {
  const std::size_t arity = mesh::num_vertices(mesh.kind), vertices = mesh.vertices.size();
  const std::vector<Index>& entries = mesh.element_to_vertex.entries;
  expect(std::size_t(mesh.element_to_vertex.arity) == arity && mesh.num_elements() > 0 && entries.size() % arity == 0,
         "a mesh of no whole number of cells");
  std::vector<char> used(vertices, 0);
  for (const Index v : entries) {
    expect(v >= 0 && std::size_t(v) < vertices, "a cell with a vertex that does not exist");
    used[v] = 1;
  }
  expect(std::count(used.begin(), used.end(), 0) == 0, "a vertex that no cell names");
  for (const mesh::Point& point : mesh.vertices)
    for (const double x : point) expect(std::isfinite(x), "a coordinate that is not finite");
  const int sides = mesh::cell(mesh.kind).num_sides();
  for (const mesh::Group& group : mesh.groups) {
    expect(!group.cells.empty() || !group.sides.empty(), "a group of nothing");
    for (const Index e : group.cells)
      expect(e >= 0 && std::size_t(e) < mesh.num_elements(), "a group with a cell that does not exist");
    for (const mesh::CellSide& side : group.sides)
      expect(side.cell >= 0 && std::size_t(side.cell) < mesh.num_elements() && side.side >= 0 && side.side < sides,
             "a group with a side that does not exist");
  }
}

/// A path for this process.
const std::string& path() {
  static const std::string path =
      (std::filesystem::temp_directory_path() / ("miniapp-fuzz-" + std::to_string(getpid()) + ".msh")).string();
  return path;
}

/// In the order of their content: numbers of groups change when they are written.
auto sorted_groups(const mesh::Mesh& mesh) {
  std::vector<std::tuple<int, std::string, std::vector<Index>, std::vector<mesh::CellSide>>> groups;
  for (const mesh::Group& group : mesh.groups)
    groups.emplace_back(group.dimension, group.name, group.cells, group.sides);
  std::sort(groups.begin(), groups.end());
  return groups;
}

void check_written(const mesh::Mesh& mesh) {
  mesh::Mesh again;
  if (!fuzz::accepts([&] { mesh::write_gmsh(mesh, path()); })) return;  // a cell in two groups
  const bool accepted = fuzz::accepts([&] { again = mesh::read_gmsh(path()); });
  std::filesystem::remove(path());
  expect(accepted, "a mesh that is refused once it is written");
  expect(again.kind == mesh.kind && again.vertices == mesh.vertices, "a mesh whose vertices are read as others");
  expect(again.element_to_vertex.entries == mesh.element_to_vertex.entries, "a mesh whose cells are read as others");
  expect(sorted_groups(again) == sorted_groups(mesh), "groups that are read as others");
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const Session session{std::vector<std::string>()};  // sides of cells are found on the device
  std::optional<mesh::Mesh> mesh;
  if (fuzz::accepts([&] { mesh = mesh::parse_gmsh(std::string(fuzz::text(bytes, size)), "x.msh"); })) {
    check(*mesh);
    check_written(*mesh);
  }
  return 0;
}
