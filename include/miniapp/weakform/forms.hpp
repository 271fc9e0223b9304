// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tuple>

#include "miniapp/weakform/form.hpp"

/// The library's equations, and two forms of each: with the source of a known solution, and with a user's data.
namespace miniapp::weakform {

/// Equations as terms without their sources. exact(x, u) is a solution, of numbers or dual numbers, with u prescribed
/// on the surface; coefficient(x) the kappa for which it is one, and source(x, kappa, f) its f, the right-hand side: a
/// polynomial, so that it costs little beside the form. `flops` counts it; `takes_kappa` says whether the equation has
/// a kappa. Arrays as in form.hpp; s = |x|^2 below, and sources follow from div(grad s) = 2 dim.
namespace equations {

namespace detail {
/// |x|^2.
template <int dim, class Real>
KOKKOS_FORCEINLINE_FUNCTION Real square(const Real (&x)[dim]) {
  Real sum = 0;
  for (int d = 0; d < dim; ++d) sum += x[d] * x[d];
  return sum;
}

/// What scalar forms share: u = |x|^2, kappa = 1.
template <int dim_>
struct ScalarForm {
  static constexpr int dim = dim_, components = 1;
  static constexpr bool takes_kappa = false;
  template <class S>
  void exact(const S (&x)[dim], S (&u)[1]) const {
    u[0] = square(x);
  }
  double coefficient(const double (&)[dim]) const { return 1; }
};
}  // namespace detail

/// -div grad u = -2 dim.
template <int dim_>
struct Poisson : detail::ScalarForm<dim_> {
  static constexpr int dim = dim_, points = 1;
  static constexpr double flops = 0;
  static constexpr bool symmetric = true;
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void source(const Real (&)[dim], Real, Real (&f)[1]) const {
    f[0] = -2 * dim;
  }
  template <class Real, class S>
  KOKKOS_FORCEINLINE_FUNCTION void f1(const Real (&)[dim], const S (&)[1], const S (&grad)[1][dim], Real,
                                      S (&f)[1][dim]) const {
    for (int d = 0; d < dim; ++d) f[0][d] = grad[0][d];
  }
};

/// -div(kappa grad u) = -(2 dim kappa + 2 sum x_d), kappa = 1 + sum x_d, given at the vertices.
template <int dim_>
struct VariablePoisson : detail::ScalarForm<dim_> {
  static constexpr int dim = dim_, points = 1;
  static constexpr double flops = 2 + 2 * dim;
  static constexpr bool symmetric = true, takes_kappa = true;
  double coefficient(const double (&x)[dim]) const {
    double sum = 1;
    for (const double coordinate : x) sum += coordinate;
    return sum;
  }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void source(const Real (&x)[dim], Real kappa, Real (&f)[1]) const {
    Real sum = dim * kappa;
    for (int d = 0; d < dim; ++d) sum += x[d];
    f[0] = -2 * sum;
  }
  template <class Real, class S>
  KOKKOS_FORCEINLINE_FUNCTION void f1(const Real (&)[dim], const S (&)[1], const S (&grad)[1][dim], Real kappa,
                                      S (&f)[1][dim]) const {
    for (int d = 0; d < dim; ++d) f[0][d] = kappa * grad[0][d];
  }
};

/// -div grad u - k^2 u = -2 dim - k^2 s with the wave number k [1/m]. Positive definite while k^2 < dim pi^2.
template <int dim_>
struct Helmholtz : detail::ScalarForm<dim_> {
  static constexpr int dim = dim_, points = dim + 1;
  static constexpr double flops = 2 * dim + 3;
  static constexpr bool symmetric = true;
  double wave_number = 2;
  template <class Real, class S>
  KOKKOS_FORCEINLINE_FUNCTION void f0(const Real (&)[dim], const S (&u)[1], const S (&)[1][dim], Real,
                                      S (&f)[1]) const {
    f[0] = Real(-wave_number * wave_number) * u[0];
  }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void source(const Real (&x)[dim], Real, Real (&f)[1]) const {
    f[0] = Real(-wave_number * wave_number) * detail::square(x) - 2 * dim;
  }
  template <class Real, class S>
  KOKKOS_FORCEINLINE_FUNCTION void f1(const Real (&)[dim], const S (&)[1], const S (&grad)[1][dim], Real,
                                      S (&f)[1][dim]) const {
    for (int d = 0; d < dim; ++d) f[0][d] = grad[0][d];
  }
};

/// -div((1 + u^2) grad u) = -(2 dim (1 + s^2) + 8 s^2).
template <int dim_>
struct NonlinearPoisson : detail::ScalarForm<dim_> {
  static constexpr int dim = dim_, points = dim + 1;
  static constexpr double flops = 3 * dim + 6;
  static constexpr bool symmetric = false;
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void source(const Real (&x)[dim], Real, Real (&f)[1]) const {
    const Real s = detail::square(x);
    f[0] = -(2 * dim + (2 * dim + 8) * s * s);
  }
  template <class Real, class S>
  KOKKOS_FORCEINLINE_FUNCTION void f1(const Real (&)[dim], const S (&u)[1], const S (&grad)[1][dim], Real,
                                      S (&f)[1][dim]) const {
    const S k = S(Real(1)) + u[0] * u[0];
    for (int d = 0; d < dim; ++d) f[0][d] = k * grad[0][d];
  }
};

/// Compressible neo-Hookean elasticity, div(kappa P) + b = 0 with the deformation gradient F = I + grad u and
///   P = mu (F - F^-T) + lambda ln(det F) F^-T   [Pa],
/// kappa a relative stiffness. NaN where det F <= 0. Solution for kappa = 1: u_0 = a / 2 times the sum of x_d^2 over
/// d > 0, the other components zero, so that det F = 1; b_0 = -(dim - 1) mu a. Source: J. Bonet, R. D. Wood, Nonlinear
/// continuum mechanics for finite element analysis, 2nd ed., 2008, eq. 6.29.
template <int dim_>
struct NeoHookean {
  static constexpr int dim = dim_, components = dim, points = 1;
  static constexpr double flops = dim == 2 ? 40 : 100;  // the logarithm as 10
  static constexpr bool symmetric = true, takes_kappa = true;
  double mu = 1, lambda = 1.5;  ///< Lame's parameters [Pa]
  double a = 0.25;              ///< scale of the exact solution [1/m]
  template <class S>
  void exact(const S (&x)[dim], S (&u)[dim]) const {
    for (S& component : u) component = 0;
    for (int d = 1; d < dim; ++d) u[0] += a / 2 * x[d] * x[d];
  }
  double coefficient(const double (&)[dim]) const { return 1; }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void source(const Real (&)[dim], Real, Real (&f)[dim]) const {
    for (int c = 0; c < dim; ++c) f[c] = c == 0 ? Real(-(dim - 1) * mu * a) : Real(0);
  }
  template <class Real, class S>
  KOKKOS_FORCEINLINE_FUNCTION void f1(const Real (&)[dim], const S (&)[dim], const S (&grad)[dim][dim], Real kappa,
                                      S (&f)[dim][dim]) const {
    using km::log;
    S F[dim][dim], C[dim][dim];  // C: cofactors, F^-T det F
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j < dim; ++j) F[i][j] = i == j ? S(Real(1)) + grad[i][j] : grad[i][j];
    if constexpr (dim == 2) {
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) C[i][j] = i == j ? F[1 - i][1 - j] : -F[1 - i][1 - j];
    } else {
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          C[i][j] = F[(i + 1) % 3][(j + 1) % 3] * F[(i + 2) % 3][(j + 2) % 3] -
                    F[(i + 1) % 3][(j + 2) % 3] * F[(i + 2) % 3][(j + 1) % 3];
    }
    S det = F[0][0] * C[0][0];
    for (int j = 1; j < dim; ++j) det += F[0][j] * C[0][j];
    const S pressure = (Real(lambda) * log(det) - S(Real(mu))) / det;
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j < dim; ++j) f[i][j] = kappa * (Real(mu) * F[i][j] + pressure * C[i][j]);
  }
};

}  // namespace equations

/// An equation with the source of its known solution.
template <Form E>
struct Manufactured : E {
  template <class Real, class S>
  KOKKOS_FORCEINLINE_FUNCTION void f0(const Real (&x)[E::dim], const S (&u)[E::components],
                                      const S (&grad)[E::components][E::dim], Real kappa, S (&f)[E::components]) const {
    const Real k[1] = {kappa};
    Real source[E::components];
    call_f0(static_cast<const E&>(*this), x, u, grad, k, f);
    E::source(x, kappa, source);
    for (int c = 0; c < E::components; ++c) f[c] -= S(source[c]);
  }
};

/// An equation with a user's data (user_problem.hpp), k = (kappa, f) at nodes, (factor of kappa) of cells, and
/// (alpha, g) of sides, where f1 . n + alpha u = g; f and g have a value per component.
template <Form E>
struct WithData : E {
  static constexpr int coefficients = 1 + E::components, cell_coefficients = 1, side_coefficients = 1 + E::components;
  static constexpr int inner = coefficients + cell_coefficients, outer = inner + side_coefficients;
  static constexpr bool all_strategies = false;
  template <class Real, class S>
  KOKKOS_FORCEINLINE_FUNCTION void f0(const Real (&x)[E::dim], const S (&u)[E::components],
                                      const S (&grad)[E::components][E::dim], const Real (&k)[inner],
                                      S (&f)[E::components]) const {
    const Real kappa[1] = {k[0] * k[inner - 1]};
    call_f0(static_cast<const E&>(*this), x, u, grad, kappa, f);
    for (int c = 0; c < E::components; ++c) f[c] -= S(k[1 + c]);
  }
  template <class Real, class S>
  KOKKOS_FORCEINLINE_FUNCTION void f1(const Real (&x)[E::dim], const S (&u)[E::components],
                                      const S (&grad)[E::components][E::dim], const Real (&k)[inner],
                                      S (&f)[E::components][E::dim]) const {
    E::f1(x, u, grad, Real(k[0] * k[inner - 1]), f);
  }
  template <class Real, class S>
  KOKKOS_FORCEINLINE_FUNCTION void b0(const Real (&)[E::dim], const S (&u)[E::components], const Real (&)[E::dim],
                                      const Real (&k)[outer], S (&f)[E::components]) const {
    for (int c = 0; c < E::components; ++c) f[c] = k[inner] * u[c] - S(k[inner + 1 + c]);
  }
};

template <int dim>
using Poisson = Manufactured<equations::Poisson<dim>>;
template <int dim>
using VariablePoisson = Manufactured<equations::VariablePoisson<dim>>;
template <int dim>
using Helmholtz = Manufactured<equations::Helmholtz<dim>>;
template <int dim>
using NonlinearPoisson = Manufactured<equations::NonlinearPoisson<dim>>;
template <int dim>
using NeoHookean = Manufactured<equations::NeoHookean<dim>>;

/// All equations, in the order of FormKind (case.hpp).
template <int dim>
using AllEquations = std::tuple<equations::Poisson<dim>, equations::VariablePoisson<dim>, equations::Helmholtz<dim>,
                                equations::NonlinearPoisson<dim>, equations::NeoHookean<dim>>;

}  // namespace miniapp::weakform
