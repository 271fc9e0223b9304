// SPDX-License-Identifier: BSD-3-Clause
#include "weakform/form_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace miniapp::weakform {

void require_able(FormKind kind, const FormSettings& settings, const Options& options) {
  const mesh::Mesh mesh = make_mesh(settings.dim, 1);
  bind(kind, settings.precision, mesh,
       space::make_space(mesh, 1, facts(kind, settings.dim).components, space::Boundary::dirichlet, Layout::aos),
       options);
}

namespace {

double difference(const std::vector<double>& found, const std::vector<double>& right) {
  double most = 0;
  for (std::size_t i = 0; i < right.size(); ++i) {
    const double one = std::fabs(found[i] - right[i]);
    most = std::max(most, std::isnan(one) ? INFINITY : one);
  }
  return most;
}

/// Binds a form by a way, and notes the way and the phases of the set-up in the result.
template <class Result>
std::unique_ptr<BoundForm> bind_way(const FormProblem& problem, const OrderedForm& ordered, const Way& way,
                                    Result& result) {
  result.way = way;
  if (way.options.strategy == Strategy::tiles) result.way.options.first_cell = ordered.first_cell;
  result.phases = ordered.phases;
  auto form = result.phases.time("plan", [&] {
    return bind(problem.kind(), problem.settings().precision, ordered.mesh, ordered.space, result.way.options);
  });
  result.way.options = form->options();
  return form;
}

}  // namespace

double Measured::error() const {
  const double least = std::numeric_limits<double>::min();  // where all is zero, all has to be
  return std::max(residual_error / std::max(residual_tolerance, least),
                  action_error / std::max(action_tolerance, least));
}

Solved solve_form(FormProblem& problem, const Way& way) {
  const FormSettings& settings = problem.settings();
  const std::shared_ptr<const OrderedForm> ordered = problem.ordered(way);
  Solved result;
  const auto form = bind_way(problem, *ordered, way, result);
  const Instance instance;
  measure::Phases phases;
  result.newton = phases.time("solve", [&] { return form->solve(instance, settings.newton); });
  result.seconds = phases.of("solve");
  result.errors = form->errors();
  result.num_entries = form->num_entries();
  return result;
}

Measured measure_form(FormProblem& problem, const Way& way) {
  const FormSettings& settings = problem.settings();
  const std::shared_ptr<const OrderedForm> ordered = problem.ordered(way);
  Measured result;
  const auto form = bind_way(problem, *ordered, way, result);
  form->set_state(ordered->state);
  form->set_direction(ordered->direction);
  form->require_finite();
  const Instance instance;
  form->run(instance);
  const std::vector<double> residual = form->result();
  form->run_jacobian(instance);
  result.residual_error = difference(residual, ordered->residual);
  result.action_error = difference(form->result(), ordered->action);
  result.residual_tolerance = ordered->residual_tolerance;
  result.action_tolerance = ordered->action_tolerance;
  double squares = 0;
  for (const double r : residual) squares += r * r;
  result.residual_norm = std::sqrt(squares);
  if (!settings.verify_only && result.error() <= 1) {
    result.residual = measure::time([&] { form->run(instance); }, settings.repeat);
    if (way.options.strategy == Strategy::transposed)
      result.on_e_vectors = measure::time([&] { form->run_on_e_vectors(instance); }, settings.repeat);
    result.jacobian = measure::time([&] { form->run_jacobian(instance); }, settings.repeat);
  }
  result.flops = form->flops();
  result.bytes = form->bytes();
  result.least_bytes = form->least_bytes();
  result.num_entries = form->num_entries();
  result.figures = form->figures();
  result.resources = form->resources();
  return result;
}

}  // namespace miniapp::weakform
