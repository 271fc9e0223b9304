// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/facets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <set>
#include <utility>

#include "miniapp/core/error.hpp"

namespace miniapp::mesh {
namespace {

Corners corners_of(const Side& side, const Index* vertices) {
  Corners corners{side.size, {}};
  for (int c = 0; c < side.size; ++c) corners.vertices[c] = vertices[side.vertices[c]];
  return corners;
}

[[noreturn]] void fail(const Mesh& mesh, Index first, Index second, const std::string& what) {
  const Index sides = cell(mesh.kind).num_sides(), a = first / sides, b = second / sides;
  const auto vertices = [&](Index element) {
    const Index* const v = mesh.element_to_vertex[element];
    return std::set<Index>(v, v + num_vertices(mesh.kind));
  };
  throw InputError(
      fmt::format("cells {} and {} of the mesh {}", a + 1, b + 1,
                  vertices(a) == vertices(b) ? "have the same vertices; accepted is each cell once" : what));
}

void check(const Mesh& mesh, const Facet& facet) {
  const Corners first = corners_of(mesh, facet.first), second = corners_of(mesh, facet.second);
  if (first.follows(second, 1))
    fail(mesh, facet.first, facet.second,
         "lie on the same side of their interface; accepted are cells that do not overlap");
  if (!first.follows(second, -1))
    fail(mesh, facet.first, facet.second,
         "have the vertices of a side in common, but not its edges; accepted are cells that share whole sides");
}

/// Facets by their vertices: for each vertex those whose least one it is, next to each other in the order in which they
/// were met, so that a search reads few lines of cache.
class FacetTable {
 public:
  explicit FacetTable(const Mesh& mesh) : end_(mesh.vertices.size() + 1, 0) {
    const Cell& kind = cell(mesh.kind);
    for (std::size_t e = 0; e < mesh.num_elements(); ++e)
      for (int s = 0; s < kind.num_sides(); ++s) {
        const Index* const vertices = mesh.element_to_vertex[e];
        const Side& side = kind.side(s);
        Index least = vertices[side.vertices[0]];
        for (int c = 1; c < side.size; ++c) least = std::min(least, vertices[side.vertices[c]]);
        ++end_[least];
      }
    std::exclusive_scan(end_.begin(), end_.end(), end_.begin(), Index{0});
    begin_ = end_;
    entries_ = std::make_unique_for_overwrite<Entry[]>(static_cast<std::size_t>(end_.back()));
  }

  struct Entry {
    Index second, third, last;     // vertices in rising order; those beyond the size are -1
    unsigned facet : 31, odd : 1;  // odd: the order of the cell is an odd permutation of it
  };

  /// The facet with these vertices, which becomes `next` where there is none so far. Returns its entry and whether the
  /// order of the vertices differs from that of the cell that came first by an odd permutation.
  std::pair<Index, bool> find(const Side& side, const Index* vertices, Index next) {
    Index v[4] = {vertices[side.vertices[0]], vertices[side.vertices[1]], -1, -1};
    int swaps = 0;
    const auto order = [&](Index& a, Index& b) {
      const Index least = std::min(a, b);
      swaps += a != least;
      b = std::max(a, b);
      a = least;
    };
    order(v[0], v[1]);
    if (side.size == 3) {
      v[2] = vertices[side.vertices[2]];
      order(v[1], v[2]);
      order(v[0], v[1]);
    } else if (side.size == 4) {
      v[2] = vertices[side.vertices[2]];
      v[3] = vertices[side.vertices[3]];
      order(v[2], v[3]);
      order(v[0], v[2]);
      order(v[1], v[3]);
      order(v[1], v[2]);
    }
    Entry *at = entries_.get() + begin_[v[0]], *const end = entries_.get() + end_[v[0]];
    while (at < end && !(at->second == v[1] && at->third == v[2] && at->last == v[3])) ++at;
    if (at == end) {
      *at = {v[1], v[2], v[3], static_cast<unsigned>(next), swaps % 2 == 1};
      ++end_[v[0]];
    }
    return {static_cast<Index>(at->facet), (at->odd + swaps) % 2 == 1};
  }

 private:
  std::vector<Index> begin_, end_;  // (vertex): its entries
  std::unique_ptr<Entry[]> entries_;
};

}  // namespace

bool Corners::follows(const Corners& other, int step) const {
  if (size == 2) return (vertices[0] == other.vertices[0]) == (step == 1);
  const auto at = std::find(other.vertices, other.vertices + size, vertices[0]) - other.vertices;
  for (int c = 0; c < size; ++c)
    if (vertices[c] != other.vertices[(at + step * c + size) % size]) return false;
  return true;
}

Corners corners_of(const Mesh& mesh, Index position) {
  const Cell& kind = cell(mesh.kind);
  return corners_of(kind.side(position % kind.num_sides()), mesh.element_to_vertex[position / kind.num_sides()]);
}

std::vector<Facet> find_facets(const Mesh& mesh) {
  const Cell& kind = cell(mesh.kind);
  const int sides = kind.num_sides();
  std::vector<Facet> facets;
  facets.reserve(mesh.num_elements() * sides * 9 / 16);
  FacetTable table(mesh);
  Index position = 0;
  for (std::size_t e = 0; e < mesh.num_elements(); ++e)
    for (int s = 0; s < sides; ++s, ++position) {
      const auto next = static_cast<Index>(facets.size());
      const auto [found, odd] = table.find(kind.side(s), mesh.element_to_vertex[e], next);
      if (found == next) {
        facets.push_back({position, -1});
        continue;
      }
      Facet& facet = facets[found];
      if (facet.second >= 0)
        fail(mesh, facet.first, position, "share a side with a third cell; accepted are sides of two cells or one");
      facet.second = position;
      if (kind.side(s).size == 4 || !odd) check(mesh, facet);  // edges and triangles are turned by an odd permutation
    }
  return facets;
}

}  // namespace miniapp::mesh
