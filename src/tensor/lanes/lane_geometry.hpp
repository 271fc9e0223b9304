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

namespace detail {

/// Coefficients of the element in lane l of group g; those of a unit cube if the lane is empty.
inline void lane_trilinear(const Discretisation& d, const LaneGroups& groups, int g, int l, double (&K)[24]) {
  const Index e = groups.elements[g * groups.width + l];
  for (int c = 0; c < 24; ++c)
    K[c] = e < 0 ? (c == 3 || c == 7 || c == 14 ? 1 : 0) : d.trilinear(24 * std::size_t(e) + c);
}

/// The coefficients of the elements in all lanes of group g.
template <class Real>
void lane_trilinear(const Discretisation& d, const LaneGroups& groups, int g, Lanes<Real> (&K)[24]) {
  for (int l = 0; l < groups.width; ++l) {
    double of_lane[24];
    lane_trilinear(d, groups, g, l, of_lane);
    for (int c = 0; c < 24; ++c) K[c][l] = static_cast<Real>(of_lane[c]);
  }
}

/// Line (a, b) of group g, whose lanes have the coefficients K.
template <bool stiffness, int q, class Real>
void set_line(const Discretisation& d, const basis::Rule& rule, const LaneGroups&, int, const Lanes<Real> (&K)[24],
              int a, int b, LaneLine<stiffness, Geometry::computed, q, Real>& line) {
  const auto x = static_cast<Real>(rule.points[a]), y = static_cast<Real>(rule.points[b]);
  const auto weight = static_cast<Real>(rule.weights[a] * rule.weights[b]);
  if constexpr (!stiffness)
    static_cast<geometry::MassLine<Lanes<Real>>&>(line) =
        geometry::MassLine<Lanes<Real>>::template make<geometry::along_r, geometry::along_s, geometry::along_t>(K, x, y,
                                                                                                                weight);
  else
    static_cast<geometry::StiffnessLine<Lanes<Real>>&>(line) =
        geometry::StiffnessLine<Lanes<Real>>::template make<geometry::along_s, geometry::along_t, geometry::along_r>(
            K, x, y, weight, static_cast<Real>(d.lambda));
}

/// The geometry of a line from the stored factors of its points.
template <bool stiffness, int q, class Real>
void set_line(const Discretisation& d, const basis::Rule& rule, const LaneGroups& groups, int g,
              const Lanes<Real> (&)[24], int a, int b, LaneLine<stiffness, Geometry::stored, q, Real>& line) {
  const std::vector<double>&x = rule.points, &w = rule.weights;
  for (int l = 0; l < groups.width; ++l) {
    double K[24], f[geometry::num_factors];
    lane_trilinear(d, groups, g, l, K);
    for (int c = 0; c < q; ++c) {
      const double weight = w[a] * w[b] * w[c];
      if constexpr (!stiffness) {
        geometry::factors(K, x[a], x[b], x[c], weight, f);
        line.w[c][l] = static_cast<Real>(f[6]);
      } else {
        geometry::factors(K, x[c], x[a], x[b], weight, f);
        f[6] *= d.lambda;
        for (int i = 0; i < geometry::num_factors; ++i) line.factors[c][i][l] = static_cast<Real>(f[i]);
      }
    }
  }
}

}  // namespace detail

/// Geometry of all groups at the points of a rule: (group, line, what LaneLine holds), lines (b, a), a fastest: (t, s),
/// or (s, r) for a mass.
template <bool stiffness, Geometry geometry, int q, class Real>
Vector<Real> make_lane_lines(const Discretisation& d, const basis::Rule& rule, const LaneGroups& groups) {
  using Line = LaneLine<stiffness, geometry, q, Real>;
  const Vector<Real> stored =
      make_vector<Real>("tensor/lanes/lines", std::size_t(groups.size()) * q * q * (sizeof(Line) / sizeof(Real)));
  Line* const lines = reinterpret_cast<Line*>(stored.data());
  for_each_group(groups.size(), [&](int g) {
    Lanes<Real> K[24];
    detail::lane_trilinear<Real>(d, groups, g, K);
    for (int b = 0; b < q; ++b)
      for (int a = 0; a < q; ++a)
        detail::set_line(d, rule, groups, g, K, a, b, lines[(std::size_t(g) * q + b) * q + a]);
  });
  return stored;
}

}  // namespace miniapp::tensor
