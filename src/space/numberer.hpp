// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "space/line_sequence.hpp"
#include "space/node_keys.hpp"
#include "space/parallel.hpp"

namespace miniapp::space {

/// Numbers nodes in the order of the sequence. `Place`: an unsigned type that holds the place of every local node.
template <class Place>
class Numberer {
 public:
  /// `nodes` (element, local node) receives the numbers, ~number where masked. `masks`: whether any node will be
  /// masked.
  Numberer(const NodeKeys& keys, const LineSequence& sequence, const Vector<Index>& nodes, Index num_nodes, bool masks)
      : keys_(keys),
        first_unit_(sequence.first),
        length_(sequence.length),
        rows_(static_cast<std::int64_t>(nodes.extent(0)) / keys.n),
        nodes_(nodes),
        first_(make_vector<Place>("space/first places", keys.end)),
        count_(make_vector<Index>("space/numbers of units", rows_)),
        on_surface_(make_zeros<char>("space/on surface", masks ? keys.end : 0)),
        is_masked_(make_zeros<char>("space/is masked", masks ? num_nodes : 0)) {
    fill(first_, ~Place(0));
  }

  void run() {
    find_first_places();
    mark_owned();
    count_ = offsets_of(count_);
    number_shared();
    number_all();
  }

  // public, since nvcc requires it for functions that contain kernels

  /// Masks the nodes of faces that belong to only one element. Call before run().
  void mask_surface(const Vector<const Index>& multiplicity) {
    const Numberer own = *this;
    Kokkos::parallel_for(
        "space/mask surface", Range(0, rows_ / (keys_.n * keys_.n) * 6), KOKKOS_LAMBDA(const std::int64_t position) {
          const NodeKeys& keys = own.keys_;
          if (multiplicity(keys.faces(position)) > 1) return;
          const int direction = position % 6 / 2, end = position % 2 ? keys.p : 0;
          for (int b = 0; b < keys.n; ++b)
            for (int a = 0; a < keys.n; ++a) {
              int x[3] = {a, b, b};  // along r, s, t
              x[1] = direction == 0 ? a : b;
              x[direction] = end;
              own.on_surface_(keys(position / 6, x[0], x[1], x[2])) = 1;
            }
        });
  }

  /// The constrained nodes, ascending. Call after run().
  std::vector<Index> masked() const { return list_marked(is_masked_); }

  void find_first_places() {
    const Numberer own = *this;
    Kokkos::parallel_for(
        "space/first places", Range(0, rows_), KOKKOS_LAMBDA(const std::int64_t row) {
          const int n = own.keys_.n;
          const Row at = own.row(row);
          Index* const nodes = at.nodes;
          const auto key = [&](int i) { return own.keys_(at.element, i, at.j, at.k); };
          nodes[0] = key(0);
          nodes[n - 1] = key(n - 1);
          if (at.step == 1 && n > 2) {  // nodes of one entity, at equal steps
            nodes[1] = key(1);
            const Index step = n > 3 ? key(2) - nodes[1] : 0;
            for (int i = 2; i < n - 1; ++i) nodes[i] = nodes[i - 1] + step;
          }
          for (int i = 0; i < n; i += at.step) lower(&own.first_(nodes[i]), static_cast<Place>(at.unit * n + i));
        });
  }

  /// Nodes that have their first place here become ~key; counts these and the inner nodes.
  void mark_owned() {
    const Numberer own = *this;
    Kokkos::parallel_for(
        "space/owned nodes", Range(0, rows_), KOKKOS_LAMBDA(const std::int64_t row) {
          const int n = own.keys_.n;
          const Row at = own.row(row);
          Index* const nodes = at.nodes;
          Index count = at.step - 1;
          for (int i = 0; i < n; i += at.step)
            if (own.first_(nodes[i]) == static_cast<Place>(at.unit * n + i)) {
              nodes[i] = ~nodes[i];
              ++count;
            }
          own.count_(at.unit) = count;
        });
  }

  /// Changes first_ (key) to the node's number, ~number where masked.
  void number_shared() {
    const Numberer own = *this;
    Kokkos::parallel_for(
        "space/shared nodes", Range(0, rows_), KOKKOS_LAMBDA(const std::int64_t row) {
          const int n = own.keys_.n;
          const Row at = own.row(row);
          const Index* const nodes = at.nodes;
          Index number = own.count_(at.unit);
          for (int i = 0; i < n; i += at.step) {
            if (nodes[i] < 0) set_number(own.first_, own.on_surface_, own.is_masked_, ~nodes[i], number++);
            if (i == 0) number += at.step - 1;
          }
        });
  }

  void number_all() {
    const Numberer own = *this;
    Kokkos::parallel_for(
        "space/number nodes", Range(0, rows_), KOKKOS_LAMBDA(const std::int64_t row) {
          const int n = own.keys_.n;
          const Row at = own.row(row);
          Index* const nodes = at.nodes;
          Index number = own.count_(at.unit);
          for (int i = 0; i < n; i += at.step) {
            const bool owned = nodes[i] < 0;
            nodes[i] = static_cast<Index>(own.first_(owned ? ~nodes[i] : nodes[i]));
            number += owned;
            if (i == 0)
              for (int inside = 1; inside < at.step; ++inside) nodes[inside] = number++;
          }
        });
  }

 private:
  struct Row {
    std::int64_t element, unit;
    int j, k;
    int step;      ///< step to the next node on the element's surface; nodes in between are inner nodes
    Index* nodes;  ///< nodes of the row
  };
  KOKKOS_INLINE_FUNCTION Row row(std::int64_t row) const {
    const int n = keys_.n, of_element = static_cast<int>(row % (n * n));
    const std::int64_t e = row / (n * n);
    const int j = of_element % n, k = of_element / n;
    return {e,
            first_unit_(e) + std::int64_t(of_element) * length_(e),
            j,
            k,
            keys_.is_inner(j, k) ? keys_.p : 1,
            nodes_.data() + row * n};
  }

  NodeKeys keys_;
  Vector<std::int64_t> first_unit_;
  Vector<Index> length_;
  std::int64_t rows_;
  Vector<Index> nodes_;  ///< (element, local node): keys, then numbers
  Vector<Place> first_;  ///< (key): the first place of a node, then its number
  /// (unit + 1): number of nodes that have their first place in the unit; after the scan, the number of the first of
  /// them
  Vector<Index> count_;
  Vector<char> on_surface_, is_masked_;  ///< (key), (number); empty where nothing is masked
};

}  // namespace miniapp::space
