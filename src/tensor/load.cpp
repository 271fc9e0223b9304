// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/tensor/load.hpp"

#include <cmath>
#include <numbers>
#include <utility>

#include "miniapp/geometry/hexahedron.hpp"
#include "tensor/element_group.hpp"
#include "tensor/node_sums.hpp"
#include "tensor/side_points.hpp"

namespace miniapp::tensor {
namespace {

using Number = GroupNumber<double>;

/// A function of coordinates.
struct FromCoordinates {
  static constexpr bool vanishes = true;  ///< at constrained nodes
  Manufactured u;
  KOKKOS_FORCEINLINE_FUNCTION Number operator()(const ElementRange&, int, const Number (&x)[3]) const {
    return u(x[0], x[1], x[2]);
  }
};
/// A function with values (element, point) that are known.
struct FromValues {
  static constexpr bool vanishes = false;
  const double* values;
  int points;
  KOKKOS_FORCEINLINE_FUNCTION Number operator()(const ElementRange& group, int point, const Number (&)[3]) const {
    Number value{};
    for (int l = 0; l < group.count; ++l) lane<double>(value, l) = values[(group.first + l) * points + point];
    return value;
  }
};

/// What the loops over groups of elements have in common. Planes of points are (j, i), i fastest.
template <class Function>
struct Groups {
  const double* trilinear;  ///< (element, 24)
  const double *points, *weights;
  const double* interpolation;  ///< (point, node)
  const Index* map;             ///< (element, node)
  const double* measures;       ///< (element, point): w det J of curved elements; null: of `trilinear`
  const double* positions;      ///< (d, element, point): x of curved elements; null: of `trilinear`
  int n, m;                     ///< nodes, points of a direction
  std::int64_t elements;
  Function u;

  static constexpr int size = group_size<double>, threads = 256, teams_at_once = 1;

  /// u at a point of plane k.
  KOKKOS_FORCEINLINE_FUNCTION Number value(const ElementRange& group, const Number* K, int k, int point) const {
    const double r = points[point % m], s = points[point / m], t = points[k];
    Number x[3] = {};
    if (!positions)
      geometry::position(K, r, s, t, x);
    else
      for (int d = 0; d < 3; ++d)
        for (int l = 0; l < group.count; ++l)
          lane<double>(x[d], l) = positions[((d * elements + group.first + l) * m + k) * m * m + point];
    return u(group, k * m * m + point, x);
  }

  /// w det J at a point of plane k.
  KOKKOS_FORCEINLINE_FUNCTION Number measure(const ElementRange& group, const Number* K, int k, int point) const {
    const Number zero{};
    if (measures) {
      Number stored{};
      for (int l = 0; l < group.count; ++l)
        lane<double>(stored, l) = measures[((group.first + l) * m + k) * m * m + point];
      return stored;
    }
    const int i = point % m, j = point / m;
    Number J[3][3];
    geometry::tangents(K, zero + points[i], zero + points[j], zero + points[k], J);
    return weights[i] * weights[j] * weights[k] * geometry::determinant(J);
  }
};

/// I^T W f of a group: plane by plane `values` (j, i) at points, `rows` (point j, node i), and `sums` (k, j, i) of all
/// planes.
template <class Function>
struct LoadOfGroup : Groups<Function> {
  using Base = Groups<Function>;
  using Base::n, Base::m, Base::elements, Base::trilinear, Base::interpolation, Base::map;
  double factor;
  double* load;

  static std::size_t numbers(int n, int m) { return 24 + std::size_t(m) * (m + n) + std::size_t(n) * n * n; }

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const ElementRange group = group_of<double>(team, elements);
    Number* const K = static_cast<Number*>(team.scratch());
    Number *const values = K + 24, *const rows = values + m * m, *const sums = rows + m * n;
    load_maps<double>(team, group, trilinear, K);
    for_each(team, n * n * n, [&](int node) { sums[node] = Number{}; });
    for (int k = 0; k < m; ++k) {
      for_each(team, m * m, [&](int point) {
        values[point] = factor * this->measure(group, K, k, point) * this->value(group, K, k, point);
      });
      for_each(team, m * n, [&](int row) {
        Number sum{};
        for (int i = 0; i < m; ++i) sum += interpolation[i * n + row % n] * values[row / n * m + i];
        rows[row] = sum;
      });
      for_each(team, n * n, [&](int column) {
        Number sum{};
        for (int j = 0; j < m; ++j) sum += interpolation[j * n + column / n] * rows[j * n + column % n];
        for (int t = 0; t < n; ++t) sums[t * n * n + column] += interpolation[k * n + t] * sum;
      });
    }
    add_to_nodes<double>(team, group, n * n * n, map, sums, load);
  }
};

/// f at the nodes of a group.
struct NodalLoadOfGroup : Groups<FromCoordinates> {
  double* load;

  static std::size_t numbers(int n) { return 24 + std::size_t(n) * n * n; }

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const ElementRange group = group_of<double>(team, elements);
    Number* const K = static_cast<Number*>(team.scratch());
    Number* const values = K + 24;
    load_maps<double>(team, group, trilinear, K);
    for_each(team, n * n * n, [&](int node) { values[node] = value(group, K, node / (n * n), node % (n * n)); });
    add_to_nodes<double>(team, group, n * n * n, map, values, load);
  }
};

/// W (u_h - u)^2 and W u^2 of a group, summed over its points: plane by plane `columns` (j, i) of nodes, `rows` (point
/// j, node i), and sums (point of a plane) of all planes.
template <class Function>
struct ErrorOfGroup : Groups<Function> {
  using Base = Groups<Function>;
  using Base::n, Base::m, Base::elements, Base::trilinear, Base::interpolation, Base::map, Base::size;
  const double* x;
  double* result;  ///< (group, error | norm)

  static std::size_t numbers(int n, int m) {
    return 24 + std::size_t(n) * n * n + std::size_t(n) * n + std::size_t(m) * n + 2 * std::size_t(m) * m;
  }

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const ElementRange group = group_of<double>(team, elements);
    Number* const K = static_cast<Number*>(team.scratch());
    Number *const nodal = K + 24, *const columns = nodal + n * n * n, *const rows = columns + n * n;
    Number *const error = rows + m * n, *const norm = error + m * m;
    load_maps<double>(team, group, trilinear, K);
    for_each(team, n * n * n, [&](int node) {
      nodal[node] = Number{};
      for (int l = 0; l < group.count; ++l) {
        const Index at = map[(group.first + l) * n * n * n + node];
        if (at >= 0 || !Function::vanishes) lane<double>(nodal[node], l) = x[at < 0 ? ~at : at];
      }
    });
    for_each(team, m * m, [&](int point) { error[point] = norm[point] = Number{}; });
    for (int k = 0; k < m; ++k) {
      for_each(team, n * n, [&](int column) {
        Number sum{};
        for (int t = 0; t < n; ++t) sum += interpolation[k * n + t] * nodal[t * n * n + column];
        columns[column] = sum;
      });
      for_each(team, m * n, [&](int row) {
        Number sum{};
        for (int j = 0; j < n; ++j) sum += interpolation[row / n * n + j] * columns[j * n + row % n];
        rows[row] = sum;
      });
      for_each(team, m * m, [&](int point) {
        Number difference = -this->value(group, K, k, point);
        const Number W = this->measure(group, K, k, point);
        norm[point] += W * difference * difference;
        for (int i = 0; i < n; ++i) difference += interpolation[point % m * n + i] * rows[point / m * n + i];
        error[point] += W * difference * difference;
      });
    }
    for_each(team, 2, [&](int which) {
      double sum = 0;
      for (int point = 0; point < m * m; ++point)
        for (int l = 0; l < group.count; ++l) sum += lane<double>((which == 0 ? error : norm)[point], l);
      result[2 * (group.first / size) + which] = sum;
    });
  }
};

/// A rule and the interpolation to its points on the device.
struct Tables {
  Vector<const double> points, weights, interpolation, measures, positions;
  NodeSums sums;

  /// At the Gauss points, or at the nodes, where nothing is interpolated; for functions of coordinates or for values.
  Tables(const Discretisation& d, const basis::Rule& rule, bool of_coordinates, bool in_fixed_order = false)
      : points(to_device<double>("tensor/points", rule.points)),
        weights(to_device<double>("tensor/weights", rule.weights)),
        interpolation(to_device<double>("tensor/interpolation", d.basis.interpolation.entries)),
        measures(d.curved.empty() ? Vector<const double>() : geometry::make_factors<double>(d.curved, rule, true)),
        positions(d.curved.empty() || !of_coordinates ? Vector<const double>()
                                                      : geometry::make_positions(d.curved, rule)),
        sums(d, in_fixed_order) {}

  /// What the loops for a function have in common.
  template <class Function>
  Groups<Function> groups(const Discretisation& d, const Function& u) const {
    return {d.trilinear.data(),
            points.data(),
            weights.data(),
            interpolation.data(),
            sums.map().data(),
            measures.data(),
            positions.data(),
            d.order + 1,
            static_cast<int>(points.extent(0)),
            static_cast<std::int64_t>(d.mesh->num_elements()),
            u};
  }
};

/// The load of a function of one component in b (node), which is zero before, without waiting.
template <class Function>
void add_load(const Instance& instance, const NodeSums& sums, const Groups<Function>& groups, double factor,
              double* b) {
  for_groups_of_elements<double>(instance, "tensor/load", groups.elements, groups.m * groups.m,
                                 LoadOfGroup<Function>::numbers(groups.n, groups.m),
                                 LoadOfGroup<Function>{groups, factor, sums.target(instance, b)});
  sums.finish(instance, b);
}

/// The squares of the error of x (node) and of the function, of this rank.
template <class Function>
std::pair<double, double> squared_error(const Instance& instance, const Groups<Function>& groups, const double* x) {
  const std::int64_t num_groups = (groups.elements + groups.size - 1) / groups.size;
  const Vector<double> result = make_vector<double>("tensor/error", 2 * static_cast<std::size_t>(num_groups));
  for_groups_of_elements<double>(instance, "tensor/error", groups.elements, groups.m * groups.m,
                                 ErrorOfGroup<Function>::numbers(groups.n, groups.m),
                                 ErrorOfGroup<Function>{groups, x, result.data()});
  instance.fence();
  const auto host = to_host(result);
  double error = 0, norm = 0;
  for (std::int64_t g = 0; g < num_groups; ++g) {
    error += host(2 * g);
    norm += host(2 * g + 1);
  }
  return {error, norm};
}

}  // namespace

Vector<double> make_load(const Discretisation& d, const Manufactured& u, double factor, bool in_fixed_order) {
  const Vector<double> b = make_zeros<double>("tensor/load", d.space.num_entries());
  const Instance instance;
  const Tables tables(d, d.basis.points, true, in_fixed_order);
  for (int c = 0; c < d.space.components; ++c)
    add_load(instance, tables.sums, tables.groups(d, FromCoordinates{u.of_component(c)}), factor,
             b.data() + std::size_t(c) * std::size_t(d.space.num_nodes));
  d.space.exchange.sum(instance, b);
  instance.fence();
  return b;
}

Vector<double> make_load(const Discretisation& d, const Vector<const double>& values) {
  const Vector<double> b = make_zeros<double>("tensor/load", d.space.num_entries());
  const Instance instance;
  const Tables tables(d, d.basis.points, false);
  const int m = d.basis.points.size();
  add_load(instance, tables.sums, tables.groups(d, FromValues{values.data(), m * m * m}), 1, b.data());
  d.space.exchange.sum(instance, b);
  instance.fence();
  return b;
}

void add_side_load(const Discretisation& d, const SideFunction& g, const Vector<double>& b) {
  const int n = d.order + 1, m = d.basis.points.size();
  const std::vector<Index> nodes = space::nodes_on_sides(d.space, g.sides);
  NodeParts parts;  // of the nodes of one side after the other, as in `nodes`
  visit_side_points(
      *d.mesh, g, d.basis.points, [&](const mesh::CellSide&, int point, double area, double value, const mesh::Point&) {
        if (point == 0)
          for (int at = 0; at < n * n; ++at) parts.emplace_back(nodes[parts.size()], 0);
        auto* const own = &parts[parts.size() - static_cast<std::size_t>(n * n)];
        for (int at = 0; at < n * n; ++at)
          own[at].second +=
              area * value * d.basis.interpolation(point % m, at % n) * d.basis.interpolation(point / m, at / n);
      });
  std::vector<std::int64_t> entries;
  std::vector<double> values;
  for (const auto& [node, sum] : sum_by_node(std::move(parts)))
    if (node >= 0) {
      entries.push_back(node);
      values.push_back(sum);
    }
  const Vector<double> load = space::scatter(b.extent(0), entries, values);
  const Instance instance;
  d.space.exchange.sum(instance, load);
  streaming::axpby<double>(instance, 1, load, 1, b);
  instance.fence();
}

Vector<double> make_nodal_load(const Discretisation& d, bool in_fixed_order) {
  constexpr double pi = std::numbers::pi;
  const Vector<double> b = make_zeros<double>("tensor/load", d.space.num_entries());
  const Instance instance;
  const Tables tables(d, d.basis.nodes, true, in_fixed_order);
  const Groups<FromCoordinates> groups =
      tables.groups(d, FromCoordinates{{space::Boundary::neumann, -3 * pi * pi}});  // sin(pi (x - 1/2)) = -cos(pi x)
  for (int c = 0; c < d.space.components; ++c) {
    double* const of_component = b.data() + std::size_t(c) * std::size_t(d.space.num_nodes);
    for_groups_of_elements<double>(instance, "tensor/nodal load", groups.elements, groups.n * groups.n,
                                   NodalLoadOfGroup::numbers(groups.n),
                                   NodalLoadOfGroup{groups, tables.sums.target(instance, of_component)});
    tables.sums.finish(instance, of_component);
  }
  d.space.exchange.sum(instance, b);
  instance.fence();
  return b;
}

double relative_l2_error(const Discretisation& d, const Vector<const double>& x, const Manufactured& u) {
  const Instance instance;
  const Tables tables(d, d.basis.points, true);
  double error = 0, norm = 0;
  for (int c = 0; c < d.space.components; ++c) {
    const auto [of_error, of_norm] = squared_error(instance, tables.groups(d, FromCoordinates{u.of_component(c)}),
                                                   x.data() + std::size_t(c) * std::size_t(d.space.num_nodes));
    error += of_error;
    norm += of_norm;
  }
  const Communicator& ranks = d.space.exchange.ranks();
  return std::sqrt(ranks.sum(error) / ranks.sum(norm));
}

double relative_l2_error(const Discretisation& d, const Vector<const double>& x, const Vector<const double>& values) {
  const Instance instance;
  const int m = d.basis.points.size();
  const auto [own_error, own_norm] = squared_error(
      instance, Tables(d, d.basis.points, false).groups(d, FromValues{values.data(), m * m * m}), x.data());
  const Communicator& ranks = d.space.exchange.ranks();
  const double error = ranks.sum(own_error), norm = ranks.sum(own_norm);
  return std::sqrt(norm > 0 ? error / norm : error);
}

}  // namespace miniapp::tensor
