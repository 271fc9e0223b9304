// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <iostream>
#include <set>

#include "commands.hpp"
#include "interrupt.hpp"
#include "kernel_run.hpp"

namespace miniapp::apps {
namespace {

using report::Json;

/// An entry of a record, by its path; "-" where there is none.
std::string entry(const Json& record, const std::string& path, double scale, const char* format) {
  const auto* const pointer =
      record.contains(Json::json_pointer(path)) ? &record.at(Json::json_pointer(path)) : nullptr;
  return pointer && pointer->is_number() ? fmt::format(fmt::runtime(format), pointer->get<double>() * scale) : "-";
}

/// One line per kernel and case, from the records: the ladder of --kernel all, the curve of --sweep. Percentages are of
/// the roofs by the data sheet, by copying, and of scratch; "-" stands where the device does not report it.
class Summary {
 public:
  /// With the idea of each kernel as the last column, on request.
  explicit Summary(bool with_ideas) : with_ideas_(with_ideas), table_(header(with_ideas)) {}

  void add(const Json& record) {
    std::vector<std::string> row = {record["case"]["kernel"],
                                    record["case"]["geometry"],
                                    entry(record, "/case/order", 1, "{:.0f}"),
                                    entry(record, "/case/elements", 1, "{:.0f}"),
                                    entry(record, "/case/dofs", 1, "{:.0f}"),
                                    entry(record, "/verification/error", 1, "{:.1e}"),
                                    entry(record, "/timing/kernel_s/median", 1e6, "{:.4g}"),
                                    entry(record, "/rates/kernel_gflops", 1, "{:.4g}"),
                                    entry(record, "/rates/kernel_gbytes", 1, "{:.3g}"),
                                    entry(record, "/roofs/fraction_of_peak_roof", 100, "{:.0f}"),
                                    entry(record, "/roofs/fraction_of_copy_roof", 100, "{:.0f}"),
                                    entry(record, "/roofs/fraction_of_scratch_roof", 100, "{:.0f}"),
                                    entry(record, "/result/resources/registers", 1, "{:.0f}"),
                                    entry(record, "/result/resources/scratch_bytes", 1e-3, "{:.3g}"),
                                    entry(record, "/result/resources/occupancy", 100, "{:.0f}"),
                                    entry(record, "/rates/kernel_gdofs_local", 1, "{:.3g}"),
                                    entry(record, "/rates/operator_gdofs", 1, "{:.3g}"),
                                    entry(record, "/rates/cg_gdofs", 1, "{:.3g}"),
                                    entry(record, "/result/iterations", 1, "{:.0f}")};
    if (with_ideas_) row.push_back(record["case"]["idea"]);
    table_.add(std::move(row));
    ++rows_;
  }
  int rows() const { return rows_; }
  friend std::ostream& operator<<(std::ostream& out, const Summary& summary) { return out << summary.table_; }

 private:
  static std::vector<std::string> header(bool with_ideas) {
    std::vector<std::string> names = {"kernel",       "geometry",        "order",        "elements",   "dofs",
                                      "error",        "kernel us",       "GFLOP/s",      "GB/s",       "% peak",
                                      "% copy",       "% scratch",       "registers",    "scratch kB", "% threads",
                                      "GDOF/s local", "operator GDOF/s", "CG GDOF*it/s", "iterations"};
    if (with_ideas) names.push_back("idea");
    return names;
  }

  bool with_ideas_;
  report::Table table_;
  int rows_ = 0;
};

/// All kernels of one case. What went wrong first, empty where nothing did.
std::string run_case(const TensorOptions& o, const Json& base, const report::RecordFile& file, Summary& summary) {
  const TensorCase problem(o);
  if (!o.sweep) std::cout << describe(o, problem.discretisation) << '\n' << std::flush;
  Json record = base;
  record["case"] = case_record(o, problem.discretisation);
  std::string wrong;
  for (const tensor::Variant& variant : o.variants) {
    const KernelOutcome outcome = o.precision == Precision::fp32 ? KernelRun<float>(o, problem, variant, record).run()
                                                                 : KernelRun<double>(o, problem, variant, record).run();
    if (!o.sweep) std::cout << outcome.page << std::flush;
    const auto held = hold_rows();
    file.append(outcome.record);
    summary.add(outcome.record);
    if (wrong.empty()) wrong = outcome.wrong;
  }
  return wrong;
}

int run_tensor(const std::vector<TensorOptions>& cases, const std::string& command_line) {
  const report::RecordFile file(cases.front().json);
  const Json record = report::make_record("tensor", command_line);
  const bool sweep = cases.front().sweep;
  Summary summary(!sweep);
  const int printed = sweep ? 0 : 1;  // rows: for one kernel the page has it all
  PrintedOnSignal rows([&] {
    if (summary.rows() > printed) std::cout << '\n' << summary;
    return summary.rows() > 0;
  });
  std::string wrong;
  std::vector<std::string> refused;  // what only the mesh itself shows
  for (std::size_t c = 0; c < cases.size(); ++c) {
    try {
      std::string wrong_here;
      within_memory(memory_need(cases[c]), describe_size(cases[c]), [&] {
        wrong_here = run_case(cases[c], record, file, summary);
        return 0;
      });
      if (wrong.empty()) wrong = wrong_here;
    } catch (const InputError& error) {
      if (!sweep) throw;
      refused.push_back(fmt::format("case {} of {} refused: {}", c + 1, cases.size(), error.what()));
    }
  }
  rows.release();
  require(summary.rows() > 0, refused.empty() ? "" : refused.front());
  if (sweep || summary.rows() > 1) std::cout << '\n' << summary;
  for (const std::string& reason : refused) std::cout << reason << '\n';
  std::set<std::string> skipped;  // each once for all cases of a sweep
  for (const TensorOptions& o : cases) skipped.insert(o.skipped.begin(), o.skipped.end());
  for (const std::string& reason : skipped) std::cout << "Skipped " << reason << '\n';
  if (sweep && !cases.back().shape_note.empty()) std::cout << cases.back().shape_note << '\n';
  if (!wrong.empty()) throw ResultError(wrong);
  return 0;
}

}  // namespace

Command add_tensor_command(Options& options) {
  const auto arguments = std::make_shared<TensorArguments>();
  add_options(options, *arguments);
  return [arguments, &options](const std::string& command_line) -> Work {
    return [cases = check(*arguments, options), command_line] { return run_tensor(cases, command_line); };
  };
}

}  // namespace miniapp::apps
