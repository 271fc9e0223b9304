// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>

#include <cmath>

#include "cg_report.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/core/session.hpp"
#include "miniapp/measure/roofs.hpp"
#include "miniapp/solver/fused_cg.hpp"
#include "miniapp/solver/jacobi.hpp"
#include "miniapp/tensor/assembled_operator.hpp"
#include "miniapp/tensor/verification.hpp"
#include "printer.hpp"
#include "tensor_case.hpp"
#include "tensor_memory.hpp"

namespace miniapp::apps {

/// Results of one kernel.
struct KernelOutcome {
  std::string wrong;  ///< empty where nothing was
  Json record;
  report::Page page;
};

/// One kernel on a case: set up, verified, used by CG, timed; in that order, up to the first step that is wrong.
template <class Real>
class KernelRun {
 public:
  KernelRun(const TensorOptions& options, const TensorCase& problem, const tensor::Variant& variant, Json record,
            Printer& printer)
      : printer_(printer),
        o_(options),
        case_(problem),
        variant_(variant),
        record_(std::move(record)),
        page_("Kernel " + tensor::name(variant)) {}

  /// Set up, verify, solve, measure.
  KernelOutcome run() {
    const auto& d = case_.discretisation;
    measure::Phases phases = case_.phases;
    op_ = phases.time("kernel", [&] { return tensor::make_operator<Real>(variant_, d); });
    if (o_.assembly)
      op_ = phases.time("assembly", [&] {
        indirect::PlanOptions plan{*o_.assembly, 256};
        return std::make_unique<tensor::AssembledOperator<Real>>(std::move(op_), plan);
      });
    if (o_.jacobi()) diagonal_ = phases.time("jacobi", [&] { return case_.reference.diagonal(); });
    describe_case(phases);

    const tensor::Verification verification = tensor::verify(*op_, case_.reference, d);
    page_.add("verified", fmt::format("error {:.1e} against the reference, at most {:.1e}: {}", verification.error,
                                      verification.limit, verification.passed() ? "right" : "WRONG"));
    record_["verification"] = {{"against", "reference"},
                               {"error", verification.error},
                               {"tolerance", verification.limit},
                               {"passed", verification.passed()}};
    std::string wrong;
    if (!verification.passed()) {
      wrong = fmt::format("--kernel {}: error {:.1e} against the reference, at most {:.1e} is right",
                          tensor::name(variant_.kernel), verification.error, verification.limit);
    } else if (!o_.verify_only) {
      if (!o_.no_solve) wrong = solve();
      measure_kernel();
      describe_memory();
    }
    return {wrong, record_, page_};
  }

 private:
  void describe_case(const measure::Phases& phases) {
    page_.add("idea", tensor::idea(variant_.kernel, o_.problem));
    page_.add("geometry", variant_.geometry == tensor::Geometry::computed
                              ? "computed from the vertices of trilinear elements"
                              : "stored factors of every point");
    if (o_.assembly)
      page_.add("assembly", fmt::format("from E-vectors, {}, as miniapp indirect", indirect::name(*o_.assembly)));
    std::string text;
    for (const auto& [phase, seconds] : phases.seconds())
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", phase, report::seconds(seconds));
    page_.add("set-up", fmt::format("{} ({})", report::seconds(phases.total()), text));
    record_["timing"]["setup_s"] = report::to_json(phases);
    record_["case"]["kernel"] = tensor::name(variant_.kernel);
    record_["case"]["idea"] = tensor::idea(variant_.kernel, o_.problem);
    record_["case"]["geometry"] = tensor::name(variant_.geometry);
  }

  template <class M>
  solver::CgResult run_cg(const M& m, const Vector<Real>& b, const Vector<Real>& x, solver::CgWorkspace<Real>& work,
                          const solver::CgOptions& options) const {
    return solver::cg<Real>(instance_, *op_, m, b, x, work, options);
  }
  template <class M>
  solver::CgResult run_cg(const M& m, const Vector<Real>& b, const Vector<Real>& x,
                          solver::FusedCgWorkspace<Real>& work, const solver::CgOptions& options) const {
    return solver::fused_cg<Real>(instance_, *op_, m, b, x, work, options);
  }

  /// Why CG did not converge; empty where it did.
  std::string solve() { return o_.jacobi() ? solve(solver::Jacobi<Real>(diagonal_)) : solve(solver::Identity()); }
  template <class M>
  std::string solve(const M& preconditioner) {
    const std::size_t size = case_.rhs.extent(0);
    if (o_.cg == Cg::fused) return solve(preconditioner, solver::FusedCgWorkspace<Real>(size));
    return solve(preconditioner, solver::CgWorkspace<Real>(size, o_.jacobi()));
  }
  template <class M, class Workspace>
  std::string solve(const M& preconditioner, Workspace work) {
    const Vector<Real> b = convert<Real>(case_.rhs), x = make_vector<Real>("x", b.extent(0));
    solver::CgOptions options{o_.tolerance, o_.max_iterations, {}};
    if (printer_.shows_progress())
      options.progress = [this](int iteration, double residual) {
        if (iteration % 10 == 0)
          printer_.progress(fmt::format("CG iteration {:6}, residual {:.1e}", iteration, residual));
      };
    solver::CgResult result;
    std::string breakdown;
    try {
      result = run_cg(preconditioner, b, x, work, options);
    } catch (const ResultError& error) {
      breakdown = error.what();
    }
    put(record_["result"], breakdown.empty() ? &result : nullptr);
    record_["result"]["l2_error"] = nullptr;
    if (!breakdown.empty()) {
      page_.add("CG", "BROKE DOWN");
      return breakdown;
    }
    page_.add("CG", describe(result));
    if (o_.rhs == Rhs::manufactured) {
      const double error = case_.reference.relative_l2_error(convert<double>(x), {o_.boundary});
      page_.add("L2 error", fmt::format("{:.2e} relative to the exact solution", error));
      record_["result"]["l2_error"] = error;
    }
    time_iterations(preconditioner, b, x, work, result.iterations);
    return why_unconverged(result, options);
  }

  std::string describe(const solver::CgResult& result) const {
    const std::string floor =
        fmt::format("rounding to {} precision leaves about {:.0e}", name(o_.precision), result.floor);
    const std::string verdict = result.verdict == solver::Verdict::converged ? "converged; " + floor
                                : result.verdict == solver::Verdict::stagnated
                                    ? fmt::format("stagnated above the tolerance, since {}", floor)
                                    : "NOT CONVERGED; " + floor;
    return fmt::format("{} iterations, |b - A x| = {:.1e} |b|: {}", result.iterations, result.true_relative_residual,
                       verdict);
  }

  /// Times a few more iterations of CG, less what it does before the first.
  template <class M, class Workspace>
  void time_iterations(const M& preconditioner, const Vector<Real>& b, const Vector<Real>& x, Workspace& work,
                       int available) {
    const int iterations = std::min(runs_on_host ? 20 : 100, available), repetitions = std::min(5, o_.repeat);
    if (iterations == 0) return;
    const auto start = [&] { run_cg(preconditioner, b, x, work, {0, 0, {}}); };
    const auto iterate = [&] { run_cg(preconditioner, b, x, work, {0, iterations, {}}); };
    const double start_time = measure::time(start, repetitions).median;
    measure::Sample sample = measure::time(iterate, repetitions);
    const double before = start_time < sample.min ? start_time : 0;  // a short one drowns in noise: then it counts
    for (double* seconds : {&sample.min, &sample.median, &sample.max}) *seconds = (*seconds - before) / iterations;
    const double rate = case_.discretisation.space.num_dofs() / sample.median * 1e-9;
    page_.add("CG iteration", fmt::format("{}; {:.3g} GDOF*iteration/s", spread(sample), rate));
    record_["timing"]["cg_iteration_s"] = report::to_json(sample);
    record_["rates"]["cg_gdofs"] = rate;
  }

  void measure_kernel() {
    const auto& d = case_.discretisation;
    const double dofs = d.space.num_dofs(), local = static_cast<double>(d.num_local());
    const Vector<Real> x = convert<Real>(tensor::random_vector(d.space, 3)), y = make_vector<Real>("y", x.extent(0));
    const measure::Sample full = measure::time([&] { op_->apply(instance_, x, y); }, o_.repeat);
    page_.add("operator", fmt::format("{}; {:.3g} GDOF/s with gather and scatter, {:.3g} GB/s at least", spread(full),
                                      dofs / full.median * 1e-9, op_->bytes() / full.median * 1e-9));
    record_["timing"]["operator_s"] = report::to_json(full);
    record_["rates"]["operator_gdofs"] = dofs / full.median * 1e-9;
    record_["rates"]["operator_gbytes"] = op_->bytes() / full.median * 1e-9;
    if (variant_.kernel == tensor::Kernel::reference) return;

    const Vector<const Index> nodes = op_->local_nodes();
    Vector<Real> u = make_vector<Real>("u", nodes.extent(0)), v = make_vector<Real>("v", nodes.extent(0));
    streaming::scatter<Real>(instance_, nodes, x, u);
    const measure::Sample sample = measure::time([&] { op_->apply_local(instance_, u, v); }, o_.repeat);
    u = v = {};
    const TeamResources resources = op_->resources();
    const double scratch_bytes = static_cast<double>(op_->scratch_traffic()) * static_cast<double>(o_.elements());
    const measure::Cost cost =
        tensor::cost(o_.problem, o_.order, static_cast<double>(o_.elements()), sizeof(Real), o_.components);
    const measure::CopyRoof& roof = case_.roof;
    const double fraction = roof.time(cost) / sample.median;
    page_.add("kernel alone", fmt::format("{}; {:.4g} GFLOP/s, {:.3g} GDOF/s local, {:.3g} GB/s", spread(sample),
                                          cost.flops / sample.median * 1e-9, local / sample.median * 1e-9,
                                          cost.bytes / sample.median * 1e-9));
    page_.add("copy roof",
              fmt::format("{:.0f} % of {:.3g} GB/s, the rate of copying {}; the model (stored factors) moves {}",
                          100 * fraction, roof.bandwidth * 1e-9, report::bytes(roof.bytes), report::bytes(cost.bytes)));
    record_["timing"]["kernel_s"] = report::to_json(sample);
    record_["rates"]["kernel_gflops"] = cost.flops / sample.median * 1e-9;
    record_["rates"]["kernel_gdofs_local"] = local / sample.median * 1e-9;
    record_["rates"]["kernel_gdofs"] = dofs / sample.median * 1e-9;
    record_["rates"]["kernel_gbytes"] = cost.bytes / sample.median * 1e-9;
    record_["roofs"] = {{"copy_gbytes", roof.bandwidth * 1e-9},
                        {"copied_bytes", roof.bytes},
                        {"model_bytes", cost.bytes},
                        {"fraction_of_copy_roof", fraction}};
    describe_device_roofs(cost.bytes / sample.median, scratch_bytes / sample.median);
    describe_resources(resources);
  }

  /// The roofs that a GPU reports: of its memory by the data sheet, and of its scratch.
  void describe_device_roofs(double memory_rate, double scratch_rate) {
    const double peak = measure::peak_bandwidth(), scratch = measure::scratch_bandwidth();
    std::string text;
    if (peak > 0) {
      record_["roofs"]["peak_gbytes"] = peak * 1e-9;
      record_["roofs"]["fraction_of_peak_roof"] = memory_rate / peak;
      text =
          fmt::format("{:.0f} % of the memory's {:.4g} GB/s by its data sheet", 100 * memory_rate / peak, peak * 1e-9);
    }
    if (scratch > 0 && scratch_rate > 0) {
      record_["roofs"]["scratch_gbytes"] = scratch * 1e-9;
      record_["roofs"]["fraction_of_scratch_roof"] = scratch_rate / scratch;
      text += fmt::format("; {:.0f} % of scratch's {:.4g} GB/s", 100 * scratch_rate / scratch, scratch * 1e-9);
    }
    if (!text.empty()) page_.add("device roofs", text);
  }

  void describe_resources(const TeamResources& resources) {
    if (resources.threads == 0) return;
    Json& record = record_["result"]["resources"];
    record = {{"threads", resources.threads}, {"scratch_bytes", resources.scratch_bytes}};
    std::string text = fmt::format("{} threads and {} scratch per team", resources.threads,
                                   report::bytes(static_cast<double>(resources.scratch_bytes)));
    if (resources.registers > 0) {
      record["registers"] = resources.registers;
      record["local_bytes"] = resources.local_bytes;
      record["teams_at_once"] = resources.teams_at_once;
      record["occupancy"] = resources.occupancy;
      text += fmt::format("; {} registers per thread{}; {} teams per multiprocessor, {:.0f} % of its threads",
                          resources.registers,
                          resources.local_bytes ? fmt::format(", {} bytes of local memory", resources.local_bytes) : "",
                          resources.teams_at_once, 100 * resources.occupancy);
    }
    page_.add("resources", text);
  }

  /// Memory: of the arrays of CG and of the kernel, as expected when options were checked, and the peak of the process.
  void describe_memory() {
    const auto stored = op_->memory();
    const auto& d = case_.discretisation;
    // x, dx, r, p, q, with Jacobi the inverse diagonal and z; b, once more in double for single precision
    const double words = (o_.jacobi() ? (o_.cg == Cg::fused ? 6 : 7) : 5) + (o_.precision == Precision::fp32 ? 1 : 0);
    const double vectors =
        double(d.space.num_entries()) * (words * sizeof(Real) + sizeof(double) * (o_.jacobi() ? 2 : 1));
    const double indices = static_cast<double>(stored.indices + d.space.element_to_node.num_entries() * sizeof(Index));
    const double held = vectors + static_cast<double>(stored.factors + stored.local_vectors) + indices;
    const double expected = memory_need(o_, variant_).total(), peak = static_cast<double>(peak_resident_memory());
    page_.add(
        "memory",
        fmt::format("{} (vectors {}, factors {}, E-vectors {}, indices {}); {} expected of the whole run, peak of "
                    "the process {}",
                    report::bytes(held), report::bytes(vectors), report::bytes(double(stored.factors)),
                    report::bytes(double(stored.local_vectors)), report::bytes(indices), report::bytes(expected),
                    report::bytes(peak)));
    record_["result"]["memory_bytes"] = static_cast<std::int64_t>(held);
    record_["result"]["expected_bytes"] = static_cast<std::int64_t>(expected);
    record_["result"]["peak_bytes"] = static_cast<std::int64_t>(peak);
  }

  static std::string spread(const measure::Sample& s) {
    return fmt::format("{} (min {}, max {}, {} times)", report::seconds(s.median), report::seconds(s.min),
                       report::seconds(s.max), s.repetitions);
  }

  Printer& printer_;
  Instance instance_;
  const TensorOptions& o_;
  const TensorCase& case_;
  tensor::Variant variant_;
  Json record_;
  report::Page page_;
  std::unique_ptr<tensor::ElementOperator<Real>> op_;
  Vector<double> diagonal_;
};

}  // namespace miniapp::apps
