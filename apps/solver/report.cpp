// SPDX-License-Identifier: BSD-3-Clause
#include "apps/solver/report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "apps/frontend/device_text.hpp"
#include "apps/frontend/record_parts.hpp"
#include "core/printable.hpp"
#include "report/table.hpp"

namespace miniapp::apps {
namespace {

Json make_case(const SolverOptions& o, const MatrixFigures& m, const SolverResult& r) {
  const solver::SolveSettings& s = r.settings;
  Json entry = {
      {field::matrix.key(), m.choice.name()},
      {field::unknowns.key(), m.unknowns},
      {field::entries.key(), m.entries},
      {field::method.key(), name(s.method)},
      {field::pc.key(), name(s.preconditioner)},
      {"pc_asked", r.predicted.empty() ? name(s.preconditioner) : name(solver::PreconditionerKind::automatic)},
      {"precision", name(o.precision)},
      {"rhs", printable(o.rhs)},
      {"tolerance", s.cg.tolerance},
      {"max_iterations", s.cg.max_iterations},
      {"repeat", o.repeat.times},
      {"no_solve", o.no_solve},
      {"verify_only", o.verify_only}};
  entry[field::order.key()] = m.choice.kind == MatrixKind::lor ? Json(m.choice.order) : Json(nullptr);
  if (solver::is_own_amg(s.preconditioner)) {
    entry["amg_aggregation"] = solver::name(s.amg.aggregation);
    entry["amg_cycle"] = name(s.amg.cycle);
    entry["amg_strength"] = s.amg.strength;
    entry["amg_precision"] = name(s.amg_precision);
    entry["smoother"] = name(s.amg.smoother);
    entry["smoother_sweeps"] = s.amg.sweeps;
  }
  if (solver::is_amg(s.preconditioner)) {
    entry["near_null"] = printable(o.near_null.name);
    entry["block"] = o.near_null.block;
    entry["modes"] = o.near_null.modes();
  }
  if (solver::has_sweeps(s.preconditioner)) {
    entry["sweeps"] = s.sweeps;
    entry["neumann"] = s.neumann;
  }
  if (!o.ranks.is_alone()) entry[field::halo.key()] = name(m.halo);
  if (!o.ranks.is_alone() && !is_pointwise(s.preconditioner))
    entry["pc_of"] = solver::rows_of(s.preconditioner, o.ranks.size());
  return entry;
}

void put_levels(Json& record, const solver::Hierarchy& hierarchy) {
  at(record, field::grid_complexity) = hierarchy.grid_complexity;
  at(record, field::operator_complexity) = hierarchy.operator_complexity;
  record["result"]["remark"] = hierarchy.remark;
  at(record, field::levels) = Json::array();
  for (const solver::AmgLevel& level : hierarchy.levels)
    at(record, field::levels)
        .push_back({{"unknowns", level.unknowns},
                    {"entries", level.entries},
                    {"entries_per_row", double(level.entries) / level.unknowns}});
}

Json to_json(const MatrixFigures& m, const SolverResult& s) {
  Json model = {
      {field::launch_s.key(), m.launch}, {field::read_s.key(), m.read}, {field::textbook_s.key(), s.textbook}};
  if (!s.model) return model;
  model[field::launches.key()] = s.model->cost.launches;
  model[field::reads.key()] = s.model->cost.reads;
  model[field::moved_bytes.key()] = s.model->bytes;
  model[field::model_s.key()] = s.model->seconds;
  if (s.iteration.median > 0) model[field::fraction_of_iteration.key()] = s.model->seconds / s.iteration.median;
  return model;
}

/// Why no solver reaches the tolerance.
std::string without_solution(const MatrixFigures& m) {
  return fmt::format("; the matrix maps {} to zero, and b has a part along {}: |b - A x| >= {:.2g} |b| for every x",
                     m.null_modes == 1 ? "a mode" : fmt::format("{} modes", m.null_modes),
                     m.null_modes == 1 ? "it" : "them", m.least_residual);
}

/// What --cg calls the loop of a record.
std::string cg_of(const Json& r) {
  solver::SolveSettings settings;
  for (const auto method : members<solver::CgMethod>())
    if (at(r, field::method) == name(method)) settings.method = method;
  for (const auto kind : members<solver::PreconditionerKind>())
    if (at(r, field::pc) == name(kind)) settings.preconditioner = kind;
  return name_of_cg(settings);
}

std::string run_of(const Json& r) {
  const Json order = value_at(r, field::order);
  return fmt::format("{} {}{}", cg_of(r), std::string(at(r, field::pc)),
                     order.is_null() ? "" : fmt::format(", order {}", int(order)));
}

std::vector<report::Column> solve_columns(const SolverOptions& o) {
  using report::detail, report::expected, report::longest, report::sized;
  const auto iterations = [](const Json& r) -> std::string {
    if (!at(r, field::passed)) return "WRONG";
    if (value_at(r, field::verdict) == "broke down") return "BROKE DOWN";
    return iterations_and_verdict(r);
  };
  const bool times = !o.verify_only, solves = times && !o.no_solve;
  const std::vector<solver::PreconditionerKind> kinds = o.possible_preconditioners();
  const bool has_models = std::any_of(kinds.begin(), kinds.end(), [](auto kind) { return solver::is_pointwise(kind); });
  const bool has_orders = std::any_of(o.matrices.begin(), o.matrices.end(),
                                      [](const MatrixChoice& choice) { return choice.kind == MatrixKind::lor; });
  const auto unknowns = [](const MatrixChoice& choice) { return report::count(std::int64_t(choice.unknowns())); };
  const auto entries = [](const Json& r) {
    return fmt::format("{:.3g}", double(at(r, field::entries)) / double(at(r, field::unknowns)));
  };
  const auto error = [](const Json& r) {
    const Json& value = at(r, field::error_over_tolerance);
    return fmt::format("{:.2g}", value.is_null() ? 0. : double(value));
  };
  return {sized(field::matrix, longest(o.matrices, [](const MatrixChoice& choice) { return choice.name(); })),
          expected(field::order, has_orders),
          sized(report::counted(field::unknowns), longest(o.matrices, unknowns)),
          detail({"per row", entries}),
          sized({"cg", cg_of}, longest(o.solves(), [](const solver::SolveSettings& s) { return name_of_cg(s); })),
          sized(field::pc, longest(kinds, [](solver::PreconditionerKind pc) { return name(pc); })),
          report::setup_column("matrix"),
          expected(field::solve_s, solves),
          detail(field::relative_residual),
          expected(field::true_relative_residual.as("true", "{:.1e}"), solves),
          detail(field::iteration_s),
          expected(field::fraction_of_bound, times && has_models),
          detail(field::fraction_of_iteration),
          expected(field::spmv_s, times),
          detail(field::spmv_gbytes),
          detail(expected(field::fraction_of_copy_roof, times)),
          sized({"error", error}, report::error_width),
          expected({"iterations", iterations}, solves)};  // last: a verdict is wider than its heading
}

std::vector<report::Column> setup_columns() {
  std::vector<report::Column> columns{{"cg, preconditioner", run_of}, report::counted(field::unknowns)};
  for (const std::string phase : {"matrix", "slices", "choice", "given up", "diagonal", "aggregation", "interpolation",
                                  "coarse matrix", "smoother", "coarsest", "rows", "hypre", "factors", "application"})
    columns.push_back(report::detail(report::of_phase(phase)));
  columns.emplace_back("levels", [](const Json& r) -> std::string {
    const Json levels = value_at(r, field::levels);
    return levels.is_null() ? "-" : std::to_string(levels.size());
  });
  columns.push_back(report::detail(field::grid_complexity));
  columns.push_back(report::detail(field::operator_complexity));
  return columns;
}

std::vector<report::Column> model_columns() {
  return {{"cg, preconditioner", run_of},
          report::counted(field::unknowns),
          field::launches,
          field::launch_s,
          field::reads,
          field::read_s,
          field::moved_bytes,
          field::model_s,
          field::iteration_s.as("measured"),
          field::fraction_of_iteration.as("model / measured %", "{:.0f}", 100),
          report::detail(field::textbook_s)};
}

}  // namespace

Json to_record(const Json& base, const SolverOptions& o, const MatrixFigures& m, const SolverResult& s) {
  Json record = base;
  record["case"] = make_case(o, m, s);
  record["verification"] = verification("A x by rows in double precision", m.error);
  at(record, field::setup_s) = report::to_json(s.phases);
  Json& result = record["result"];
  put_choice(result, s.predicted, s.given_up, s.without_room);
  if (s.cg || !s.breakdown.empty()) put(record, s.cg ? &*s.cg : nullptr);
  if (s.cg)
    result["comparison"] = {{"against", "b - A x by rows in double precision"},
                            {"relative_residual", s.host_residual},
                            {"error", s.residual_error()},
                            {"tolerance", s.residual_tolerance()},
                            {"passed", s.residuals_agree()}};
  if (!s.single_breakdown.empty()) result["single_breakdown"] = s.single_breakdown;
  if (s.hierarchy) put_levels(record, *s.hierarchy);
  if (s.preconditioner_bytes > 0) result["pc_bytes"] = s.preconditioner_bytes;
  if (s.launch_levels > 0) result["launch_levels"] = s.launch_levels;
  put(record, memory_need(o, m.choice));
  if (m.choice.kind == MatrixKind::file) {
    result["null_modes"] = m.null_modes;
    result["least_residual"] = m.least_residual;
  }
  put_figures(record, s.of_ranks);
  if (!m.passed() || o.verify_only) return record;
  const double rate = m.bytes / m.product.median;
  at(record, field::spmv_s) = report::to_json(m.product);
  if (s.solve.median > 0) at(record, field::solve_s) = report::to_json(s.solve);
  if (s.iteration.median > 0) at(record, field::iteration_s) = report::to_json(s.iteration);
  at(record, field::spmv_gbytes) = rate * 1e-9;
  record["roofs"] = {{field::copy_gbytes.key(), m.roof.bandwidth * 1e-9},
                     {field::copied_bytes.key(), m.roof.bytes},
                     {"spmv_bytes", m.bytes},
                     {field::fraction_of_copy_roof.key(), rate / m.roof.bandwidth}};
  if (s.model && s.iteration.median > 0)
    put_bound(record, {s.model->bytes, 0, 0}, {m.roof.memory, 0, 0}, s.iteration.median);
  record["model"] = to_json(m, s);
  return record;
}

std::string what_was_wrong(const MatrixFigures& m, const SolverResult& s) {
  const std::string what =
      fmt::format("{} CG with {} on {}, {}", name_of_cg(s.settings), name(s.settings.preconditioner), m.choice.name(),
                  m.choice.kind == MatrixKind::file ? std::to_string(m.unknowns) : describe_size(m.choice));
  if (!m.passed()) return why_wrong(m.choice.name() + ": A x", "rows in double precision", m.error);
  if (!s.breakdown.empty())
    return fmt::format("{}: {}{}", what, s.breakdown,
                       m.least_residual > s.settings.cg.tolerance ? without_solution(m) : "");
  if (!s.cg) return "";
  if (!s.residuals_agree())
    return fmt::format("{}: |b - A x| = {:.2e} |b| by rows in double precision, {:.2e} by the solver", what,
                       s.host_residual, s.cg->true_relative_residual);
  const std::string why = why_unconverged(*s.cg, s.settings.cg.tolerance, s.settings.cg.max_iterations, what);
  return why.empty() || m.least_residual <= s.settings.cg.tolerance ? why : why + without_solution(m);
}

std::vector<Printer::Block> solver_blocks(const SolverOptions& o, const std::string& device) {
  const std::vector<solver::PreconditionerKind> kinds = o.possible_preconditioners();
  const auto any = [&](auto holds) { return std::any_of(kinds.begin(), kinds.end(), holds); };
  const int ranks = o.ranks.size();
  std::string of_which;
  if (any([](solver::PreconditionerKind kind) { return kind == solver::PreconditionerKind::boomer_amg; }))
    of_which += "boomer-amg: a V-cycle of hypre's BoomerAMG on the rows of all ranks\n";
  if (any([](solver::PreconditionerKind kind) { return kind == solver::PreconditionerKind::amg; }))
    of_which += remark_on_multigrid(ranks);
  for (const solver::PreconditionerKind kind : kinds)
    if (solver::is_of_own_rows(kind, ranks))
      of_which += name(kind) + ": each rank's of its own rows, without couplings to others\n";
  if (!o.near_null.is_usual())
    of_which += fmt::format("multigrid: {} row{} per node; near-null space: {}, {} mode{}\n", o.near_null.block,
                            o.near_null.block > 1 ? "s" : "", printable(o.near_null.name, 100), o.near_null.modes(),
                            o.near_null.modes() > 1 ? "s" : "");
  const std::string solves = fmt::format(
      "CG on sparse matrices, {} precision, {}{}\n{}b: {}, tolerance {:.1e}; \"per row\": entries; set-up without the "
      "matrix; "
      "\"true\": |b - A x| / |b|;\nA x: time and rate of the bytes stored, of the copy roof; error / tolerance of A x "
      "against rows in double precision\nbound: bytes of an iteration at the fastest of copying, reading and updating "
      "as many as A x moves\n",
      name(o.precision), describe_world(o.ranks), device, of_which, printable(o.rhs, 100), o.settings.cg.tolerance);
  if (o.verify_only) return {{solves, solve_columns(o)}};
  return {{solves, solve_columns(o)},
          {"\nSet-up by phases; grid and operator complexity: unknowns and entries of all levels over the first's\n",
           setup_columns()},
          {"\nModel of an iteration: T = launches T_launch + reads T_read + bytes / copy roof; textbook: CG of vector "
           "operations\nby the slides, 8 us + 2 * 2 us + (entries + 15 unknowns) words / copy roof\n",
           model_columns()}};
}

std::string describe_null_space(const MatrixFigures& m) {
  return fmt::format(
      "\nThe matrix is singular: it maps {} of the near-null space to zero, and x is one of many "
      "solutions, up to {}\n",
      m.null_modes == 1 ? "a mode" : fmt::format("{} modes", m.null_modes), m.null_modes == 1 ? "it" : "these");
}

std::string describe_choice(const MatrixFigures& m, const SolverResult& s) {
  std::string text = fmt::format("\nauto on {}, {} unknowns: {}\n", m.choice.name(), report::count(m.unknowns),
                                 describe_predicted(s.settings.preconditioner, s.predicted, s.without_room));
  for (const solver::GivenUp& one : s.given_up) text += "given up: " + describe_given_up(one) + "\n";
  return text;
}

std::string describe_shares(const MatrixFigures& m, const Json& record) {
  return fmt::format("\nRanks of {}, {} unknowns, each: {}{}", m.choice.name(), report::count(m.unknowns),
                     describe_figures(record, {"rows", "entries", "neighbours"}, "product"), describe_halo(record));
}

std::string describe_levels(const MatrixFigures& m, const SolverResult& s) {
  const solver::Hierarchy& hierarchy = *s.hierarchy;
  std::string text = fmt::format("\nLevels of multigrid on {}{}, {} unknowns",
                                 hierarchy.levels.front().unknowns < m.unknowns ? "rank 0's rows of " : "",
                                 m.choice.name(), report::count(hierarchy.levels.front().unknowns));
  if (m.choice.kind == MatrixKind::lor) text += fmt::format(", order {}", m.choice.order);
  if (!hierarchy.remark.empty()) text += ": " + hierarchy.remark;
  report::Table table({"level", "unknowns", "entries per row"});
  int number = 0;
  for (const solver::AmgLevel& level : hierarchy.levels)
    table.add({std::to_string(number++), report::count(level.unknowns),
               fmt::format("{:.3g}", double(level.entries) / level.unknowns)});
  std::string lines = report::text(table);
  if (!lines.empty() && lines.back() == '\n') lines.pop_back();
  return text + "\n" + lines;
}

}  // namespace miniapp::apps
