// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/kokkos.hpp"

/// The elastic combination of products P_ik, written once for host tiles, device products and split:
///   A_ik = lambda P_ik + mu P_ki + delta_ik mu (P_00 + P_11 + P_22).
/// It mixes the three diagonal entries with each other, and each P_ik with its P_ki. All functions work in place, on
/// numbers or on vector registers.
namespace miniapp::elasticity {

/// P_00, P_11, P_22 to A_00, A_11, A_22; P(i) is a reference to P_ii.
template <class Real, class Diagonal>
KOKKOS_FORCEINLINE_FUNCTION void combine_diagonal(Real lambda, Real mu, const Diagonal& P) {
  const auto trace = mu * (P(0) + P(1) + P(2));
  const Real both = lambda + mu;
  for (int i = 0; i < 3; ++i) P(i) = both * P(i) + trace;
}

/// P_ik and P_ki to A_ik and A_ki, i != k.
template <class Value, class Real>
KOKKOS_FORCEINLINE_FUNCTION void combine_mirrored(Real lambda, Real mu, Value& ik, Value& ki) {
  const Value old = ik;
  ik = lambda * ik + mu * ki;
  ki = lambda * ki + mu * old;
}

/// All nine, P_ik at 3 i + k.
template <class Value, class Real>
KOKKOS_FORCEINLINE_FUNCTION void combine(Real lambda, Real mu, Value (&P)[9]) {
  combine_diagonal(lambda, mu, [&](int i) -> Value& { return P[4 * i]; });
  combine_mirrored(lambda, mu, P[1], P[3]);
  combine_mirrored(lambda, mu, P[2], P[6]);
  combine_mirrored(lambda, mu, P[5], P[7]);
}

}  // namespace miniapp::elasticity
