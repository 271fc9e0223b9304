// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "miniapp/basis/simplex.hpp"
#include "miniapp/core/arithmetic.hpp"
#include "miniapp/space/space.hpp"
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
  for (std::size_t e = 0; e < mesh.num_elements(); ++e) {
    std::size_t node[dim + 1];
    for (int v = 0; v <= dim; ++v) {
      const Index id = space.element_to_node.host()[e][v];
      node[v] = id < 0 ? ~id : id;
    }
    double J[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, inverse[3][3], slopes[dim + 1][dim] = {};
    for (int d = 0; d < dim; ++d)
      for (int a = 0; a < dim; ++a) J[d][a] = points[node[a + 1]][d] - points[node[0]][d];
    const double det = invert(J, inverse);
    for (int a = 0; a < dim; ++a)
      for (int d = 0; d < dim; ++d) {
        slopes[a + 1][d] = inverse[a][d];
        slopes[0][d] -= inverse[a][d];
      }
    for (const detail::ReferencePoint& point : rule) {
      double x[dim] = {}, at[components] = {}, grad[components][dim] = {}, k = 0, f0[components], f1[components][dim];
      for (int v = 0; v <= dim; ++v) {
        k += point.phi[v] * kappa[node[v]];
        for (int d = 0; d < dim; ++d) x[d] += point.phi[v] * points[node[v]][d];
        for (int c = 0; c < components; ++c) {
          at[c] += point.phi[v] * u[node[v] * components + c];
          for (int d = 0; d < dim; ++d) grad[c][d] += slopes[v][d] * u[node[v] * components + c];
        }
      }
      call_f0(form, x, at, grad, k, f0);
      form.f1(x, at, grad, k, f1);
      for (int v = 0; v <= dim; ++v)
        for (int c = 0; c < components; ++c) {
          double sum = point.phi[v] * f0[c];
          for (int d = 0; d < dim; ++d) sum += slopes[v][d] * f1[c][d];
          r[node[v] * components + c] += point.weight * det * sum;
        }
    }
  }
  for (const Index masked : space.masked)
    for (int c = 0; c < components; ++c) r[std::size_t(masked) * components + c] = 0;
  return r;
}

}  // namespace miniapp::weakform
