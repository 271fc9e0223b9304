// SPDX-License-Identifier: BSD-3-Clause
#include "apps/tensor/record.hpp"

#include "apps/frontend/record_parts.hpp"
#include "core/printable.hpp"
#include "runs/tensor/memory.hpp"

namespace miniapp::apps {
namespace {

using report::Json;

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json case_record(const TensorOptions& o, const tensor::Case& problem, const tensor::Variant& variant) {
  const tensor::Discretisation& d = problem.discretisation;
  return {{field::bp.key(), tensor::name(o.problem)},
          {"components", o.components},
          {field::order.key(), o.order},
          {field::elements.key(), o.elements()},
          {"mesh", o.mesh ? Json(printable(o.words.mesh)) : Json()},
          {"mesh_pieces", o.mesh ? Json(o.mesh_pieces) : Json()},
          {"mesh_order", o.mesh ? Json(o.mesh->curved.order) : Json()},
          {"scaled_jacobian", o.mesh ? Json(problem.scaled_jacobian) : Json()},
          {"box", o.mesh ? Json() : Json({o.nx, o.ny, o.nz})},
          {"lengths", o.weak ? Json(o.lengths) : Json()},
          {"mesh_map", o.mesh ? Json() : Json(name(o.mesh_map))},
          {"deform", !o.mesh && o.mesh_map == tensor::MeshMap::smooth ? Json(o.deform) : Json()},
          {"eps", !o.mesh && o.mesh_map == tensor::MeshMap::kershaw ? Json(o.eps) : Json()},
          {"coefficient", o.words.coefficient},
          {"source", text_or_null(o.words.source)},
          {"dirichlet", o.words.dirichlet},
          {"neumann", o.words.neumann},
          {"robin", o.words.robin},
          {"exact", text_or_null(o.words.exact)},
          {"lambda", o.lambda},
          {"boundary", name(o.boundary)},
          {"rhs", o.user.has_data() ? "given" : name(o.rhs)},
          {"preconditioner", name(o.preconditioner)},
          {"smoother", o.p_multigrid() ? Json(name(o.multigrid.smoother)) : Json()},
          {"smoother_degree", o.multigrid.degree > 0 ? Json(o.multigrid.degree) : Json()},
          {"preconditioner_asked", name(o.chosen ? tensor::Preconditioner::automatic : o.preconditioner)},
          {"cg", name(o.cg)},
          {"reorder", name(o.reorder)},
          {"assembly", o.assembly ? indirect::name(*o.assembly) : "fused"},
          {"reproducible", o.reproducible},
          {"tolerance", o.tolerance},
          {"max_iterations", o.max_iterations},
          {"repeat", o.repeat.times},
          {"verify_only", o.verify_only},
          {"no_solve", o.no_solve},
          {"precision", name(o.precision)},
          {field::dofs.key(), d.space.num_dofs()},
          {field::kernel.key(), tensor::name(variant.kernel)},
          {field::idea.key(), tensor::idea(variant.kernel, o.problem)},
          {field::geometry.key(), tensor::name(variant.geometry)}};
}

/// Rates of the kernel alone and the roofs that they are compared with.
void add_kernel(Json& record, const tensor::Case& problem, const tensor::KernelResult& r) {
  const double seconds = r.kernel.median, dofs = double(problem.discretisation.space.num_dofs());
  at(record, field::kernel_s) = report::to_json(r.kernel);
  at(record, field::kernel_gflops) = r.cost.flops / seconds * 1e-9;
  at(record, field::kernel_gdofs_local) = double(problem.discretisation.num_local()) / seconds * 1e-9;
  record["rates"]["kernel_gdofs"] = dofs / seconds * 1e-9;
  at(record, field::kernel_gbytes) = r.cost.bytes / seconds * 1e-9;
  at(record, field::copy_gbytes) = problem.roof.bandwidth * 1e-9;
  at(record, field::copied_bytes) = problem.roof.bytes;
  at(record, field::model_bytes) = r.cost.bytes;
  at(record, field::fraction_of_copy_roof) = problem.roof.time(r.cost) / seconds;
  // what a GPU reports: of its memory by the data sheet, and of its scratch
  const double peak = measure::peak_bandwidth(), scratch = measure::scratch_bandwidth();
  if (peak > 0) {
    at(record, field::peak_gbytes) = peak * 1e-9;
    at(record, field::fraction_of_peak_roof) = r.cost.bytes / seconds / peak;
  }
  if (scratch > 0 && r.scratch_bytes > 0) {
    at(record, field::scratch_gbytes) = scratch * 1e-9;
    at(record, field::fraction_of_scratch_roof) = r.scratch_bytes / seconds / scratch;
  }
  if (r.resources.threads == 0) return;
  Json& resources = record["result"]["resources"];
  resources["threads"] = r.resources.threads;
  at(record, field::team_scratch) = r.resources.scratch_bytes;
  if (r.resources.registers == 0) return;
  at(record, field::registers) = r.resources.registers;
  resources["local_bytes"] = r.resources.local_bytes;
  resources["teams_at_once"] = r.resources.teams_at_once;
  at(record, field::threads_at_once) = r.resources.occupancy;
}

/// What limits the operator with gather and scatter.
void add_bound(Json& record, double dofs, const tensor::KernelResult& r) {
  put_bound(record, r.work, r.limits, r.full.median);
  at(record, field::bound_gdofs) = dofs / double(at(record, field::bound_s)) * 1e-9;
}

double solve_seconds(const solver::CgResult& cg, double iteration) { return cg.iterations * iteration; }

}  // namespace

Json to_record(const Json& base, const TensorOptions& o, const tensor::Case& problem, const tensor::KernelResult& r) {
  const double dofs = double(problem.discretisation.space.num_dofs());
  Json record = base;
  record["case"] = case_record(o, problem, r.variant);
  put_ranks(record, r.of_ranks, o.partition);
  at(record, field::setup_s) = report::to_json(r.phases);
  if (const auto& times = r.geometry_times)
    record["timing"]["geometry_s"] = {{"stored", times->stored}, {"computed", times->computed}};
  record["verification"] = {{"against", "reference"},
                            {field::error.key(), r.verification.error},
                            {"tolerance", r.verification.limit},
                            {"passed", r.verification.passed()}};
  Json& result = record["result"];
  if (r.hierarchy) put(record, *r.hierarchy);
  if (!r.levels.empty())
    result["preconditioner"] = {{"orders", r.levels}, {"memory_bytes", static_cast<std::int64_t>(r.factors)}};
  if (o.chebyshev() && r.factors > 0)
    result["preconditioner"] = {{"memory_bytes", static_cast<std::int64_t>(r.factors)}};
  if (!r.level_s.empty()) result["preconditioner"]["level_s"] = r.level_s;
  if (!r.fallback.empty()) {
    result["single_breakdown"] = r.single_breakdown;
    result["fallback"] = r.fallback;
  }
  put_choice(result, r.predicted, r.given_up, r.without_room);
  if (r.lowest) record["case"]["lowest_order"] = name(*r.lowest);
  if (r.smoother_degree > 0) record["case"]["smoother_degree"] = r.smoother_degree;
  if (r.cg) at(record, field::applications) = r.cg->iterations * r.applications_per_iteration();
  if (r.known_l2_error) result["known_l2_error"] = *r.known_l2_error;
  if (r.jacobi)
    result["jacobi"] = {{"iterations", r.jacobi->iterations},
                        {"verdict", name(r.jacobi->verdict)},
                        {field::jacobi_solve_s.key(), solve_seconds(*r.jacobi, r.jacobi_iteration.median)}};
  if (!r.jacobi_breakdown.empty())
    result["jacobi"] = {{"iterations", nullptr}, {"verdict", "broke down"}, {field::jacobi_solve_s.key(), nullptr}};
  if (r.cg || !r.breakdown.empty()) {
    put(record, r.cg ? &*r.cg : nullptr);
    at(record, field::l2_error) = r.l2_error ? Json(*r.l2_error) : Json();
    if (r.h1_error) at(record, field::h1_error) = *r.h1_error;
  }
  if (r.iteration.repetitions > 0) {
    record["timing"]["cg_iteration_s"] = report::to_json(r.iteration);
    at(record, field::solve_s) = {{"min", solve_seconds(*r.cg, r.iteration.min)},
                                  {"median", solve_seconds(*r.cg, r.iteration.median)},
                                  {"max", solve_seconds(*r.cg, r.iteration.max)}};
    record["timing"]["preconditioner_s"] = r.preconditioner_s;
    at(record, field::cg_gdofs) = dofs / r.iteration.median * 1e-9;
    if (r.iteration.joules > 0) record["rates"]["cg_dofs_per_joule"] = dofs / r.iteration.joules;
  }
  if (r.plain_iteration.repetitions > 0) {
    record["timing"]["plain_cg_iteration_s"] = report::to_json(r.plain_iteration);
    at(record, field::plain_cg_gdofs) = dofs / r.plain_iteration.median * 1e-9;
  }
  if (r.full.repetitions == 0) return record;
  at(record, field::operator_s) = report::to_json(r.full);
  at(record, field::operator_gdofs) = dofs / r.full.median * 1e-9;
  at(record, field::operator_gbytes) = r.bytes / r.full.median * 1e-9;
  if (r.full.joules > 0) at(record, field::operator_dofs_per_joule) = dofs / r.full.joules;
  add_bound(record, dofs, r);
  if (r.kernel.repetitions > 0) add_kernel(record, problem, r);
  result["memory_bytes"] = static_cast<std::int64_t>(r.memory());
  put(record, tensor::memory_need(o, r.variant));
  return record;
}

}  // namespace miniapp::apps
