// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "miniapp/basis/prism.hpp"
#include "miniapp/core/arithmetic.hpp"
#include "miniapp/core/teams.hpp"
#include "miniapp/elasticity/integrator.hpp"
#include "miniapp/geometry/prism.hpp"

/// Common parts of the element-matrix kernels on a host: factors at the points of an element, and a parallel loop over
/// elements with one workspace per thread.
namespace miniapp::elasticity::host {

/// Rounds a count of numbers up to a multiple of a cache line.
template <class Real>
constexpr std::size_t whole_lines(std::size_t numbers) {
  constexpr std::size_t line = 64 / sizeof(Real);
  return (numbers + line - 1) / line * line;
}

/// The points of an order, and factors there: factors (3 a + d, point) = sqrt(w det J) d xi_a / d x_d, so that products
/// of two derivatives include the weight.
template <int num_points, class Real>
class Factors {
 public:
  static constexpr int stride = int(whole_lines<Real>(num_points));
  static constexpr std::size_t numbers = 9 * stride;

  explicit Factors(const basis::PrismTables& tables) {
    for (int q = 0; q < stride; ++q) {  // padding: copies of the last point, so that all lanes of a register are valid
      const int p = std::min(q, num_points - 1);
      for (int a = 0; a < 3; ++a) points_[a][q] = static_cast<Real>(tables.points[p][a]);
      weights_[q] = static_cast<Real>(tables.weights[p]);
    }
  }

  void compute(const Real* vertices, Real* factors) const {
    MINIAPP_INDEPENDENT
    for (int q = 0; q < stride; ++q) {
      Real J[3][3], inverse[3][3];
      geometry::prism_jacobian(vertices, points_[0][q], points_[1][q], points_[2][q], J);
      const Real root = square_root(weights_[q] * invert(J, inverse));
      for (int a = 0; a < 3; ++a)
        for (int d = 0; d < 3; ++d) factors[(3 * a + d) * stride + q] = root * inverse[a][d];
    }
  }

 private:
  alignas(64) Real points_[3][stride], weights_[stride];
};

/// Runs Element::compute(vertices, lambda, mu, workspace, matrix) for every element, one thread per range of elements.
/// Element::workspace_numbers is the size of its workspace, Element::flops() the flops per element.
template <class Element, class Real>
class HostIntegrator : public Integrator<Real> {
 public:
  explicit HostIntegrator(int order)
      : element_(basis::make_prism_tables(order)),
        threads_(std::max(1, int(ExecutionSpace().concurrency()))),
        workspaces_(make_vector<Real>("elasticity/workspaces", threads_ * stride)) {}

  void run(const Instance& instance, const Input<Real>& input, const Vector<Real>& matrices) const override {
    if (input.size == 0) return;
    const int teams = int(std::min<std::size_t>(threads_, input.size));
    for_teams(instance, "elasticity/host", teams,
              Body{&element_, input.vertices.data(), input.materials.data(), workspaces_.data(), matrices.data(),
                   input.size});
  }
  double flops() const override { return Element::flops(); }
  TeamResources resources() const override { return {1, stride * sizeof(Real)}; }

 private:
  static constexpr std::size_t stride = whole_lines<Real>(Element::workspace_numbers);

  struct Body {
    static constexpr int threads = 1, teams_at_once = 1;
    static constexpr std::size_t scratch_bytes = 0;

    const Element* element;
    const Real *vertices, *materials;
    Real *workspaces, *matrices;
    std::size_t size;

    void operator()(const Team& team) const {
      const std::size_t rank = team.league_rank(), teams = team.league_size();
      for (std::size_t e = rank * size / teams; e < (rank + 1) * size / teams; ++e)
        element->compute(vertices + e * geometry::prism_numbers, materials[2 * e], materials[2 * e + 1],
                         workspaces + rank * stride, matrices + e * Element::entries);
    }
  };

  const Element element_;
  const int threads_;
  Vector<Real> workspaces_;
};

}  // namespace miniapp::elasticity::host
