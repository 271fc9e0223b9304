// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>

#include "miniapp/core/map.hpp"

namespace miniapp::linalg {

/// The part of a grid of points that a rank has: a box. Its points are the rank's rows, numbered along x first, then
/// along y and z. Rows of a matrix without a grid are points along x.
struct GridPart {
  std::array<Index, 3> whole{1, 1, 1};  ///< points of the grid in each direction
  std::array<Index, 3> low{0, 0, 0};    ///< the lowest point of the box
  std::array<Index, 3> sides{1, 1, 1};  ///< points of the box in each direction

  std::int64_t num_points() const { return std::int64_t(sides[0]) * sides[1] * sides[2]; }
  /// The number that a row has in the whole grid, along x first.
  std::int64_t number(std::int64_t row) const;
};

/// A row, by the rank that has it and its number there.
struct Place {
  int rank = 0;
  Index row = 0;
  auto operator<=>(const Place&) const = default;  // NOLINT(modernize-use-nullptr): a fault of clang-tidy 14
};

/// The part of a rank. Ranks and grid are halved again and again, the grid across its longest side between two layers.
/// Parts differ in size by a layer for each cut. A rank computes each part alone, in O(log(ranks)) steps. Every rank
/// has a point. Errors: InputError where there are more ranks than points.
GridPart part_of_grid(const std::array<Index, 3>& whole, int rank, int ranks);

/// Where a point of the grid is a row.
Place find_place(const std::array<Index, 3>& whole, int ranks, const std::array<Index, 3>& point);

}  // namespace miniapp::linalg
