// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <vector>

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
  owner,       ///< owner plan of `indirect`: a team owns nodes and computes every cell that touches them
};
constexpr auto names(Strategy) {
  return std::array{"reference", "cells", "points", "functions", "transposed", "tiles", "owner"};
}

/// What tunes a strategy.
struct Options {
  Strategy strategy = Strategy::owner;
  int block_size = 128;                                          ///< tiles: cells of a block; owner: nodes
  indirect::InBlock in_block = indirect::InBlock::gather;        ///< tiles
  indirect::WriteBack write_back = indirect::WriteBack::atomic;  ///< tiles
  indirect::Staging staging = indirect::Staging::all;            ///< tiles, owner
  std::vector<Index> first_cell = {};  ///< tiles: the first cell of each block and the end; empty: block_size cells
  int blocks = 0;   ///< transposed: times lcm(points, coefficients of a cell) threads of a team; 0: about 128 threads
  int batches = 4;  ///< transposed: times that a team transposes; a batch has a cell per thread
};

}  // namespace miniapp::weakform
