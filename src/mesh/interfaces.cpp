// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/mesh/interfaces.hpp"

#include <algorithm>
#include <vector>

#include "mesh/facets.hpp"
#include "miniapp/core/host_ranges.hpp"

namespace miniapp::mesh {
namespace {

/// Interfaces and boundary sides of some cells.
struct Counts {
  std::size_t inner = 0, outer = 0;
};

}  // namespace

Interfaces find_interfaces(const Mesh& mesh) {
  const Cell& kind = cell(mesh.kind);
  const int sides = kind.num_sides();
  const std::vector<Index> opposite = opposite_sides(mesh);
  const auto is_between = [&](Index position) { return opposite[position] >= 0; };
  const auto is_met_again = [&](Index position) { return is_between(position) && opposite[position] < position; };
  const auto last = [&](std::size_t cells) { return static_cast<Index>(cells * sides); };

  const HostRanges ranges(mesh.num_elements());
  std::vector<Counts> first(ranges.count() + 1);  // (range): what comes before it
  ranges.for_each([&](int range) {
    Counts counts;
    for (Index position = last(ranges.begin(range)); position < last(ranges.end(range)); ++position) {
      counts.outer += !is_between(position);
      counts.inner += is_between(position) && !is_met_again(position);
    }
    first[range + 1] = counts;
  });
  for (int range = 0; range < ranges.count(); ++range) {
    first[range + 1].inner += first[range].inner;
    first[range + 1].outer += first[range].outer;
  }

  int corners = 0;
  for (int s = 0; s < sides; ++s) corners = std::max(corners, kind.side(s).size);
  const auto [inner, outer] = first.back();
  Interfaces found{Map(inner, 2), Map(inner, corners), Map(outer, 1), Map(outer, corners)};
  ranges.for_each([&](int range) {
    auto [i, b] = first[range];
    for (std::size_t e = ranges.begin(range); e < ranges.end(range); ++e) {
      for (int s = 0; s < sides; ++s) {
        const Index position = last(e) + s;
        if (is_met_again(position)) continue;  // from the other cell
        const Side& side = kind.side(s);
        Index* const vertices = is_between(position) ? found.to_vertex[i] : found.boundary_to_vertex[b];
        for (int c = 0; c < corners; ++c)
          vertices[c] = mesh.element_to_vertex[e][side.vertices[std::min(c, side.size - 1)]];
        if (is_between(position)) {
          found.to_cell[i][0] = static_cast<Index>(e);
          found.to_cell[i++][1] = opposite[position] / sides;
        } else {
          found.boundary_to_cell[b++][0] = static_cast<Index>(e);
        }
      }
    }
  });
  return found;
}

}  // namespace miniapp::mesh
