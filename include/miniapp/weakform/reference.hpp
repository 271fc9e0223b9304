// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <vector>

#include "miniapp/basis/simplex.hpp"
#include "miniapp/core/arithmetic.hpp"
#include "miniapp/space/space.hpp"
#include "miniapp/weakform/bounded.hpp"
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
///   x (vertex, d) [m]; kappa (vertex); u (vertex, component)
template <Form F, class Real, class S, class Add>
void for_reference_terms(const F& form, const std::vector<ReferencePoint>& rule, const Real (&x)[F::dim + 1][F::dim],
                         const Real (&kappa)[F::dim + 1], const S (&u)[F::dim + 1][F::components], const Add& add) {
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
    Real at_point[dim] = {}, k = 0;
    S value[components] = {}, grad[components][dim] = {}, f0[components], f1[components][dim];
    for (int v = 0; v <= dim; ++v) {
      const Real phi = point.phi[v];
      k += phi * kappa[v];
      for (int d = 0; d < dim; ++d) at_point[d] += phi * x[v][d];
      for (int c = 0; c < components; ++c) {
        value[c] += phi * u[v][c];
        for (int d = 0; d < dim; ++d) grad[c][d] += slopes[v][d] * u[v][c];
      }
    }
    call_f0(form, at_point, value, grad, k, f0);
    form.f1(at_point, value, grad, k, f1);
    for (int v = 0; v <= dim; ++v)
      for (int c = 0; c < components; ++c) {
        S sum = Real(point.phi[v]) * f0[c];
        for (int d = 0; d < dim; ++d) sum += slopes[v][d] * f1[c][d];
        add(v, c, Real(point.weight) * det * sum);
      }
  }
}

/// Calls work(nodes) with the nodes of each cell.
template <int dim, class Work>
void for_reference_cells(const mesh::Mesh& mesh, const space::Space& space, const Work& work) {
  for (std::size_t e = 0; e < mesh.num_elements(); ++e) {
    std::size_t nodes[dim + 1];
    for (int v = 0; v <= dim; ++v) {
      const Index id = space.element_to_node.host()[e][v];
      nodes[v] = id < 0 ? ~id : id;
    }
    work(nodes);
  }
}

/// Entries (node, component) at constrained nodes are zero.
inline void clear_constrained(const space::Space& space, int components, std::vector<double>& entries) {
  for (const Index masked : space.masked)
    for (int c = 0; c < components; ++c) entries[std::size_t(masked) * components + c] = 0;
}

}  // namespace detail

/// The residual (node, component) of a form in double precision, cell by cell on the host, by the formula in form.hpp,
/// without any code of the strategies: all are verified against it. Entries at constrained nodes are zero.
///   kappa (node); u (node, component)
template <Form F>
std::vector<double> reference_residual(const F& form, const mesh::Mesh& mesh, const space::Space& space,
                                       const std::vector<double>& kappa, const std::vector<double>& u) {
  constexpr int dim = F::dim, components = F::components;
  const std::vector<mesh::Point> points = space::node_points(mesh, space);
  const std::vector<detail::ReferencePoint> rule = detail::reference_points<F>();
  std::vector<double> r(std::size_t(space.num_nodes) * components, 0.0);
  detail::for_reference_cells<dim>(mesh, space, [&](const auto& nodes) {
    double x[dim + 1][dim], k[dim + 1], values[dim + 1][components];
    for (int v = 0; v <= dim; ++v) {
      k[v] = kappa[nodes[v]];
      for (int d = 0; d < dim; ++d) x[v][d] = points[nodes[v]][d];
      for (int c = 0; c < components; ++c) values[v][c] = u[nodes[v] * components + c];
    }
    detail::for_reference_terms(form, rule, x, k, values,
                                [&](int v, int c, double term) { r[nodes[v] * components + c] += term; });
  });
  detail::clear_constrained(space, components, r);
  return r;
}

/// The bounds of both (bounded.hpp): the reference's arithmetic with running errors, and 8 times the absolute terms for
/// any order of their sums.
template <Form F>
ReferenceBounds reference_bounds(const F& form, const mesh::Mesh& mesh, const space::Space& space,
                                 const std::vector<double>& kappa, const std::vector<double>& u,
                                 const std::vector<double>& w, bool rounds_input) {
  constexpr int dim = F::dim, components = F::components;
  constexpr double any_order = 8;
  const std::vector<mesh::Point> points = space::node_points(mesh, space);
  const std::vector<detail::ReferencePoint> rule = detail::reference_points<F>();
  const std::vector<double> zeros(std::size_t(space.num_nodes) * components, 0.0);
  ReferenceBounds bounds{zeros, zeros};
  const auto input = [&](double value) { return Bounded(value, rounds_input ? std::fabs(value) : 0); };
  detail::for_reference_cells<dim>(mesh, space, [&](const auto& nodes) {
    Bounded x[dim + 1][dim], k[dim + 1];
    Dual<Bounded> values[dim + 1][components];
    for (int v = 0; v <= dim; ++v) {
      k[v] = input(kappa[nodes[v]]);
      for (int d = 0; d < dim; ++d) x[v][d] = input(points[nodes[v]][d]);
      for (int c = 0; c < components; ++c) {
        const std::size_t entry = nodes[v] * components + c;
        values[v][c] = {Bounded(u[entry]), Bounded(w[entry])};
      }
    }
    detail::for_reference_terms(form, rule, x, k, values, [&](int v, int c, const Dual<Bounded>& term) {
      const std::size_t entry = nodes[v] * components + c;
      bounds.residual[entry] += term.value.error + any_order * std::fabs(term.value.value);
      bounds.action[entry] += term.derivative.error + any_order * std::fabs(term.derivative.value);
    });
  });
  detail::clear_constrained(space, components, bounds.residual);
  detail::clear_constrained(space, components, bounds.action);
  return bounds;
}

}  // namespace miniapp::weakform
