// SPDX-License-Identifier: BSD-3-Clause
#include "beam_report.hpp"

#include <fmt/format.h>

#include "elasticity_memory.hpp"
#include "miniapp/core/session.hpp"
#include "report/table.hpp"

namespace miniapp::apps {

report::Json to_record(const report::Json& base, const ElasticityOptions& o, const BeamResult& s) {
  report::Json record = base;
  record["case"] = {{"problem", "cantilever"},
                    {"order", s.beam.order},
                    {"variant", elasticity::name(s.method)},
                    {"precision", name(o.precision)},
                    {"elements", s.elements},
                    {"dofs", s.dofs},
                    {"cells", {o.beam.nx, o.beam.ny, o.beam.nz}},
                    {"length", o.beam.length},
                    {"young", o.young},
                    {"poisson", o.poisson},
                    {"deform", o.deform},
                    {"preconditioner", elasticity::name(o.preconditioner)},
                    {"tolerance", o.cg.tolerance},
                    {"max_iterations", o.cg.max_iterations},
                    {"repeat", o.repeat},
                    {"verify_only", o.verify_only}};
  record["verification"] = {{"against", "reference"},
                            {"error", s.matrix_error * s.matrix_tolerance},
                            {"tolerance", s.matrix_tolerance},
                            {"passed", s.matrices_right()}};
  record["timing"]["setup_s"] = report::to_json(s.phases);
  report::Json& result = record["result"];
  result = {{"blocks", s.blocks},
            {"expected_bytes", static_cast<std::int64_t>(beam_need(o, s.beam.order).total())},
            {"peak_bytes", peak_resident_memory()}};
  if (s.cg || !s.breakdown.empty())
    for (const char* key : {"iterations", "relative_residual", "true_relative_residual", "floor", "replacements"})
      result[key] = nullptr;
  if (!s.breakdown.empty()) {
    result["verdict"] = "broke down";
    result["converged"] = false;
  }
  if (!s.cg) return record;
  result["iterations"] = s.cg->iterations;
  result["relative_residual"] = s.cg->relative_residual;
  result["true_relative_residual"] = s.cg->true_relative_residual;
  result["floor"] = s.cg->floor;
  result["replacements"] = s.cg->replacements;
  result["verdict"] = solver::name(s.cg->verdict);
  result["converged"] = s.cg->converged();
  result["tip_deflection_m"] = s.deflection;
  result["beam_deflection_m"] = s.theory.expected;
  result["comparison"] = {{"against", "Timoshenko's beam"},
                          {"error", s.theory.error},
                          {"tolerance", s.theory.tolerance ? report::Json(*s.theory.tolerance) : report::Json(nullptr)},
                          {"passed", s.theory.tolerance ? report::Json(!s.theory.failed()) : report::Json(nullptr)}};
  record["timing"]["operator_s"] = report::to_json(s.apply);
  const double rate = s.model_bytes / s.apply.median;
  record["rates"] = {{"operator_gbytes", rate * 1e-9}, {"operator_gdofs", double(s.dofs) / s.apply.median * 1e-9}};
  if (s.iteration.median > 0) {
    record["timing"]["cg_iteration_s"] = report::to_json(s.iteration);
    record["rates"]["cg_gdofs"] = double(s.dofs) / s.iteration.median * 1e-9;
  }
  record["roofs"] = {{"copy_gbytes", s.roof.bandwidth * 1e-9},
                     {"copied_bytes", s.roof.bytes},
                     {"model_bytes", s.model_bytes},
                     {"fraction_of_copy_roof", rate / s.roof.bandwidth}};
  return record;
}

std::string what_was_wrong(const ElasticityOptions& o, const BeamResult& s) {
  const std::string where = fmt::format("order {}, {}", s.beam.order, elasticity::name(s.method));
  if (!s.matrices_right())
    return fmt::format("{}: element matrices differ from the reference's by {:.3g} times the tolerance", where,
                       s.matrix_error);
  if (!s.breakdown.empty()) return fmt::format("{}: {}", where, s.breakdown);
  if (!s.cg) return "";
  if (!s.cg->converged() && s.cg->iterations < o.cg.max_iterations)
    return fmt::format(
        "--tolerance {:.1e}: CG of order {} stagnated at |b - A x| = {:.1e} |b|, where rounding leaves "
        "about {:.1e}",
        o.cg.tolerance, s.beam.order, s.cg->true_relative_residual, s.cg->floor);
  if (!s.cg->converged())
    return fmt::format("--max-iterations {}: CG of order {} came to |b - A x| = {:.1e} |b|, not {:.1e}",
                       o.cg.max_iterations, s.beam.order, s.cg->true_relative_residual, o.cg.tolerance);
  if (s.theory.failed())
    return fmt::format("{}: the deflection differs from beam theory's by {:.2e} of it; {:.2e} can be right", where,
                       s.theory.error, *s.theory.tolerance);
  return "";
}

std::vector<std::string> beam_columns() {
  return {"order / variant", "prisms",   "dofs",         "blocks", "matrices", "integration", "assembly", "CG",
          "iterations",      "residual", "deflection m", "beam m", "apart",    "at most"};
}

std::vector<std::string> beam_row(const BeamResult& s) {
  std::vector<std::string> cells = {fmt::format("{} {}", s.beam.order, elasticity::name(s.method)),
                                    report::count(s.elements),
                                    report::count(s.dofs),
                                    report::count(s.blocks),
                                    s.matrices_right() ? fmt::format("{:.2g}", s.matrix_error) : "WRONG",
                                    report::seconds(s.phases.of("integration")),
                                    report::seconds(s.phases.of("assembly"))};
  if (!s.breakdown.empty()) cells.push_back("BROKE DOWN");
  if (s.cg) {
    const std::string verdict = s.cg->verdict == solver::Verdict::unconverged ? " NOT CONVERGED"
                                : s.cg->verdict == solver::Verdict::stagnated ? " stagnated"
                                                                              : "";
    const std::string limit =
        s.theory.tolerance ? fmt::format("{:.1e}{}", *s.theory.tolerance, s.theory.failed() ? " WRONG" : "") : "none";
    cells.insert(cells.end(), {report::seconds(s.phases.of("CG")), fmt::format("{}{}", s.cg->iterations, verdict),
                               fmt::format("{:.1e}", s.cg->true_relative_residual), fmt::format("{:.6g}", s.deflection),
                               fmt::format("{:.6g}", s.theory.expected), fmt::format("{:.1e}", s.theory.error), limit});
  }
  cells.resize(beam_columns().size(), "-");
  return cells;
}

std::string beam_heading(const ElasticityOptions& o, const std::string& device) {
  return fmt::format(
      "Cantilever of {} x 1 x 1 m, {} x {} x {} cells of two prisms, E {:.4g} Pa, nu {:.4g}, a shear force "
      "of 1 N; {} precision, {}\nclamped at x = 0; CG with {}; \"matrices\": error of the tolerance against the "
      "reference; deflection: mean over the loaded end,\nbeam: Timoshenko's, how far both are apart, and how far a "
      "right answer may be, where theory says so (nu 0, deform 0, order 2 and above)\n",
      o.beam.length, o.beam.nx, o.beam.ny, o.beam.nz, o.young, o.poisson, name(o.precision), device,
      elasticity::name(o.preconditioner));
}

}  // namespace miniapp::apps
