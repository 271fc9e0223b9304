// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/linalg/grid_part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "miniapp/core/error.hpp"

namespace miniapp::linalg {
namespace {

/// A box of the grid, and the ranks that share it.
struct Shared {
  GridPart box;
  int first, ranks;
};

struct Halves {
  Shared lower, upper;
};

/// Cuts a box and its ranks in two. Both halves have as many points as ranks at least.
Halves halve(const Shared& all) {
  int axis = 2;  // of equal sides the last one, so that the rows at a face are consecutive
  for (const int other : {1, 0})
    if (all.box.sides[other] > all.box.sides[axis]) axis = other;
  const Index side = all.box.sides[axis];
  const auto near = static_cast<Index>(std::lround(double(side) * (all.ranks / 2) / all.ranks));
  const Index layers = std::clamp<Index>(near, 1, side - 1);
  Halves halves{all, all};
  halves.lower.box.sides[axis] = layers;
  halves.upper.box.sides[axis] = side - layers;
  halves.upper.box.low[axis] += layers;
  const std::int64_t most = halves.lower.box.num_points(), least = all.ranks - halves.upper.box.num_points();
  halves.lower.ranks =
      static_cast<int>(std::clamp<std::int64_t>(all.ranks / 2, std::max<std::int64_t>(least, 1), most));
  halves.upper.ranks = all.ranks - halves.lower.ranks;
  halves.upper.first += halves.lower.ranks;
  return halves;
}

/// The part to which is_upper(upper half) leads.
template <class IsUpper>
Shared descend(const std::array<Index, 3>& whole, int ranks, const IsUpper& is_upper) {
  Shared part{{whole, {0, 0, 0}, whole}, 0, ranks};
  require(part.box.num_points() >= ranks,
          fmt::format("{} ranks for {} rows; accepted are no more ranks than rows", ranks, part.box.num_points()));
  while (part.ranks > 1) {
    const Halves halves = halve(part);
    part = is_upper(halves.upper) ? halves.upper : halves.lower;
  }
  return part;
}

}  // namespace

std::int64_t GridPart::number(std::int64_t row) const {
  const std::int64_t i = row % sides[0], j = row / sides[0] % sides[1], k = row / sides[0] / sides[1];
  return ((low[2] + k) * whole[1] + low[1] + j) * whole[0] + low[0] + i;
}

GridPart part_of_grid(const std::array<Index, 3>& whole, int rank, int ranks) {
  return descend(whole, ranks, [&](const Shared& upper) { return rank >= upper.first; }).box;
}

Place find_place(const std::array<Index, 3>& whole, int ranks, const std::array<Index, 3>& point) {
  const Shared part = descend(whole, ranks, [&](const Shared& upper) {
    return std::equal(point.begin(), point.end(), upper.box.low.begin(), [](Index p, Index low) { return p >= low; });
  });
  const auto& [low, sides] = std::pair(part.box.low, part.box.sides);
  return {part.first, ((point[2] - low[2]) * sides[1] + point[1] - low[1]) * sides[0] + point[0] - low[0]};
}

}  // namespace miniapp::linalg
