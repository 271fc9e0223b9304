// SPDX-License-Identifier: BSD-3-Clause
#include "runs/tensor/automatic.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mesh/box.hpp"
#include "miniapp/geometry/hexahedron.hpp"
#include "runs/tensor/memory.hpp"

namespace miniapp::tensor {
namespace {

/// What an element adds to the sums that ElementShapes are made of: its condition, its skew, its volume [m^3], and
/// |J^-1|^2 times the volume [m].
struct Shape {
  double condition, skew, volume, gradients;
};

/// The shape of an element from the 24 coefficients of its trilinear map.
KOKKOS_INLINE_FUNCTION Shape shape_of(const double* c) {
  double J[3][3], dual[3][3];
  geometry::tangents(c, 0., 0., 0., J);
  double squares = 0, dual_squares = 0, lengths = 1;
  for (int a = 0; a < 3; ++a) {
    geometry::cross(J[(a + 1) % 3], J[(a + 2) % 3], dual[a]);
    squares += geometry::dot(J[a], J[a]);
    dual_squares += geometry::dot(dual[a], dual[a]);
    lengths *= std::sqrt(geometry::dot(J[a], J[a]));
  }
  const double det = geometry::dot(J[0], dual[0]);  // of the map from [-1, 1]^3, whose volume is 8
  return {std::sqrt(squares * dual_squares) / (3 * det), lengths / det, 8 * det, 2 * dual_squares / det};
}

/// The trace of the stiffness matrix of one line on [0, 1].
double stiffness_trace(const basis::TensorBasis& basis) {
  double trace = 0;
  const int n = basis.nodes.size();
  for (int q = 0; q < n; ++q)
    for (int i = 0; i < n; ++i) trace += 2 * basis.nodes.weights[q] * std::pow(basis.derivative(q, i), 2);
  return trace;
}

/// Iterations of CG with Jacobi, by its bound for the eigenvalues' ratio of the scaled matrix, which is too large for
/// low orders by a factor that was measured.
double jacobi_iterations(const CaseSettings& o, const basis::TensorBasis& basis, const ElementShapes& shapes) {
  const auto of_side = [](double side) { return std::pow(std::numbers::pi / side, 2); };
  const auto& [a, b, c] = shapes.sides;
  // the Laplacian's least eigenvalue on the bounding box that is not zero
  const double lowest =
      o.boundary == space::Boundary::dirichlet ? of_side(a) + of_side(b) + of_side(c) : of_side(std::max({a, b, c}));
  const double lambda = o.lambda / shapes.coefficient;
  const double ratio = (stiffness_trace(basis) * shapes.gradients + lambda) / (lowest + lambda);
  const double measured = is_collocated(o.problem) || o.order > 2 ? 0.85 : o.order == 1 ? 0.5 : 0.6;
  return std::max(5., measured * std::log(2 / o.tolerance) / 2 * std::sqrt(ratio));
}

/// Set-ups, and times of an iteration, that were measured [iterations of CG with Jacobi]; docs/multigrid.md.
struct Fit {
  double chebyshev;
  double low_order_set_up, low_order;  ///< where the matrix has 27 entries per local node; beside an iteration's 1
  double multigrid_set_up, multigrid;  ///< where the smoother takes one step
};
const Fit& fit_of(Problem problem, int order) {
  // (collocated, orders 1, 2, up to 4, up to 7, above)
  static constexpr Fit fits[2][5] = {{{2.1, 55, 0.5, 0, 0},
                                      {2.1, 165, 1.5, 60, 3.5},
                                      {2.1, 165, 1.5, 30, 3.5},
                                      {3.4, 165, 1.5, 30, 5.25},
                                      {3.4, 165, 1.5, 30, 6.3}},
                                     {{3.1, 165, 0.5, 0, 0},
                                      {3.1, 320, 2.5, 125, 5.5},
                                      {3.1, 320, 2.5, 45, 5.5},
                                      {4.2, 320, 2.5, 45, 8.25},
                                      {4.2, 320, 2.5, 45, 9.9}}};
  return fits[is_collocated(problem)][order <= 2 ? order - 1 : order <= 4 ? 2 : order <= 7 ? 3 : 4];
}

}  // namespace

ElementShapes measure_shapes(const Discretisation& d) {
  const Vector<const double> trilinear = d.trilinear;
  const std::int64_t elements = static_cast<std::int64_t>(d.mesh->num_elements());
  double condition = 0, skew = 0, volume = 0, gradients = 0;
  Kokkos::parallel_reduce(
      "tensor/shapes", Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(0, elements),
      KOKKOS_LAMBDA(const std::int64_t e, double& conditions, double& skews, double& volumes, double& squares) {
        const Shape one = shape_of(&trilinear(24 * e));
        conditions += one.condition;
        skews += one.skew;
        volumes += one.volume;
        squares += one.gradients;
      },
      condition, skew, volume, gradients);
  const Communicator& ranks = d.mesh->part.ranks;
  const double all = double(ranks.sum(elements));
  ElementShapes shapes{ranks.sum(condition) / all, ranks.sum(skew) / all, ranks.sum(gradients) / ranks.sum(volume)};
  if (const Vector<const double> means = d.mean_coefficient(); means.extent(0) > 0) {
    double sum = 0;
    Kokkos::parallel_reduce(
        "tensor/mean coefficient", Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(0, elements),
        KOKKOS_LAMBDA(const std::int64_t e, double& total) { total += means(e); }, sum);
    shapes.coefficient = ranks.sum(sum) / all;
  }
  const mesh::Box box(*d.mesh);
  for (int axis = 0; axis < 3; ++axis) shapes.sides[axis] = box.side(axis);
  return shapes;
}

bool is_hopeless(const Attempt& attempt, const std::vector<double>& residuals, double tolerance, double other) {
  const std::size_t done = residuals.size() - 1, half = done / 2;
  if (double(done) * attempt.iteration < other / 4) return false;
  const double rate = std::max(std::log(residuals[half] / residuals[done]) / double(done - half),
                               -std::log(residuals[done]) / double(done));
  return !(rate > 0) || std::log(residuals[done] / tolerance) / rate * attempt.iteration > 1.5 * other;
}

std::vector<Attempt> predict_costs(const CaseSettings& o, const basis::TensorBasis& basis,
                                   const ElementShapes& shapes) {
  const double jacobi = jacobi_iterations(o, basis, shapes), digits = -std::log10(o.tolerance) / 8;
  std::vector<Attempt> costs{{Preconditioner::jacobi, 2, 1, jacobi}};
  if (!has_stiffness(o.problem)) return costs;
  const Fit& fit = fit_of(o.problem, o.order);
  costs.push_back({Preconditioner::chebyshev, is_collocated(o.problem) ? 15. : 9., fit.chebyshev,
                   std::max(12 * digits, 0.29 * jacobi)});
  if (o.ranks.is_alone()) {
    // entries of the matrix per local node; the operator's work per node grows with the order
    const double entries = low_order_entries(o) / (27 * double(o.elements()) * std::pow(o.order, 3)),
                 share = entries * (o.order > 7 ? std::pow(7. / o.order, 2) : 1);
    costs.push_back({Preconditioner::lor_amg, fit.low_order_set_up * share / o.components, 1 + fit.low_order * share,
                     28 * digits * std::max(1., shapes.skew)});
  }
  const std::vector<int> built = built_orders();
  if (o.order > 1 && std::find(built.begin(), built.end(), o.order) != built.end())
    costs.push_back({Preconditioner::p_multigrid, fit.multigrid_set_up,
                     fit.multigrid * (shapes.are_boxes() ? 1 : 2.6),  // the smoother takes three steps, not one
                     7 * digits * std::max(1., shapes.condition / 1.4)});
  std::sort(costs.begin(), costs.end(), [](const Attempt& a, const Attempt& b) { return a.total() < b.total(); });
  return costs;
}

std::vector<Preconditioner> remove_without_room(const CaseSettings& o, std::vector<Attempt>& costs) {
  std::vector<Preconditioner> removed;
  const auto has_no_room = [&](const Attempt& attempt) {
    if (attempt.preconditioner == Preconditioner::jacobi) return false;  // it needs least
    constexpr double little = 64e6;                                      // which the system is not asked for
    const CaseSettings settings = o.with(attempt.preconditioner);
    const double bytes = solve_bytes(settings);
    if (bytes < little || fits(settings, bytes)) return false;
    removed.push_back(attempt.preconditioner);
    return true;
  };
  costs.erase(std::remove_if(costs.begin(), costs.end(), has_no_room), costs.end());
  return removed;
}

std::vector<Attempt> order_attempts(std::vector<Attempt> costs, const ElementShapes& shapes, bool smooth) {
  constexpr double slender = 2;
  if (!smooth || shapes.condition < slender || !shapes.are_boxes()) return costs;
  const auto jacobi = std::find_if(costs.begin(), costs.end(), [](const Attempt& attempt) {
    return attempt.preconditioner == Preconditioner::jacobi;
  });
  std::rotate(costs.begin(), jacobi, jacobi + 1);
  return costs;
}

}  // namespace miniapp::tensor
