// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "miniapp/core/map.hpp"
#include "miniapp/graph/blocks.hpp"

namespace miniapp::test {

/// A map with the size of its to-set.
struct SizedMap {
  Map map;
  std::size_t to_size = 0;
};

inline std::vector<Index> random_permutation(std::size_t size, unsigned seed) {
  std::vector<Index> ids(size);
  std::iota(ids.begin(), ids.end(), 0);
  std::shuffle(ids.begin(), ids.end(), std::mt19937(seed));
  return ids;
}

/// Both sets in random order.
inline SizedMap shuffled(const SizedMap& sized, unsigned seed = 1) {
  const auto from = random_permutation(sized.map.size(), seed), to = random_permutation(sized.to_size, seed + 1);
  SizedMap result{Map(sized.map.size(), sized.map.arity), sized.to_size};
  for (std::size_t e = 0; e < from.size(); ++e)
    for (int s = 0; s < sized.map.arity; ++s) result.map[from[e]][s] = to[sized.map[e][s]];
  return result;
}

/// Interior edges of nx x ny quadrilaterals to their two cells.
inline SizedMap grid_edges(int nx, int ny) {
  SizedMap result{Map(0, 2), std::size_t(nx) * ny};
  for (int c = 0; c < nx * ny; ++c) {
    if (c % nx + 1 < nx) result.map.entries.insert(result.map.entries.end(), {c, c + 1});
    if (c / nx + 1 < ny) result.map.entries.insert(result.map.entries.end(), {c, c + nx});
  }
  return result;
}

/// Interior faces of nx x ny x nz hexahedra to their two cells.
inline SizedMap box_faces(int nx, int ny, int nz) {
  SizedMap result{Map(0, 2), std::size_t(nx) * ny * nz};
  for (int c = 0; c < nx * ny * nz; ++c) {
    if (c % nx + 1 < nx) result.map.entries.insert(result.map.entries.end(), {c, c + 1});
    if (c / nx % ny + 1 < ny) result.map.entries.insert(result.map.entries.end(), {c, c + nx});
    if (c / (nx * ny) + 1 < nz) result.map.entries.insert(result.map.entries.end(), {c, c + nx * ny});
  }
  return result;
}

/// Hexahedra of a box to their eight nodes.
inline SizedMap box_nodes(int nx, int ny, int nz) {
  SizedMap result{Map(std::size_t(nx) * ny * nz, 8), std::size_t(nx + 1) * (ny + 1) * (nz + 1)};
  for (int e = 0; e < nx * ny * nz; ++e)
    for (int v = 0; v < 8; ++v) {
      const int i = e % nx + (v & 1), j = e / nx % ny + (v >> 1 & 1), k = e / (nx * ny) + (v >> 2);
      result.map[e][v] = (k * (ny + 1) + j) * (nx + 1) + i;
    }
  return result;
}

/// `count` disconnected chains of `length` targets.
inline SizedMap chains(int count, int length) {
  SizedMap result{Map(0, 2), std::size_t(count) * length};
  for (int t = 0; t < count * length; ++t)
    if (t % length + 1 < length) result.map.entries.insert(result.map.entries.end(), {t, t + 1});
  return result;
}

/// The largest difference of two targets of an element.
inline int bandwidth(const Map& map) {
  int most = 0;
  for (std::size_t e = 0; e < map.size(); ++e) {
    const auto [low, high] = std::minmax_element(map[e], map[e] + map.arity);
    most = std::max(most, *high - *low);
  }
  return most;
}

inline bool is_permutation_of(std::vector<Index> ids, std::size_t size) {
  std::sort(ids.begin(), ids.end());
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (ids[i] != Index(i)) return false;
  return ids.size() == size;
}

/// Whether blocks contain each of `size` ids once and have 1 to block_size ids each.
inline bool cuts(const graph::Blocks& blocks, std::size_t size, int block_size) {
  if (blocks.offsets.front() != 0 || blocks.offsets.back() != Index(size)) return false;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const int of_block = blocks.offsets[b + 1] - blocks.offsets[b];
    if (of_block < 1 || of_block > block_size) return false;
  }
  return is_permutation_of(blocks.entries, size);
}

/// Whether all blocks except the last have block_size ids.
inline bool are_full(const graph::Blocks& blocks, int block_size) {
  for (std::size_t b = 0; b + 1 < blocks.size(); ++b)
    if (blocks.offsets[b + 1] - blocks.offsets[b] != block_size) return false;
  return true;
}

/// The ids of a block in ascending order.
inline std::vector<Index> members(const graph::Blocks& blocks, std::size_t block) {
  std::vector<Index> ids(blocks[block].begin(), blocks[block].end());
  std::sort(ids.begin(), ids.end());
  return ids;
}

}  // namespace miniapp::test
