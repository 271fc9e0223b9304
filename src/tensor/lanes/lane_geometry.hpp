// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/lanes.hpp"
#include "miniapp/geometry/line.hpp"
#include "miniapp/tensor/element_operator.hpp"
#include "tensor/lanes/lane_groups.hpp"
#include "tensor/lanes/lanes_base.hpp"
#include "tensor/line_tables.hpp"

namespace miniapp::tensor {

/// LineTables, and the factors that computed geometry needs.
template <Problem problem, int order, class Real, int points>
struct LaneTables : LineTables<problem, order, Real, points> {
  using LineTables<problem, order, Real, points>::q;
  Real weight_x[q], weight_x2[q];  ///< weight x, weight x^2 of the quadrature rule

  explicit LaneTables(const basis::TensorBasis& b) : LineTables<problem, order, Real, points>(b) {
    const basis::Rule& rule = is_collocated(problem) ? b.nodes : b.points;
    for (int i = 0; i < q; ++i) {
      weight_x[i] = static_cast<Real>(rule.weights[i] * rule.points[i]);
      weight_x2[i] = static_cast<Real>(rule.weights[i] * rule.points[i] * rule.points[i]);
    }
  }
};

/// The geometry of a line of q points in all lanes of a group, which a kernel reads when it processes the line. Lines
/// of a mass run along t and scale(tables, points) multiplies values there by w det J; the others run along r and
/// apply(tables, i, us, ut, ur) multiplies the reference gradient at point i by G and returns lambda w det J.
template <bool stiffness, Geometry geometry, int q, class Real>
struct LaneLine;

/// w det J at each point.
template <int q, class Real>
struct LaneLine<false, Geometry::stored, q, Real> {
  using T = Lanes<Real>;
  T w[q];

  template <class Tables>
  [[gnu::always_inline]] void scale(const Tables&, T (&points)[q]) const {
    MINIAPP_UNROLL
    for (int k = 0; k < q; ++k) points[k] *= w[k];
  }
};

/// The quadratic of geometry::MassLine, at two points of opposite signs at a time.
template <int q, class Real>
struct LaneLine<false, Geometry::computed, q, Real> : geometry::MassLine<Lanes<Real>> {
  using T = Lanes<Real>;

  template <class Tables>
  [[gnu::always_inline]] void scale(const Tables& tables, T (&points)[q]) const {
    MINIAPP_UNROLL
    for (int k = 0; k < q / 2; ++k) {
      const T even = tables.weight[k] * this->d0 + tables.weight_x2[k] * this->d2, odd = tables.weight_x[k] * this->d1;
      points[k] *= even + odd;
      points[q - 1 - k] *= even - odd;
    }
    if constexpr (q % 2) points[q / 2] *= tables.weight[q / 2] * this->d0;
  }
};

/// The seven factors of each point, the seventh times lambda.
template <int q, class Real>
struct LaneLine<true, Geometry::stored, q, Real> {
  using T = Lanes<Real>;
  T factors[q][geometry::num_factors];

  template <class Tables>
  [[gnu::always_inline]] T apply(const Tables&, int i, T& us, T& ut, T& ur) const {
    const T* const G = factors[i];
    const T r = ur, s = us, t = ut;
    ur = G[0] * r + G[1] * s + G[2] * t;
    us = G[1] * r + G[3] * s + G[4] * t;
    ut = G[2] * r + G[4] * s + G[5] * t;
    return G[6];
  }
};

template <int q, class Real>
struct LaneLine<true, Geometry::computed, q, Real> : geometry::StiffnessLine<Lanes<Real>> {
  using T = Lanes<Real>;

  template <class Tables>
  [[gnu::always_inline]] T apply(const Tables& tables, int i, T& us, T& ut, T& ur) const {
    return geometry::StiffnessLine<T>::apply(tables.x[i], tables.weight[i], us, ut, ur);
  }
};

/// The seven factors of elements (geometry::factors_of()) without the weights of a rule, the seventh times lambda; of a
/// line, with weights, it is weighted() that has apply().
template <int q, class Real>
struct LaneLine<true, Geometry::affine, q, Real> {
  using T = Lanes<Real>;
  T factors[geometry::num_factors];

  struct Weighted : geometry::ConstantLine<T> {
    template <class Tables>
    [[gnu::always_inline]] T apply(const Tables& tables, int i, T& us, T& ut, T& ur) const {
      return geometry::ConstantLine<T>::apply(Real(0), tables.weight[i], us, ut, ur);
    }
  };
  /// On a line along r whose weights of s and t have this product.
  [[gnu::always_inline]] Weighted weighted(Real weight) const {
    using geometry::along_r, geometry::along_s, geometry::along_t;
    return {geometry::ConstantLine<T>::template make<along_s, along_t, along_r>(factors, Real(0), Real(0), weight,
                                                                                Real(1))};
  }
};

/// The geometry of boxes in all lanes of a group: det J / |x_a|^2 along r, s and t, and lambda det J, of a mass det J.
template <class Real>
struct LaneBox {
  Lanes<Real> r, s, t, mass;
};

/// Numbers of each lane in a LaneLine of q points.
constexpr int lane_line_size(bool stiffness, Geometry geometry, int q) {
  if (geometry == Geometry::stored) return stiffness ? geometry::num_factors * q : q;
  if (geometry == Geometry::affine) return geometry::num_factors;
  return stiffness ? 15 : 3;
}

/// The geometry of all groups at the points of a rule: (group, line, what LaneLine holds), lines (b, a), a fastest: (t,
/// s), or (s, r) for a mass. `lines` is allocated where it is empty.
template <class Real>
void set_lane_lines(const Discretisation& d, Geometry geometry, const basis::Rule& rule, const LaneGroups& groups,
                    Vector<Real>& lines);

/// The geometry of groups of boxes, (group, what LaneBox holds), in `boxes`, which is allocated where it is empty;
/// empty lanes have unit cubes.
template <class Real>
void set_lane_boxes(const Discretisation& d, const LaneGroups& groups, Vector<Real>& boxes);

/// The coefficient of all groups at the points of d.rule(): (group, point (t, s, r), lane), r fastest; empty where d
/// has none. `coefficient` is allocated where it is empty.
template <class Real>
void set_lane_coefficient(const Discretisation& d, const LaneGroups& groups, Vector<Real>& coefficient);

}  // namespace miniapp::tensor
