// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/elasticity/reference.hpp"

#include <array>
#include <sstream>

#include "miniapp/core/error.hpp"
#include "miniapp/geometry/prism.hpp"

namespace miniapp::elasticity {
namespace {

using Gradient = std::array<double, 3>;

/// Gradients of phi_r with respect to x at point q: (r).
std::vector<Gradient> gradients(const basis::PrismTables& tables, int q, const double (&inverse)[3][3]) {
  std::vector<Gradient> gradients(tables.num_functions, {0, 0, 0});
  for (int r = 0; r < tables.num_functions; ++r)
    for (int a = 0; a < 3; ++a)
      for (int d = 0; d < 3; ++d) gradients[r][d] += tables.derivative(a, q, r) * inverse[a][d];
  return gradients;
}

double dot(const Gradient& a, const Gradient& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

}  // namespace

Lame make_lame(double young, double poisson) {
  std::ostringstream message;
  message << "Young's modulus " << young << ", Poisson's ratio " << poisson
          << ": accepted are a positive modulus and a ratio between -1 and 0.5";
  require(young > 0 && poisson > -1 && poisson < 0.5, message.str());
  return {young * poisson / ((1 + poisson) * (1 - 2 * poisson)), young / (2 * (1 + poisson))};
}

std::vector<double> reference_matrix(const basis::PrismTables& tables, const double* vertices, const Lame& material) {
  const int n = tables.num_functions;
  const auto [lambda, mu] = material;
  std::vector<double> A(std::size_t(9) * n * n);
  for (int q = 0; q < tables.num_points; ++q) {
    const auto [x, y, z] = tables.points[q];
    double J[3][3], inverse[3][3];
    geometry::prism_jacobian(vertices, x, y, z, J);
    const double volume = tables.weights[q] * invert(J, inverse);
    const std::vector<Gradient> phi = gradients(tables, q, inverse);
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k)
        for (int r = 0; r < n; ++r)
          for (int s = 0; s < n; ++s)
            A[matrix_place(n, i, k, r, s)] += volume * (lambda * phi[r][i] * phi[s][k] + mu * phi[r][k] * phi[s][i] +
                                                        (i == k ? mu * dot(phi[r], phi[s]) : 0));
  }
  return A;
}

}  // namespace miniapp::elasticity
