// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/kokkos.hpp"

namespace miniapp::elasticity {

/// Applies the elasticity tensor in place, on scalars or vector registers: the nine P_ik at 3 i + k become
///   A_ik = lambda P_ik + mu P_ki + delta_ik mu (P_00 + P_11 + P_22).
template <class Value, class Real>
KOKKOS_FORCEINLINE_FUNCTION void combine(Real lambda, Real mu, Value (&P)[9]) {
  const Value trace = mu * (P[0] + P[4] + P[8]);
  const Real both = lambda + mu;
  for (int i = 0; i < 3; ++i) P[4 * i] = both * P[4 * i] + trace;
  const auto mix = [&](Value& a, Value& b) {
    const Value old = a;
    a = lambda * a + mu * b;
    b = lambda * b + mu * old;
  };
  mix(P[1], P[3]);
  mix(P[2], P[6]);
  mix(P[5], P[7]);
}

}  // namespace miniapp::elasticity
