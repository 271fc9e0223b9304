// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/kokkos.hpp"

namespace miniapp::tensor {

/// How the threads of a team access the lines of a cube in one phase: thread l of an element has line (l % extent, l /
/// extent), whose first number is stride_a and stride_b away from those of the neighbouring lines.
struct LineWalk {
  int lines, extent;  ///< number of lines in total, along a
  int stride_a, stride_b;
  int accesses;  ///< reads and writes per line
};

/// Scratch transactions (wavefronts) of one phase on a GPU: the banks serve 128 bytes per transaction, each bank one
/// address. `group` threads share an element; elements are `element_stride` numbers apart.
constexpr int bank_turns(const LineWalk& walk, int group, int element_stride, int word) {
  const int banks = 128 / word;
  int turns = 0;
  for (int first = 0; first < walk.lines; first += group) {
    for (int part = 0; part < (group < banks ? banks : group); part += banks) {
      int hits[32] = {}, most = 0;
      for (int lane = 0; lane < banks; ++lane) {
        const int line = first + (part + lane) % group, element = (part + lane) / group;
        if (line >= walk.lines) continue;
        const int address =
            element * element_stride + line % walk.extent * walk.stride_a + line / walk.extent * walk.stride_b;
        const int count = ++hits[address % banks];
        most = count > most ? count : most;
      }
      turns += most;
    }
  }
  return turns * walk.accesses;
}

/// Strides of a cube in scratch: number (i, j, k) lies at i + row j + plane k.
struct CubeStrides {
  int row, plane, size;
};

/// The strides with the fewest transactions over all phases, for a cube of ni x nj x nk. `walks(row, plane)` lists the
/// phases.
template <class Walks>
constexpr CubeStrides best_strides(int ni, int nj, int nk, int group, int word, const Walks& walks) {
  CubeStrides best{};
  int least = 0;
  for (int row = ni; row <= ni + 1; ++row) {
    for (int plane = row * nj; plane <= row * nj + 8; ++plane) {
      int turns = 0;
      for (const LineWalk& walk : walks(row, plane)) turns += bank_turns(walk, group, plane * nk, word);
      turns = turns * 16 + plane * nk / 64;  // ties are broken by size
      if (least > 0 && turns >= least) continue;
      least = turns;
      best = {row, plane, plane * nk};
    }
  }
  return best;
}

}  // namespace miniapp::tensor
