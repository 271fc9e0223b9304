// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "miniapp/multigrid/options.hpp"
#include "miniapp/tensor/element_operator.hpp"

namespace miniapp::multigrid {

/// Between the spaces of two orders on one mesh: prolongation P takes nodal values of the lower order to those of its
/// polynomials at the nodes of the higher one, element by element along r, s, t. P x is the same function as x. Masked
/// nodes are zero on both sides. Every node of the higher order is read and written by one of the elements that have
/// it, so that P^T is the transpose to rounding. Vectors are (component, node).
/// Per element, n and m nodes per direction: m n^3 + m^2 n^2 + m^3 n multiplications; reads and writes the nodes of
/// both orders and reads where they are.
class PTransfer {
 public:
  virtual ~PTransfer() = default;
  /// y += P x.
  virtual void prolong(const Instance& instance, const Vector<const float>& x, const Vector<float>& y) const = 0;
  /// to = P^T (f - y).
  virtual void restrict_to(const Instance& instance, const Vector<const float>& f, const Vector<const float>& y,
                           const Vector<float>& to) const = 0;
  /// Memory beside the spaces' [bytes].
  virtual double bytes() const = 0;
};

/// `coarse` and `fine` must outlive it. Errors: InputError where their meshes or components differ, where the order of
/// `fine` has no kernels, or where that of `coarse` is not the next of multigrid_orders().
std::unique_ptr<PTransfer> make_transfer(const Discretisation& coarse, const Discretisation& fine);

}  // namespace miniapp::multigrid
