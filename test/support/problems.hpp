// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/tensor/tuning.hpp"
#include "support/meshes.hpp"
#include "support/vectors.hpp"

namespace miniapp::test {

using tensor::Discretisation, tensor::Geometry, tensor::Kernel, tensor::Problem, tensor::Variant;

inline Problem any_problem() { return GENERATE(from_range(members<Problem>())); }
inline Boundary any_boundary() { return GENERATE(Boundary::neumann, Boundary::dirichlet); }

/// The fastest kernel, or the reference for an order that is not built.
inline Variant usual_variant(const Discretisation& d) {
  const std::vector<int> built = tensor::built_orders();
  const bool is_built = std::count(built.begin(), built.end(), d.order) > 0;
  return is_built ? tensor::fastest(d.problem, d.order) : tensor::reference_variant;
}

}  // namespace miniapp::test
