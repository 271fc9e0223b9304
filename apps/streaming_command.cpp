// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <iostream>

#include "commands.hpp"
#include "device_text.hpp"
#include "interrupt.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/measure/roofs.hpp"
#include "report/record.hpp"
#include "report/table.hpp"
#include "streaming_run.hpp"

namespace miniapp::apps {
namespace {

using report::Json;

/// Shows how far a test is on a terminal, and clears the line at its end.
class Progress {
 public:
  Progress(std::string name, bool quiet) : name_(std::move(name)), shown_(!quiet && isatty(STDERR_FILENO)) {}
  ~Progress() {
    if (shown_) std::cerr << '\r' << std::string(60, ' ') << '\r';
  }
  void operator()(std::size_t done, std::size_t all) const {
    if (shown_) std::cerr << fmt::format("\r  {}: size {} of {}  ", name_, done + 1, all);
  }

 private:
  std::string name_;
  bool shown_;
};

template <class Real>
StreamingResult run_vectors(int test, const StreamingOptions& o) {
  const Progress progress(fmt::format("BS{}", test), o.quiet);
  return VectorTest<Real>(streaming_test(test), o).run(progress);
}

template <class Real>
std::vector<StreamingResult> run_meshes(const std::vector<int>& tests, int order, const StreamingOptions& o) {
  const Progress progress(fmt::format("BS{} of order {}", fmt::join(tests, ", "), order), o.quiet);
  return MeshTests<Real>(tests, order, o).run(progress);
}

/// null where it is not finite.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json to_json(const measure::BandwidthModel& model) {
  return {{"t0_s", number(model.t0)},
          {"wmax_gbytes", number(model.bandwidth * 1e-9)},
          {"b80_bytes", model.t0 > 0 ? number(model.bytes_at_80_percent()) : Json(nullptr)},
          {"r_squared", number(model.r_squared)},
          {"worst_residual", number(model.worst)}};
}

Json make_case(const StreamingTest& test, int order, const StreamingOptions& o) {
  Json entry = {{"bs", test.number}, {"name", test.name}, {"precision", name(o.precision)}, {"repeat", o.repeat}};
  if (test.on_mesh()) {
    entry["order"] = order;
    entry["mask"] = o.mask == space::Boundary::dirichlet ? "dirichlet" : "none";
    const std::string scatter = name(o.scatter_layout), gather = name(o.gather_layout);
    entry["layout"] = test.number == 6                        ? gather
                      : test.number == 7 || scatter == gather ? scatter
                                                              : scatter + " and " + gather;
    entry["numbering"] = name(o.numbering);
  } else {
    entry["order"] = nullptr;
    entry["samples"] = o.samples;
  }
  return entry;
}

/// One line per test.
class Summary {
 public:
  void add(const StreamingTest& test, int order, const StreamingResult& result, const measure::BandwidthModel& all,
           const measure::BandwidthModel& beyond, double copy) {
    const auto rate = [](double value) {
      return value > 0 && std::isfinite(value) ? fmt::format("{:.4g}", value * 1e-9) : std::string("-");
    };
    const double moved = result.moved.back() / result.curve.back().seconds;
    const bool fitted = all.bandwidth > 0 && std::isfinite(all.bandwidth);
    table_.add({fmt::format("BS{} {}", test.number, test.name), test.on_mesh() ? std::to_string(order) : "-",
                std::to_string(result.curve.size()),
                fmt::format("{:.3g}", (fitted ? all.t0 : result.curve.back().seconds) * 1e6), rate(all.bandwidth),
                rate(beyond.bandwidth), fitted && all.t0 > 0 ? report::bytes(all.bytes_at_80_percent()) : "-",
                fitted ? fmt::format("{:.5f}", all.r_squared) : "-",
                fitted ? fmt::format("{:.0f}", 100 * all.worst) : "-",
                rate(result.curve.back().bytes / result.curve.back().seconds), rate(moved),
                moved > 0 ? fmt::format("{:.0f}", 100 * moved / copy) : "-", result.passed() ? "yes" : "WRONG"});
  }
  friend std::ostream& operator<<(std::ostream& out, const Summary& summary) { return out << summary.table_; }

 private:
  report::Table table_{{"test", "order", "sizes", "T0 us", "Wmax GB/s", "beyond cache", "B0.8", "R^2", "worst %",
                        "largest GB/s", "moved GB/s", "% copy", "right"}};
};

/// What the page and the record of a run share.
class Report {
 public:
  Report(const StreamingOptions& o, const std::string& command_line)
      : o_(o), file_(o.json), base_(report::make_record("streaming", command_line)) {
    copy_bytes_ = std::min(o.max_bytes, 1e9);
    copy_ = measure::copy_bandwidth(copy_bytes_);
    beyond_bytes_ = 4 * measure::last_level_cache();
  }

  void add(const StreamingTest& test, int order, const StreamingResult& result) {
    std::vector<measure::Timing> large;
    for (const measure::Timing& timing : result.curve)
      if (beyond_bytes_ > 0 && timing.bytes >= beyond_bytes_) large.push_back(timing);
    const measure::BandwidthModel all = measure::fit(result.curve), beyond = measure::fit(large);
    const auto held = hold_rows();
    summary_.add(test, order, result, all, beyond, copy_);
    ++rows_;

    Json record = base_;
    record["case"] = make_case(test, order, o_);
    record["verification"] = {{"against", "obvious loops on the host, sums in extended precision"},
                              {"error_of_tolerance", number(result.error)},
                              {"passed", result.passed()}};
    record["result"] = to_json(all);
    if (all.bandwidth == 0) record["result"]["t0_s"] = result.curve.back().seconds;
    record["result"]["beyond_cache"] = to_json(beyond);
    record["result"]["beyond_cache"]["from_bytes"] = beyond_bytes_;
    record["result"]["beyond_cache"]["sizes"] = large.size();
    for (std::size_t s = 0; s < result.curve.size(); ++s) {
      record["result"]["curve"].push_back({result.curve[s].bytes, result.curve[s].seconds});
      record["result"]["moved_bytes"].push_back(result.moved[s]);
      record["result"]["entries"].push_back(result.entries[s]);
    }
    record["rates"]["largest_gbytes"] = result.curve.back().bytes / result.curve.back().seconds * 1e-9;
    record["rates"]["largest_moved_gbytes"] = result.moved.back() / result.curve.back().seconds * 1e-9;
    record["roofs"]["copy_gbytes"] = copy_ * 1e-9;
    file_.append(record);
    if (!result.passed() && wrong_.empty())
      wrong_ = fmt::format("BS{}: differs from the reference by {:.3g} times the tolerance", test.number, result.error);
  }

  int rows() const { return rows_; }

  /// Errors: ResultError where a test was wrong.
  void print() const {
    std::cout << fmt::format(
                     "Streaming operations, {} precision, {}\n"
                     "T(B) = T0 + B / Wmax over all sizes; \"beyond cache\": Wmax of sizes from {} on; B0.8 = 4 T0 "
                     "Wmax\ncopy roof {:.4g} GB/s at {}; \"moved\": bytes that are moved, indices as they are stored\n",
                     name(o_.precision), describe_device(platform()),
                     beyond_bytes_ > 0 ? report::bytes(beyond_bytes_) : "unknown", copy_ * 1e-9,
                     report::bytes(copy_bytes_))
              << summary_;
    if (!wrong_.empty()) throw ResultError(wrong_);
  }

 private:
  const StreamingOptions& o_;
  report::RecordFile file_;
  Json base_;
  double copy_bytes_, copy_, beyond_bytes_;  // beyond: no cache holds what an operation works on again and again
  Summary summary_;
  int rows_ = 0;
  std::string wrong_;
};

int run_streaming(const StreamingOptions& o, const std::string& command_line) {
  Report report(o, command_line);
  PrintedOnSignal rows([&] {
    if (report.rows() > 0) report.print();
    return report.rows() > 0;
  });
  std::vector<int> on_meshes;
  for (const int test : o.tests) {
    if (streaming_test(test).on_mesh())
      on_meshes.push_back(test);
    else
      report.add(streaming_test(test), 0,
                 o.precision == Precision::fp32 ? run_vectors<float>(test, o) : run_vectors<double>(test, o));
  }
  for (const int order : on_meshes.empty() ? std::vector<int>() : o.orders) {
    const std::vector<StreamingResult> results = o.precision == Precision::fp32
                                                     ? run_meshes<float>(on_meshes, order, o)
                                                     : run_meshes<double>(on_meshes, order, o);
    for (std::size_t t = 0; t < results.size(); ++t) report.add(streaming_test(on_meshes[t]), order, results[t]);
  }
  rows.release();
  report.print();
  return 0;
}

}  // namespace

Command add_streaming_command(Options& options) {
  const auto arguments = std::make_shared<StreamingArguments>();
  add_options(options, *arguments);
  return [arguments, &options](const std::string& command_line) -> Work {
    return [checked = check(*arguments, options), command_line] { return run_streaming(checked, command_line); };
  };
}

}  // namespace miniapp::apps
