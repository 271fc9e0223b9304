// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/space/space.hpp"

namespace miniapp::tensor {

/// Between spaces of two orders on one mesh of hexahedra: P maps nodal values of the lower order to those of its
/// polynomials at the nodes of the higher one, element by element along r, s, t. P x is the same function as x. Masked
/// nodes are zero on both sides. Every node of the higher order is written by the first element that has it, so that
/// P^T is the transpose to rounding. Vectors are (component, node).
/// Per element, n and m nodes per direction: m n^3 + m^2 n^2 + m^3 n multiplications; reads the local nodes' numbers, 4
/// bytes each.
template <class Real>
class PTransfer {
 public:
  /// Errors: InputError where the spaces are not of one mesh of hexahedra with as many components.
  PTransfer(const space::Space& coarse, const space::Space& fine);

  /// y += P x.
  void prolong(const Instance& instance, const Vector<const Real>& x, const Vector<Real>& y) const;
  /// f = P^T r.
  void restrict_to(const Instance& instance, const Vector<const Real>& r, const Vector<Real>& f) const;

 private:
  Vector<const Index> coarse_map_;  // (element, local node)
  Vector<Index> fine_;              // (group, local node, lane): the node where this element writes it, else -1
  Vector<Real> basis_;              // (fine node, coarse node)
  int n_, m_, components_;
  Index coarse_nodes_, fine_nodes_;
  std::int64_t elements_;
};

}  // namespace miniapp::tensor
