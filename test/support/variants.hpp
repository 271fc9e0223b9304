// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/tensor/element_operator.hpp"
#include "support/meshes.hpp"
#include "support/vectors.hpp"

namespace miniapp::test {

inline constexpr double lambda = 1.7;

inline tensor::Problem any_problem() { return GENERATE(from_range(members<tensor::Problem>())); }
inline space::Boundary any_boundary() { return GENERATE(space::Boundary::neumann, space::Boundary::dirichlet); }

/// The variants that this build can run on `d` in the precision of Real, without the reference.
template <class Real>
std::vector<tensor::Variant> variants(const tensor::Discretisation& d) {
  std::vector<tensor::Variant> able;
  for (const tensor::Variant& variant : tensor::all_variants())
    if (variant.kernel != tensor::Kernel::reference &&
        tensor::why_not(variant, d.problem, d.order, sizeof(Real)).empty())
      able.push_back(variant);
  return able;
}

}  // namespace miniapp::test
