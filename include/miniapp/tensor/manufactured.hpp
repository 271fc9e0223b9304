// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <numbers>

#include "miniapp/core/arithmetic.hpp"
#include "miniapp/space/space.hpp"

namespace miniapp::tensor {

/// A manufactured solution on the unit cube that satisfies the boundary conditions: u = sin(pi x) sin(pi y) sin(pi z),
/// zero on the surface, or u = cos(pi x) cos(pi y) cos(pi z), whose normal derivative is zero there. Both satisfy -lap
/// u = 3 pi^2 u. Component c of a vector-valued solution is c + 1 times u.
struct Manufactured {
  space::Boundary boundary;
  double scale = 1;

  Manufactured of_component(int c) const { return {boundary, scale * (c + 1)}; }

  /// T: double or, on hosts, DoubleLanes.
  template <class T>
  KOKKOS_INLINE_FUNCTION T operator()(T x, T y, T z) const {
    if (boundary == space::Boundary::dirichlet) return scale * sine_of_pi(x) * sine_of_pi(y) * sine_of_pi(z);
    return scale * cosine_of_pi(x) * cosine_of_pi(y) * cosine_of_pi(z);
  }

  /// c in f = c u: 1 for the mass problem, 3 pi^2 + lambda for the others.
  static double source(bool stiffness, double lambda) {
    return stiffness ? 3 * std::numbers::pi * std::numbers::pi + lambda : 1;
  }
};

}  // namespace miniapp::tensor
