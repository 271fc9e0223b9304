// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "miniapp/core/field.hpp"
#include "miniapp/core/names.hpp"
#include "miniapp/indirect/element_map.hpp"

namespace miniapp::indirect {

using miniapp::name;

/// How a loop over from-elements adds to targets that several of them share.
enum class Strategy {
  serial,        ///< element by element on the host: the reference
  atomic,        ///< all elements at once, atomic additions
  staged,        ///< increments to a temporary array, which a second loop gathers target by target
  global,        ///< elements by colour, one launch per colour; elements of a colour share no target
  hierarchical,  ///< blocks of elements with their targets in scratch (the paper's; its options below)
  owner,         ///< a block owns targets and computes every element that touches them: no colours, no atomics
};
constexpr auto names(Strategy) { return std::array{"serial", "atomic", "staged", "global", "hierarchical", "owner"}; }

/// How a hierarchical block sums the increments of its elements.
enum class InBlock {
  colours,  ///< one thread colour after the other, with barriers in between: the paper's
  gather,   ///< increments to scratch, then target by target
};
constexpr auto names(InBlock) { return std::array{"colours", "gather"}; }

/// How hierarchical blocks add to memory.
enum class WriteBack {
  colours,  ///< blocks by colour, one launch per colour: the paper's
  atomic,   ///< atomic additions, except to targets of only one block
};
constexpr auto names(WriteBack) { return std::array{"colours", "atomic"}; }

/// What a block keeps in scratch.
enum class Staging {
  all,         ///< the target values that its elements read, and increments
  increments,  ///< increments only: values are read from memory through the caches
};
constexpr auto names(Staging) { return std::array{"all", "increments"}; }

struct PlanOptions {
  Strategy strategy = Strategy::owner;
  int block_size = 128;  ///< elements of a hierarchical block, targets of an owner
  InBlock in_block = InBlock::gather;
  WriteBack write_back = WriteBack::atomic;
  Staging staging = Staging::all;
};

/// Figures that explain the performance of a plan.
struct PlanFigures {
  int colours = 0;          ///< launches: global colours, or block colours of hierarchical plans
  int thread_colours = 0;   ///< largest number in a block
  double reuse_factor = 0;  ///< increments computed / distinct targets, both summed over blocks
  double redundancy = 0;    ///< elements computed / elements
  int most_positions = 0;   ///< elements of the largest block
  int most_targets = 0;     ///< largest number of distinct targets of a block
  int most_rows = 0;        ///< largest number of units of PlanArrays::rows of a block
};

/// The order in which loops over one map visit elements, and what blocks share; on the host. A position is an index in
/// that order; blocks are ranges of positions and of targets.
struct PlanArrays {
  PlanOptions options;
  int arity = 0;
  std::int64_t from_size = 0, to_size = 0;
  std::uint64_t map_hash = 0;

  std::vector<Index> order;           ///< (position): element; empty: as numbered
  std::vector<Index> colour_offsets;  ///< (colour + 1): positions (global), places in launch_order (hierarchical)
  std::vector<Index> launch_order;    ///< hierarchical: blocks by colour
  std::vector<Index> first_position;  ///< (block + 1)
  std::vector<Index> first_target;    ///< (block + 1): into targets
  std::vector<Index> targets;  ///< targets of blocks, ascending: hierarchical all, ~id where shared; owner others'
  std::vector<std::uint16_t> local;             ///< (position, slot): place among the block's targets, an owner's first
  std::vector<std::uint8_t> thread_colour;      ///< (position), InBlock::colours
  std::vector<std::uint8_t> thread_colours;     ///< (block), InBlock::colours
  std::vector<Index> first_row;                 ///< (block + 1): into rows, in units of row_unit
  std::vector<std::uint16_t> rows;              ///< rows of a block: starts (written target, + 1), entries, padding
  std::vector<Index> row_offsets, row_entries;  ///< staged: (target + 1), position * arity + slot

  /// Rows list, for each target that a block writes, the increments of the block to sum: an entry is a position within
  /// the block * arity + slot. They begin at multiples of 16 bytes, since teams copy them in pieces of that size.
  static constexpr int row_unit = 8;
  const std::uint16_t* row_starts(int block) const { return rows.data() + std::size_t(row_unit) * first_row[block]; }
  /// Number of targets that a block adds to: its own for an owner, else all.
  int written(int block) const {
    return options.strategy == Strategy::owner ? owned(block) : first_target[block + 1] - first_target[block];
  }

  std::size_t positions() const { return order.empty() ? from_size : order.size(); }
  int blocks() const { return first_position.empty() ? 0 : static_cast<int>(first_position.size()) - 1; }
  /// Number of targets that block b owns; they are consecutive.
  int owned(int block) const {
    const std::int64_t first = std::int64_t(block) * options.block_size;
    return static_cast<int>(std::min<std::int64_t>(options.block_size, to_size - first));
  }
};

/// Plans a loop over `map`. Blocks are the ranges first_element[b] .. first_element[b+1] of elements if those are given
/// (hierarchical), else of options.block_size consecutive elements. O(entries) except for sorts within blocks. Errors:
/// InputError where a block's local numbers do not fit in 16 bits or the plan's positions in 31 bits.
PlanArrays make_plan(const Map& map, std::size_t to_size, const PlanOptions& options,
                     const std::vector<Index>& first_element = {});

/// Errors: InputError where a block has more targets or increments than fit in 16 bits.
void require_locals(int block_size, std::size_t locals);

PlanFigures figures(const PlanArrays& plan);

/// Lines of 32 bytes that a block touches in a layout, with `components` values of `word` bytes per target; mean over
/// blocks.
double cache_lines_per_block(const PlanArrays& plan, int components, int word, Layout layout);

/// FNV-1a of a map's entries and sizes: what a saved plan is checked against.
std::uint64_t hash(const Map& map, std::size_t to_size);

}  // namespace miniapp::indirect
