// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "apps/frontend/commands.hpp"
#include "apps/frontend/device_text.hpp"
#include "apps/frontend/history_file.hpp"
#include "apps/frontend/printer.hpp"
#include "apps/frontend/progress.hpp"
#include "apps/frontend/record_parts.hpp"
#include "apps/solver/report.hpp"

namespace miniapp::apps {
namespace {

void run_matrix(const SolverOptions& o, const MatrixChoice& choice, Printer& printer) {
  std::string what;
  const auto next = [&](const solver::SolveSettings& s) {
    what = fmt::format("{} CG with {}, {}", name_of_cg(s), name(s.preconditioner), describe_size(choice));
    printer.next(what);
  };
  std::function<void(int, double)> progress;
  if (printer.shows_progress())
    progress = [&](int iteration, double residual) {
      tell_residual(residual, o.settings.cg.tolerance);
      if (iteration % 100 == 0) printer.progress(fmt::format("{}: iteration {}, {:.1e}", what, iteration, residual));
    };
  run_solves(o, choice, next, progress, [&](const MatrixFigures& matrix, const SolverResult& result) {
    const Json record = to_record(printer.base(), o, matrix, result);
    printer.add(record, what_was_wrong(matrix, result));
    if (!result.predicted.empty()) printer.note(describe_choice(matrix, result));
    if (!result.of_ranks.empty()) printer.note(describe_shares(matrix, record));
    if (result.hierarchy) printer.note(describe_levels(matrix, result));
    if (matrix.null_modes > 0) printer.note(describe_null_space(matrix));
    if (!result.single_breakdown.empty())
      printer.note("  --amg-precision double" + describe_fallback(result.single_breakdown));
    if (!o.history.empty() && result.cg && o.ranks.rank() == 0) write_history(o.history, result.cg->residuals);
  });
}

void run_solver(const SolverOptions& o, const std::string& command_line, const Options&) {
  Printer printer("solver", command_line, o);
  printer.expect(o.matrices.size() * o.solves().size());
  printer.begin(solver_blocks(o, describe_device(platform())));
  for (const MatrixChoice& choice : o.matrices)
    within_memory(memory_need(o, choice), describe_size(choice), [&] { run_matrix(o, choice, printer); });
  printer.end();
  printer.finish();
}

}  // namespace

Command add_solver_command(Options& options) { return make_command<SolverArguments>(options, run_solver); }

}  // namespace miniapp::apps
