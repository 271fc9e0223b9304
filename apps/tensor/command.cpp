// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "apps/frontend/commands.hpp"
#include "apps/frontend/printer.hpp"
#include "apps/frontend/progress.hpp"
#include "apps/frontend/solution_file.hpp"
#include "apps/tensor/problem.hpp"
#include "apps/tensor/record.hpp"
#include "apps/tensor/report.hpp"
#include "miniapp/space/vtu.hpp"

namespace miniapp::apps {
namespace {

/// What elements have: k's mean, the least scaled Jacobian, the number of their last group, from 1 on, and the rank.
std::vector<space::CellField> cell_fields(const tensor::Discretisation& d, const Communicator& ranks) {
  std::vector<space::CellField> cells{{"scaled_jacobian", to_vector(d.scaled_jacobians())}};
  if (const Vector<const double> means = d.mean_coefficient(); means.extent(0) > 0)
    cells.push_back({"k", to_vector(means)});
  std::vector<double> groups(d.mesh->num_elements(), 0);
  double number = 0;
  for (const mesh::Group& group : d.mesh->groups) {
    if (group.dimension != 3) continue;
    ++number;
    for (const Index cell : group.cells) groups[static_cast<std::size_t>(cell)] = number;
  }
  if (number > 0) cells.push_back({"group", groups});
  if (!ranks.is_alone()) cells.push_back({"rank", std::vector<double>(d.mesh->num_elements(), ranks.rank())});
  return cells;
}

/// The solution with what --output adds to it. Returns what it did.
std::string write_fields(const TensorOptions& o, const tensor::Case& problem, const tensor::KernelResult& result) {
  std::function<void(std::int64_t, int, const double*, const double*, const double*, double*)> exact;
  if (o.user.exact)
    exact = [&](std::int64_t element, int count, const double* x, const double* y, const double* z, double* values) {
      o.user.exact->evaluate(element, count, x, y, z, values);
    };
  return write_solution(o.output, o.ranks, [&] {
    const tensor::Discretisation& d = problem.discretisation;
    const std::vector<space::PointField> points{{"u", to_vector(result.solution)},
                                                {"residual", to_vector(result.residual)}};
    return space::vtu(*d.mesh, d.space, points, cell_fields(d, o.ranks), exact, o.output.compress);
  });
}

/// All kernels of one case.
void run_case(const TensorOptions& o, Printer& printer) {
  const tensor::Case problem(o, o.variants);
  if (!o.sweep) printer.print(fmt::format("{}\n", report::text(describe(o, problem))));
  std::function<void(int, double)> progress;
  if (printer.shows_progress())
    progress = [&](int iteration, double residual) {
      tell_residual(residual, o.tolerance);
      if (iteration % 10 == 0) printer.progress(fmt::format("CG iteration {:6}, residual {:.1e}", iteration, residual));
    };
  for (const tensor::Variant& variant : o.variants) {
    printer.next(fmt::format("order {}, {} elements, {}", o.order, o.elements(), tensor::name(variant)));
    const tensor::KernelResult result = tensor::run_kernel(o, problem, variant, progress);
    TensorOptions used = o;
    if (result.chosen) static_cast<tensor::CaseSettings&>(used) = o.with(*result.chosen);
    if (!o.output.file.empty() && result.solution.extent(0) > 0) printer.note(write_fields(o, problem, result));
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
