// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <type_traits>
#include <vector>

#include "miniapp/basis/quadrature.hpp"
#include "miniapp/core/execution.hpp"
#include "miniapp/mesh/mesh.hpp"

namespace miniapp::geometry {

/// Trilinear maps of all elements on the device: (element, 3 q + d), see mesh::Trilinear [m]. Errors: a mesh of
/// other cells (InputError).
Vector<const double> make_trilinear(const mesh::Mesh& mesh);

/// x(r, s, t) of a trilinear map (24 coefficients).
template <class T, class Real>
KOKKOS_INLINE_FUNCTION void position(const T* coefficients, Real r, Real s, Real t, T (&x)[3]) {
  for (int d = 0; d < 3; ++d) {
    const T* c = coefficients + d;
    x[d] = c[0] + r * c[3] + s * c[6] + r * s * c[9] + t * c[12] + r * t * c[15] + s * t * c[18] + r * s * t * c[21];
  }
}

/// x(r, s, t) of the map of one hexahedron, on the host [m].
inline mesh::Point position(const mesh::Trilinear& map, double r, double s, double t) {
  double x[3];
  position(map.front().data(), r, s, t, x);
  return {x[0], x[1], x[2]};
}

/// The tangents x_r, x_s, x_t of a trilinear map (24 coefficients) at (r, s, t): J[a][d] = d x_d / d r_a.
template <class T>
KOKKOS_INLINE_FUNCTION void tangents(const T* coefficients, T r, T s, T t, T (&J)[3][3]) {
  for (int d = 0; d < 3; ++d) {
    const T* c = coefficients + d;
    J[0][d] = c[3] + s * c[9] + t * c[15] + s * t * c[21];
    J[1][d] = c[6] + r * c[9] + t * c[18] + r * t * c[21];
    J[2][d] = c[12] + r * c[15] + s * c[18] + r * s * c[21];
  }
}

/// a x b.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void cross(const T (&a)[3], const T (&b)[3], T (&c)[3]) {
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T dot(const T (&a)[3], const T (&b)[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// det J of tangents.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T determinant(const T (&J)[3][3]) {
  T normal[3];
  cross(J[1], J[2], normal);
  return dot(J[0], normal);
}

/// Geometric factors of one point: G = w det J J^-1 J^-T as rr, rs, rt, ss, st, tt [m], then W = w det J [m^3].
inline constexpr int num_factors = 7;
template <class T>
KOKKOS_INLINE_FUNCTION void factors_of(const T (&J)[3][3], std::type_identity_t<T> w, T (&f)[num_factors]) {
  T dual[3][3];
  for (int a = 0; a < 3; ++a) cross(J[(a + 1) % 3], J[(a + 2) % 3], dual[a]);  // rows of det J J^-T
  const T det = dot(J[0], dual[0]), scale = w / det;
  int component = 0;
  for (int a = 0; a < 3; ++a)
    for (int b = a; b < 3; ++b) f[component++] = scale * dot(dual[a], dual[b]);
  f[6] = w * det;
}
/// The factors of a trilinear map (24 coefficients) at (r, s, t).
template <class T>
KOKKOS_INLINE_FUNCTION void factors(const T* coefficients, std::type_identity_t<T> r, std::type_identity_t<T> s,
                                    std::type_identity_t<T> t, std::type_identity_t<T> w, T (&f)[num_factors]) {
  T J[3][3];
  tangents(coefficients, r, s, t, J);
  factors_of(J, w, f);
}

/// Stored factors at the tensor points of `rule`: (element, component, point), point = i + q j + q^2 k fastest.
/// W alone, (element, point), where `mass_only`. G is multiplied by `coefficient` (element, point), unless it is empty.
template <class Real>
Vector<const Real> make_factors(const Vector<const double>& trilinear, const basis::Rule& rule, bool mass_only,
                                const Vector<const double>& coefficient = {});

/// The first element whose det J is not positive at some point of `rule` or some corner; -1 if there is none.
/// `trilinear` is (element, 24). For most elements a lower bound from the 27 Bernstein coefficients of the triquadratic
/// det J decides.
std::int64_t find_inverted(const Vector<const double>& trilinear, const basis::Rule& rule);

}  // namespace miniapp::geometry
