// SPDX-License-Identifier: BSD-3-Clause
// The tolerance of weak forms follows the arithmetic of each cell: right strategies are right on graded meshes and far
// from the origin, and wrong ones are not.
#include "runs/weakform/form_run.hpp"

#include "miniapp/weakform/bounded.hpp"
#include "support/catch.hpp"

using weakform::Bounded;
using weakform::Dual;
using weakform::FormKind;
using weakform::Strategy;

namespace {

/// Edges from about 1e-3 to 1: points are drawn to one corner.
mesh::Mesh make_graded(int dim) {
  mesh::Mesh mesh = weakform::make_mesh(dim, {12, 12, dim == 2 ? 1 : 12});
  for (mesh::Point& x : mesh.vertices)
    for (int d = 0; d < dim; ++d) x[d] = std::pow(x[d], 3);
  return mesh;
}

mesh::Mesh moved(mesh::Mesh mesh, int dim, double by) {
  for (mesh::Point& x : mesh.vertices)
    for (int d = 0; d < dim; ++d) x[d] += by;
  return mesh;
}

weakform::FormSettings make_settings(int dim, Precision precision) {
  weakform::FormSettings settings;
  settings.dim = dim;
  settings.precision = precision;
  settings.verify_only = true;
  return settings;
}

/// A mesh that is right for a form but whose right results are spoilt by a relative change of one entry.
double error_of_spoilt(const mesh::Mesh& mesh, const weakform::FormSettings& settings, double change) {
  weakform::FormProblem problem(FormKind::variable_poisson, settings, mesh, {});
  const auto ordered = problem.ordered({{.strategy = Strategy::tiles}});
  double most = 0;
  for (std::size_t i = 0; i < ordered->residual.size(); ++i)
    most = std::max(most, std::fabs(ordered->residual[i] * change) / std::max(ordered->residual_tolerance[i], 1e-300));
  return most;
}

}  // namespace

TEST_CASE("Strategies are right on graded meshes and far from the origin", "[runs][weakform]") {
  const int dim = GENERATE(2, 3);
  const Precision precision = GENERATE(Precision::fp64, Precision::fp32);
  const FormKind kind = GENERATE(FormKind::variable_poisson, FormKind::helmholtz, FormKind::neo_hookean);
  const double far = GENERATE(0., 100.);
  if (kind == FormKind::neo_hookean && precision == Precision::fp32 && far > 0) return;  // rounding turns cells over
  const weakform::FormSettings settings = make_settings(dim, precision);
  const mesh::Mesh mesh =
      moved(far > 0 ? weakform::make_mesh(dim, {5, 5, dim == 2 ? 1 : 5}) : make_graded(dim), dim, far);
  weakform::FormProblem problem(kind, settings, mesh, {});
  for (const Strategy strategy :
       {Strategy::tiles, Strategy::cells, Strategy::transposed, Strategy::owner, Strategy::fans}) {
    CAPTURE(weakform::name(kind), dim, miniapp::name(precision), weakform::name(strategy), far);
    CHECK(measure_form(problem, {{.strategy = strategy}}).error() <= 1);
  }
}

TEST_CASE("A change of 1e-9 of a residual is seen, on graded meshes and far from the origin too", "[runs][weakform]") {
  const int dim = GENERATE(2, 3);
  const weakform::FormSettings settings = make_settings(dim, Precision::fp64);

  CHECK(error_of_spoilt(make_graded(dim), settings, 1e-9) > 1);
  CHECK(error_of_spoilt(moved(weakform::make_mesh(dim, {5, 5, dim == 2 ? 1 : 5}), dim, 1000), settings, 1e-9) > 1);
}

TEST_CASE("A bounded number knows what cancellation makes of rounding", "[runs][weakform]") {
  const Bounded third = Bounded(1) / Bounded(3), difference = (Bounded(1e6) + third) - Bounded(1e6);

  CHECK(third.error == Approx(1. / 3));
  CHECK(difference.error > 1e6);
  CHECK(std::fabs(difference.value - 1. / 3) < 2e-16 * difference.error);
  CHECK(std::fabs(difference.value - 1. / 3) > 1e-13);
  const auto root = sqrt(Bounded(4, 1)), power = pow(Bounded(2, 1), Bounded(3)), logarithm = log(Bounded(2, 1));
  CHECK(root.error == Approx(1. / 4 + 2));
  CHECK(power.error == Approx(12 + 8));
  CHECK(logarithm.error == Approx(0.5 + std::log(2)));
  CHECK(exp(Bounded(1, 1)).error == Approx(2 * std::exp(1)));
  const auto product = Dual<Bounded>(Bounded(3), Bounded(1)) * Dual<Bounded>(Bounded(3), Bounded(1));
  CHECK(product.derivative.value == 6);
  CHECK(product.derivative.error >= 6);
}
