// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <type_traits>

#include "elasticity/split_kernel.hpp"
#include "miniapp/elasticity/integrator.hpp"

/// Method `split` on devices. Functions r = (k, i) and points q = (ql, qt) are products of line and triangle, so
///   F_a(q, r) = L_k(ql) F^0_a(q, i) + L'_k(ql) F^1_a(q, i),  F^0_a = g_xa dT_i/dx + g_ya dT_i/dy,  F^1_a = g_za T_i,
/// g = sqrt(w det J) J^-1, and the quadrature goes over the triangle first, u, v in {0, 1}, L^0 = L, L^1 = L':
///   one, TrianglePass:  Q^uv_ab(ql; i, j) = sum_qt F^u_a(q, i) F^v_b(q, j), then combined with lambda and mu
///   two, LinePass:      A_ab(k, i; l, j) = sum_ql,u L^u_k(ql) R^u(l),  R^u(l) = sum_v L^v_l(ql) Q^uv_ab(ql; i, j)
/// Both are one kernel, SplitKernel, since Q of a tile fits scratch. Needs w > 0.
namespace miniapp::elasticity {

template <int order, class Real, bool cores = has_double_cores&& std::is_same_v<Real, double>>
class SplitIntegrator : public Integrator<Real> {
 public:
  SplitIntegrator() : SplitIntegrator(basis::make_prism_tables(order)) {}

  void run(const Instance& instance, const Input<Real>& input, const Vector<Real>& matrices) const override {
    Kernel kernel = kernel_;
    kernel.input.vertices = input.vertices.data();
    kernel.input.materials = input.materials.data();
    kernel.matrices = matrices.data();
    for_teams(instance, "elasticity/split", static_cast<int>(input.size) * Shape::pairs, kernel);
  }
  double flops() const override {
    constexpr double nt = Shape::nt, nl = Shape::nl;
    return 36 * nt * nt * basis::number_of_points(order) + 9 * nt * nt * nl * (2 * nl * nl + 4 * nl);
  }
  TeamResources resources() const override { return team_resources<Kernel>(); }

 private:
  using Kernel = SplitKernel<order, Real, cores>;
  using Shape = typename Kernel::Shape;

  explicit SplitIntegrator(const basis::PrismTables& tables)
      : triangle_(make_zeros<Real>("elasticity/triangle", Shape::padded_points * 3 * Shape::pitch)),
        points_(make_vector<Real>("elasticity/points", 4 * std::size_t(tables.num_points))) {
    const auto triangle = to_host(triangle_);
    const auto points = Kokkos::create_mirror_view(points_);
    for (int qt = 0; qt < Shape::points_per_line; ++qt)
      for (int i = 0; i < Shape::nt; ++i) {
        Real* const T = triangle.data() + qt * 3 * Shape::pitch + i;
        T[0] = static_cast<Real>(tables.triangle.x_derivatives(qt, i));
        T[Shape::pitch] = static_cast<Real>(tables.triangle.y_derivatives(qt, i));
        T[2 * Shape::pitch] = static_cast<Real>(tables.triangle.values(qt, i));
      }
    for (int q = 0; q < tables.num_points; ++q) {
      for (int a = 0; a < 3; ++a) points(4 * q + a) = static_cast<Real>(tables.points[q][a]);
      points(4 * q + 3) = static_cast<Real>(tables.weights[q]);
    }
    Kokkos::deep_copy(triangle_, triangle);
    Kokkos::deep_copy(points_, points);
    kernel_.input.triangle = triangle_.data();
    kernel_.input.points = points_.data();
    for (int ql = 0; ql < Shape::line_points; ++ql)
      for (int k = 0; k < Shape::nl; ++k) {
        kernel_.line[0][ql][k] = static_cast<Real>(tables.line_values(ql, k));
        kernel_.line[1][ql][k] = static_cast<Real>(tables.line_derivatives(ql, k));
      }
  }

  Vector<Real> triangle_, points_;
  Kernel kernel_{};
};

}  // namespace miniapp::elasticity
