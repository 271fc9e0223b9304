// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/arithmetic.hpp"
#include "miniapp/solver/preconditioner.hpp"

namespace miniapp::solver {

/// Block diagonal preconditioner: z = B^-1 r node by node, B the 3 x 3 diagonal blocks. Traffic: 15 words per node.
template <class Real>
class BlockJacobi : public StoresResult {
 public:
  /// `blocks` (node, i, k) must be symmetric positive definite.
  explicit BlockJacobi(const Vector<const double>& blocks) : inverse_(invert(blocks)) {}

  /// z = B^-1 r; returns r . z.
  double apply(const Instance& instance, const space::Space& space, const Vector<const Real>& r, const Vector<Real>& z,
               double) const {
    return linalg::sum_nodes(instance, space, "solver/block jacobi", Scale{inverse_.data(), r.data(), z.data()});
  }

  /// inverses (node, i, k) of `blocks`. A functor for the same reason as in Jacobi.
  struct Invert {
    Vector<const double> blocks;
    Vector<Real> inverses;
    KOKKOS_FUNCTION void operator()(std::size_t node) const {
      double block[3][3], inverse[3][3];
      for (int i = 0; i < 9; ++i) block[i / 3][i % 3] = blocks(9 * node + i);
      miniapp::invert(block, inverse);
      for (int i = 0; i < 9; ++i) inverses(9 * node + i) = static_cast<Real>(inverse[i / 3][i % 3]);
    }
  };

  /// The body of apply(), per node (streaming/entries.hpp).
  struct Scale {
    static constexpr int waves = 8;
    const Real *inverse, *r;
    Real* z;
    struct Entry {
      Real r[3], z[3];
    };
    KOKKOS_FUNCTION Entry load(std::size_t node) const {
      Entry entry;
      for (int k = 0; k < 3; ++k) entry.r[k] = r[3 * node + k];
      for (int i = 0; i < 3; ++i) {
        const Real* const row = inverse + 9 * node + 3 * i;
        entry.z[i] = row[0] * entry.r[0] + row[1] * entry.r[1] + row[2] * entry.r[2];
      }
      return entry;
    }
    template <class Add>
    KOKKOS_FUNCTION void finish(std::size_t node, const Entry& entry, const Add& add) const {
      double product = 0;
      for (int i = 0; i < 3; ++i) {
        z[3 * node + i] = entry.z[i];
        product += double(entry.r[i]) * double(entry.z[i]);
      }
      add(0, product);
    }
  };

 private:
  static Vector<Real> invert(const Vector<const double>& blocks) {
    const Vector<Real> inverses = make_vector<Real>("solver/block jacobi", blocks.extent(0));
    Kokkos::parallel_for("solver/invert blocks", Kokkos::RangePolicy<ExecutionSpace>(0, blocks.extent(0) / 9),
                         Invert{blocks, inverses});
    return inverses;
  }

  Vector<Real> inverse_;
};

}  // namespace miniapp::solver
