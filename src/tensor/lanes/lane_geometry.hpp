// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/lanes.hpp"
#include "miniapp/geometry/boxes.hpp"
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

/// The geometry of boxes in all lanes of a group: det J / |x_a|^2 along r, s and t, and lambda det J, of a mass det J.
template <class Real>
struct LaneBox {
  Lanes<Real> r, s, t, mass;
};

namespace detail {

/// Coefficients of the element in lane l of group g; those of a unit cube if the lane is empty.
inline void lane_trilinear(const Discretisation& d, const LaneGroups& groups, int g, int l, double (&K)[24]) {
  const Index e = groups.elements[g * groups.width + l];
  for (int c = 0; c < 24; ++c)
    K[c] = e < 0 ? (c == 3 || c == 7 || c == 14 ? 1 : 0) : d.trilinear(24 * std::size_t(e) + c);
}

/// The maps of the elements in all lanes of a group, in the kernel's precision and exactly.
template <class Real>
struct GroupMaps {
  static constexpr int parts = lane_width<Real> / lane_width<double>;
  Lanes<Real> rounded[24];
  DoubleLanes exact[parts][24];
  bool has_coefficient;
  std::size_t points;                      ///< of an element
  const double* values[lane_width<Real>];  ///< the coefficient of each lane's element; null where the lane is empty
  std::vector<double> curved;              ///< (lane, component, point): factors of curved elements

  GroupMaps(const Discretisation& d, const basis::Rule& rule, const LaneGroups& groups, int g)
      : has_coefficient(d.coefficient.extent(0) > 0),
        points(static_cast<std::size_t>(rule.size()) * rule.size() * rule.size()) {
    if (!d.curved.empty()) set_curved(d, rule, groups, g);
    for (int l = 0; l < groups.width; ++l) {
      double of_lane[24];
      lane_trilinear(d, groups, g, l, of_lane);
      for (int c = 0; c < 24; ++c) {
        rounded[c][l] = static_cast<Real>(of_lane[c]);
        exact[l / lane_width<double>][c][l % lane_width<double>] = of_lane[c];
      }
      const Index e = groups.elements[g * groups.width + l];
      values[l] = has_coefficient && e >= 0 ? d.coefficient.data() + std::size_t(e) * points : nullptr;
    }
  }

  void set_curved(const Discretisation& d, const basis::Rule& rule, const LaneGroups& groups, int g) {
    const std::vector<double> rows = geometry::curved_rows(d.curved.order, rule.points);
    const std::size_t size = geometry::num_factors * points;
    curved.assign(size * lane_width<Real>, 0);
    for (int l = 0; l < groups.width; ++l)
      if (const Index e = groups.elements[g * groups.width + l]; e >= 0)
        geometry::curved_factors(d.curved.nodes.data() + 3 * d.mesh->curved.per_element() * std::size_t(e),
                                 d.curved.order, rule, rows, &curved[size * l]);
  }
  /// Factors of a part's elements at a point (r, s, t) of the rule.
  void factors(const basis::Rule& rule, int part, const int (&at)[3], DoubleLanes (&f)[geometry::num_factors]) const {
    const DoubleLanes zero{};
    const std::vector<double>&x = rule.points, &w = rule.weights;
    if (curved.empty())
      return geometry::factors(exact[part], zero + x[at[0]], zero + x[at[1]], zero + x[at[2]],
                               zero + w[at[0]] * w[at[1]] * w[at[2]], f);
    const std::size_t point = at[0] + rule.size() * (at[1] + std::size_t(rule.size()) * at[2]);
    for (int c = 0; c < geometry::num_factors; ++c)
      for (int l = 0; l < lane_width<double>; ++l)
        f[c][l] = curved[((part * lane_width<double> + l) * geometry::num_factors + c) * points + point];
  }
  /// The coefficient at a point of a part's elements.
  DoubleLanes coefficient(int part, int point) const {
    DoubleLanes k{};
    for (int l = 0; l < lane_width<double>; ++l) {
      const double* const of_lane = values[part * lane_width<double> + l];
      k[l] = of_lane ? of_lane[point] : 1;
    }
    return k;
  }
};

/// Line (a, b) of a group.
template <bool stiffness, int q, class Real>
void set_line(const Discretisation& d, const basis::Rule& rule, const GroupMaps<Real>& maps, int a, int b,
              LaneLine<stiffness, Geometry::computed, q, Real>& line) {
  const Lanes<Real>(&K)[24] = maps.rounded;
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

/// The geometry of a line from the stored factors of its points, in double precision: of `parts` registers of elements.
template <bool stiffness, int q, class Real>
void set_line(const Discretisation& d, const basis::Rule& rule, const GroupMaps<Real>& maps, int a, int b,
              LaneLine<stiffness, Geometry::stored, q, Real>& line) {
  constexpr int width = lane_width<double>;
  const auto store = [](const DoubleLanes& from, int part, Lanes<Real>& to) {
    for (int l = 0; l < width; ++l) to[part * width + l] = static_cast<Real>(from[l]);
  };
  for (int part = 0; part < GroupMaps<Real>::parts; ++part) {
    for (int c = 0; c < q; ++c) {
      DoubleLanes f[geometry::num_factors];
      if constexpr (!stiffness) {
        maps.factors(rule, part, {a, b, c}, f);
        store(f[6], part, line.w[c]);
      } else {
        maps.factors(rule, part, {c, a, b}, f);
        f[6] *= d.lambda;
        if (maps.has_coefficient) {
          const DoubleLanes k = maps.coefficient(part, c + q * (a + q * b));
          for (int i = 0; i < 6; ++i) f[i] *= k;
        }
        for (int i = 0; i < geometry::num_factors; ++i) store(f[i], part, line.factors[c][i]);
      }
    }
  }
}

}  // namespace detail

/// Geometry of all groups at the points of a rule: (group, line, what LaneLine holds), lines (b, a), a fastest: (t, s),
/// or (s, r) for a mass. `stored` is allocated where it is empty.
template <bool stiffness, Geometry geometry, int q, class Real>
void set_lane_lines(const Discretisation& d, const basis::Rule& rule, const LaneGroups& groups, Vector<Real>& stored) {
  using Line = LaneLine<stiffness, geometry, q, Real>;
  if (stored.extent(0) == 0)
    stored =
        make_vector<Real>("tensor/lanes/lines", std::size_t(groups.size()) * q * q * (sizeof(Line) / sizeof(Real)));
  Line* const lines = reinterpret_cast<Line*>(stored.data());
  for_each_group(groups.size(), [&](int g) {
    const detail::GroupMaps<Real> maps(d, rule, groups, g);
    for (int b = 0; b < q; ++b)
      for (int a = 0; a < q; ++a) detail::set_line(d, rule, maps, a, b, lines[(std::size_t(g) * q + b) * q + a]);
  });
}

/// The geometry of groups of boxes, (group, what LaneBox holds), in `stored`, which is made if it is empty; empty lanes
/// have unit cubes.
template <class Real>
void set_lane_boxes(const Discretisation& d, const LaneGroups& groups, Vector<Real>& stored) {
  constexpr int width = lane_width<Real>, numbers = geometry::num_box_factors;
  static_assert(sizeof(LaneBox<Real>) == sizeof(Real) * width * numbers);
  const Vector<const double> boxes = geometry::make_boxes(d.trilinear);
  if (stored.extent(0) == 0)
    stored = make_vector<Real>("tensor/lanes/boxes", std::size_t(groups.size()) * numbers * width);
  const double mass = has_stiffness(d.problem) ? d.lambda : 1;
  for_each_group(groups.size(), [&](int g) {
    for (int i = 0; i < numbers; ++i)
      for (int l = 0; l < width; ++l) {
        const Index e = groups.elements[g * groups.width + l];
        const double value = e < 0 ? 1 : boxes(std::size_t(e) * numbers + i);
        stored((std::size_t(g) * numbers + i) * width + l) = static_cast<Real>(i == 3 ? mass * value : value);
      }
  });
}

/// The coefficient of all groups at the points of d.rule(): (group, point (t, s, r), lane), r fastest; empty where d
/// has none. `stored` is allocated where it is empty.
template <int q, class Real>
void set_lane_coefficient(const Discretisation& d, const LaneGroups& groups, Vector<Real>& stored) {
  constexpr std::size_t points = std::size_t(q) * q * q;
  if (d.coefficient.extent(0) == 0) return;
  if (stored.extent(0) == 0)
    stored = make_vector<Real>("tensor/lanes/coefficient", std::size_t(groups.size()) * points * lane_width<Real>);
  for_each_group(groups.size(), [&](int g) {
    Real* const to = stored.data() + std::size_t(g) * points * lane_width<Real>;
    for (int l = 0; l < lane_width<Real>; ++l) {
      const Index e = groups.elements[g * groups.width + l];
      for (std::size_t point = 0; point < points; ++point)
        to[point * lane_width<Real> + l] =
            e < 0 ? 1 : static_cast<Real>(d.coefficient(std::size_t(e) * points + point));
    }
  });
}

}  // namespace miniapp::tensor
