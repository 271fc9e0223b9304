// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "apps/frontend/commands.hpp"
#include "apps/frontend/printer.hpp"
#include "apps/tensor/record.hpp"
#include "apps/tensor/report.hpp"

namespace miniapp::apps {
namespace {

/// All kernels of one case.
void run_case(const TensorOptions& o, Printer& printer) {
  const tensor::Case problem(o, o.variants);
  if (!o.sweep) printer.print(fmt::format("{}\n", report::text(describe(o, problem.discretisation))));
  std::function<void(int, double)> progress;
  if (printer.shows_progress())
    progress = [&](int iteration, double residual) {
      if (iteration % 10 == 0) printer.progress(fmt::format("CG iteration {:6}, residual {:.1e}", iteration, residual));
    };
  for (const tensor::Variant& variant : o.variants) {
    printer.next(fmt::format("order {}, {} elements, {}", o.order, o.elements(), tensor::name(variant)));
    const tensor::KernelResult result = tensor::run_kernel(o, problem, variant, progress);
    TensorOptions used = o;
    if (result.chosen) static_cast<tensor::CaseSettings&>(used) = o.with(*result.chosen);
    const Json record = to_record(printer.base(), used, problem, result);
    if (!o.sweep) printer.print(report::text(describe(used, result, record)));
    printer.add(record, what_was_wrong(used, result));
  }
}

void run_tensor(const std::vector<TensorOptions>& cases, const std::string& command_line, const Options& options) {
  const TensorOptions& first = cases.front();
  Printer printer("tensor", command_line, first);
  printer.begin({{first.sweep ? sweep_heading(cases) : "\n", tensor_columns(cases)}},
                first.sweep ? 1 : 2);  // of one kernel the page has it all
  std::size_t runs = 0;
  for (const TensorOptions& o : cases) runs += o.variants.size();
  printer.expect(runs);
  std::optional<InputError> refused;  // what only the mesh itself shows
  for (std::size_t c = 0; c < cases.size(); ++c) {
    try {
      within_memory(memory_need(cases[c]), describe_size(cases[c]), [&] { run_case(cases[c], printer); });
    } catch (const InputError& error) {
      if (!first.sweep) throw;
      const std::string note =
          fmt::format("case {} of {} refused: {}", c + 1, cases.size(), options.with_option(error));
      printer.note(note);
      if (!refused) refused.emplace(note, error.argument);
    }
  }
  if (printer.rows() == 0) throw refused.value();
  for (const TensorOptions& o : cases)
    for (const std::string& reason : o.skipped) printer.note("Skipped " + reason);
  if (first.sweep && !cases.back().shape_note.empty()) printer.note(cases.back().shape_note);
  printer.end();
  printer.finish();
  if (refused) throw ResultError(refused->what());  // the other cases were run
}

}  // namespace

Command add_tensor_command(Options& options) { return make_command<TensorArguments>(options, run_tensor); }

}  // namespace miniapp::apps
