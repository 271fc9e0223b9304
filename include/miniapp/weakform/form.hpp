// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <concepts>
#include <type_traits>

#include "miniapp/core/kokkos.hpp"

/// Weak forms: find u such that for all test functions v, which vanish where u is prescribed,
///   integral of  v . f0(x, u, grad u, k) + grad v : f1(x, u, grad u, k)  +  integral over sides of  v . b0(x, u, n, k)
/// is zero, with linear u, v and coefficients k on triangles or tetrahedra. Source: Knepley, Rupp, Terrel, Finite
/// element integration with quadrature on the GPU, arXiv:1607.04245.
namespace miniapp::weakform {

/// A form is a struct that a user writes:
///
///   struct Reaction {                                    // -div(kappa grad u) + u^3 = 0 on triangles
///     static constexpr int dim = 2, components = 1;      // of space; of u
///     static constexpr int points = 3;                   // of quadrature: 1 (degree 1) or dim + 1 (degree 2)
///     static constexpr double flops = 6;                 // of f0 and f1 together, for rates
///     static constexpr bool symmetric = true;            // whether the Jacobian is
///     template <class Real, class S>
///     KOKKOS_FUNCTION void f0(const Real (&x)[2], const S (&u)[1], const S (&grad)[1][2], Real kappa,
///                             S (&f)[1]) const { f[0] = u[0] * u[0] * u[0]; }
///     template <class Real, class S>
///     KOKKOS_FUNCTION void f1(const Real (&x)[2], const S (&u)[1], const S (&grad)[1][2], Real kappa,
///                             S (&f)[1][2]) const { for (int d = 0; d < 2; ++d) f[0][d] = kappa * grad[0][d]; }
///   };
///
///   x (d) [m];  u (component);  grad (component, d) = d u_component / d x_d;  kappa: a coefficient, given at
///   vertices;  f0 (component);  f1 (component, d), all of which the functions write
///
/// S is a number or a Dual (dual.hpp), which has + - * / and, by unqualified names, sqrt, exp, log, pow, abs: the
/// action of the Jacobian comes from the same functions, templates <class Real, class S>. f0 may be left out, and then
/// is zero. Functions see no mesh, no layout and no device, and every strategy compiles them.
///
/// A form with other coefficients than one at the vertices declares how many there are (0 of those that it does not
/// name), and its functions take `const Real (&k)[number]` in place of kappa: those at vertices, then those of cells,
/// in b0 followed by those of sides (coefficients.hpp).
///
///     static constexpr int coefficients = 2;       // at vertices, linear in each cell
///     static constexpr int cell_coefficients = 1;  // constant in each cell
///     static constexpr int side_coefficients = 1;  // at the quadrature points of sides
///     template <class Real, class S>               // k (du/dn) = k[3] - u on the sides that Coefficients names
///     KOKKOS_FUNCTION void b0(const Real (&x)[2], const S (&u)[1], const Real (&n)[2], const Real (&k)[4],
///                             S (&f)[1]) const { f[0] = u[0] - k[3]; }
///
///     static constexpr bool all_strategies = false;  // compiles in three quarters of the time; true if left out
///
///   n (d): the unit vector that points out of the cell. A flux prescribed as f1 . n = g has b0 = -g, and
///   f1 . n + alpha u = g has b0 = alpha u - g. Sides have dim points of quadrature: exact for degree 3 on edges, for
///   degree 2 on triangles.
template <class F>
concept Form = std::copyable<F> && requires {
  { F::dim } -> std::convertible_to<int>;
  { F::components } -> std::convertible_to<int>;
  { F::points } -> std::convertible_to<int>;
  { F::flops } -> std::convertible_to<double>;
  { F::symmetric } -> std::convertible_to<bool>;
} &&(F::dim == 2 || F::dim == 3) && (F::points == 1 || F::points == F::dim + 1) && F::components >= 1;

/// Whether u displaces points of the mesh: where it has a component per dimension, unless the form says otherwise by
/// `static constexpr bool displaces = false`. Motions of a rigid body then leave the Jacobian small.
template <Form F>
constexpr bool displaces() {
  if constexpr (requires { F::displaces; }) return F::displaces;
  return F::components == F::dim;
}

/// Whether a form declares how many coefficients it has.
template <class F>
inline constexpr bool declares_coefficients = requires {
  F::coefficients;
}
|| requires { F::cell_coefficients; }
|| requires { F::side_coefficients; };

/// Numbers of coefficients: at vertices, of cells, and at the points of sides.
template <Form F>
constexpr int nodal_coefficients() {
  if constexpr (requires { F::coefficients; }) return F::coefficients;
  return declares_coefficients<F> ? 0 : 1;
}
template <Form F>
constexpr int cell_coefficients() {
  if constexpr (requires { F::cell_coefficients; }) return F::cell_coefficients;
  return 0;
}
template <Form F>
constexpr int side_coefficients() {
  if constexpr (requires { F::side_coefficients; }) return F::side_coefficients;
  return 0;
}

/// Whether a form has every strategy; else those that are loops of `indirect` (strategy.hpp).
template <Form F>
constexpr bool has_all_strategies() {
  if constexpr (requires { F::all_strategies; }) return F::all_strategies;
  return true;
}
/// Whether it has fans, which know no coefficients of cells.
template <Form F>
constexpr bool has_fans() {
  return has_all_strategies<F>() && cell_coefficients<F>() == 0;
}

/// Entries of k in f0 and f1, and in b0; at least one.
template <Form F>
inline constexpr int inner_coefficients = std::max(1, nodal_coefficients<F>() + cell_coefficients<F>());
template <Form F>
inline constexpr int outer_coefficients = std::max(1, nodal_coefficients<F>() + cell_coefficients<F>() +
                                                          side_coefficients<F>());

namespace detail {

// clang-format off
/// Whether f0 and b0 can be called, with an array of k or with one number. Sizes are parameters: nvcc 13 crashes where
/// arrays in a requires-expression of a function have sizes that depend on the form.
template <class F, int dim, int n, int nk>
concept TakesF0 = requires(const F& form, const double (&x)[dim], const double (&u)[n], const double (&grad)[n][dim],
                           const double (&k)[nk], double (&f)[n]) { form.f0(x, u, grad, k, f); };
template <class F, int dim, int n>
concept TakesF0OfNumber = requires(const F& form, const double (&x)[dim], const double (&u)[n],
                                   const double (&grad)[n][dim], double k, double (&f)[n]) {
  form.f0(x, u, grad, k, f); };
template <class F, int dim, int n, int nk>
concept TakesB0 = requires(const F& form, const double (&x)[dim], const double (&u)[n], const double (&k)[nk],
                           double (&f)[n]) { form.b0(x, u, x, k, f); };
template <class F, int dim, int n>
concept TakesB0OfNumber = requires(const F& form, const double (&x)[dim], const double (&u)[n], double k,
                                   double (&f)[n]) { form.b0(x, u, x, k, f); };
// clang-format on
/// Whether there are functions of these names. nvcc 13 says no where g++ says yes, so that only calls may decide.
template <class F>
concept NamesF0 = requires {
  &F::template f0<double, double>;
};
template <class F>
concept NamesB0 = requires {
  &F::template b0<double, double>;
};

}  // namespace detail

/// Whether a form has f0, and b0. One of other parameters is refused by the compiler.
template <Form F>
constexpr bool has_f0() {
  constexpr bool calls = declares_coefficients<F> ? detail::TakesF0<F, F::dim, F::components, inner_coefficients<F>>
                                                  : detail::TakesF0OfNumber<F, F::dim, F::components>;
  static_assert(calls || !detail::NamesF0<F>, "f0 has other parameters than form.hpp says");
  return calls;
}
template <Form F>
constexpr bool has_b0() {
  constexpr bool calls = declares_coefficients<F> ? detail::TakesB0<F, F::dim, F::components, outer_coefficients<F>>
                                                  : detail::TakesB0OfNumber<F, F::dim, F::components>;
  static_assert(calls || !detail::NamesB0<F>, "b0 has other parameters than form.hpp says");
  return calls;
}

/// f0, or zero where the form has none; f1; b0.
template <Form F, class Real, class S>
KOKKOS_FORCEINLINE_FUNCTION void call_f0(const F& form, const Real (&x)[F::dim], const S (&u)[F::components],
                                         const S (&grad)[F::components][F::dim], const Real (&k)[inner_coefficients<F>],
                                         S (&f)[F::components]) {
  if constexpr (!has_f0<F>()) {
    for (int c = 0; c < F::components; ++c) f[c] = S(Real(0));
  } else if constexpr (declares_coefficients<F>) {
    form.f0(x, u, grad, k, f);
  } else {
    form.f0(x, u, grad, k[0], f);
  }
}
template <Form F, class Real, class S>
KOKKOS_FORCEINLINE_FUNCTION void call_f1(const F& form, const Real (&x)[F::dim], const S (&u)[F::components],
                                         const S (&grad)[F::components][F::dim], const Real (&k)[inner_coefficients<F>],
                                         S (&f)[F::components][F::dim]) {
  if constexpr (declares_coefficients<F>)
    form.f1(x, u, grad, k, f);
  else
    form.f1(x, u, grad, k[0], f);
}
template <Form F, class Real, class S>
KOKKOS_FORCEINLINE_FUNCTION void call_b0(const F& form, const Real (&x)[F::dim], const S (&u)[F::components],
                                         const Real (&n)[F::dim], const Real (&k)[outer_coefficients<F>],
                                         S (&f)[F::components]) {
  if constexpr (declares_coefficients<F>)
    form.b0(x, u, n, k, f);
  else
    form.b0(x, u, n, k[0], f);
}

}  // namespace miniapp::weakform
