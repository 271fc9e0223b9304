// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "commands.hpp"
#include "kernel_run.hpp"

namespace miniapp::apps {
namespace {

/// One row per kernel and case: the ladder of --kernel all, the curve of --sweep. Percentages are of the roofs by the
/// data sheet, by copying, and of scratch; "-" stands where the device does not report it. With the idea of each kernel
/// as the last column, on request.
std::vector<report::Column> columns(bool with_ideas) {
  std::vector<report::Column> all = {{"kernel", "/case/kernel"},
                                     {"geometry", "/case/geometry"},
                                     {"order", "/case/order"},
                                     {"elements", "/case/elements"},
                                     {"dofs", "/case/dofs"},
                                     {"error", "/verification/error", "{:.1e}"},
                                     {"kernel us", "/timing/kernel_s", "{:.4g}", 1e6},
                                     {"GFLOP/s", "/rates/kernel_gflops", "{:.4g}"},
                                     {"GB/s", "/rates/kernel_gbytes", "{:.3g}"},
                                     {"% peak", "/roofs/fraction_of_peak_roof", "{:.0f}", 100},
                                     {"% copy", "/roofs/fraction_of_copy_roof", "{:.0f}", 100},
                                     {"% scratch", "/roofs/fraction_of_scratch_roof", "{:.0f}", 100},
                                     {"registers", "/result/resources/registers"},
                                     {"scratch kB", "/result/resources/scratch_bytes", "{:.3g}", 1e-3},
                                     {"% threads", "/result/resources/occupancy", "{:.0f}", 100},
                                     {"GDOF/s local", "/rates/kernel_gdofs_local", "{:.3g}"},
                                     {"operator GDOF/s", "/rates/operator_gdofs", "{:.3g}"},
                                     {"CG GDOF*it/s", "/rates/cg_gdofs", "{:.3g}"},
                                     {"iterations", "/result/iterations"}};
  if (with_ideas) all.emplace_back("idea", "/case/idea");
  return all;
}

/// All kernels of one case.
void run_case(const TensorOptions& o, Printer& printer) {
  const TensorCase problem(o);
  if (!o.sweep) printer.print(fmt::format("{}\n", report::text(describe(o, problem.discretisation))));
  Json record = printer.base();
  record["case"] = case_record(o, problem.discretisation);
  for (const tensor::Variant& variant : o.variants) {
    const KernelOutcome outcome = o.precision == Precision::fp32
                                      ? KernelRun<float>(o, problem, variant, record, printer).run()
                                      : KernelRun<double>(o, problem, variant, record, printer).run();
    if (!o.sweep) printer.print(report::text(outcome.page));
    printer.add(outcome.record, outcome.wrong);
  }
}

int run_tensor(const std::vector<TensorOptions>& cases, const std::string& command_line) {
  const TensorOptions& first = cases.front();
  Printer printer("tensor", command_line, first.json, first.quiet);
  printer.begin({{"\n", columns(!first.sweep)}}, first.sweep ? 1 : 2);  // of one kernel the page has it all
  std::string refused;                                                  // what only the mesh itself shows
  for (std::size_t c = 0; c < cases.size(); ++c) {
    try {
      within_memory(memory_need(cases[c]), describe_size(cases[c]), [&] {
        run_case(cases[c], printer);
        return 0;
      });
    } catch (const InputError& error) {
      if (!first.sweep) throw;
      const std::string note = fmt::format("case {} of {} refused: {}", c + 1, cases.size(), error.what());
      printer.note(note);
      if (refused.empty()) refused = note;
    }
  }
  require(printer.rows() > 0, refused);
  for (const TensorOptions& o : cases)
    for (const std::string& reason : o.skipped) printer.note("Skipped " + reason);
  if (first.sweep && !cases.back().shape_note.empty()) printer.note(cases.back().shape_note);
  printer.end();
  printer.finish();
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
