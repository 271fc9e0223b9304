// SPDX-License-Identifier: BSD-3-Clause
#include "runs/weakform/form_run.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "core/agree.hpp"
#include "miniapp/core/region.hpp"
#include "runs/indirect/planned.hpp"

namespace miniapp::weakform {

void require_able(FormKind kind, const FormSettings& settings, const Options& options) {
  const Region region("check");
  const mesh::Mesh mesh = make_mesh(settings.dim, {1, 1, 1});
  bind(kind, settings.precision, mesh,
       space::make_space(mesh, 1, facts(kind, settings.dim).components, space::Boundary::dirichlet, Layout::aos),
       options);
}

namespace {

/// The region "tiles, none" of all that is done in a configuration.
Region region_of(const Way& way) { return Region(name(way.options.strategy) + ", " + name(way.reorder)); }

/// Binds a form in a configuration; the result receives the configuration, phases of the set-up and what ranks have.
template <class Result>
std::unique_ptr<BoundForm> bind_way(const FormProblem& problem, const OrderedForm& ordered, const Way& way,
                                    Result& result) {
  result.way = way;
  if (way.options.strategy == Strategy::tiles) result.way.options.first_cell = ordered.first_cell;
  result.phases = ordered.phases;
  std::unique_ptr<BoundForm> form;
  result.phases.time("plan", [&] {
    agree(ordered.mesh.part.ranks, [&] {
      form = bind(problem.kind(), problem.settings().precision, ordered.mesh, ordered.space, result.way.options);
    });
  });
  result.way.options = form->options();
  result.num_entries = ordered.space.num_dofs() + ordered.space.components * ordered.space.num_masked();
  result.of_ranks = space::compare_ranks(ordered.space, ordered.mesh.num_elements(),
                                         word_bytes(problem.settings().precision), result.phases);
  return form;
}

}  // namespace

double Measured::error() const {
  const double least = std::numeric_limits<double>::min();  // where all is zero, all has to be
  return std::max(residual_error / std::max(residual_tolerance, least),
                  action_error / std::max(action_tolerance, least));
}

Solved solve_form(FormProblem& problem, const Way& way) {
  const Region region = region_of(way);
  const FormSettings& settings = problem.settings();
  const std::shared_ptr<const OrderedForm> ordered = problem.ordered(way);
  Solved result;
  const auto form = bind_way(problem, *ordered, way, result);
  const Instance instance;
  measure::Phases phases;
  result.newton = phases.time("solve", [&] { return form->solve(instance, settings.newton); });
  result.seconds = phases.of("solve");
  result.errors = form->errors();
  return result;
}

Measured measure_form(FormProblem& problem, const Way& way) {
  const Region region = region_of(way);
  const FormSettings& settings = problem.settings();
  const std::shared_ptr<const OrderedForm> ordered = problem.ordered(way);
  const Communicator& ranks = ordered->mesh.part.ranks;
  Measured result;
  const auto form = bind_way(problem, *ordered, way, result);
  const Instance instance;
  std::optional<Region> verification("verification");
  form->set_state(ordered->state);
  form->set_direction(ordered->direction);
  agree(ranks, [&] { form->require_finite(); });
  form->run(instance);
  const std::vector<double> residual = form->result();
  form->run_jacobian(instance);
  result.residual_error = space::largest_difference(residual, ordered->residual, ranks);
  result.action_error = space::largest_difference(form->result(), ordered->action, ranks);
  verification.reset();
  result.residual_tolerance = ordered->residual_tolerance;
  result.action_tolerance = ordered->action_tolerance;
  result.residual_norm = space::norm(
      residual, [&](std::size_t i) { return ordered->space.exchange.owns(i); }, ranks);
  if (!settings.verify_only && result.error() <= 1) {
    result.residual = measure::time_and_energy([&] { form->run(instance); }, settings.repeat, ranks);
    if (way.options.strategy == Strategy::transposed)
      result.on_e_vectors = measure::time_and_energy([&] { form->run_on_e_vectors(instance); }, settings.repeat, ranks);
    result.jacobian = measure::time_and_energy([&] { form->run_jacobian(instance); }, settings.repeat, ranks);
  }
  result.flops = ranks.sum(form->flops());
  result.bytes = ranks.sum(form->bytes());
  result.least_bytes = ranks.sum(form->least_bytes());
  result.figures = indirect::of_all(form->figures(), ranks);
  result.resources = form->resources();
  return result;
}

}  // namespace miniapp::weakform
