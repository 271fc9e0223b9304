// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/arithmetic.hpp"
#include "miniapp/geometry/hexahedron.hpp"

namespace miniapp::geometry {

/// Directions of the reference cube as bits of a coefficient's index q = a + 2 b + 4 c (mesh::Trilinear).
inline constexpr int along_r = 1, along_s = 2, along_t = 4;

/// The tangents of a trilinear map on a line along direction c at (a, b) = (alpha, beta): x_a and x_b are linear in the
/// line's coordinate g, x_a = a0 + g a1, and x_c is constant. T is a scalar or Lanes.
template <class T>
struct LineTangents {
  T a0[3], a1[3], b0[3], b1[3], c[3];
};
template <int a, int b, int c, class T, class Real>
KOKKOS_FORCEINLINE_FUNCTION LineTangents<T> line_tangents(const T* K, Real alpha, Real beta) {
  static_assert((a == along_r && b == along_s && c == along_t) || (a == along_s && b == along_t && c == along_r) ||
                    (a == along_t && b == along_r && c == along_s),
                "(a, b, c) is right-handed, so that det J is positive");
  LineTangents<T> x;
  MINIAPP_UNROLL
  for (int d = 0; d < 3; ++d) {
    const T all = K[21 + d], ab = K[3 * (a | b) + d], ac = K[3 * (a | c) + d], bc = K[3 * (b | c) + d];
    x.a0[d] = beta * ab + K[3 * a + d];
    x.a1[d] = beta * all + ac;
    x.b0[d] = alpha * ab + K[3 * b + d];
    x.b1[d] = alpha * all + bc;
    x.c[d] = alpha * x.a1[d] + (beta * bc + K[3 * c + d]);
  }
  return x;
}

/// w det J on a line: the quadratic d0 + d1 g + d2 g^2, which includes the weights of the other two directions.
template <class T>
struct MassLine {
  T d0, d1, d2;

  template <int a, int b, int c, class Real>
  KOKKOS_FORCEINLINE_FUNCTION static MassLine make(const T* K, Real alpha, Real beta, Real weight) {
    const LineTangents<T> x = line_tangents<a, b, c>(K, alpha, beta);
    T constant[3], linear[3], other[3], quadratic[3];
    cross(x.a0, x.b0, constant);
    cross(x.a0, x.b1, linear);
    cross(x.a1, x.b0, other);
    cross(x.a1, x.b1, quadratic);
    MINIAPP_UNROLL
    for (int d = 0; d < 3; ++d) linear[d] += other[d];
    return {weight * dot(x.c, constant), weight * dot(x.c, linear), weight * dot(x.c, quadratic)};
  }

  /// w det J at line coordinate g with weight `weight`.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION T at(Real g, Real weight) const {
    return weight * (d0 + g * (d1 + g * d2));
  }
};

/// The action of G and lambda W on a line of an element with constant tangents: constant but for the weights of a rule.
template <class T>
struct ConstantLine {
  T aa, ab, ac, bb, bc, cc;  ///< G times the weights of (a, b) [m]
  T mass;                    ///< lambda W, likewise

  /// The line along direction c whose weights of a and b have the product `weight`. `factors`: factors_of() the
  /// element's tangents with weight 1. The position of the line, which StiffnessLine::make() needs, is not read.
  template <int a, int b, int c, class Real>
  KOKKOS_FORCEINLINE_FUNCTION static ConstantLine make(const T* factors, Real, Real, Real weight, Real lambda) {
    constexpr int of[] = {-1, 0, 3, 1, 5, 2, 4};  // rr, ss, rs, tt, rt, st of the directions' bits
    return {weight * factors[of[a]],
            weight * factors[of[a | b]],
            weight * factors[of[a | c]],
            weight * factors[of[b]],
            weight * factors[of[b | c]],
            weight * factors[of[c]],
            lambda * weight * factors[num_factors - 1]};
  }

  /// Multiplies the reference gradient (ua, ub, uc) by G at a point of the line with weight `weight`, and returns
  /// lambda w det J there. The coordinate of the point, which StiffnessLine::apply() needs, is not read.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION T apply(Real, Real weight, T& ua, T& ub, T& uc) const {
    const T a = weight * ua, b = weight * ub, c = weight * uc;
    ua = aa * a + ab * b + ac * c;
    ub = ab * a + bb * b + bc * c;
    uc = ac * a + bc * b + cc * c;
    return weight * mass;
  }
};

/// The action of G and lambda W on a line along c, in a rotated frame whose third axis is x_c (constant on the line):
/// with h = |x_c|, A and B are h times the in-plane parts of x_a and x_b, a3 = x_a.x_c / h^2 and b3 likewise, all
/// linear in the line's coordinate. 15 values per line replace 7 factors per point; about 31 operations per point.
template <class T>
struct StiffnessLine {
  T A10, A11, A20, A21, B10, B11, B20, B21;  ///< [m^2]
  T a30, a31, b30, b31;                      ///< [1]
  T h, inverse_h, inverse_h3;                ///< times the weights of (a, b); inverse_h times lambda too

  template <int a, int b, int c, class Real>
  KOKKOS_FORCEINLINE_FUNCTION static StiffnessLine make(const T* K, Real alpha, Real beta, Real weight, Real lambda) {
    const LineTangents<T> x = line_tangents<a, b, c>(K, alpha, beta);
    const T h = square_root(dot(x.c, x.c)), inverse = reciprocal(h);
    const T e[3] = {x.c[0] * inverse, x.c[1] * inverse, x.c[2] * inverse};
    // two unit vectors normal to e, without a branch (Duff et al. 2017)
    const T s = sign(e[2]), f = -reciprocal(s + e[2]), g = e[0] * e[1] * f;
    const T e1[3] = {h * (s * e[0] * e[0] * f + 1), h * s * g, -h * s * e[0]};
    const T e2[3] = {h * g, h * (e[1] * e[1] * f + s), -h * e[1]};
    const T e3[3] = {e[0] * inverse, e[1] * inverse, e[2] * inverse};
    StiffnessLine line;
    line.A10 = dot(x.a0, e1);
    line.A11 = dot(x.a1, e1);
    line.A20 = dot(x.a0, e2);
    line.A21 = dot(x.a1, e2);
    line.B10 = dot(x.b0, e1);
    line.B11 = dot(x.b1, e1);
    line.B20 = dot(x.b0, e2);
    line.B21 = dot(x.b1, e2);
    line.a30 = dot(x.a0, e3);
    line.a31 = dot(x.a1, e3);
    line.b30 = dot(x.b0, e3);
    line.b31 = dot(x.b1, e3);
    line.h = weight * h;
    line.inverse_h = lambda * weight * inverse;
    line.inverse_h3 = weight * inverse * inverse * inverse;
    return line;
  }

  /// Multiplies the reference gradient (ua, ub, uc) at line coordinate g with weight `weight` by G, and returns lambda
  /// w det J there.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION T apply(Real g, Real weight, T& ua, T& ub, T& uc) const {
    const T A1 = g * A11 + A10, A2 = g * A21 + A20, B1 = g * B11 + B10, B2 = g * B21 + B20;
    const T a3 = g * a31 + a30, b3 = g * b31 + b30;
    const T d = A1 * B2 - A2 * B1;  // h det J / w
    const T s = (weight * h) * reciprocal(d), p = s * (ua - a3 * uc), q = s * (ub - b3 * uc);
    const T v1 = p * B2 - q * A2, v2 = q * A1 - p * B1;
    ua = B2 * v1 - B1 * v2;
    ub = A1 * v2 - A2 * v1;
    const T wd = weight * d;
    uc = (wd * inverse_h3) * uc - a3 * ua - b3 * ub;
    return wd * inverse_h;
  }
};

}  // namespace miniapp::geometry
