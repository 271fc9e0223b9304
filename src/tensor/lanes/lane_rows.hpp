// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "miniapp/core/kokkos.hpp"
#include "miniapp/core/lanes.hpp"
#include "tensor/lanes/lane_groups.hpp"

namespace miniapp::tensor {

/// Where the nodal values of a pass are stored.
enum class Storage {
  global,  ///< global vectors: the kernel gathers and scatters
  local,   ///< E-vectors (group, row, i, lane): the kernel without gather and scatter
};

/// Rows of n nodes of one group of elements: T u[n] holds node i of the row in all lanes. One class serves both kinds
/// of vectors, by a run-time branch per row, so that a kernel is compiled only once.
template <int n, class Real>
class Rows {
  using T = Lanes<Real>;
  static constexpr int width = lane_width<Real>;

 public:
  /// `copies`: room for those of groups.copies; not used if there is one part.
  Rows(const LaneGroups& groups, int group, Storage storage, const Real* x, Real* y, Real* copies)
      : x_(x), y_(y), copies_(copies), access_(groups.access[group]) {
    if (storage == Storage::local) {
      const std::size_t first = std::size_t(group) * n * n * n * width;
      local_x_ = reinterpret_cast<const T*>(x + first);
      local_y_ = reinterpret_cast<T*>(y + first);
      return;
    }
    const std::int64_t offset = groups.offset[group];
    ids_ = (access_ == Access::indexed ? groups.nodes.data() : groups.row_starts.data()) + offset;
    met_ = (access_ == Access::indexed ? groups.node_met.data() + offset / width : groups.met.data() + offset);
    if (access_ != Access::indexed) onto_ = groups.onto.data() + offset / width;
    if (access_ == Access::masked_rows) masks_ = groups.row_masks.data() + groups.mask_offset[group];
    if (groups.parts() > 1 && groups.copies.offset[group] >= 0) {
      places_ = groups.copies.places.data() + groups.copies.offset[group];
      stored_ = groups.copies.met.data() + groups.copies.offset[group];
      stored_onto_ = groups.copies.onto.data() + groups.copies.offset[group] / width;
    }
    if (groups.num_nodes < far) return;
    if (access_ != Access::indexed) current_ = ids_;
    if (group + 1 < groups.size() && groups.access[group + 1] != Access::indexed)
      next_ = groups.row_starts.data() + groups.offset[group + 1];
  }

  /// u = the row's nodes, zero where masked.
  [[gnu::always_inline]] void load(int row, T (&u)[n]) const {
    if (local_x_) return copy(local_x_ + row * n, u);
    if (access_ == Access::indexed) {
      T loaded[n];
      load_indexed(row, loaded);
      return copy(loaded, u);
    }
    load_blocks<0>(ids_ + row * width, u);
    if (access_ == Access::masked_rows) mask(row, u);
  }

  /// Adds v to the row's nodes, or stores it in those that no earlier group visited; masked nodes get zero.
  [[gnu::always_inline]] void add(int row, T (&v)[n]) const {
    if (local_x_) return copy(v, local_y_ + row * n);
    if (next_) prefetch(x_, next_ + row * width);
    if (access_ == Access::indexed) {
      T added[n];
      copy(v, added);
      return add_indexed(row, added);
    }
    if (access_ == Access::masked_rows) mask(row, v);
    if (is_copied(row)) {
      T added[n];
      copy(v, added);
      return add_to_copies(row, added);
    }
    add_blocks(onto_[row], y_, ids_ + row * width, met_ + row * width, v);
  }

  /// u = the row's nodes that no earlier group visited, zero elsewhere and where masked; whether there are any.
  [[gnu::always_inline]] bool load_first(int row, T (&u)[n]) const {
    if (access_ == Access::indexed) {
      T loaded[n];
      load_indexed(row, loaded);
      for (int i = 0; i < n; ++i) u[i] = clear(loaded[i], met_[row * n + i]);
      return true;
    }
    if (onto_[row] == Onto::values) return false;
    load_blocks<0>(ids_ + row * width, u);
    if (onto_[row] == Onto::mixed) clear_met(row, u);
    if (access_ == Access::masked_rows) mask(row, u);
    return true;
  }

  /// Adds v to the row's nodes that no earlier group visited, unless they are masked.
  [[gnu::always_inline]] void add_first(int row, T (&v)[n]) const {
    if (access_ == Access::indexed) {
      T added[n];
      copy(v, added);
      return add_first_indexed(row, added);
    }
    if (onto_[row] == Onto::values) return;
    if (onto_[row] == Onto::mixed) clear_met(row, v);
    if (access_ == Access::masked_rows) mask(row, v);
    if (is_copied(row)) {
      T added[n];
      copy(v, added);
      return add_first_beside_others(row, added);
    }
    add_blocks<0, Onto::values>(y_, ids_ + row * width, met_ + row * width, v);
  }

  /// Prefetches what add() will add to.
  [[gnu::always_inline]] void expect_add(int row) const {
    if (current_) prefetch(y_, current_ + row * width);
  }

 private:
  /// Number of entries that fit in a core's private caches; longer vectors are prefetched by rows.
  static constexpr int far = (1 << 20) / sizeof(Real);

  /// Number of nodes of each lane that are moved together from node `first` on: a power of two, since masked stores
  /// that miss the L1 cache wait for each other; short rows are cheapest in one piece.
  static constexpr int block(int first) {
    const int left = n - first;
    return n <= 4 && n <= width ? n : std::min<int>(width, std::bit_floor(static_cast<unsigned>(left)));
  }
  template <int first>
  [[gnu::always_inline]] void load_blocks(const Index* starts, T (&u)[n]) const {
    if constexpr (first < n) {
      load_rows<block(first)>(x_ + first, starts, u + first);
      load_blocks<first + block(first)>(starts, u);
    }
  }
  template <int first, Onto onto>
  [[gnu::always_inline]] static void add_blocks(Real* to, const Index* starts, const std::uint16_t* met,
                                                const T (&v)[n]) {
    if constexpr (first < n) {
      add_rows<block(first), onto>(to + first, starts, v + first, met, first);
      add_blocks<first + block(first), onto>(to, starts, met, v);
    }
  }
  [[gnu::always_inline]] static void add_blocks(Onto onto, Real* to, const Index* starts, const std::uint16_t* met,
                                                const T (&v)[n]) {
    if (onto == Onto::values) return add_blocks<0, Onto::values>(to, starts, met, v);
    if (onto == Onto::nothing) return add_blocks<0, Onto::nothing>(to, starts, met, v);
    add_blocks<0, Onto::mixed>(to, starts, met, v);
  }

  /// Whether the row has a node that another part owns.
  [[gnu::always_inline]] bool is_copied(int row) const { return places_ && places_[row * width] >= 0; }
  /// Nodes of the row that this group visits first get zero, so that copies have something to be added to.
  [[gnu::noinline]] void add_to_copies(int row, const T (&v)[n]) const {
    add_blocks(stored_onto_[row], copies_, places_ + row * width, stored_ + row * width, v);
    if (onto_[row] != Onto::values) for_first(row, [this](Index node, int, int) { y_[node] = 0; });
  }
  /// Only those nodes are written that this group visits first: other parts may write the others now.
  [[gnu::noinline]] void add_first_beside_others(int row, const T (&v)[n]) const {
    for_first(row, [this, &v](Index node, int i, int l) { y_[node] += v[i][l]; });
  }
  /// Calls body(node, i, lane) for the nodes of the row that no earlier group visited.
  template <class Body>
  void for_first(int row, const Body& body) const {
    for (int l = 0; l < width; ++l)
      for (int i = 0; i < n; ++i)
        if (!(met_[row * width + l] >> i & 1)) body(ids_[row * width + l] + i, i, l);
  }

  /// Rows are too short and too far apart for the hardware prefetcher. Prefetches into the L2 cache, since L1 holds the
  /// current group; a prefetch for writing would go to L1.
  [[gnu::always_inline]] static void prefetch(const Real* values, const Index* starts) {
    constexpr int line = 64 / sizeof(Real);
    for (int l = 0; l < width; ++l)
      for (int i = 0; i < n + line - 1; i += line) __builtin_prefetch(values + starts[l] + std::min(i, n - 1), 0, 2);
  }

  /// Rare cases work on a copy in memory, so that the row itself can stay in registers.
  [[gnu::always_inline]] static void copy(const T* from, T* to) {
    MINIAPP_UNROLL
    for (int i = 0; i < n; ++i) to[i] = from[i];
  }

  /// Zeroes masked nodes. Inner nodes of a row are all masked or all free, since they lie on the same edge, face or
  /// element.
  [[gnu::always_inline]] void mask(int row, T (&u)[n]) const {
    const std::uint16_t* masked = masks_ + row * 3;
    if (!(masked[0] | masked[1] | masked[2])) return;
    T in_memory[n];
    copy(u, in_memory);
    set_to_zero(masked, in_memory);
    copy(in_memory, u);
  }
  [[gnu::noinline]] static void set_to_zero(const std::uint16_t* masked, T (&u)[n]) {
    for (int i = 0; i < n; ++i) u[i] = clear(u[i], masked[i == 0 ? 0 : i < n - 1 ? 1 : 2]);
  }
  /// Zeroes nodes that earlier groups visited.
  [[gnu::always_inline]] void clear_met(int row, T (&u)[n]) const {
    const std::uint16_t* const met = met_ + row * width;
    MINIAPP_UNROLL
    for (int i = 0; i < n; ++i) u[i] = clear(u[i], lanes_with_bit<width>(met, i));
  }
  [[gnu::noinline]] void add_first_indexed(int row, const T (&v)[n]) const {
    for (int i = 0; i < n; ++i) {
      const Index* node = ids_ + (row * n + i) * width;
      for (int l = 0; l < width; ++l)
        if (node[l] >= 0 && !(met_[row * n + i] >> l & 1)) y_[node[l]] += v[i][l];
    }
  }
  [[gnu::noinline]] void load_indexed(int row, T (&u)[n]) const {
    for (int i = 0; i < n; ++i) {
      const Index* node = ids_ + (row * n + i) * width;
      for (int l = 0; l < width; ++l) u[i][l] = node[l] >= 0 ? x_[node[l]] : Real(0);
    }
  }
  [[gnu::noinline]] void add_indexed(int row, const T (&v)[n]) const {
    for (int i = 0; i < n; ++i) {
      const Index* node = ids_ + (row * n + i) * width;
      for (int l = 0; l < width; ++l) {
        const int entry = (row * n + i) * width + l;
        const bool met = met_[row * n + i] >> l & 1;
        if (places_ && places_[entry] >= 0)
          copies_[places_[entry]] = stored_[entry] ? copies_[places_[entry]] + v[i][l] : v[i][l];
        else if (node[l] >= 0)
          y_[node[l]] = met ? y_[node[l]] + v[i][l] : v[i][l];
        else if (!met)
          y_[~node[l]] = 0;
      }
    }
  }

  const Real* x_;
  Real *y_, *copies_;
  const T* local_x_ = nullptr;  ///< E-vectors; nullptr if vectors are global
  T* local_y_ = nullptr;
  Access access_;
  const Index* ids_;
  const std::uint16_t* met_;
  const Onto* onto_ = nullptr;
  const std::uint16_t* masks_ = nullptr;
  const Index* places_ = nullptr;  ///< places of LaneCopies; nullptr if the group has none
  const std::uint16_t* stored_ = nullptr;
  const Onto* stored_onto_ = nullptr;
  const Index *current_ = nullptr, *next_ = nullptr;  ///< row starts of this and the next group, if far
};

}  // namespace miniapp::tensor
