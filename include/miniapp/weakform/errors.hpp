// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "miniapp/basis/simplex.hpp"
#include "miniapp/core/arithmetic.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/core/host_ranges.hpp"
#include "miniapp/space/space.hpp"
#include "miniapp/weakform/dual.hpp"
#include "miniapp/weakform/form.hpp"

namespace miniapp::weakform {

/// A form whose exact solution is known: exact(x, u) sets u (component) at x, for numbers and dual numbers.
template <class F>
concept SolvedForm = Form<F> && requires(const F& form, const double (&x)[F::dim], double (&u)[F::components],
                                         const Dual<double> (&dual_x)[F::dim], Dual<double> (&dual_u)[F::components]) {
  form.exact(x, u);
  form.exact(dual_x, dual_u);
};

struct SolutionErrors {
  double l2 = 0;  ///< root of the integral of |u - exact|^2
  double h1 = 0;  ///< root of the integral of |grad u - grad exact|^2: the seminorm
};

namespace detail {

/// A rule as barycentric coordinates and weights whose sum is 1.
struct BarycentricRule {
  std::vector<std::array<double, 4>> points;
  std::vector<double> weights;
};
template <int dim>
BarycentricRule error_rule() {
  BarycentricRule result;
  if constexpr (dim == 2) {
    const basis::TriangleRule rule = basis::triangle_rule(6);
    for (const auto& [x, y] : rule.points) result.points.push_back({1 - x - y, x, y, 0});
    for (const double weight : rule.weights) result.weights.push_back(2 * weight);
  } else {
    const basis::TetrahedronRule rule = basis::tetrahedron_rule(5);
    for (const auto& [x, y, z] : rule.points) result.points.push_back({1 - x - y - z, x, y, z});
    for (const double weight : rule.weights) result.weights.push_back(6 * weight);
  }
  return result;
}

}  // namespace detail

/// The errors of u (node, component) against the form's exact solution, by quadrature of degree 6 on triangles and 5 on
/// tetrahedra, so that errors whose squares are polynomials of that degree are exact; on the host, cell by cell, by
/// all its threads, several of which may call form.exact() at once. Gradients of the exact solution come from dual
/// numbers. Where the mesh is distributed, over the cells of all ranks: collective then. Errors: a vector of another
/// size (InputError).
template <SolvedForm F>
SolutionErrors solution_errors(const F& form, const mesh::Mesh& mesh, const space::Space& space,
                               const std::vector<double>& u) {
  constexpr int dim = F::dim, components = F::components;
  require(u.size() == std::size_t(space.num_nodes) * components,
          "a vector of " + std::to_string(u.size()) + " entries: accepted are " +
              std::to_string(std::size_t(space.num_nodes) * components));
  const std::vector<mesh::Point> points = space::node_points(mesh, space);
  const detail::BarycentricRule rule = detail::error_rule<dim>();
  const Map& cells = space.element_to_node.host();
  const auto add_squares = [&](std::size_t e, double& l2, double& h1) {
    std::size_t node[dim + 1];
    for (int v = 0; v <= dim; ++v) {
      const Index id = cells[e][v];
      node[v] = id < 0 ? ~id : id;
    }
    double J[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, inverse[3][3], grad[components][dim] = {};
    for (int d = 0; d < dim; ++d)
      for (int a = 0; a < dim; ++a) J[d][a] = points[node[a + 1]][d] - points[node[0]][d];
    const double volume = invert(J, inverse) / (dim == 2 ? 2 : 6);
    for (int c = 0; c < components; ++c)
      for (int d = 0; d < dim; ++d)
        for (int a = 0; a < dim; ++a)
          grad[c][d] += inverse[a][d] * (u[node[a + 1] * components + c] - u[node[0] * components + c]);
    for (std::size_t q = 0; q < rule.points.size(); ++q) {
      const double weight = volume * rule.weights[q];
      for (int d = 0; d < dim; ++d) {  // once per derivative; values are those of the last one
        Dual<double> x[dim], exact[components];
        for (int k = 0; k < dim; ++k) {
          double coordinate = 0;
          for (int v = 0; v <= dim; ++v) coordinate += rule.points[q][v] * points[node[v]][k];
          x[k] = {coordinate, k == d ? 1.0 : 0.0};
        }
        form.exact(x, exact);
        for (int c = 0; c < components; ++c) {
          h1 += weight * std::pow(grad[c][d] - exact[c].derivative, 2);
          if (d + 1 < dim) continue;
          double value = 0;
          for (int v = 0; v <= dim; ++v) value += rule.points[q][v] * u[node[v] * components + c];
          l2 += weight * std::pow(value - exact[c].value, 2);
        }
      }
    }
  };
  const HostRanges ranges_of_cells(mesh.num_elements(), 1 << 10);
  std::vector<std::array<double, 2>> sums(ranges_of_cells.count());
  ranges_of_cells.for_each([&](int range) {
    double l2 = 0, h1 = 0;
    for (std::size_t e = ranges_of_cells.begin(range); e < ranges_of_cells.end(range); ++e) add_squares(e, l2, h1);
    sums[range] = {l2, h1};
  });
  double l2 = 0, h1 = 0;
  for (const auto& [of_l2, of_h1] : sums) {
    l2 += of_l2;
    h1 += of_h1;
  }
  const Communicator& ranks = mesh.part.ranks;
  return {std::sqrt(ranks.sum(l2)), std::sqrt(ranks.sum(h1))};
}

}  // namespace miniapp::weakform
