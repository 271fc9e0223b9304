// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>

#include "apps/elasticity/beam_report.hpp"
#include "apps/elasticity/body_report.hpp"
#include "apps/elasticity/options.hpp"
#include "apps/frontend/commands.hpp"
#include "apps/frontend/device_text.hpp"
#include "apps/frontend/printer.hpp"
#include "apps/frontend/progress.hpp"
#include "apps/frontend/record_parts.hpp"
#include "miniapp/measure/roofs.hpp"
#include "runs/elasticity/matrix_run.hpp"
#include "runs/elasticity/memory.hpp"
#include "runs/fastest.hpp"

namespace miniapp::apps {
namespace {

using elasticity::Method;
using elasticity::Plan;

/// The columns of the paper's tables 3 and 4.
std::vector<report::Column> plan_columns(const ElasticityOptions& o) {
  return {run_column(o),
          field::functions,
          field::points,
          field::threads,
          report::detail(field::parts),
          report::detail(field::blocks_per_thread),
          report::detail(field::elements_per_kernel),
          report::detail(field::elements_per_team),
          report::detail(field::input_bytes),
          report::detail(field::output_bytes)};
}

/// A time of all elements, in us per element; none where only matrices were verified.
report::Column per_element(const report::Field& field) {
  const auto text = [field](const Json& r) -> std::string {
    if (value_at(r, field::kernel_s).is_null()) return "-";
    const Json seconds = value_at(r, field);
    const double time = seconds.is_object() ? double(seconds["median"]) : seconds.is_null() ? 0. : double(seconds);
    return fmt::format("{:.4g}", 1e6 * time / double(at(r, field::elements)));
  };
  return report::sized({field.heading, text}, std::string("1.234e-05").size());
}

std::vector<report::Column> time_columns(const ElasticityOptions& o) {
  const bool times = !o.verify_only;
  return {run_column(o),
          field::elements,
          report::detail(field::batches_of_elements),
          report::detail(per_element(field::preparation)),
          report::detail(per_element(field::allocation)),
          report::detail(per_element(field::transfer_in)),
          per_element(field::kernel_s.as("kernel")),
          report::detail(per_element(field::transfer_out)),
          per_element(field::overlapped_s),
          report::expected(field::kernel_share, times),
          report::expected(field::kernel_gflops.as("performed", "{:.4g}"), times),
          report::detail(field::useful_gflops),
          report::expected(field::paper_gflops, times),
          report::detail(field::fraction_of_fma_roof),
          report::expected(field::fraction_of_bound, times),
          report::detail(field::fraction_of_write_roof),
          error_column()};
}

Json to_json(Method method, const Plan& plan) {
  const auto cut = [&](auto value) { return elasticity::of_paper(method) ? Json(value) : Json(nullptr); };
  return {{field::functions.key(), plan.num_functions},
          {field::points.key(), plan.num_points},
          {field::threads.key(), cut(plan.threads)},
          {field::parts.key(), cut(plan.parts)},
          {field::blocks_per_thread.key(), cut(plan.blocks_per_thread)},
          {field::elements_per_kernel.key(), plan.elements},
          {field::elements_per_team.key(), cut(plan.elements_per_team)},
          {field::input_bytes.key(), plan.input_bytes},
          {field::output_bytes.key(), plan.output_bytes}};
}

/// Rates that kernels are compared with.
struct Roofs {
  explicit Roofs(const ElasticityOptions& o)
      : copy(measure::copy_bandwidth(elasticity::copied_bytes)), fma(measure::fma_rate(o.precision)) {}
  /// The limits at the size of the matrices of a batch and what they are computed of.
  measure::Limits limits(const elasticity::MatrixResult& r) {
    const double bytes = std::min(r.work().bytes / double(r.batches), measure::most_copied());
    if (!memory.count(bytes)) memory[bytes] = measure::memory_rate(bytes);
    return {memory[bytes], fma / 2, 0};
  }
  double copy, fma;
  std::map<double, double> memory;  ///< (bytes): memory_rate() at that size [bytes/s]
};

std::vector<Printer::Block> blocks(const ElasticityOptions& o, const Roofs& roofs) {
  std::string heading = fmt::format(
      "Element matrices of prisms, {} precision, {}\nE {:.4g} Pa, nu {:.4g}{}; vertices moved by up to {:.3g}; "
      "matrices: {}\n\n",
      name(o.precision), describe_device(platform()), o.young, o.poisson,
      o.vary ? ", another material in each element" : "", o.deform, name(o.output));
  heading +=
      o.verify_only
          ? std::string("error / tolerance against the reference\n")
          : fmt::format(
                "us per element by phases, then with input on its way while kernels run, and the kernel's part of "
                "that and allocation;\nGFLOP/s of the kernel; \"paper\": 63 flops per block and point, whatever is "
                "done; \"% "
                "FMA\": flops done of {:.4g} GFLOP/s;\nbound: flops done by this rate, or bytes; \"% writes\" of half "
                "the copy "
                "roof, {:.4g} GB/s; error / tolerance against the reference\n",
                roofs.fma * 1e-9, roofs.copy / 2 * 1e-9);
  return {{heading, time_columns(o)}, {"\nPlan\n", plan_columns(o)}};
}

void add(Printer& printer, const ElasticityOptions& o, Roofs& roofs, const elasticity::MatrixResult& r) {
  const Plan& plan = r.plan;
  Json record = printer.base();
  record["case"] = {{field::order.key(), plan.order},
                    {field::variant.key(), elasticity::name(r.method)},
                    {"precision", name(o.precision)},
                    {field::elements.key(), r.elements},
                    {field::batches_of_elements.key(), r.batches},
                    {"young", o.young},
                    {"poisson", o.poisson},
                    {"vary", o.vary},
                    {"deform", o.deform},
                    {"output_matrices", name(o.output)}};
  record["verification"] = verification("reference", r.error);
  record["result"] = {{field::plan.key(), to_json(r.method, plan)}, {"resources", team_record(r.resources)}};
  put(record, memory_need(o, {plan.order, r.method}));
  if (r.kernel.median > 0) {
    const double kernel = r.kernel.median / double(r.elements), paper = elasticity::useful_flops(plan) / kernel;
    at(record, field::kernel_s) = report::to_json(r.kernel);
    record["timing"]["phases"] = report::to_json(r.phases);
    at(record, field::overlapped_s) = r.overlapped;
    record["rates"] = {{field::kernel_gflops.key(), r.performed_flops() / kernel * 1e-9},
                       {field::useful_gflops.key(), r.useful_flops() / kernel * 1e-9},
                       {"done_gflops", r.flops / kernel * 1e-9},
                       {field::paper_gflops.key(), paper * 1e-9},
                       {field::kernel_share.key(), r.kernel_share()},
                       {"kernel_us_per_element", 1e6 * kernel}};
    record["roofs"] = {{field::copy_gbytes.key(), roofs.copy * 1e-9},
                       {field::fma_gflops.key(), roofs.fma * 1e-9},
                       {field::fraction_of_fma_roof.key(), r.flops / kernel / roofs.fma},
                       {field::fraction_of_write_roof.key(), 2 * o.matrix_bytes(plan.order) / kernel / roofs.copy}};
    put_bound(record, r.work(), roofs.limits(r), r.kernel.median);
  }
  printer.add(record, why_wrong(fmt::format("--kernel {}, order {}", elasticity::name(r.method), plan.order),
                                "reference", r.error));
}

/// The plan for a device that is not here.
void print_plan(const ElasticityOptions& o) {
  report::Rows rows(plan_columns(o), o.wide);
  for (const int order : o.orders)
    for (const Method method : o.methods)
      if (elasticity::of_paper(method))
        rows.add({{"case", {{field::order.key(), order}, {field::variant.key(), elasticity::name(method)}}},
                  {"result",
                   {{field::plan.key(),
                     to_json(method, elasticity::make_plan(order, o.limits, elasticity::variant_of(method), o.precision,
                                                           o.elements))}}}});
  std::cout << "Plan for " << o.limits.name << '\n' << rows;
}

/// With `automatic` only the fastest of an order is reported, and all that are wrong.
void run_matrices(const ElasticityOptions& o, Printer& printer) {
  Roofs roofs(o);
  printer.begin(blocks(o, roofs));
  for (const int order : o.orders) {
    measure::Fastest<elasticity::MatrixResult> fastest;
    for (const Method method : o.methods) {
      if (const std::string reason = elasticity::why_not(method, order); !reason.empty()) {
        printer.note(fmt::format("  Skipped {} {}: {}", order, elasticity::name(method), reason));
        continue;
      }
      printer.next(fmt::format("order {}, {}", order, elasticity::name(method)));
      const elasticity::MatrixResult result = elasticity::run_matrices(o, order, method);
      if (!o.automatic || !result.passed())
        add(printer, o, roofs, result);
      else
        fastest.offer(result, result.kernel.median);
    }
    if (const auto result = fastest.take()) add(printer, o, roofs, *result);
  }
}

/// Calls run(settings, order, method) for each, with progress of CG.
template <class Run>
void for_all_runs(const ElasticityOptions& o, Printer& printer, const Run& run) {
  elasticity::BeamSettings settings = o;
  for (const auto& [order, method] : o.runs()) {
    const std::string what = fmt::format("order {}, {}", order, elasticity::name(method));
    printer.next(what);
    if (printer.shows_progress())
      settings.cg.progress = [&](int iteration, double residual) {
        tell_residual(residual, settings.cg.tolerance);
        if (iteration % 100 == 0)
          printer.progress(fmt::format("{}: CG iteration {}, residual {:.1e}", what, iteration, residual));
      };
    run(settings, order, method);
  }
}

/// Adds a record with what its system has to say.
void add_system(const ElasticityOptions& o, Printer& printer, int order, const Json& record,
                const elasticity::SystemResult& result, const std::string& wrong) {
  printer.add(record, wrong);
  if (!o.ranks.is_alone()) printer.note(fmt::format("  ranks, order {}: {}", order, describe_ranks(record, "product")));
  if (result.hierarchy) printer.note(describe_multigrid(order, result));
}

/// Says before the work what may take long.
void warn(const ElasticityOptions& o, double elongation, double poisson, Printer& printer) {
  if (!elasticity::is_hard(o.preconditioner, elongation, poisson) || o.verify_only) return;
  const bool is_amg = o.preconditioner == elasticity::ElasticPreconditioner::amg;
  printer.print(fmt::format(
      "Edges of a prism up to {:.3g} times as long as others of it, nu up to {:.6g}: CG with {} may take more "
      "iterations than there are unknowns{} (docs/verdicts.md)\n",
      elongation, poisson, elasticity::name(o.preconditioner), is_amg ? "" : ", with amg fewer"));
}

void solve_cantilevers(const ElasticityOptions& o, Printer& printer) {
  warn(o, elasticity::elongation(o.beam), o.poisson, printer);
  printer.begin({{beam_heading(o, printer.base()["device"]), beam_columns(o)}});
  for_all_runs(o, printer, [&](const elasticity::BeamSettings& settings, int order, Method method) {
    const elasticity::BeamResult result = elasticity::run_beam(settings, order, method);
    add_system(o, printer, order, to_record(printer.base(), o, result), result, what_was_wrong(o, result));
  });
}

/// u, the residual and the support's forces at the nodes, with von Mises' stress of elements. Returns what it did.
std::string write_fields(const ElasticityOptions& o, const elasticity::BodyFields& fields) {
  return write_solution(o.solution, o.ranks, [&] {
    std::vector<space::CellField> cells{{"von_mises", fields.stress}};
    if (!o.ranks.is_alone()) cells.push_back({"rank", std::vector<double>(o.mesh->num_elements(), o.ranks.rank())});
    return space::vtu(*o.mesh, fields.space,
                      {{"u", fields.u, 3}, {"residual", fields.residual, 3}, {"support", fields.support, 3}}, cells, {},
                      o.solution.compress);
  });
}

void solve_bodies(const ElasticityOptions& o, Printer& printer) {
  double poisson = o.poisson;
  for (const elasticity::Material& material : o.body.of_groups) poisson = std::max(poisson, material.poisson);
  warn(o, elasticity::elongation(*o.mesh), poisson, printer);
  printer.begin({{body_heading(o, printer.base()["device"]), body_columns(o)}});
  for_all_runs(o, printer, [&](const elasticity::BeamSettings& settings, int order, Method method) {
    const elasticity::BodyResult result = elasticity::run_body(settings, o.body, *o.mesh, order, method);
    add_system(o, printer, order, to_record(printer.base(), o, result), result, what_was_wrong(o, result));
    if (!result.cg) return;
    printer.note(describe_balance(result));
    if (!o.solution.file.empty()) printer.note(write_fields(o, result.fields));
  });
}

void run_elasticity(const ElasticityOptions& o, const std::string& command_line, const Options&) {
  if (o.plan_only) return print_plan(o);
  within_memory(memory_need(o), describe_size(o), [&] {
    Printer printer("elasticity", command_line, o);
    printer.expect(o.runs().size());
    if (o.mesh)
      solve_bodies(o, printer);
    else if (o.solve)
      solve_cantilevers(o, printer);
    else
      run_matrices(o, printer);
    printer.end();
    printer.finish();
  });
}

}  // namespace

Command add_elasticity_command(Options& options) { return make_command<ElasticityArguments>(options, run_elasticity); }

}  // namespace miniapp::apps
