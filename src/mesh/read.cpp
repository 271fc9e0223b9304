// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/mesh/read.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <utility>

#include "mesh/msh_sections.hpp"
#include "miniapp/core/error.hpp"

namespace miniapp::mesh {
namespace {

/// The sign of an area or a volume, with a bound for its rounding error.
struct Orientation {
  double sum;   ///< > 0: counter-clockwise, right-handed
  double size;  ///< sum of the absolute values of its terms

  bool known() const {
    using Limits = std::numeric_limits<double>;
    return std::isfinite(size) && std::abs(sum) > 64 * Limits::epsilon() * size + Limits::min();
  }
};

/// Twice the area of a plane cell; for a solid, a multiple of the triple product of its mean tangents.
Orientation orientation(const Mesh& mesh, std::size_t element) {
  const Index* v = mesh.element_to_vertex[element];
  const int vertices = num_vertices(mesh.kind);
  const auto x = [&](int i, int d) { return mesh.vertices[v[i]][d] - mesh.vertices[v[0]][d]; };
  Orientation result{0, 0};
  const auto add = [&](double term) {
    result.sum += term;
    result.size += std::abs(term);
  };
  if (dimension(mesh.kind) == 2) {
    for (int i = 1; i + 1 < vertices; ++i) {
      add(x(i, 0) * x(i + 1, 1));
      add(-x(i, 1) * x(i + 1, 0));
    }
    return result;
  }
  double tangent[3][3] = {}, size[3][3] = {};
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < vertices; ++i)
      for (int d = 0; d < 3; ++d) {
        tangent[k][d] += cell(mesh.kind).signs[k][i] * x(i, d);
        size[k][d] += std::abs(x(i, d));
      }
  for (int d = 0; d < 3; ++d) {
    const int e = (d + 1) % 3, f = (d + 2) % 3;
    result.sum += tangent[0][d] * (tangent[1][e] * tangent[2][f] - tangent[1][f] * tangent[2][e]);
    result.size += size[0][d] * (size[1][e] * size[2][f] + size[1][f] * size[2][e]);
  }
  return result;
}

/// Makes clockwise cells counter-clockwise and left-handed ones right-handed.
void orient(Mesh& mesh, const MshText& text, const std::vector<std::size_t>& places) {
  for (std::size_t e = 0; e < mesh.num_elements(); ++e) {
    const Orientation sign = orientation(mesh, e);
    if (!sign.known())
      text.fail_at(places[e],
                   fmt::format("cell {} of {}, a {}, has no {}", e + 1, mesh.num_elements(), name(mesh.kind),
                               dimension(mesh.kind) == 2 ? "area in the x-y plane" : "volume"),
                   "one that is larger than rounding");
    Index* v = mesh.element_to_vertex[e];
    if (sign.sum < 0 && dimension(mesh.kind) == 2) std::swap(v[1], v[num_vertices(mesh.kind) - 1]);
    if (sign.sum < 0 && dimension(mesh.kind) == 3) {  // exchanges the directions r and s
      std::swap(v[1], v[2]);
      if (mesh.kind == CellKind::prism) std::swap(v[4], v[5]);
      if (mesh.kind == CellKind::hexahedron) std::swap(v[5], v[6]);
    }
  }
}

/// Removes the vertices that no cell uses; the others keep their order.
void drop_unused(Mesh& mesh) {
  std::vector<Index> place(mesh.vertices.size(), -1);
  for (const Index v : mesh.element_to_vertex.entries) place[v] = 0;
  Index used = 0;
  for (std::size_t v = 0; v < place.size(); ++v) {
    if (place[v] < 0) continue;
    mesh.vertices[used] = mesh.vertices[v];
    place[v] = used++;
  }
  mesh.vertices.resize(used);
  for (Index& v : mesh.element_to_vertex.entries) v = place[v];
}

}  // namespace

Mesh read_gmsh(const std::string& path) { return parse_gmsh(read_text(path), path); }

Mesh parse_gmsh(std::string contents, const std::string& path) {
  MshText text(std::move(contents), path);
  const MshVersion version = read_version(text);
  MshVertices vertices = read_vertices(text, version);
  MshCells cells = read_cells(text, version, vertices);
  const auto has = [&](CellKind kind) { return !cells.corners[static_cast<int>(kind)].empty(); };
  const auto demand = [&](bool right, const std::string& reason) {
    require(right, text.path() + ": " + reason +
                       "; accepted are cells of one kind: all triangles, quadrilaterals, tetrahedra, hexahedra or "
                       "prisms");
  };
  Mesh mesh;
  int dim = 0;
  for (const CellKind kind : cell_kinds)
    if (has(kind)) dim = std::max(dim, dimension(kind));
  demand(dim > 0, "no cells");
  bool found = false;
  for (const CellKind kind : cell_kinds) {
    if (!has(kind) || dimension(kind) < dim) continue;  // plane cells next to solids are boundary faces
    demand(!found, std::string(cell(mesh.kind).names) + " and " + cell(kind).names);
    found = true;
    mesh.kind = kind;
  }
  mesh.vertices = std::move(vertices.points);
  mesh.element_to_vertex.arity = num_vertices(mesh.kind);
  mesh.element_to_vertex.entries = std::move(cells.corners[static_cast<int>(mesh.kind)]);
  drop_unused(mesh);
  orient(mesh, text, cells.places[static_cast<int>(mesh.kind)]);
  return mesh;
}

void write_gmsh(const Mesh& mesh, const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  const auto flush = [&](std::size_t kept) {
    if (text.size() <= kept) return;
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    text.clear();
  };
  fmt::format_to(out, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{}\n", mesh.vertices.size());
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    const auto& [x, y, z] = mesh.vertices[v];
    fmt::format_to(out, "{} {} {} {}\n", v + 1, x, y, z);
    flush(1 << 20);
  }
  fmt::format_to(out, "$EndNodes\n$Elements\n{}\n", mesh.num_elements());
  const Cell& kind = cell(mesh.kind);
  for (std::size_t e = 0; e < mesh.num_elements(); ++e) {
    fmt::format_to(out, "{} {} 2 1 1", e + 1, kind.gmsh_type);
    for (int i = 0; i < kind.num_vertices; ++i)
      fmt::format_to(out, " {}", mesh.element_to_vertex[e][kind.gmsh_vertices[i]] + 1);
    fmt::format_to(out, "\n");
    flush(1 << 20);
  }
  fmt::format_to(out, "$EndElements\n");
  flush(0);
  file.flush();
  require(file.good(), printable(path, 200) + ": cannot be written; accepted is the path of a file");
}

}  // namespace miniapp::mesh
