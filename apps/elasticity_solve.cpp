// SPDX-License-Identifier: BSD-3-Clause
#include "elasticity_solve.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <iostream>
#include <optional>

#include "miniapp/core/error.hpp"
#include "miniapp/measure/stopwatch.hpp"
#include "miniapp/report/record.hpp"
#include "miniapp/report/table.hpp"
#include "miniapp/solver/elastic_assembly.hpp"

namespace miniapp::apps {
namespace {

using elasticity::Method;
using report::Json;

/// What came of one order and method.
struct Solved {
  Method method;
  solver::Cantilever beam;
  std::int64_t elements = 0, dofs = 0, blocks = 0;
  solver::CgResult cg;
  double deflection = 0;
  measure::Phases phases;
};

template <class Real>
Solved solve_one(const ElasticityOptions& o, int order, Method method) {
  Solved result;
  result.method = method;
  result.beam = o.beam;
  result.beam.order = order;
  measure::Phases& phases = result.phases;
  const mesh::Mesh mesh = phases.time("mesh", [&] { return solver::make_mesh(result.beam); });
  const auto numbering = phases.time("numbering", [&] { return solver::make_numbering(result.beam, mesh); });
  solver::BlockMatrix<Real> matrix = phases.time("pattern", [&] {
    const std::size_t nodes = numbering.num_nodes;
    return solver::BlockMatrix<Real>(solver::make_block_pattern(numbering.element_to_node, nodes),
                                     numbering.element_to_node);
  });
  auto batches = phases.time("allocation", [&] {
    return solver::ElementBatches<Real>(elasticity::make_prisms(mesh, o.young, o.poisson), order, {method});
  });
  for (std::size_t b = 0; b < batches.size(); ++b) {
    phases.time("integration", [&] { batches.integrate(b); });
    phases.time("assembly", [&] { batches.add_to(matrix, b); });
  }
  const std::vector<double> load = phases.time("load", [&] { return solver::make_load(result.beam, mesh, numbering); });
  const Vector<Real> b = to_device<Real>("load", load), u = make_vector<Real>("u", load.size());
  result.cg = phases.time("CG", [&] { return solver::solve<Real>(matrix, o.preconditioner, b, u, o.cg); });
  const auto host = to_host(convert<double>(u));
  result.elements = static_cast<std::int64_t>(mesh.num_elements());
  result.dofs = numbering.num_dofs();
  result.blocks = matrix.num_blocks();
  result.deflection = solver::tip_deflection(result.beam, mesh, numbering, {host.data(), host.data() + host.extent(0)});
  return result;
}

/// The matrix is the same whatever computes it: `auto` takes what is fast on hosts and GPUs alike.
std::vector<Method> methods_for(const ElasticityOptions& o, int order) {
  if (!o.automatic) return o.methods;
  for (const Method method : {order < 3 ? Method::products : Method::split, Method::products})
    if (elasticity::why_not(method, order).empty()) return {method};
  return {Method::reg_jac};
}

Json to_record(const Json& base, const ElasticityOptions& o, const Solved& s) {
  const double expected = solver::beam_deflection(s.beam);
  Json record = base;
  record["case"] = {{"problem", "cantilever"},
                    {"order", s.beam.order},
                    {"variant", elasticity::name(s.method)},
                    {"precision", o.precision == elasticity::Precision::fp64 ? "double" : "single"},
                    {"elements", s.elements},
                    {"dofs", s.dofs},
                    {"cells", {o.beam.nx, o.beam.ny, o.beam.nz}},
                    {"length", o.beam.length},
                    {"young", o.young},
                    {"poisson", o.poisson},
                    {"deform", o.deform},
                    {"preconditioner", solver::name(o.preconditioner)}};
  record["verification"] = {{"against", "Timoshenko's beam"},
                            {"error", std::fabs(s.deflection / expected - 1)},
                            {"tolerance", nullptr},
                            {"passed", s.cg.converged()}};
  record["result"] = {
      {"blocks", s.blocks},          {"iterations", s.cg.iterations},    {"relative_residual", s.cg.relative_residual},
      {"converged", s.cg.converged()}, {"tip_deflection_m", s.deflection}, {"beam_deflection_m", expected}};
  record["timing"]["setup_s"] = report::to_json(s.phases);
  return record;
}

}  // namespace

int solve_cantilevers(const ElasticityOptions& o, const std::string& command_line) {
  const report::RecordFile file(o.json);
  const Json base = report::make_record("elasticity", command_line);
  report::Table table({"order / variant", "prisms", "dofs", "blocks", "integration", "assembly", "CG", "iterations",
                       "residual", "deflection m", "beam m", "ratio"});
  std::string wrong;
  for (const int order : o.orders) {
    for (const Method method : methods_for(o, order)) {
      if (!elasticity::why_not(method, order).empty()) continue;
      if (isatty(STDERR_FILENO) && !o.quiet)
        std::cerr << fmt::format("\r  order {}, {:<12}\r", order, elasticity::name(method)) << std::flush;
      const Solved s = o.precision == elasticity::Precision::fp64 ? solve_one<double>(o, order, method)
                                                                  : solve_one<float>(o, order, method);
      const double expected = solver::beam_deflection(s.beam);
      table.add({fmt::format("{} {}", order, elasticity::name(method)), report::count(s.elements),
                 report::count(s.dofs), report::count(s.blocks), report::seconds(s.phases.of("integration")),
                 report::seconds(s.phases.of("assembly")), report::seconds(s.phases.of("CG")),
                 fmt::format("{}{}", s.cg.iterations, s.cg.converged() ? "" : " NOT CONVERGED"),
                 fmt::format("{:.1e}", s.cg.relative_residual), fmt::format("{:.6g}", s.deflection),
                 fmt::format("{:.6g}", expected), fmt::format("{:.6f}", s.deflection / expected)});
      file.append(to_record(base, o, s));
      if (!s.cg.converged() && wrong.empty())
        wrong = fmt::format("--max-iterations {}: CG of order {} came to a residual of {:.1e}, not {:.1e}",
                            o.cg.max_iterations, order, s.cg.relative_residual, o.cg.tolerance);
    }
  }
  std::cout
      << fmt::format(
             "Cantilever of {} x 1 x 1 m, {} x {} x {} cells of two prisms, E {:.4g} Pa, nu {:.4g}, a shear force "
             "of 1 N; {} precision, {}\nclamped at x = 0; CG with {}; deflection: mean over the loaded end, "
             "beam: Timoshenko's\n",
             o.beam.length, o.beam.nx, o.beam.ny, o.beam.nz, o.young, o.poisson,
             o.precision == elasticity::Precision::fp64 ? "double" : "single", base["device"].get<std::string>(),
             solver::name(o.preconditioner))
      << table;
  if (!wrong.empty()) throw ResultError(wrong);
  return 0;
}

}  // namespace miniapp::apps
