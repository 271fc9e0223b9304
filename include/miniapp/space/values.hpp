// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/space/space.hpp"

/// What a program does with vectors of a space beside solving.
namespace miniapp::space {

/// x = 0 at constrained nodes, in all components. O(constrained nodes). Errors: InputError where x is no vector of the
/// space.
void set_to_zero(const Space& space, const Vector<double>& x);

}  // namespace miniapp::space
