// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/multigrid/options.hpp"
#include "miniapp/tensor/element_operator.hpp"

namespace miniapp::multigrid {

/// v (component, node): pseudo-random numbers in (-1, 1), 0 at constrained nodes. A node's number depends on the
/// vertices of the whole mesh between which it lies and on its place among them, not on numbering or ranks.
void randomise(const Discretisation& d, const Vector<float>& v);

}  // namespace miniapp::multigrid
