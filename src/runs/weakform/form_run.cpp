// SPDX-License-Identifier: BSD-3-Clause
#include "runs/weakform/form_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/agree.hpp"
#include "miniapp/core/region.hpp"
#include "miniapp/core/tolerance.hpp"
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
  require(ordered.space.num_dofs() > 0,
          "a mesh whose nodes are all on its surface has no unknown; accepted are meshes with an inner node");
  result.way = way;
  if (way.options.strategy == Strategy::tiles) result.way.options.first_cell = ordered.first_cell;
  result.phases = ordered.phases;
  std::unique_ptr<BoundForm> form;
  result.phases.time("plan", [&] {
    agree(ordered.mesh.part.ranks,
          [&] { form = ordered.bind(problem.kind(), problem.settings().precision, result.way.options); });
  });
  result.way.options = form->options();
  result.num_entries = ordered.space.num_dofs() + ordered.space.components * ordered.space.num_masked();
  result.of_ranks = space::compare_ranks(ordered.space, ordered.mesh.num_elements(),
                                         word_bytes(problem.settings().precision), result.phases);
  return form;
}

constexpr double least_tolerance = std::numeric_limits<double>::min();  // where all is zero, all has to be

/// The worst entry of all ranks, over its tolerance, and the largest tolerance. Collective.
std::pair<double, double> compare(const std::vector<double>& found, const std::vector<double>& right,
                                  const std::vector<double>& tolerances, const Communicator& ranks) {
  double ratio = 0, most = least_tolerance;
  for (std::size_t i = 0; i < right.size(); ++i) {
    ratio = worse(ratio, std::fabs(found[i] - right[i]) / std::max(tolerances[i], least_tolerance));
    most = std::max(most, tolerances[i]);
  }
  return {ranks.of_all(Reduction::max, ratio), ranks.of_all(Reduction::max, most)};
}

/// Sets the state and the direction that have right results, and compares both results with these. Collective.
Verified verify(BoundForm& form, const OrderedForm& ordered, const Instance& instance) {
  const measure::Verifying region;
  const Communicator& ranks = ordered.mesh.part.ranks;
  form.set_state(ordered.state);
  form.set_direction(ordered.direction);
  agree(ranks, [&] { form.require_finite(); });
  Verified found;
  form.run(instance);
  const std::vector<double> residual = form.result();
  form.run_jacobian(instance);
  const auto [of_residual, residual_tolerance] = compare(residual, ordered.residual, ordered.residual_tolerance, ranks);
  const auto [of_action, action_tolerance] = compare(form.result(), ordered.action, ordered.action_tolerance, ranks);
  found.residual_tolerance = residual_tolerance;
  found.residual_error = of_residual * residual_tolerance;
  found.action_tolerance = action_tolerance;
  found.action_error = of_action * action_tolerance;
  found.residual_norm = space::norm(
      residual, [&](std::size_t i) { return ordered.space.exchange.owns(i); }, ranks);
  return found;
}

}  // namespace

double Verified::error() const {
  return std::max(residual_error / residual_tolerance, action_error / action_tolerance);
}

Solved solve_form(FormProblem& problem, const Way& way) {
  const Region region = region_of(way);
  const FormSettings& settings = problem.settings();
  const std::shared_ptr<const OrderedForm> ordered = problem.ordered(way);
  Solved result;
  const auto form = bind_way(problem, *ordered, way, result);
  const Instance instance;
  result.verified = verify(*form, *ordered, instance);
  form->set_state(std::vector<double>(ordered->state.size(), 0.0));
  measure::Phases phases;
  result.newton = phases.time("solve", [&] { return form->solve(instance, settings.newton); });
  result.seconds = phases.of("solve");
  if (problem.knows_solution()) result.errors = form->errors();
  if (ordered->user) result.natural = ordered->user->natural;
  if (settings.keeps_solution) {
    result.solution = form->state();
    form->run(instance);
    result.residual = form->result();
  }
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
  static_cast<Verified&>(result) = verify(*form, *ordered, instance);
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
