// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "miniapp/core/device.hpp"
#include "miniapp/core/map.hpp"
#include "miniapp/core/names.hpp"
#include "miniapp/indirect/plan.hpp"

namespace miniapp::weakform {

using miniapp::name;

/// How the cells of a form are spread over threads, and how they add to the nodes that they share.
enum class Strategy {
  reference,   ///< cell by cell on the host: loops of `indirect` in the order of the cells
  cells,       ///< a thread per cell, atomic additions: much memory per thread
  points,      ///< a thread per quadrature point, atomic additions: adds to all nodes of the cell
  functions,   ///< a thread per basis function, atomic additions: repeats loads and evaluations of its cell
  transposed,  ///< the paper's: a thread per quadrature point, then, through scratch, one per basis function
  tiles,       ///< hierarchical plan of `indirect`: a team per block of cells, whose nodes it keeps in scratch
  fans,        ///< a thread per fan of cells around an edge, atomic additions, one per node of the fan
  owner,       ///< owner plan of `indirect`: a team owns nodes and computes every cell that touches them
};
constexpr auto names(Strategy) {
  return std::array{"reference", "cells", "points", "functions", "transposed", "tiles", "fans", "owner"};
}

/// Whether a strategy is a loop of `indirect` over the cells.
constexpr bool is_loop(Strategy strategy) {
  return strategy == Strategy::reference || strategy == Strategy::cells || strategy == Strategy::tiles ||
         strategy == Strategy::owner;
}

/// Cells or nodes of a block where none are asked for, if scratch holds them. On an H200 tiles of 512 tetrahedra are up
/// to a fifth faster than those of 128 (docs/results/weakform.md).
constexpr int usual_block_size(Strategy strategy) { return !runs_on_host && strategy == Strategy::tiles ? 512 : 128; }

/// The first of usual, 3/4 usual, 1/2 usual, 3/8 usual, .. for which fits(size) holds, rounded down; 1 if none does.
template <class Fits>
int largest_block(int usual, const Fits& fits) {
  for (int size = usual; size > 1; size /= 2)
    for (const int less : {size, size / 4 * 3})
      if (less > 1 && fits(less)) return less;
  return 1;
}

/// What tunes a strategy.
struct Options {
  Strategy strategy = Strategy::owner;
  std::optional<int> block_size = {};  ///< tiles: cells of a block; owner: nodes; none: usual_block_size() or fewer
  indirect::InBlock in_block = indirect::InBlock::gather;        ///< tiles
  indirect::WriteBack write_back = indirect::WriteBack::atomic;  ///< tiles
  indirect::Staging staging = indirect::Staging::all;            ///< tiles, owner
  std::vector<Index> first_cell = {};  ///< tiles: the first cell of each block and the end; empty: block_size cells
  int blocks = 0;   ///< transposed: times lcm(points, coefficients of a cell) threads of a team; 0: about 192 threads
  int batches = 4;  ///< transposed: times that a team transposes; a batch has a cell per thread
};

}  // namespace miniapp::weakform
