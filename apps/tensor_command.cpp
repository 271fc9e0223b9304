// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <iostream>

#include "commands.hpp"
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

/// A line a kernel and case, from the records: the ladder of --kernel all, the curve of --sweep.
class Summary {
 public:
  void add(const Json& record) {
    table_.add(
        {record["case"]["kernel"], record["case"]["geometry"], entry(record, "/case/order", 1, "{:.0f}"),
         entry(record, "/case/elements", 1, "{:.0f}"), entry(record, "/case/dofs", 1, "{:.0f}"),
         entry(record, "/verification/error", 1, "{:.1e}"), entry(record, "/timing/kernel_s/median", 1e6, "{:.4g}"),
         entry(record, "/rates/kernel_gflops", 1, "{:.4g}"), entry(record, "/rates/kernel_gbytes", 1, "{:.3g}"),
         entry(record, "/roofs/fraction_of_copy_roof", 100, "{:.0f}"),
         entry(record, "/rates/kernel_gdofs_local", 1, "{:.3g}"), entry(record, "/rates/operator_gdofs", 1, "{:.3g}"),
         entry(record, "/rates/cg_gdofs", 1, "{:.3g}"), entry(record, "/result/iterations", 1, "{:.0f}")});
    ++rows_;
  }
  int rows() const { return rows_; }
  friend std::ostream& operator<<(std::ostream& out, const Summary& summary) { return out << summary.table_; }

 private:
  report::Table table_{{"kernel", "geometry", "order", "elements", "dofs", "error", "kernel us", "GFLOP/s", "GB/s",
                        "% copy roof", "GDOF/s local", "operator GDOF/s", "CG GDOF*it/s", "iterations"}};
  int rows_ = 0;
};

/// All kernels of one case. What went wrong first, empty where nothing did.
std::string run_case(const TensorOptions& o, const Json& base, const report::RecordFile& file, Summary& summary) {
  const TensorCase problem(o);
  if (!o.sweep) std::cout << describe(o, problem.discretisation) << '\n' << std::flush;
  Json record = base;
  record["case"] = case_record(o, problem.discretisation);
  std::string wrong;
  for (const KernelChoice& kernel : o.kernels) {
    const KernelOutcome outcome = o.single ? KernelRun<float>(o, problem, kernel, record).run()
                                           : KernelRun<double>(o, problem, kernel, record).run();
    if (!o.sweep) std::cout << outcome.page << std::flush;
    file.append(outcome.record);
    summary.add(outcome.record);
    if (wrong.empty()) wrong = outcome.wrong;
  }
  return wrong;
}

int run_tensor(const std::vector<TensorOptions>& cases, const std::string& command_line) {
  const report::RecordFile file(cases.front().json);
  const Json record = report::make_record("tensor", command_line);
  Summary summary;
  std::string wrong;
  for (const TensorOptions& o : cases) {
    const std::string wrong_here = run_case(o, record, file, summary);
    if (wrong.empty()) wrong = wrong_here;
  }
  if (summary.rows() > 1) std::cout << '\n' << summary;
  for (const std::string& reason : cases.front().skipped) std::cout << "Skipped " << reason << '\n';
  if (!wrong.empty()) throw ResultError(wrong);
  return 0;
}

}  // namespace

Run add_tensor_command(CLI::App& app) {
  const auto arguments = std::make_shared<TensorArguments>();
  add_options(app, *arguments);
  return
      [arguments, &app](const std::string& command_line) { return run_tensor(check(*arguments, app), command_line); };
}

}  // namespace miniapp::apps
