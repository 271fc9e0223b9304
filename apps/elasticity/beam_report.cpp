// SPDX-License-Identifier: BSD-3-Clause
#include "apps/elasticity/beam_report.hpp"

#include <fmt/format.h>

#include "apps/frontend/device_text.hpp"
#include "apps/frontend/record_parts.hpp"
#include "runs/elasticity/memory.hpp"

namespace miniapp::apps {

void put_system(report::Json& record, const ElasticityOptions& o, int order, const elasticity::SystemResult& s) {
  record["case"].update({{field::order.key(), order},
                         {field::variant.key(), elasticity::name(s.method)},
                         {"precision", name(o.precision)},
                         {field::elements.key(), s.elements},
                         {field::dofs.key(), s.dofs},
                         {"young", o.young},
                         {"poisson", o.poisson},
                         {"preconditioner", elasticity::name(o.preconditioner)},
                         {"tolerance", o.cg.tolerance},
                         {"max_iterations", o.cg.max_iterations},
                         {"repeat", o.repeat.times},
                         {"verify_only", o.verify_only}});
  put_ranks(record, s.of_ranks, o.partition);
  record["verification"] = {{"against", "reference"},
                            {field::error.key(), s.matrix_error * s.matrix_tolerance},
                            {field::error_tolerance.key(), s.matrix_tolerance},
                            {field::passed.key(), s.matrices_right()}};
  at(record, field::setup_s) = report::to_json(s.phases);
  at(record, field::num_blocks) = s.blocks;
  put(record, memory_need(o, {order, s.method}));
  if (s.hierarchy) put(record, *s.hierarchy);
  if (!s.single_breakdown.empty()) record["result"]["single_breakdown"] = s.single_breakdown;
  if (s.cg || !s.breakdown.empty()) put(record, s.cg ? &*s.cg : nullptr);
  if (!s.cg) return;
  at(record, field::operator_s) = report::to_json(s.apply);
  const double rate = s.model_bytes / s.apply.median;
  record["rates"] = {{field::operator_gbytes.key(), rate * 1e-9},
                     {field::operator_gdofs.key(), double(s.dofs) / s.apply.median * 1e-9}};
  if (s.iteration.median > 0) {
    record["timing"]["cg_iteration_s"] = report::to_json(s.iteration);
    at(record, field::cg_gdofs) = double(s.dofs) / s.iteration.median * 1e-9;
  }
  record["roofs"] = {{field::copy_gbytes.key(), s.roof.bandwidth * 1e-9},
                     {field::copied_bytes.key(), s.roof.bytes},
                     {field::model_bytes.key(), s.model_bytes},
                     {field::fraction_of_copy_roof.key(), rate / s.roof.bandwidth}};
  put_bound(record, {s.model_bytes, 0, 0}, {s.roof.memory, 0, 0}, s.apply.median);
}

report::Json to_record(const report::Json& base, const ElasticityOptions& o, const elasticity::BeamResult& s) {
  report::Json record = base;
  record["case"] = {{"problem", "cantilever"},
                    {"cells", {o.beam.nx, o.beam.ny, o.beam.nz}},
                    {"length", o.beam.length},
                    {"deform", o.deform}};
  put_system(record, o, s.beam.order, s);
  if (!s.cg) return record;
  at(record, field::tip_deflection) = s.deflection;
  at(record, field::beam_deflection) = s.theory.expected;
  at(record, field::comparison) = {
      {"against", "Timoshenko's beam"},
      {field::comparison_error.key(), s.theory.error},
      {"tolerance", s.theory.tolerance ? report::Json(*s.theory.tolerance) : report::Json(nullptr)},
      {"passed", s.theory.tolerance ? report::Json(!s.theory.failed()) : report::Json(nullptr)}};
  return record;
}

std::string what_was_wrong(const ElasticityOptions& o, int order, const elasticity::SystemResult& s) {
  const std::string where = fmt::format("order {}, {}", order, elasticity::name(s.method));
  if (!s.matrices_right())
    return fmt::format("{}: element matrices differ from the reference's by {:.3g} times the tolerance", where,
                       s.matrix_error);
  if (!s.breakdown.empty()) return fmt::format("{}: {}", where, s.breakdown);
  if (!s.cg) return "";
  return why_unconverged(*s.cg, o.cg.tolerance, o.cg.max_iterations, fmt::format("CG of order {}", order));
}

std::string what_was_wrong(const ElasticityOptions& o, const elasticity::BeamResult& s) {
  const std::string of_system = what_was_wrong(o, s.beam.order, s);
  if (!of_system.empty() || !s.theory.failed()) return of_system;
  return fmt::format("order {}, {}: the deflection differs from beam theory's by {:.2e} of it; {:.2e} can be right",
                     s.beam.order, elasticity::name(s.method), s.theory.error, *s.theory.tolerance);
}

report::Column run_column(const ElasticityOptions& o) {
  const auto text = [](int order, const std::string& variant) { return fmt::format("{} {}", order, variant); };
  return report::sized(
      {"order / kernel", [text](const report::Json& r) { return text(at(r, field::order), at(r, field::variant)); }},
      report::longest(o.runs(), [&](const auto& run) { return text(run.order, elasticity::name(run.method)); }));
}

std::string describe_multigrid(int order, const elasticity::SystemResult& s) {
  return fmt::format("  Multigrid of order {}, {}: {}{}", order, elasticity::name(s.method), describe(*s.hierarchy),
                     describe_fallback(s.single_breakdown));
}

std::vector<report::Column> matrix_columns(const ElasticityOptions& o) {
  using report::Json;
  const auto matrices = [](const Json& r) {
    return at(r, field::passed)
               ? fmt::format("{:.2g}", double(at(r, field::error)) / double(at(r, field::error_tolerance)))
               : std::string("WRONG");
  };
  const auto cg = [](const Json& r) {
    return value_at(r, field::verdict) == "broke down" ? std::string("BROKE DOWN") : report::of_phase("CG").text(r);
  };
  const auto dofs = [&](const ElasticityOptions::Run& run) {  // three of a node; those at x = 0 are clamped
    const std::int64_t p = run.order;
    return report::count(o.mesh ? std::int64_t(3 * elasticity::size_of(*o.mesh, run.order).nodes)
                                : 3 * (o.beam.nx * p) * (o.beam.ny * p + 1) * (o.beam.nz * p + 1));
  };
  return {run_column(o),
          report::counted(field::elements.as("prisms")),
          report::sized(report::counted(field::dofs), report::longest(o.runs(), dofs)),
          report::detail(report::counted(field::num_blocks)),
          report::detail({"matrices", matrices}),
          report::detail(report::of_phase("integration")),
          report::detail(report::of_phase("assembly")),
          report::expected(report::sized({"CG", cg}, report::time_width), !o.verify_only)};
}

std::vector<report::Column> product_columns(const ElasticityOptions& o) {
  return {report::detail(field::operator_s), report::expected(field::fraction_of_bound, !o.verify_only),
          report::detail(field::true_relative_residual)};
}

std::vector<report::Column> beam_columns(const ElasticityOptions& o) {
  using report::Json, report::expected;
  const auto limit = [](const Json& r) -> std::string {
    const Json comparison = value_at(r, field::comparison);
    if (comparison.is_null()) return "-";
    if (comparison["tolerance"].is_null()) return "none";
    return fmt::format("{:.1e}{}", double(comparison["tolerance"]), comparison["passed"] ? "" : " WRONG");
  };
  const bool solves = !o.verify_only;
  std::vector<report::Column> columns = matrix_columns(o);
  for (const report::Column& column : product_columns(o)) columns.push_back(column);
  columns.insert(columns.end(), {expected(field::tip_deflection, solves), expected(field::beam_deflection, solves),
                                 expected(field::comparison_error, solves), expected({"at most", limit}, solves),
                                 // last: a verdict is wider than its heading
                                 expected({"iterations", iterations_and_verdict}, solves)});
  return columns;
}

std::string beam_heading(const ElasticityOptions& o, const std::string& device) {
  return fmt::format(
      "Cantilever of {} x 1 x 1 m, {} x {} x {} cells of two prisms, E {:.4g} Pa, nu {:.4g}, a shear force of 1 N;\n"
      "{} precision, {}\nclamped at x = 0; CG with {}; \"matrices\": error / tolerance against the reference;\n{}"
      "deflection: mean over the loaded end; beam: Timoshenko's, how far both are apart, and how far a right answer "
      "may\n"
      "be, where theory says so (nu 0, deform 0, order 2 and above)\n",
      o.beam.length, o.beam.nx, o.beam.ny, o.beam.nz, o.young, o.poisson, name(o.precision),
      describe_world(o.ranks) + device, elasticity::name(o.preconditioner),
      o.verify_only ? "" : "\"% bound\": the least time of y = A x, by the memory's rate, of the time it takes\n");
}

}  // namespace miniapp::apps
