// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/tensor/element_operator.hpp"
#include "miniapp/tensor/reference.hpp"

namespace miniapp::tensor {

/// max |x - y| / max |y|; infinity if either contains a value that is not finite.
double relative_difference(const Vector<const double>& x, const Vector<const double>& y);

/// The error of a kernel against the reference, and its limit.
struct Verification {
  double error, limit;
  bool passed() const { return error <= limit; }
};

/// Applies `op` and the reference to the same random vector; the limit is tolerance<Real>((order + 2)^3) and twice the
/// deviation of the elements from what special geometry takes them for, mesh::CommonShape::rounding.
template <class Real>
Verification verify(const ElementOperator<Real>& op, const Reference& reference, const Discretisation& d);

/// Uniform in [-1/2, 1/2] at free nodes, zero at constrained ones; the same numbers for the same seed, on any device.
Vector<double> random_vector(const space::Space& space, unsigned seed);

}  // namespace miniapp::tensor
