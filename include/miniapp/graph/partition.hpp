// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "miniapp/core/csr.hpp"
#include "miniapp/core/names.hpp"

namespace miniapp::graph {

/// How elements are distributed over ranks. Parts differ by one element at most, but METIS's, by 0.5 %.
enum class Partition {
  rcb,     ///< recursive coordinate bisection, across the longest side; each rank computes its part alone
  metis,   ///< METIS, k-way, on the graph of elements that share faces, which every rank holds
  linear,  ///< consecutive elements, of a box x fastest
};
constexpr auto names(Partition) { return std::array{"rcb", "metis", "linear"}; }
constexpr auto descriptions(Partition) {
  return std::array{"cuts across the longest side, again and again", "METIS on the graph of neighbours",
                    "consecutive elements, of boxes x fastest"};
}

/// The elements of a rank in a box of nx * ny * nz, ascending, numbered x fastest. rcb and linear take memory for the
/// part alone, rcb O(box) steps; metis takes both for the box. Errors: fewer elements than ranks; metis without METIS,
/// for more pairs of neighbours than METIS counts, or where it leaves a rank without elements (InputError).
std::vector<std::int64_t> part_of_box(const std::array<int, 3>& sides, Partition partition, int rank, int ranks);

/// (element): its part by METIS, k-way, of elements and their neighbours, which all parts have. Errors: as
/// part_of_box() for metis.
std::vector<int> parts_by_metis(const Csr<Index>& neighbours, int parts);

}  // namespace miniapp::graph
