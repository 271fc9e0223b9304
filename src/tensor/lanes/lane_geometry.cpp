// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/core/execution.hpp"

#ifdef MINIAPP_RUNS_ON_HOST
#include "miniapp/geometry/boxes.hpp"
#include "tensor/lanes/lane_geometry.hpp"

namespace miniapp::tensor {
namespace {

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

/// Line (a, b) of a group from the maps of its elements.
template <bool stiffness, class Real>
[[gnu::always_inline]] inline void set_computed_line(const Discretisation& d, const basis::Rule& rule,
                                                     const GroupMaps<Real>& maps, int a, int b, Lanes<Real>* line) {
  using T = Lanes<Real>;
  using geometry::along_r, geometry::along_s, geometry::along_t;
  const auto x = static_cast<Real>(rule.points[a]), y = static_cast<Real>(rule.points[b]);
  const auto weight = static_cast<Real>(rule.weights[a] * rule.weights[b]);
  if constexpr (stiffness)
    *reinterpret_cast<geometry::StiffnessLine<T>*>(line) =
        geometry::StiffnessLine<T>::template make<along_s, along_t, along_r>(maps.rounded, x, y, weight,
                                                                             static_cast<Real>(d.lambda));
  else
    *reinterpret_cast<geometry::MassLine<T>*>(line) =
        geometry::MassLine<T>::template make<along_r, along_s, along_t>(maps.rounded, x, y, weight);
}

/// Line (a, b) of a group from the stored factors of its points, in double precision: of `parts` registers of elements.
template <bool stiffness, class Real>
[[gnu::always_inline]] inline void set_stored_line(const Discretisation& d, const basis::Rule& rule,
                                                   const GroupMaps<Real>& maps, int a, int b, Lanes<Real>* line) {
  constexpr int width = lane_width<double>;
  const auto store = [](const DoubleLanes& from, int part, Lanes<Real>& to) {
    for (int l = 0; l < width; ++l) to[part * width + l] = static_cast<Real>(from[l]);
  };
  const int q = rule.size();
  for (int part = 0; part < GroupMaps<Real>::parts; ++part) {
    for (int c = 0; c < q; ++c) {
      DoubleLanes f[geometry::num_factors];
      if constexpr (!stiffness) {
        maps.factors(rule, part, {a, b, c}, f);
        store(f[6], part, line[c]);
      } else {
        maps.factors(rule, part, {c, a, b}, f);
        f[6] *= d.lambda;
        if (maps.has_coefficient) {
          const DoubleLanes k = maps.coefficient(part, c + q * (a + q * b));
          for (int i = 0; i < 6; ++i) f[i] *= k;
        }
        for (int i = 0; i < geometry::num_factors; ++i) store(f[i], part, line[c * geometry::num_factors + i]);
      }
    }
  }
}

template <bool stiffness, Geometry geometry, class Real>
void set_lines(const Discretisation& d, const basis::Rule& rule, const LaneGroups& groups, Vector<Real>& lines) {
  const int q = rule.size(), size = lane_line_size(stiffness, geometry, q);
  if (lines.extent(0) == 0)
    lines = make_vector<Real>("tensor/lanes/lines", std::size_t(groups.size()) * q * q * size * lane_width<Real>);
  auto* const all = reinterpret_cast<Lanes<Real>*>(lines.data());
  for_each_group(groups.size(), [&](int g) {
    const GroupMaps<Real> maps(d, rule, groups, g);
    Lanes<Real>* line = all + std::size_t(g) * q * q * size;
    for (int b = 0; b < q; ++b)
      for (int a = 0; a < q; ++a, line += size)
        if constexpr (geometry == Geometry::stored)
          set_stored_line<stiffness>(d, rule, maps, a, b, line);
        else
          set_computed_line<stiffness>(d, rule, maps, a, b, line);
  });
}

}  // namespace

template <class Real>
void set_lane_lines(const Discretisation& d, Geometry geometry, const basis::Rule& rule, const LaneGroups& groups,
                    Vector<Real>& lines) {
  const bool stored = geometry == Geometry::stored;
  if (has_stiffness(d.problem))
    stored ? set_lines<true, Geometry::stored>(d, rule, groups, lines)
           : set_lines<true, Geometry::computed>(d, rule, groups, lines);
  else
    stored ? set_lines<false, Geometry::stored>(d, rule, groups, lines)
           : set_lines<false, Geometry::computed>(d, rule, groups, lines);
}

template <class Real>
void set_lane_boxes(const Discretisation& d, const LaneGroups& groups, Vector<Real>& boxes) {
  constexpr int width = lane_width<Real>, numbers = geometry::num_box_factors;
  static_assert(sizeof(LaneBox<Real>) == sizeof(Real) * width * numbers);
  const Vector<const double> factors = geometry::make_boxes(d.trilinear);
  if (boxes.extent(0) == 0)
    boxes = make_vector<Real>("tensor/lanes/boxes", std::size_t(groups.size()) * numbers * width);
  const double mass = has_stiffness(d.problem) ? d.lambda : 1;
  for_each_group(groups.size(), [&](int g) {
    for (int i = 0; i < numbers; ++i)
      for (int l = 0; l < width; ++l) {
        const Index e = groups.elements[g * groups.width + l];
        const double value = e < 0 ? 1 : factors(std::size_t(e) * numbers + i);
        boxes((std::size_t(g) * numbers + i) * width + l) = static_cast<Real>(i == 3 ? mass * value : value);
      }
  });
}

template <class Real>
void set_lane_coefficient(const Discretisation& d, const LaneGroups& groups, Vector<Real>& coefficient) {
  if (d.coefficient.extent(0) == 0) return;
  const auto q = static_cast<std::size_t>(d.rule().size()), points = q * q * q;
  if (coefficient.extent(0) == 0)
    coefficient = make_vector<Real>("tensor/lanes/coefficient", groups.size() * points * lane_width<Real>);
  for_each_group(groups.size(), [&](int g) {
    Real* const to = coefficient.data() + g * points * lane_width<Real>;
    for (int l = 0; l < lane_width<Real>; ++l) {
      const Index e = groups.elements[g * groups.width + l];
      for (std::size_t point = 0; point < points; ++point)
        to[point * lane_width<Real> + l] =
            e < 0 ? 1 : static_cast<Real>(d.coefficient(std::size_t(e) * points + point));
    }
  });
}

template void set_lane_lines(const Discretisation&, Geometry, const basis::Rule&, const LaneGroups&, Vector<double>&);
template void set_lane_lines(const Discretisation&, Geometry, const basis::Rule&, const LaneGroups&, Vector<float>&);
template void set_lane_boxes(const Discretisation&, const LaneGroups&, Vector<double>&);
template void set_lane_boxes(const Discretisation&, const LaneGroups&, Vector<float>&);
template void set_lane_coefficient(const Discretisation&, const LaneGroups&, Vector<double>&);
template void set_lane_coefficient(const Discretisation&, const LaneGroups&, Vector<float>&);

}  // namespace miniapp::tensor
#endif
