// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "miniapp/core/instance.hpp"
#include "miniapp/core/map.hpp"

namespace miniapp::space {

namespace detail {

/// A functor, since clients compile it: for a lambda nvcc emits pointers in every translation unit, and the linker
/// mixes them up.
template <class Real>
struct SumToOwner {
  const Index *owners, *offsets, *ghosts;
  Real* y;
  KOKKOS_FUNCTION void operator()(const std::size_t k) const {
    Real sum = 0;
    for (Index g = offsets[k]; g < offsets[k + 1]; ++g) {
      sum += y[ghosts[g]];
      y[ghosts[g]] = 0;
    }
    y[owners[k]] += sum;
  }
};

template <class Real>
struct CopyToGhosts {
  const Index *owners, *offsets, *ghosts;
  Real* x;
  KOKKOS_FUNCTION void operator()(const std::size_t k) const {
    for (Index g = offsets[k]; g < offsets[k + 1]; ++g) x[ghosts[g]] = x[owners[k]];
  }
};

}  // namespace detail

/// Exchange of values between parts of a mesh for the unknowns that they share. A shared node has one owner; each other
/// copy of it is a ghost. Vectors are of two kinds:
///   values of functions (a solution, a direction): a ghost holds its owner's value, after copy_to_ghosts();
///   sums over elements (a load, a residual, A x): a ghost holds zero and its owner the complete sum, after
///   sum_to_owners().
/// An inner product of a vector of the first kind with one of the second counts each unknown once, as does that of two
/// vectors of the second kind, so loops need not distinguish ghosts. Without ghosts both functions do nothing.
class Exchange {
 public:
  Exchange() = default;
  /// Entry ghosts[i] of vectors is a copy of entry owners[i].
  Exchange(const std::vector<Index>& ghosts, const std::vector<Index>& owners);

  bool empty() const { return owners_.extent(0) == 0; }
  /// Entries that are ghosts, grouped by owner.
  const Vector<const Index>& ghosts() const { return ghosts_; }

  /// x[ghost] = x[owner], without waiting.
  template <class Real>
  void copy_to_ghosts(const Instance& instance, const Vector<Real>& x) const {
    run(instance, "space/copy to ghosts",
        detail::CopyToGhosts<Real>{owners_.data(), offsets_.data(), ghosts_.data(), x.data()});
  }
  /// y[owner] += y[ghost], y[ghost] = 0, without waiting. Additions run in the order of the ghosts' entries.
  template <class Real>
  void sum_to_owners(const Instance& instance, const Vector<Real>& y) const {
    run(instance, "space/sum to owners",
        detail::SumToOwner<Real>{owners_.data(), offsets_.data(), ghosts_.data(), y.data()});
  }

 private:
  template <class Body>
  void run(const Instance& instance, const char* label, const Body& body) const {
    if (empty()) return;
    Kokkos::parallel_for(label, Kokkos::RangePolicy<ExecutionSpace>(instance.space(), 0, owners_.extent(0)), body);
  }

  Vector<const Index> owners_, offsets_, ghosts_;  ///< ghosts of owner k: offsets[k] .. offsets[k + 1]
};

}  // namespace miniapp::space
