// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <type_traits>

#include "miniapp/basis/simplex.hpp"
#include "miniapp/geometry/simplex.hpp"
#include "miniapp/indirect/plan.hpp"
#include "miniapp/weakform/dual.hpp"
#include "miniapp/weakform/form.hpp"

/// The integral of a form over one cell, which all strategies share:
///   r_v,c = sum_q w (phi_v(q) f0_c + sum_d d phi_v / d x_d f1_c,d),   w = |J| volume of the reference / points
///   vertices (v, row): coordinates [m], then coefficients;   own (cell_coefficients) of the cell;   at (row of a
///   point): coordinates, then k;   u, r (v, component);   inverse as geometry/simplex.hpp
namespace miniapp::weakform::detail {

/// What is computed: the residual from numbers, or the Jacobian's action on w from u + w eps.
enum class Action { residual, jacobian };

template <class Real, Action action>
using Number = std::conditional_t<action == Action::residual, Real, Dual<Real>>;

KOKKOS_FORCEINLINE_FUNCTION double result_of(double a) { return a; }
KOKKOS_FORCEINLINE_FUNCTION float result_of(float a) { return a; }
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real result_of(const Dual<Real>& a) {
  return a.derivative;
}

/// The sizes of a form on a cell.
template <Form F>
struct Sizes {
  static constexpr int dim = F::dim, vertices = dim + 1, components = F::components, points = F::points,
                       coefficients = vertices * components;
  static constexpr int row = dim + nodal_coefficients<F>();        ///< numbers of a vertex
  static constexpr int own = std::max(1, cell_coefficients<F>());  ///< coefficients of a cell, and one that is not read
  static constexpr int at_point = dim + inner_coefficients<F>;     ///< numbers at a point
};

/// Rows of vertices, and what a cell alone has.
template <Form F, class Real>
using VertexRows = Real[F::dim + 1][Sizes<F>::row];
template <Form F, class Real>
using OwnRow = Real[Sizes<F>::own];
template <Form F, class Real>
using PointRow = Real[Sizes<F>::at_point];

/// What a cell stores in the paper's data model: inverse (a, d), then w.
template <int dim, class Real>
struct CellGeometry {
  Real inverse[dim][dim], weight;
};

/// The coordinates of vertices.
template <int dim, int row, class Real>
KOKKOS_FORCEINLINE_FUNCTION void take_coordinates(const Real (&vertices)[dim + 1][row], Real (&x)[dim + 1][dim]) {
  MINIAPP_UNROLL
  for (int v = 0; v <= dim; ++v) {
    MINIAPP_UNROLL
    for (int d = 0; d < dim; ++d) x[v][d] = vertices[v][d];
  }
}

template <Form F, class Real>
KOKKOS_FORCEINLINE_FUNCTION CellGeometry<F::dim, Real> make_geometry(const VertexRows<F, Real>& vertices) {
  CellGeometry<F::dim, Real> geometry;
  Real x[F::dim + 1][F::dim];
  take_coordinates<F::dim>(vertices, x);
  const Real det = geometry::invert_simplex<F::dim>(x, geometry.inverse);
  geometry.weight = det * Real(geometry::reference_volume<F::dim> / F::points);
  return geometry;
}

/// The linear function with `values` (v, component) at point q.
template <Form F, int components, class T>
KOKKOS_FORCEINLINE_FUNCTION void interpolate(const T (&values)[F::dim + 1][components], int q, T (&at)[components]) {
  using Real = decltype(value_of(T()));
  MINIAPP_UNROLL
  for (int c = 0; c < components; ++c) {
    if constexpr (F::points == 1) {  // the mean
      at[c] = values[0][c];
      MINIAPP_UNROLL
      for (int v = 1; v <= F::dim; ++v) at[c] += values[v][c];
      at[c] = Real(basis::simplex_point<F::dim, 1>(0, 0)) * at[c];
    } else {
      at[c] = Real(basis::simplex_point<F::dim, F::points>(q, 0)) * values[0][c];
      MINIAPP_UNROLL
      for (int v = 1; v <= F::dim; ++v) at[c] += Real(basis::simplex_point<F::dim, F::points>(q, v)) * values[v][c];
    }
  }
}

/// Coordinates and k at point q.
template <Form F, class Real>
KOKKOS_FORCEINLINE_FUNCTION void interpolate_row(const VertexRows<F, Real>& vertices, const OwnRow<F, Real>& own, int q,
                                                 PointRow<F, Real>& at) {
  constexpr int row = Sizes<F>::row, size = Sizes<F>::at_point;
  if constexpr (row == size) {
    interpolate<F>(vertices, q, at);
  } else {
    Real linear[row];
    interpolate<F>(vertices, q, linear);
    MINIAPP_UNROLL
    for (int i = 0; i < size; ++i) at[i] = i < row ? linear[i] : own[i - row];
  }
}

/// grad (component, d) of a linear function.
template <Form F, class Real, class S>
KOKKOS_FORCEINLINE_FUNCTION void gradient(const S (&u)[F::dim + 1][F::components],
                                          const Real (&inverse)[F::dim][F::dim], S (&grad)[F::components][F::dim]) {
  MINIAPP_UNROLL
  for (int c = 0; c < F::components; ++c) {
    MINIAPP_UNROLL
    for (int d = 0; d < F::dim; ++d) {
      grad[c][d] = inverse[0][d] * (u[1][c] - u[0][c]);
      MINIAPP_UNROLL
      for (int a = 1; a < F::dim; ++a) grad[c][d] += inverse[a][d] * (u[a + 1][c] - u[0][c]);
    }
  }
}

/// f0 and f1 at point q, without its weight.
template <Form F, class Real, class S>
KOKKOS_FORCEINLINE_FUNCTION void evaluate(const F& form, const Real (&at)[Sizes<F>::at_point],
                                          const S (&u)[F::dim + 1][F::components],
                                          const S (&grad)[F::components][F::dim], int q, S (&f0)[F::components],
                                          S (&f1)[F::components][F::dim]) {
  Real x[F::dim], k[inner_coefficients<F>];
  S here[F::components];
  MINIAPP_UNROLL
  for (int d = 0; d < F::dim; ++d) x[d] = at[d];
  MINIAPP_UNROLL
  for (int i = 0; i < inner_coefficients<F>; ++i) k[i] = at[F::dim + i];
  interpolate<F>(u, q, here);
  call_f0(form, x, here, grad, k, f0);
  call_f1(form, x, here, grad, k, f1);
}

/// d phi_v / d x_d. Rows are selected, since a register array that is indexed at run time would lie in memory.
template <int dim, class Real>
KOKKOS_FORCEINLINE_FUNCTION Real slope(const Real (&inverse)[dim][dim], int v, int d) {
  Real sum = 0, row = 0;
  MINIAPP_UNROLL
  for (int a = 0; a < dim; ++a) {
    sum += inverse[a][d];
    row = v == a + 1 ? inverse[a][d] : row;
  }
  return v > 0 ? row : -sum;
}

/// Overwrites r with the integral over the cell: the residual, or the Jacobian's action where S is Dual. The inverse is
/// the adjugate A over det J, and det J is in w as well: only the gradient of u is divided by it,
///   grad = A^T du / det J,   r_v,c = w sum_q phi_v(q) f0_c + (A sum_q f1_c)_v volume of the reference / points
template <Form F, class Real, class S>
KOKKOS_FORCEINLINE_FUNCTION void integrate(const F& form, const Real (&vertices)[F::dim + 1][Sizes<F>::row],
                                           const Real (&own)[Sizes<F>::own], const S (&u)[F::dim + 1][F::components],
                                           Real (&r)[F::dim + 1][F::components]) {
  constexpr int dim = F::dim, components = F::components;
  constexpr Real share = Real(geometry::reference_volume<dim> / F::points);  // of det J
  Real x[dim + 1][dim], adjugate[dim][dim];
  take_coordinates<dim>(vertices, x);
  const Real det = geometry::adjugate_simplex<dim>(x, adjugate), scale = 1 / det, weight = share * det;
  S grad[components][dim];
  gradient<F>(u, adjugate, grad);
  MINIAPP_UNROLL
  for (int c = 0; c < components; ++c) {
    MINIAPP_UNROLL
    for (int d = 0; d < dim; ++d) grad[c][d] = scale * grad[c][d];
  }
  Real flux[components][dim] = {}, load[dim + 1][components] = {};
  MINIAPP_UNROLL
  for (int q = 0; q < F::points; ++q) {
    PointRow<F, Real> at;
    S f0[components], f1[components][dim];
    interpolate_row<F>(vertices, own, q, at);
    evaluate(form, at, u, grad, q, f0, f1);
    MINIAPP_UNROLL
    for (int c = 0; c < components; ++c) {
      MINIAPP_UNROLL
      for (int d = 0; d < dim; ++d) flux[c][d] += result_of(f1[c][d]);
      MINIAPP_UNROLL
      for (int v = 0; v <= dim; ++v) load[v][c] += Real(basis::simplex_point<dim, F::points>(q, v)) * result_of(f0[c]);
    }
  }
  MINIAPP_UNROLL
  for (int c = 0; c < components; ++c) {
    Real sum = 0;
    MINIAPP_UNROLL
    for (int a = 0; a < dim; ++a) {
      Real along = adjugate[a][0] * flux[c][0];
      MINIAPP_UNROLL
      for (int d = 1; d < dim; ++d) along += adjugate[a][d] * flux[c][d];
      sum += along;
      r[a + 1][c] = weight * load[a + 1][c] + share * along;
    }
    r[0][c] = weight * load[0][c] - share * sum;  // gradients of basis functions sum to zero
  }
}

/// Flops of a residual by the formula at the top, with the inverse, a division as one. integrate() takes fewer.
template <Form F>
constexpr double cell_flops() {
  constexpr int d = F::dim, n = F::components, p = F::points;
  const double points_flops = p * ((Sizes<F>::row + n) * (2 * d + 1) + F::flops + n * (d + 2 * (d + 1)));
  return geometry::inverse_flops<d> + 1 + n * d + n * d * (2 * d - 1) + points_flops + n * (d * (2 * d - 1 + 3) + 2);
}

/// The strategies of `indirect` that those of weak forms are made of.
constexpr bool is_called_by(indirect::Strategy strategy) {
  return strategy != indirect::Strategy::staged && strategy != indirect::Strategy::global;
}
/// Local functions for loops of `indirect`, which take `own` first where cells have coefficients.
template <Form F, class Real>
struct CellResidual {
  static constexpr bool is_called_by(indirect::Strategy strategy) { return detail::is_called_by(strategy); }
  F form;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const OwnRow<F, Real>& own, const VertexRows<F, Real>& vertices,
                                              const Real (&u)[F::dim + 1][F::components],
                                              Real (&r)[F::dim + 1][F::components]) const {
    integrate(form, vertices, own, u, r);
  }
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const VertexRows<F, Real>& vertices,
                                              const Real (&u)[F::dim + 1][F::components],
                                              Real (&r)[F::dim + 1][F::components]) const {
    (*this)(OwnRow<F, Real>{}, vertices, u, r);
  }
};
template <Form F, class Real>
struct CellJacobian {
  static constexpr bool is_called_by(indirect::Strategy strategy) { return detail::is_called_by(strategy); }
  F form;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const OwnRow<F, Real>& own, const VertexRows<F, Real>& vertices,
                                              const Real (&u)[F::dim + 1][F::components],
                                              const Real (&w)[F::dim + 1][F::components],
                                              Real (&y)[F::dim + 1][F::components]) const {
    Dual<Real> both[F::dim + 1][F::components];
    MINIAPP_UNROLL
    for (int v = 0; v <= F::dim; ++v) {
      MINIAPP_UNROLL
      for (int c = 0; c < F::components; ++c) both[v][c] = {u[v][c], w[v][c]};
    }
    integrate(form, vertices, own, both, y);
  }
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const VertexRows<F, Real>& vertices,
                                              const Real (&u)[F::dim + 1][F::components],
                                              const Real (&w)[F::dim + 1][F::components],
                                              Real (&y)[F::dim + 1][F::components]) const {
    (*this)(OwnRow<F, Real>{}, vertices, u, w, y);
  }
};

}  // namespace miniapp::weakform::detail
