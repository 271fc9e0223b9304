// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <concepts>

#include "miniapp/core/kokkos.hpp"

/// Weak forms: find u such that for all test functions v, which vanish where u is prescribed,
///   integral of  v . f0(x, u, grad u, kappa) + grad v : f1(x, u, grad u, kappa)  = 0
/// with linear u, v and kappa on triangles or tetrahedra. Source: Knepley, Rupp, Terrel, Finite element integration
/// with quadrature on the GPU, arXiv:1607.04245.
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
///   x (d) [m];  u (component);  grad (component, d) = d u_component / d x_d;  kappa: the coefficient, given at
///   vertices f0 (component);  f1 (component, d), all of which the functions write
///
/// S is a number or a Dual (dual.hpp), which has + - * / and, by unqualified names, sqrt, exp, log, pow, abs: the
/// action of the Jacobian comes from the same two functions. f0 may be left out, and then is zero. Functions see no
/// mesh, no layout and no device, and every strategy compiles them.
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

/// Calls form.f0, or sets f to zero where the form has none.
template <Form F, class Real, class S>
KOKKOS_FORCEINLINE_FUNCTION void call_f0(const F& form, const Real (&x)[F::dim], const S (&u)[F::components],
                                         const S (&grad)[F::components][F::dim], Real kappa, S (&f)[F::components]) {
  if constexpr (requires { form.f0(x, u, grad, kappa, f); }) {
    form.f0(x, u, grad, kappa, f);
  } else {
    for (int c = 0; c < F::components; ++c) f[c] = S(Real(0));
  }
}

}  // namespace miniapp::weakform
