// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>
#include <vector>

#include "miniapp/basis/simplex.hpp"
#include "miniapp/core/arithmetic.hpp"
#include "miniapp/core/host_ranges.hpp"
#include "miniapp/space/space.hpp"
#include "miniapp/weakform/bounded.hpp"
#include "miniapp/weakform/coefficients.hpp"
#include "miniapp/weakform/dual.hpp"
#include "miniapp/weakform/form.hpp"

namespace miniapp::weakform {

namespace detail {

/// Point q of a rule as values of the linear basis functions, and its weight.
struct ReferencePoint {
  double phi[4], weight;
};

template <Form F>
std::vector<ReferencePoint> reference_points() {
  std::vector<ReferencePoint> result;
  if constexpr (F::dim == 2) {
    const basis::TriangleRule rule =
        F::points == 1 ? basis::TriangleRule{{{1 / 3.0, 1 / 3.0}}, {0.5}} : basis::triangle_rule(2);
    for (int q = 0; q < rule.size(); ++q) {
      const auto [x, y] = rule.points[q];
      result.push_back({{1 - x - y, x, y, 0}, rule.weights[q]});
    }
  } else {
    const basis::TetrahedronRule rule = basis::tetrahedron_rule(F::points == 1 ? 1 : 2);
    for (int q = 0; q < rule.size(); ++q) {
      const auto [x, y, z] = rule.points[q];
      result.push_back({{1 - x - y - z, x, y, z}, rule.weights[q]});
    }
  }
  return result;
}

}  // namespace detail

namespace detail {

/// Calls add(node of the cell, component, term) for the terms of a cell's residual, point by point, by the formula in
/// form.hpp.
///   x (vertex, d) [m]; k (vertex, coefficient), those of cells equal at all vertices; u (vertex, component)
template <Form F, class Real, class S, class Add>
void for_reference_terms(const F& form, const std::vector<ReferencePoint>& rule, const Real (&x)[F::dim + 1][F::dim],
                         const Real (&k)[F::dim + 1][inner_coefficients<F>], const S (&u)[F::dim + 1][F::components],
                         const Add& add) {
  constexpr int dim = F::dim, components = F::components;
  Real J[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, inverse[3][3], slopes[dim + 1][dim] = {};
  for (int d = 0; d < dim; ++d)
    for (int a = 0; a < dim; ++a) J[d][a] = x[a + 1][d] - x[0][d];
  const Real det = invert(J, inverse);
  for (int a = 0; a < dim; ++a)
    for (int d = 0; d < dim; ++d) {
      slopes[a + 1][d] = inverse[a][d];
      slopes[0][d] -= inverse[a][d];
    }
  for (const ReferencePoint& point : rule) {
    Real at_point[dim] = {}, of_point[inner_coefficients<F>] = {};
    S value[components] = {}, grad[components][dim] = {}, f0[components], f1[components][dim];
    for (int v = 0; v <= dim; ++v) {
      const Real phi = point.phi[v];
      for (int i = 0; i < inner_coefficients<F>; ++i) of_point[i] += phi * k[v][i];
      for (int d = 0; d < dim; ++d) at_point[d] += phi * x[v][d];
      for (int c = 0; c < components; ++c) {
        value[c] += phi * u[v][c];
        for (int d = 0; d < dim; ++d) grad[c][d] += slopes[v][d] * u[v][c];
      }
    }
    call_f0(form, at_point, value, grad, of_point, f0);
    call_f1(form, at_point, value, grad, of_point, f1);
    for (int v = 0; v <= dim; ++v)
      for (int c = 0; c < components; ++c) {
        S sum = Real(point.phi[v]) * f0[c];
        for (int d = 0; d < dim; ++d) sum += slopes[v][d] * f1[c][d];
        add(v, c, Real(point.weight) * det * sum);
      }
  }
}

/// Points of a side as values of its linear basis functions; all have the weight 1 / dim.
template <int dim>
std::vector<std::array<double, dim>> reference_side_points() {
  if constexpr (dim == 2) {
    const double near = (1 + 1 / std::sqrt(3.)) / 2;
    return {{near, 1 - near}, {1 - near, near}};
  } else {
    std::vector<std::array<double, 3>> result;
    for (const auto& [x, y] : basis::triangle_rule(2).points) result.push_back({1 - x - y, x, y});
    return result;
  }
}

/// The terms of a side likewise. Its normal points away from the vertex of the cell that it does not have.
///   x (vertex, d) [m], the side's, then the other one; k (vertex, coefficient); of_side (point, side_coefficients)
template <Form F, class Real, class S, class Add>
void for_reference_side_terms(const F& form, const Real (&x)[F::dim + 1][F::dim],
                              const Real (&k)[F::dim][inner_coefficients<F>], const std::vector<Real>& of_side,
                              const S (&u)[F::dim][F::components], const Add& add) {
  constexpr int dim = F::dim, components = F::components, outer = side_coefficients<F>(),
                first = nodal_coefficients<F>() + cell_coefficients<F>();
  Real n[dim], a[dim], b[dim], squares = 0, inward = 0;
  for (int d = 0; d < dim; ++d) {
    a[d] = x[1][d] - x[0][d];
    b[d] = x[dim - 1][d] - x[0][d];
  }
  if constexpr (dim == 2) {
    n[0] = a[1];
    n[1] = -a[0];
  } else {
    for (int d = 0; d < 3; ++d) n[d] = a[(d + 1) % 3] * b[(d + 2) % 3] - a[(d + 2) % 3] * b[(d + 1) % 3];
  }
  for (int d = 0; d < dim; ++d) {
    squares += n[d] * n[d];
    inward += n[d] * (x[dim][d] - x[0][d]);
  }
  using std::sqrt;
  const Real length = sqrt(squares);
  for (int d = 0; d < dim; ++d) n[d] = (Real(0) < inward ? -n[d] : n[d]) / length;
  const std::vector<std::array<double, dim>> rule = reference_side_points<dim>();
  for (std::size_t q = 0; q < rule.size(); ++q) {
    Real at_point[dim] = {}, of_point[outer_coefficients<F>] = {};
    S value[components] = {}, b0[components];
    for (int v = 0; v < dim; ++v) {
      const Real phi = rule[q][v];
      for (int i = 0; i < inner_coefficients<F>; ++i) of_point[i] += phi * k[v][i];
      for (int d = 0; d < dim; ++d) at_point[d] += phi * x[v][d];
      for (int c = 0; c < components; ++c) value[c] += phi * u[v][c];
    }
    for (int i = 0; i < outer; ++i) of_point[first + i] = of_side[q * outer + i];
    call_b0(form, at_point, value, n, of_point, b0);
    for (int v = 0; v < dim; ++v)
      for (int c = 0; c < components; ++c)
        add(v, c, Real(rule[q][v]) * (dim == 2 ? length / Real(2) : length / Real(6)) * b0[c]);
  }
}

/// What the terms of a mesh are computed from: its numbers as a Real and entries of vectors as an S.
template <Form F, class MakeReal, class MakeS>
class ReferenceLoop {
 public:
  using Real = std::invoke_result_t<MakeReal, double>;
  using S = std::invoke_result_t<MakeS, std::size_t>;
  static constexpr int dim = F::dim, components = F::components;

  ReferenceLoop(const F& form, const mesh::Mesh& mesh, const space::Space& space, const Coefficients& data,
                MakeReal make_real, MakeS make_s)
      : form_(form),
        kind_(space.kind),
        cells_(space.element_to_node.host()),
        data_(data),
        points_(space::node_points(mesh, space)),
        make_real_(make_real),
        make_s_(make_s) {}

  /// Calls add(entry, term) for all terms, first those of cells, always in the same order. All threads of the host
  /// compute the terms of a chunk of cells; then one adds them.
  template <class Add>
  void run(const Add& add) const {
    const std::vector<ReferencePoint> rule = reference_points<F>();
    constexpr std::size_t functions = (dim + 1) * components, least = 1 << 8;
    const std::size_t cells = cells_.size(), of_cell = rule.size() * functions,
                      chunk = std::clamp<std::size_t>(chunk_bytes / (of_cell * sizeof(S)), 1,
                                                      std::max<std::size_t>(cells, 1));
    std::vector<S> terms(chunk * of_cell);  // (cell of the chunk, point, vertex, component)
    for (std::size_t first = 0; first < cells; first += chunk) {
      const std::size_t count = std::min(chunk, cells - first);
      for_host(
          count,
          [&](std::size_t i) {
            Real x[dim + 1][dim], k[dim + 1][inner_coefficients<F>];
            S u[dim + 1][components], *next = &terms[i * of_cell];
            for (int v = 0; v <= dim; ++v) load(first + i, v, x[v], k[v], u[v]);
            for_reference_terms(form_, rule, x, k, u, [&](int, int, const S& term) { *next++ = term; });
          },
          least);
      const S* next = terms.data();
      for (std::size_t cell = first; cell < first + count; ++cell)
        for (std::size_t q = 0; q < rule.size(); ++q)
          for (int v = 0; v <= dim; ++v)
            for (int c = 0; c < components; ++c) add(entry(cell, v, c), *next++);
    }
    if constexpr (has_b0<F>())
      for (std::size_t side = 0; side < data_.sides.size(); ++side) run_side(side, add);
  }

 private:
  template <class Add>
  void run_side(std::size_t side, const Add& add) const {
    const auto cell = static_cast<std::size_t>(data_.sides[side].cell);
    const mesh::Side& vertices = mesh::cell(kind_).side(data_.sides[side].side);
    Real x[dim + 1][dim], k[dim][inner_coefficients<F>], unused[inner_coefficients<F>];
    S u[dim][components], other[components];
    int left = dim * (dim + 1) / 2;  // the number of the vertex that is none of the side's
    for (int v = 0; v < dim; ++v) {
      load(cell, vertices.vertices[v], x[v], k[v], u[v]);
      left -= vertices.vertices[v];
    }
    load(cell, left, x[dim], unused, other);
    std::vector<Real> of_side;
    for (int i = 0; i < dim * side_coefficients<F>(); ++i)
      of_side.push_back(make_real_(data_.at_sides[side * dim * side_coefficients<F>() + i]));
    for_reference_side_terms(form_, x, k, of_side, u,
                             [&](int v, int c, const S& term) { add(entry(cell, vertices.vertices[v], c), term); });
  }
  std::size_t node(std::size_t cell, int v) const {
    const Index id = cells_[cell][v];
    return static_cast<std::size_t>(id < 0 ? ~id : id);
  }
  std::size_t entry(std::size_t cell, int v, int c) const { return node(cell, v) * components + c; }
  void load(std::size_t cell, int v, Real (&x)[dim], Real (&k)[inner_coefficients<F>], S (&u)[components]) const {
    constexpr int nodal = nodal_coefficients<F>(), own = cell_coefficients<F>();
    for (int d = 0; d < dim; ++d) x[d] = make_real_(points_[node(cell, v)][d]);
    for (int i = 0; i < nodal; ++i) k[i] = make_real_(data_.nodal[node(cell, v) * nodal + i]);
    for (int i = 0; i < own; ++i) k[nodal + i] = make_real_(data_.cells[cell * own + i]);
    for (int c = 0; c < components; ++c) u[c] = make_s_(entry(cell, v, c));
  }

  static constexpr std::size_t chunk_bytes = 1 << 23;

  const F& form_;
  mesh::CellKind kind_;
  const Map& cells_;  ///< (cell, vertex): node, ~node where it is constrained
  const Coefficients& data_;
  std::vector<mesh::Point> points_;
  MakeReal make_real_;
  MakeS make_s_;
};

/// Entries (node, component) at constrained nodes are zero.
inline void clear_constrained(const space::Space& space, int components, std::vector<double>& entries) {
  for (const Index masked : space.masked)
    for (int c = 0; c < components; ++c) entries[std::size_t(masked) * components + c] = 0;
}

}  // namespace detail

/// The residual (node, component) of a form in double precision, cell by cell on the host, by the formula in form.hpp,
/// without any code of the strategies: all are verified against it. Entries at constrained nodes are zero.
///   u (node, component)
template <Form F>
std::vector<double> reference_residual(const F& form, const mesh::Mesh& mesh, const space::Space& space,
                                       const Coefficients& data, const std::vector<double>& u) {
  std::vector<double> r(std::size_t(space.num_nodes) * F::components, 0.0);
  const auto number = [](double value) { return value; };
  const detail::ReferenceLoop loop(form, mesh, space, data, number, [&](std::size_t entry) { return u[entry]; });
  loop.run([&](std::size_t entry, double term) { r[entry] += term; });
  detail::clear_constrained(space, F::components, r);
  return r;
}

/// The bounds of both (bounded.hpp): the reference's arithmetic with running errors, and 8 times the absolute terms for
/// any order of their sums.
template <Form F>
ReferenceBounds reference_bounds(const F& form, const mesh::Mesh& mesh, const space::Space& space,
                                 const Coefficients& data, const std::vector<double>& u, const std::vector<double>& w,
                                 bool rounds_input) {
  constexpr double any_order = 8;
  const std::vector<double> zeros(std::size_t(space.num_nodes) * F::components, 0.0);
  ReferenceBounds bounds{zeros, zeros};
  const auto input = [&](double value) { return Bounded(value, rounds_input ? std::fabs(value) : 0); };
  const detail::ReferenceLoop loop(form, mesh, space, data, input, [&](std::size_t entry) {
    return Dual<Bounded>{Bounded(u[entry]), Bounded(w[entry])};
  });
  loop.run([&](std::size_t entry, const Dual<Bounded>& term) {
    bounds.residual[entry] += term.value.error + any_order * std::fabs(term.value.value);
    bounds.action[entry] += term.derivative.error + any_order * std::fabs(term.derivative.value);
  });
  detail::clear_constrained(space, F::components, bounds.residual);
  detail::clear_constrained(space, F::components, bounds.action);
  return bounds;
}

}  // namespace miniapp::weakform
