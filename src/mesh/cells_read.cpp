// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/cells_read.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "miniapp/core/error.hpp"
#include "miniapp/mesh/conforming.hpp"

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

/// Exchanges the directions r and s of the nodes of a curved hexahedron.
void transpose_nodes(Curved& curved, std::size_t element) {
  const auto n = static_cast<std::size_t>(curved.order) + 1;
  Point* const nodes = &curved.nodes[element * curved.per_element()];
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < j; ++i) std::swap(nodes[(k * n + j) * n + i], nodes[(k * n + i) * n + j]);
}

/// Makes clockwise cells counter-clockwise and left-handed ones right-handed.
void orient(Mesh& mesh, const FailAtElement& fail) {
  for (std::size_t e = 0; e < mesh.num_elements(); ++e) {
    const Orientation sign = orientation(mesh, e);
    if (!sign.known())
      fail(e,
           fmt::format("cell {} of {}, a {}, has no {}", e + 1, mesh.num_elements(), name(mesh.kind),
                       dimension(mesh.kind) == 2 ? "area in the x-y plane" : "volume"),
           "one that is larger than rounding");
    Index* v = mesh.element_to_vertex[e];
    if (sign.sum < 0 && dimension(mesh.kind) == 2) std::swap(v[1], v[num_vertices(mesh.kind) - 1]);
    if (sign.sum < 0 && dimension(mesh.kind) == 3) {  // exchanges the directions r and s
      std::swap(v[1], v[2]);
      if (mesh.kind == CellKind::prism) std::swap(v[4], v[5]);
      if (mesh.kind == CellKind::hexahedron) std::swap(v[5], v[6]);
      if (!mesh.curved.empty()) transpose_nodes(mesh.curved, e);
    }
  }
}

/// Refuses plane cells in space: those of a tilted plane or of a curved surface.
void require_plane(const Mesh& mesh, const FailAtElement& fail) {
  Point low = mesh.vertices.front(), high = low;
  for (const Point& point : mesh.vertices)
    for (int d = 0; d < 3; ++d) {
      low[d] = std::min(low[d], point[d]);
      high[d] = std::max(high[d], point[d]);
    }
  const double extent = std::max({high[0] - low[0], high[1] - low[1], std::abs(low[2]), std::abs(high[2])});
  if (high[2] - low[2] <= 1e-10 * extent) return;
  const double z = mesh.vertices[mesh.element_to_vertex[0][0]][2];
  std::size_t e = 0;
  const auto leaves = [&](std::size_t element) {
    const Index* const v = mesh.element_to_vertex[element];
    return std::any_of(v, v + num_vertices(mesh.kind),
                       [&](Index vertex) { return std::abs(mesh.vertices[vertex][2] - z) > 0.5e-10 * extent; });
  };
  while (e + 1 < mesh.num_elements() && !leaves(e)) ++e;
  fail(e,
       fmt::format("cell {} of {}, a {}, leaves the plane z = {:g}: z is from {:g} to {:g} in this mesh", e + 1,
                   mesh.num_elements(), name(mesh.kind), z, low[2], high[2]),
       "plane cells of one z");
}

}  // namespace

std::vector<Index> drop_unused(Mesh& mesh) {
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
  return place;
}

void put_right(Mesh& mesh, const std::string& source, const FailAtElement& fail) {
  if (dimension(mesh.kind) == 2) require_plane(mesh, fail);
  orient(mesh, fail);
  try {
    require_conforming(mesh);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", source, error.what()));
  }
}

}  // namespace miniapp::mesh
