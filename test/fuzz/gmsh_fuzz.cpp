// SPDX-License-Identifier: BSD-3-Clause
/// Files of Gmsh: bytes -> parse_gmsh(). A mesh that is accepted names its own vertices only, uses all of them, and
/// holds finite coordinates; written and read again it is the same mesh.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string>

#include "fuzz/finding.hpp"
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
}

/// A path for this process.
const std::string& path() {
  static const std::string path =
      (std::filesystem::temp_directory_path() / ("miniapp-fuzz-" + std::to_string(getpid()) + ".msh")).string();
  return path;
}

void check_written(const mesh::Mesh& mesh) {
  mesh::Mesh again;
  mesh::write_gmsh(mesh, path());
  const bool accepted = fuzz::accepts([&] { again = mesh::read_gmsh(path()); });
  std::filesystem::remove(path());
  expect(accepted, "a mesh that is refused once it is written");
  expect(again.kind == mesh.kind && again.vertices == mesh.vertices, "a mesh whose vertices are read as others");
  expect(again.element_to_vertex.entries == mesh.element_to_vertex.entries, "a mesh whose cells are read as others");
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  std::optional<mesh::Mesh> mesh;
  if (fuzz::accepts([&] { mesh = mesh::parse_gmsh(std::string(fuzz::text(bytes, size)), "x.msh"); })) {
    check(*mesh);
    check_written(*mesh);
  }
  return 0;
}
