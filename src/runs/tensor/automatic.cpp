// SPDX-License-Identifier: BSD-3-Clause
#include "runs/tensor/automatic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "miniapp/core/session.hpp"
#include "miniapp/geometry/hexahedron.hpp"
#include "runs/tensor/memory.hpp"

namespace miniapp::tensor {
namespace {

/// Of one element: condition, skew, volume [m^3], gradients times the volume [m].
struct Shape {
  double condition, skew, volume, gradients;
};

/// By `c`, the coefficients of an element's map.
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
  double lowest = o.boundary == space::Boundary::dirichlet ? 0 : std::numeric_limits<double>::max();
  // the least eigenvalue of the bounding box that is not zero
  for (const double side : shapes.sides) {
    const double of_side = std::pow(std::numbers::pi / side, 2);
    lowest = o.boundary == space::Boundary::dirichlet ? lowest + of_side : std::min(lowest, of_side);
  }
  const double ratio = (stiffness_trace(basis) * shapes.gradients + o.lambda) / (lowest + o.lambda);
  const double measured = is_collocated(o.problem) || o.order > 2 ? 0.85 : o.order == 1 ? 0.5 : 0.6;
  return std::max(5., measured * std::log(2 / o.tolerance) / 2 * std::sqrt(ratio));
}

/// Whether a solve fits into the memory that is free now. Collective.
bool fits(const CaseSettings& o) {
  constexpr double little = 64e6;  // for which it is not worth while to ask the system
  if (solve_bytes(o) < little) return true;
  const double here = o.ranks.size_of_node() * solve_bytes(o);
  return !o.ranks.of_all(Reduction::max, std::int64_t(here > double(available_memory())));
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
  for (int axis = 0; axis < 3; ++axis) {
    double least = std::numeric_limits<double>::max(), most = std::numeric_limits<double>::lowest();
    for (const mesh::Point& vertex : d.mesh->vertices) {
      least = std::min(least, vertex[axis]);
      most = std::max(most, vertex[axis]);
    }
    shapes.sides[axis] = ranks.of_all(Reduction::max, most) - ranks.of_all(Reduction::min, least);
  }
  return shapes;
}

bool Attempt::is_hopeless(const std::vector<double>& residuals, double tolerance, double other) const {
  const std::size_t done = residuals.size() - 1, half = done / 2;
  if (double(done) * iteration < other / 4) return false;
  const double rate = std::max(std::log(residuals[half] / residuals[done]) / double(done - half),
                               -std::log(residuals[done]) / double(done));
  return !(rate > 0) || std::log(residuals[done] / tolerance) / rate * iteration > 1.5 * other;
}

std::vector<Attempt> predict_costs(const CaseSettings& o, const basis::TensorBasis& basis,
                                   const ElementShapes& shapes) {
  const double jacobi = jacobi_iterations(o, basis, shapes), digits = -std::log10(o.tolerance) / 8;
  std::vector<Attempt> costs{{Preconditioner::jacobi, 2, 1, jacobi}};
  if (!has_stiffness(o.problem)) return costs;
  const bool collocated = is_collocated(o.problem), low = o.order <= 4;
  const int p = o.order;
  costs.push_back({Preconditioner::chebyshev, collocated ? 15. : 9.,
                   collocated ? (low ? 3.1 : 4.2)
                   : low      ? 2.1
                              : 3.4,
                   std::max(12 * digits, 0.29 * jacobi)});
  if (o.ranks.is_alone()) {
    // entries of the matrix per local node; the operator's work per node grows with the order
    const double entries = low_order_entries(o) / (27 * double(o.elements()) * std::pow(p, 3)),
                 share = entries * (p > 7 ? std::pow(7. / p, 2) : 1),
                 set_up = p == 1       ? (collocated ? 165. : 55.)
                          : collocated ? 320.
                                       : 165.;
    costs.push_back({Preconditioner::lor_amg, set_up * share / o.components,
                     1 + (p == 1       ? 0.5
                          : collocated ? 2.5
                                       : 1.5) *
                             share,
                     28 * digits * std::max(1., shapes.skew)});
  }
  const std::vector<int> built = built_orders();
  if (p > 1 && std::find(built.begin(), built.end(), p) != built.end()) {
    const bool boxes = shapes.skew < 1.25;  // the smoother takes one step
    costs.push_back({Preconditioner::p_multigrid,
                     p == 2       ? (collocated ? 125. : 60.)
                     : collocated ? 45.
                                  : 30.,
                     (collocated ? 5.5 : 3.5) *
                         (p > 7   ? 1.8
                          : p > 4 ? 1.5
                                  : 1.) *
                         (boxes ? 1 : 2.6),
                     7 * digits * std::max(1., shapes.condition / 1.4)});
  }
  costs.erase(std::remove_if(costs.begin() + 1, costs.end(),
                             [&](const Attempt& attempt) { return !fits(o.with(attempt.preconditioner)); }),
              costs.end());
  std::sort(costs.begin(), costs.end(), [](const Attempt& a, const Attempt& b) { return a.total() < b.total(); });
  return costs;
}

std::vector<Attempt> order_attempts(std::vector<Attempt> costs, const ElementShapes& shapes, bool smooth) {
  constexpr double slender = 2, skew = 1.25;
  if (!smooth || shapes.condition < slender || shapes.skew > skew) return costs;
  const auto jacobi = std::find_if(costs.begin(), costs.end(), [](const Attempt& attempt) {
    return attempt.preconditioner == Preconditioner::jacobi;
  });
  std::rotate(costs.begin(), jacobi, jacobi + 1);
  return costs;
}

}  // namespace miniapp::tensor
