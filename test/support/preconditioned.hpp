// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/instance.hpp"
#include "miniapp/tensor/element_operator.hpp"
#include "support/vectors.hpp"

/// For tests of preconditioners of the bake-off problems.
namespace miniapp::test {

/// Random numbers, zero at constrained nodes.
inline std::vector<double> make_residual(const tensor::Discretisation& d, unsigned seed) {
  std::vector<double> r = random_numbers(d.space.num_entries(), seed);
  for (const Index node : d.space.masked)
    for (int c = 0; c < d.space.components; ++c) r[d.space.entry(node, c)] = 0;
  return r;
}

/// M^-1 r; r_z, if given, becomes what the preconditioner says of r . M^-1 r.
template <class Preconditioner>
std::vector<double> apply(const Preconditioner& m, const tensor::Discretisation& d, const std::vector<double>& r,
                          double* r_z = nullptr) {
  const Vector<const double> from = to_device<double>(r);
  const Vector<double> z = make_vector<double>("z", r.size());
  const double product = m.apply(Instance(), d.space, from, z, 0);
  if (r_z) *r_z = product;
  return to_std(z);
}

}  // namespace miniapp::test
