// SPDX-License-Identifier: BSD-3-Clause
#include "runs/indirect/planned.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/agree.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/indirect/owner_plan.hpp"
#include "miniapp/indirect/plan_check.hpp"

namespace miniapp::indirect {

using graph::Ordering;

namespace {

void number_as_they_run(Planned& planned) {
  PlanArrays& plan = planned.plan;
  if (plan.order.empty() || plan.positions() != static_cast<std::size_t>(plan.from_size)) return;
  std::vector<Index> same(plan.to_size);
  for (std::size_t t = 0; t < same.size(); ++t) same[t] = static_cast<Index>(t);
  Ordering by_position;
  by_position.from.entries = std::move(plan.order);
  by_position.to = std::move(same);
  planned.data = reorder(planned.data, by_position);
  plan.order.clear();
  plan.map_hash = hash(planned.data.map, planned.data.to_size);
}

}  // namespace

Problem::Problem(LoopKind kind_, Precision precision_, Case data_)
    : kind(kind_), precision(precision_), data(std::move(data_)) {
  const auto loop = bind(kind, data, precision, Layout::aos, make_plan(data.map, data.to_size, {Strategy::serial}));
  {
    const measure::Verifying region;
    tolerance = data.ranks.of_all(Reduction::max, loop->serial());
    expected = loop->result();
  }
  bytes = data.ranks.sum(loop->bytes());
  num_elements = data.ranks.sum(std::int64_t(data.from_size()));
  if (!data.ranks.is_alone()) owned.assign(data.to_size, 1);
  for (const space::SharedEntries& with : data.shared)
    if (with.rank < data.ranks.rank())
      for (const Index target : with.entries) owned[target] = 0;
  num_targets = owned.empty() ? std::int64_t(data.to_size)
                              : data.ranks.sum(std::int64_t(std::count(owned.begin(), owned.end(), 1)));
}

PlanFigures of_all(PlanFigures figures, const Communicator& ranks) {
  if (ranks.is_alone()) return figures;
  for (int* const count :
       {&figures.colours, &figures.thread_colours, &figures.most_positions, &figures.most_targets, &figures.most_rows})
    *count = static_cast<int>(ranks.of_all(Reduction::max, std::int64_t(*count)));
  for (double* const value : {&figures.reuse_factor, &figures.redundancy}) *value = ranks.spread(*value).mean;
  return figures;
}

Planned make_planned(const LoadedPlan& loaded, const Problem& problem) {
  const SavedPlan& saved = loaded.saved;
  require(saved.map_hash == hash(problem.data.map, problem.data.to_size),
          "made for another mesh; accepted is a plan of this mesh, in this order");
  Planned planned{{saved.plan.options, graph::Reorder::none, false},
                  "loaded",
                  std::make_shared<const Ordering>(saved.ordering),
                  {},
                  saved.plan,
                  loaded.phases};
  planned.data = planned.phases.time("permutation", [&] { return reorder(problem.data, *planned.ordering); });
  require(planned.plan.map_hash == hash(planned.data.map, planned.data.to_size),
          "its plan is not of its order; accepted is a file of --save-plan");
  return planned;
}

SavedPlan to_save(const Planned& planned, const Problem& problem) {
  return {hash(problem.data.map, problem.data.to_size), *planned.ordering, planned.plan};
}

std::string finish(Planned& planned) {
  planned.phases.time("permutation", [&] { number_as_they_run(planned); });
  return planned.phases.time("check", [&]() -> std::string {
    try {
      agree(planned.data.ranks, [&] {
        const std::string wrong = check_plan(planned.plan, planned.data.map);
        require(wrong.empty(), wrong);
      });
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  });
}

Planned Planner::make(const Combination& how) {
  Planned planned;
  agree(problem_.data.ranks, [&] { planned = make_own(how); });
  return planned;
}

Planned Planner::make_own(const Combination& how) {
  const Case& data = problem_.data;
  if (how.reorder == graph::Reorder::bisection && how.plan.strategy == Strategy::owner) return make_on_device(how);
  Planned planned{how, name(how.reorder), ordering(how), {}, {}, phases_};
  planned.data = planned.phases.time("permutation", [&] { return reorder(data, *planned.ordering); });
  planned.plan = planned.phases.time("colouring", [&] {
    const Map& map = planned.data.map;
    if (!runs_on_host && how.plan.strategy == Strategy::owner)
      return copy_to_host(make_owner_plan(graph::copy_to_device(map, data.to_size), how.plan), map);
    return make_plan(map, data.to_size, how.plan, planned.ordering->from.offsets);
  });
  return planned;
}

/// Order and plan where the loop runs; fields follow on the host.
Planned Planner::make_on_device(const Combination& how) const {
  const Case& data = problem_.data;
  Planned planned{how, name(how.reorder), {}, {}, {}, {}};
  measure::Phases& phases = planned.phases;
  const auto map = phases.time("copies", [&] { return graph::copy_to_device(data.map, data.to_size); });
  const auto points = phases.time("copies", [&] { return graph::copy_to_device(data.points); });
  const auto ordering =
      phases.time("partition", [&] { return graph::bisect_targets(map, points, how.plan.block_size); });
  const auto plan = phases.time("colouring", [&] { return make_owner_plan(graph::permute(map, ordering), how.plan); });
  planned.ordering = std::make_shared<const Ordering>(
      phases.time("copies", [&] { return graph::copy_to_host(ordering, how.plan.block_size); }));
  planned.data = phases.time("permutation", [&] { return reorder(data, *planned.ordering); });
  planned.plan = phases.time("copies", [&] { return copy_to_host(plan, planned.data.map); });
  return planned;
}

std::shared_ptr<const Ordering> Planner::ordering(const Combination& how) {
  const bool owner = how.plan.strategy == Strategy::owner;
  const std::tuple key(how.reorder, how.plan.block_size, owner);
  if (ordering_ && key == key_) return ordering_;
  const Case& data = problem_.data;
  phases_ = {};
  ordering_ = std::make_shared<const Ordering>(phases_.time("partition", [&] {
    return owner ? graph::make_owner_ordering(data.map, data.to_size, how.reorder, how.plan.block_size, data.points)
                 : graph::make_ordering(data.map, data.to_size, how.reorder, how.plan.block_size, data.points);
  }));
  key_ = key;
  return ordering_;
}

namespace {

/// The norm of a result, fields one after the other, each target once.
double norm(const Problem& problem, const std::vector<double>& found, const std::vector<int>& components) {
  if (problem.owned.empty())
    return space::norm(
        found, [](std::size_t) { return true; }, problem.data.ranks);
  std::vector<char> owned;  // (entry)
  for (const int n : components)
    for (std::size_t target = 0; target < problem.data.to_size; ++target)
      owned.insert(owned.end(), n, problem.owned[target]);
  return space::norm(
      found, [&](std::size_t i) { return owned[i]; }, problem.data.ranks);
}

}  // namespace

std::vector<FieldSums> sum_fields(const Problem& problem, const std::vector<double>& increments) {
  std::vector<FieldSums> all;
  for (const FieldValues& field : increments_of(problem.kind, increments, problem.data)) {
    std::vector<double> sums(static_cast<std::size_t>(field.components) + 1);  // the last: of squares
    for (std::size_t i = 0; i < field.values.size(); ++i) {
      const std::size_t component = i % (sums.size() - 1), target = i / (sums.size() - 1);
      if (!problem.owned.empty() && !problem.owned[target]) continue;
      sums[component] += field.values[i];
      sums.back() += field.values[i] * field.values[i];
    }
    problem.data.ranks.reduce(Reduction::sum, sums.data(), static_cast<int>(sums.size()));
    const double norm = std::sqrt(sums.back());
    sums.pop_back();
    all.push_back({field.name, sums, norm});
  }
  return all;
}

Measured measure_loop(const Problem& problem, const Planned& planned, Layout layout, int iterations,
                      const std::optional<measure::Repeat>& repeat, bool keep) {
  const Communicator& ranks = problem.data.ranks;
  Measured result;
  result.how = planned.how;
  result.reorder = planned.reorder;
  result.layout = layout;
  result.phases = planned.phases;
  const auto loop = result.phases.time(
      "device", [&] { return bind(problem.kind, planned.data, problem.precision, layout, planned.plan); });
  const Instance instance;
  {
    const measure::Verifying region;
    loop->clear();
    loop->run(instance);
  }
  std::vector<double> found = in_old_order(loop->result(), loop->components(), planned.ordering->to);
  result.error = space::largest_difference(found, problem.expected, ranks) / std::max(problem.tolerance, 1e-300);
  result.norm = norm(problem, found, loop->components());
  if (keep) result.increments = std::move(found);
  if (repeat) {
    const auto run = [&] {
      for (int i = 0; i < iterations; ++i) loop->run(instance);
    };
    result.sample = measure::rescale(measure::time_and_energy(run, *repeat, ranks), 1. / iterations);
  }
  const LoopExchange exchange = loop->exchange();
  result.of_ranks =
      space::compare_ranks(ranks, exchange.halo,
                           {{"elements", problem.data.from_size()},
                            {"targets", double(problem.data.to_size)},
                            {"owned_targets", double(std::count(problem.owned.begin(), problem.owned.end(), 1))},
                            {"neighbours", exchange.neighbours},
                            {"exchanged_bytes", exchange.bytes}},
                           result.phases);
  result.figures = of_all(loop->figures(), ranks);
  result.resources = loop->resources();
  result.bytes = ranks.sum(loop->bytes());
  result.least_bytes = ranks.sum(loop->least_bytes());
  result.lines = ranks.spread(loop->cache_lines_per_block()).mean;
  return result;
}

}  // namespace miniapp::indirect
