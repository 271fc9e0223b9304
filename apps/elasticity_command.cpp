// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <iostream>

#include "commands.hpp"
#include "device_text.hpp"
#include "elasticity_memory.hpp"
#include "elasticity_run.hpp"
#include "elasticity_solve.hpp"
#include "interrupt.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/core/session.hpp"
#include "miniapp/measure/roofs.hpp"
#include "progress.hpp"
#include "report/record.hpp"
#include "report/table.hpp"

namespace miniapp::apps {
namespace {

using elasticity::Method;
using elasticity::Plan;
using report::Json;

constexpr double mib = 1024 * 1024;

bool of_paper(Method method) { return method != Method::products && method != Method::split; }

/// The columns of the paper's tables 3 and 4.
std::vector<std::string> plan_header() {
  return {"order / variant",   "functions",           "points",   "threads",   "parts",
          "blocks per thread", "elements per kernel", "per team", "input MiB", "output MiB"};
}
std::vector<std::string> plan_row(Method method, const Plan& plan) {
  const auto cut = [&](auto value) { return of_paper(method) ? fmt::format("{}", value) : std::string("-"); };
  return {fmt::format("{} {}", plan.order, elasticity::name(method)),
          std::to_string(plan.num_functions),
          std::to_string(plan.num_points),
          cut(plan.threads),
          cut(plan.parts),
          cut(plan.blocks_a_thread),
          std::to_string(plan.elements),
          cut(plan.elements_a_team),
          fmt::format("{:.3g}", double(plan.input_bytes) / mib),
          fmt::format("{:.4g}", double(plan.output_bytes) / mib)};
}

/// What the page and the records of a run share.
class Report {
 public:
  Report(const ElasticityOptions& o, const std::string& command_line)
      : o_(o), file_(o.json), base_(report::make_record("elasticity", command_line)) {
    copy_ = measure::copy_bandwidth(copied_bytes);
    fma_ = o.precision == Precision::fp64 ? measure::fma_rate<double>() : measure::fma_rate<float>();
  }

  void add(const ElasticityResult& r) {
    const auto held = hold_rows();
    const Plan& plan = r.plan;
    ++rows_;
    plans_.add(plan_row(r.method, plan));
    const double elements = double(r.elements), kernel = r.kernel.median / elements;
    const auto each = [&](const std::string& phase) {
      return fmt::format("{:.4g}", 1e6 * r.phases.of(phase) / elements);
    };
    const auto rate = [&](double flops) { return kernel > 0 ? fmt::format("{:.4g}", flops / kernel * 1e-9) : "-"; };
    const double performed = performed_flops_of(r), written = o_.matrix_bytes(plan.order);
    times_.add({fmt::format("{} {}", plan.order, elasticity::name(r.method)), std::to_string(r.elements),
                std::to_string(r.batches), each("preparation"), each("allocation"), each("transfer in"),
                fmt::format("{:.4g}", 1e6 * kernel), each("transfer out"),
                fmt::format("{:.4g}", 1e6 * r.overlapped / elements), fmt::format("{:.1f}", 100 * r.kernel_share()),
                rate(performed), rate(useful_flops_of(r)), rate(elasticity::useful_flops(plan)),
                kernel > 0 ? fmt::format("{:.1f}", 100 * elasticity::useful_flops(plan) / kernel / fma_) : "-",
                kernel > 0 ? fmt::format("{:.1f}", 100 * 2 * written / kernel / copy_) : "-",
                r.passed() ? fmt::format("{:.2g}", r.error) : "WRONG"});
    if (!r.passed() && wrong_.empty())
      wrong_ = fmt::format("--variant {}, order {}: differs from the reference by {:.3g} times the tolerance",
                           elasticity::name(r.method), plan.order, r.error);
    file_.append(record(r));
  }

  void skip(const std::string& reason) {
    const auto held = hold_rows();
    skipped_ += "  Skipped " + reason + "\n";
  }

  int rows() const { return rows_; }

  /// Errors: ResultError where something was wrong.
  void print() const {
    std::cout
        << fmt::format(
               "Element matrices of prisms, {} precision, {}\nE {:.4g} Pa, nu {:.4g}{}; vertices moved by "
               "up to {:.3g}; matrices: {}\n\nPlan\n",
               name(o_.precision), describe_device(platform()), o_.young, o_.poisson,
               o_.vary ? ", another material in each element" : "", o_.deform, name(o_.output))
        << plans_
        << fmt::format(
               "\nus per element by phases, then with input on its way while kernels run, and the kernel's part of "
               "that and allocation;\nGFLOP/s of the kernel; \"paper\": 63 flops per block and point, "
               "whatever is done; \"% FMA\" of {:.4g} GFLOP/s in paper flops,\n\"% writes\" of half "
               "the copy roof, {:.4g} GB/s; error / tolerance against the reference\n",
               fma_ * 1e-9, copy_ / 2 * 1e-9)
        << times_ << skipped_;
    if (!wrong_.empty()) throw ResultError(wrong_);
  }

 private:
  /// The paper's count for its variants, those beyond the matrix included; others as they are done.
  static double performed_flops_of(const ElasticityResult& r) {
    return of_paper(r.method) ? elasticity::performed_flops(r.plan) : r.flops;
  }
  static double useful_flops_of(const ElasticityResult& r) {
    return of_paper(r.method) ? elasticity::useful_flops(r.plan) : r.flops;
  }

  Json record(const ElasticityResult& r) const {
    const Plan& plan = r.plan;
    Json record = base_;
    record["case"] = {{"order", plan.order},
                      {"variant", elasticity::name(r.method)},
                      {"precision", name(o_.precision)},
                      {"elements", r.elements},
                      {"batches", r.batches},
                      {"young", o_.young},
                      {"poisson", o_.poisson},
                      {"vary", o_.vary},
                      {"deform", o_.deform},
                      {"output_matrices", name(o_.output)}};
    record["verification"] = {{"against", "reference"}, {"error_of_tolerance", r.error}, {"passed", r.passed()}};
    record["result"]["plan"] = {{"functions", plan.num_functions},
                                {"points", plan.num_points},
                                {"threads", of_paper(r.method) ? Json(plan.threads) : Json(nullptr)},
                                {"parts", of_paper(r.method) ? Json(plan.parts) : Json(nullptr)},
                                {"blocks_a_thread", of_paper(r.method) ? Json(plan.blocks_a_thread) : Json(nullptr)},
                                {"elements_a_kernel", plan.elements},
                                {"elements_a_team", of_paper(r.method) ? Json(plan.elements_a_team) : Json(nullptr)},
                                {"input_bytes", plan.input_bytes},
                                {"output_bytes", plan.output_bytes}};
    record["result"]["resources"] = {{"threads", r.resources.threads},
                                     {"scratch_bytes", r.resources.scratch_bytes},
                                     {"registers", r.resources.registers},
                                     {"local_bytes", r.resources.local_bytes},
                                     {"occupancy", r.resources.occupancy}};
    record["result"]["expected_bytes"] = static_cast<std::int64_t>(matrices_need(o_, plan.order, r.method).total());
    record["result"]["peak_bytes"] = peak_resident_memory();
    if (r.kernel.median <= 0) return record;
    const double kernel = r.kernel.median / double(r.elements);
    record["timing"] = {
        {"kernel_s", report::to_json(r.kernel)}, {"phases", report::to_json(r.phases)}, {"overlapped_s", r.overlapped}};
    record["rates"] = {{"kernel_gflops", performed_flops_of(r) / kernel * 1e-9},
                       {"useful_gflops", useful_flops_of(r) / kernel * 1e-9},
                       {"paper_gflops", elasticity::useful_flops(plan) / kernel * 1e-9},
                       {"kernel_share", r.kernel_share()},
                       {"kernel_us_an_element", 1e6 * kernel}};
    record["roofs"] = {{"copy_gbytes", copy_ * 1e-9},
                       {"fma_gflops", fma_ * 1e-9},
                       {"fraction_of_fma_roof", elasticity::useful_flops(plan) / kernel / fma_},
                       {"fraction_of_write_roof", 2 * o_.matrix_bytes(plan.order) / kernel / copy_}};
    return record;
  }

  const ElasticityOptions& o_;
  report::RecordFile file_;
  Json base_;
  double copy_ = 0, fma_ = 0;
  report::Table plans_{plan_header()};
  report::Table times_{{"order / variant", "elements", "batches", "prepare", "allocate", "in", "kernel", "out",
                        "overlapped", "kernel %", "performed", "useful", "paper", "% FMA", "% writes", "error"}};
  int rows_ = 0;
  std::string skipped_, wrong_;
};

template <class Real>
void run_order(const ElasticityOptions& o, int order, Progress& progress, Report& report) {
  const ElasticityRun<Real> run(o, order);
  std::optional<ElasticityResult> best;
  for (const Method method : o.methods) {
    const std::string reason = elasticity::why_not(method, order);
    if (!reason.empty()) {
      report.skip(fmt::format("{} {}: {}", order, elasticity::name(method), reason));
      continue;
    }
    progress.next(fmt::format("order {}, {}", order, elasticity::name(method)));
    const ElasticityResult result = run.run(method);
    if (!o.automatic || !result.passed())
      report.add(result);
    else if (!best || result.kernel.median < best->kernel.median)
      best = result;
  }
  if (best) report.add(*best);
}

/// The plan for a device that is not here.
void print_plan(const ElasticityOptions& o) {
  report::Table table(plan_header());
  for (const int order : o.orders)
    for (const Method method : o.methods)
      if (of_paper(method))
        table.add(plan_row(method, elasticity::make_plan(order, o.limits, elasticity::variant_of(method), o.precision,
                                                         o.elements_of(order))));
  std::cout << "Plan for " << o.limits.name << '\n' << table;
}

int run_elasticity(const ElasticityOptions& o, const std::string& command_line) {
  if (o.plan_only) {
    print_plan(o);
    return 0;
  }
  if (o.solve) return solve_cantilevers(o, command_line);
  Report report(o, command_line);
  PrintedOnSignal rows([&] {
    if (report.rows() > 0) report.print();
    return report.rows() > 0;
  });
  std::size_t runs = 0;
  for (const int order : o.orders)
    for (const Method method : o.methods) runs += elasticity::why_not(method, order).empty();
  Progress progress(runs, o.quiet);
  for (const int order : o.orders) {
    if (o.precision == Precision::fp64)
      run_order<double>(o, order, progress, report);
    else
      run_order<float>(o, order, progress, report);
  }
  rows.release();
  progress.clear();
  report.print();
  return 0;
}

}  // namespace

Command add_elasticity_command(Options& options) {
  const auto arguments = std::make_shared<ElasticityArguments>();
  add_options(options, *arguments);
  return [arguments, &options](const std::string& command_line) -> Work {
    return [checked = check(*arguments, options), command_line] {
      return within_memory(checked.plan_only ? MemoryNeed() : memory_need(checked), describe_size(checked),
                           [&] { return run_elasticity(checked, command_line); });
    };
  };
}

}  // namespace miniapp::apps
