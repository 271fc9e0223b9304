// SPDX-License-Identifier: BSD-3-Clause
#include "apps/weakform/report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "apps/frontend/device_text.hpp"
#include "apps/frontend/record_parts.hpp"
#include "core/printable.hpp"

namespace miniapp::apps {
namespace {

using report::expected;
using weakform::FormFacts;
using weakform::FormProblem;
using weakform::Measured;
using weakform::Strategy;

bool has_transposed(const WeakformOptions& o) {
  return std::any_of(o.ways.begin(), o.ways.end(),
                     [](const weakform::Way& way) { return way.options.strategy == Strategy::transposed; });
}

/// The form, its mesh and the device.
std::string shared_heading(const WeakformOptions& o, const FormProblem& problem) {
  const FormFacts form = facts(problem.kind(), o.dim);
  return fmt::format(
      "{}: {} in {} dimensions, {} precision, {}\n{} {}, {} unknowns, {}{}; {} point{} of quadrature in a cell\n",
      name(problem.kind()), descriptions(problem.kind())[static_cast<std::size_t>(problem.kind())], o.dim,
      name(o.precision), describe_world(o.ranks) + describe_device(platform()), report::count(problem.num_cells()),
      mesh::cell(problem.mesh().kind).names, report::count(problem.num_unknowns()), o.mesh,
      o.shuffle ? ", shuffled" : "", form.points, form.points == 1 ? "" : "s");
}

std::string heading(const WeakformOptions& o, const FormProblem& problem, const FormRoofs& roofs) {
  const std::string text = shared_heading(o, problem);
  if (o.verify_only) return text + "error / tolerance against the reference\n";
  return text + fmt::format(
                    "copy roof {:.4g} GB/s at {}, memory at most {:.4g} GB/s, FMA roof {:.4g} GFLOP/s;\n"
                    "bound: least bytes or flops by the latter two, the longer time; error / tolerance against the "
                    "reference\n",
                    roofs.copy.bandwidth * 1e-9, report::bytes(roofs.copy.bytes), roofs.limits.memory * 1e-9,
                    2 * roofs.limits.multiplications * 1e-9);
}

std::string traffic_heading(const WeakformOptions& o) {
  const std::string text = "\nBytes by the strategy's own count; beta: flops / byte by the paper's model\n";
  return has_transposed(o) ? text + "kernel: transposed on E-vectors, as the paper times it; its bytes are those\n"
                           : text;
}

std::string block_of(const Json& record) {
  const auto text = [&](const report::Field& field) { return at(record, field).dump(); };
  if (!at(record, field::block_size).is_null()) return text(field::block_size);
  if (at(record, field::batches).is_null()) return "-";
  return (at(record, field::blocks).is_null() ? "auto" : text(field::blocks)) + '/' + text(field::batches);
}

std::vector<report::Column> way_columns(const WeakformOptions& o) {
  using report::longest, report::sized;
  using weakform::Way;
  const bool blocks = has_transposed(o) || std::any_of(o.ways.begin(), o.ways.end(),
                                                       [](const Way& way) { return has_blocks(way.options.strategy); });
  return {sized(field::strategy, longest(o.ways, [](const Way& way) { return name(way.options.strategy); })),
          sized(field::reorder, longest(o.ways, [](const Way& way) { return name(way.reorder); })),
          expected({"block", block_of}, blocks)};
}

/// The case of a record.
Json to_case(const WeakformOptions& o, const FormProblem& problem, const weakform::Way& way, std::int64_t unknowns) {
  const weakform::Options& options = way.options;
  const FormFacts form = facts(problem.kind(), o.dim);
  const bool transposed = options.strategy == Strategy::transposed;
  return {{"form", name(problem.kind())},
          {"dim", o.dim},
          {"components", form.components},
          {"points", form.points},
          {"precision", name(o.precision)},
          {field::strategy.key(), name(options.strategy)},
          {field::reorder.key(), name(way.reorder)},
          {field::block_size.key(), has_blocks(options.strategy) ? Json(*options.block_size) : Json()},
          {field::blocks.key(), transposed && options.blocks > 0 ? Json(options.blocks) : Json()},
          {field::batches.key(), transposed ? Json(options.batches) : Json()},
          {field::elements.key(), problem.num_cells()},
          {field::unknowns.key(), unknowns},
          {"mesh", o.mesh},
          {"shuffled", o.shuffle},
          {"repeat", o.repeat.times}};
}

}  // namespace

FormRoofs::FormRoofs(const WeakformOptions& o, double bytes) {
  if (o.verify_only) return;
  copy = measure::memory_roof(bytes, o.ranks);
  limits = {copy.memory, measure::fma_rate(o.precision, o.ranks) / 2, 0};
}

std::vector<Printer::Block> form_tables(const WeakformOptions& o, const FormProblem& problem, const FormRoofs& roofs) {
  std::vector<report::Column> times = way_columns(o);
  if (!o.verify_only) {
    times.insert(
        times.end(),
        {expected(field::residual_s), report::detail(report::part_of(field::residual_s, "min", "min", "{:.4g}", 1e3)),
         report::detail(report::part_of(field::residual_s, "max", "max", "{:.4g}", 1e3)),
         report::detail(field::jacobian_s), expected(field::residual_gcells), report::detail(field::residual_gflops),
         report::detail(report::part_of(field::residual_s, "joules", "mJ", "{:.3g}", 1e3)),
         expected(field::fraction_of_bound)});
  }
  times.insert(times.end(), {report::setup_column(), error_column()});
  std::vector<Printer::Block> tables{{heading(o, problem, roofs), std::move(times)}};
  if (o.verify_only) return tables;
  std::vector<report::Column> traffic = way_columns(o);
  if (has_transposed(o))
    traffic.insert(traffic.end(), {field::kernel_s.as("kernel ms", "{:.4g}", 1e3),
                                   field::kernel_gflops.as("kernel GFLOP/s", "{:.3g}")});
  traffic.insert(traffic.end(), {field::kernel_gbytes, field::fraction_of_copy_roof, field::intensity,
                                 field::model_intensity, report::positive(field::reuse_factor)});
  tables.push_back({traffic_heading(o), std::move(traffic)});
  return tables;
}

std::string describe(const weakform::Way& way) {
  return fmt::format("{}, {}", name(way.options.strategy), name(way.reorder));
}

Json to_record(Json record, const WeakformOptions& o, const FormProblem& problem, const FormRoofs& roofs,
               const Measured& m) {
  const FormFacts form = facts(problem.kind(), o.dim);
  const double cells = double(problem.num_cells());
  record["case"] = to_case(o, problem, m.way, m.num_entries);
  put_ranks(record, m.of_ranks, o.partition);
  record["verification"] = verification("reference", m.error());
  Json& result = record["result"];
  result = {{"verified", m.error() <= 1},
            {"max_error", m.residual_error},
            {"tolerance", m.residual_tolerance},
            {"jacobian_max_error", m.action_error},
            {"jacobian_tolerance", m.action_tolerance},
            {"residual_norm", m.residual_norm},
            {"flops", m.flops},
            {"bytes", m.bytes},
            {"least_bytes", m.least_bytes},
            {field::intensity.key(), m.flops / m.bytes},
            {field::model_intensity.key(), form.intensity(word_bytes(o.precision))},
            {"model_flops", form.intensity.flops},
            {"model_words", form.intensity.words},
            {field::reuse_factor.key(), m.figures.reuse_factor},
            {"redundancy", m.figures.redundancy},
            {"block_colours", m.figures.colours},
            {"thread_colours", m.figures.thread_colours}};
  result.update(team_record(m.resources));
  put(record, memory_need(o, problem.kind(), m.way));
  at(record, field::setup_s) = report::to_json(m.phases);
  if (!(m.residual.median > 0)) return record;
  const double seconds = m.residual.median, bytes_per_s = m.bytes / m.kernel().median;
  at(record, field::residual_s) = report::to_json(m.residual);
  at(record, field::jacobian_s) = report::to_json(m.jacobian);
  record["rates"] = {{field::residual_gcells.key(), cells / seconds * 1e-9},
                     {field::residual_gflops.key(), m.flops / seconds * 1e-9},
                     {"jacobian_gcells", cells / m.jacobian.median * 1e-9},
                     {field::kernel_gbytes.key(), bytes_per_s * 1e-9}};
  if (m.on_e_vectors) {
    at(record, field::kernel_s) = report::to_json(*m.on_e_vectors);
    record["rates"]["kernel_gcells"] = cells / m.on_e_vectors->median * 1e-9;
    at(record, field::kernel_gflops) = m.flops / m.on_e_vectors->median * 1e-9;
  }
  record["roofs"] = {{field::copy_gbytes.key(), roofs.copy.bandwidth * 1e-9},
                     {field::copied_bytes.key(), roofs.copy.bytes},
                     {field::fraction_of_copy_roof.key(), bytes_per_s / roofs.copy.bandwidth}};
  put_bound(record, {m.least_bytes, m.flops / 2, 0}, roofs.limits, seconds);
  return record;
}

namespace {

/// What a user gave, by options.
std::vector<std::pair<std::string, std::string>> given(const FormWords& words) {
  std::vector<std::pair<std::string, std::string>> all;
  const auto add = [&](const std::string& what, const std::vector<std::string>& values) {
    for (const std::string& value : values)
      if (!value.empty()) all.emplace_back(what, value);
  };
  add("coefficient", words.coefficient);
  add("source", {words.source});
  add("dirichlet", words.dirichlet);
  add("neumann", words.neumann);
  add("robin", words.robin);
  add("exact", {words.exact});
  return all;
}

std::string describe_problem(const FormWords& words) {
  std::string text;
  for (const auto& [what, value] : given(words)) text += fmt::format("{:<12}{}\n", what, printable(value, 200));
  return text;
}

Json to_record(const FormWords& words, const std::string& natural) {
  Json record = Json::object();
  for (const auto& [what, value] : given(words)) record[what].push_back(value);
  record["natural"] = natural;
  return record;
}

}  // namespace

std::vector<Printer::Block> solution_tables(const WeakformOptions& o, const FormProblem& problem) {
  std::vector<report::Column> columns = way_columns(o);
  columns.insert(columns.end(), {field::iterations.as("steps"), field::linear_iterations,
                                 expected(report::positive(field::preconditioner_set_ups),
                                          o.newton.preconditioner == weakform::LinearPreconditioner::amg),
                                 field::relative_residual.as("|r| / first", "{:.1e}"), field::l2_error, field::h1_error,
                                 report::setup_column(), field::solve_s,
                                 report::sized(field::verdict, std::string("converged").size())});
  return {
      {shared_heading(o, problem) +
           fmt::format("Newton's method to {:g} of the first |r|, linear systems with {}{}\n", o.newton.tolerance,
                       name(o.newton.preconditioner),
                       problem.knows_solution() ? "; errors against the exact solution" : "") +
           (o.newton.preconditioner == weakform::LinearPreconditioner::amg ? remark_on_multigrid(o.ranks.size()) : "") +
           describe_problem(o.problem),
       std::move(columns)}};
}

Json to_record(Json record, const WeakformOptions& o, const FormProblem& problem, const weakform::Solved& s) {
  record["case"] = to_case(o, problem, s.way, s.num_entries);
  put_ranks(record, s.of_ranks, o.partition);
  record["case"]["preconditioner"] = name(o.newton.preconditioner);
  record["case"]["amg_precision"] =
      o.newton.preconditioner == weakform::LinearPreconditioner::amg ? Json(name(o.newton.amg_precision)) : Json();
  record["case"]["tolerance"] = o.newton.tolerance;
  record["case"]["max_iterations"] = o.newton.max_iterations;
  if (o.problem.any()) record["case"]["problem"] = to_record(o.problem, s.natural);
  record["verification"] = verification("reference", s.verified.error());
  Json lengths = Json::array(), linear = Json::array();
  for (const weakform::NewtonStep& step : s.newton.steps) {
    lengths.push_back(step.length);
    linear.push_back(step.linear_iterations);
  }
  const std::vector<double>& residuals = s.newton.residuals;
  record["result"] = {{field::verdict.key(), name(s.newton.verdict)},
                      {field::iterations.key(), s.newton.steps.size()},
                      {field::linear_iterations.key(), s.newton.linear_iterations()},
                      {field::preconditioner_set_ups.key(), s.newton.set_ups()},
                      {field::relative_residual.key(), weakform::relative(residuals.back(), residuals.front())},
                      {"residual_norms", residuals},
                      {"step_lengths", lengths},
                      {"linear_iterations_of_steps", linear},
                      {field::l2_error.key(), s.errors ? Json(s.errors->l2) : Json()},
                      {field::h1_error.key(), s.errors ? Json(s.errors->h1) : Json()},
                      {"remark", s.newton.remark}};
  if (!s.newton.single_breakdown.empty()) record["result"]["single_breakdown"] = s.newton.single_breakdown;
  put(record, memory_need(o, problem.kind(), s.way));
  at(record, field::setup_s) = report::to_json(s.phases);
  at(record, field::solve_s) = s.seconds;
  return record;
}

std::string why_unsolved(const weakform::Solved& s, const std::string& what, const weakform::NewtonOptions& options) {
  if (std::string wrong = why_wrong(what, "reference", s.verified.error()); !wrong.empty()) return wrong;
  if (s.newton.converged()) return {};
  const std::vector<double>& residuals = s.newton.residuals;
  const std::string remark = s.newton.remark.empty() ? "" : ": " + s.newton.remark;
  if (!std::isfinite(residuals.back()))
    return fmt::format("{}: Newton's method {}{}", what, name(s.newton.verdict), remark);
  return fmt::format(
      "{}: Newton's method {} after {} step{} at {:.1e} of the first |r|, not {:g}{}", what,
      s.newton.verdict == weakform::NewtonVerdict::unconverged ? "did not converge" : name(s.newton.verdict),
      s.newton.steps.size(), s.newton.steps.size() == 1 ? "" : "s",
      weakform::relative(residuals.back(), residuals.front()), options.tolerance, remark);
}

}  // namespace miniapp::apps
