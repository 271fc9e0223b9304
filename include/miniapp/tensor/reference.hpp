// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/tensor/element_operator.hpp"
#include "miniapp/tensor/manufactured.hpp"

namespace miniapp::tensor {

/// The slow reference: each contraction is one straightforward loop over E-vectors in main memory, factors are computed
/// directly from the vertices, sums are plain, all in double precision. Elements are processed in batches to save
/// memory. It runs on the default instance.
class Reference {
 public:
  explicit Reference(const Discretisation& problem);

  /// y = Z^T A_L Z x; constrained entries of x are not read, constrained entries of y are zero.
  void apply(const Vector<const double>& x, const Vector<double>& y) const;

  /// The diagonal of Z^T A_L Z, 1 at constrained nodes.
  Vector<double> diagonal() const;

  /// b = Z^T I^T W f, the load of f = factor * u, by the Gauss rule; constrained entries are zero.
  Vector<double> load(const Manufactured& u, double factor) const;

  /// b = Z^T f, f = 3 pi^2 sin(pi (x - 1/2)) sin(pi (y - 1/2)) sin(pi (z - 1/2)) at the nodes of elements: the
  /// right-hand side of BPS5 in examples/kershaw of nekRS, for each component; constrained entries are zero.
  Vector<double> nodal_load() const;

  /// ||u_h - u|| / ||u|| in L2 over the mesh by the Gauss rule.
  double relative_l2_error(const Vector<const double>& x, const Manufactured& u) const;

 private:
  const Discretisation& problem_;
  Vector<const Index> node_map_;
};

}  // namespace miniapp::tensor
