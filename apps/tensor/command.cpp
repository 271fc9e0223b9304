// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <filesystem>

#include "apps/frontend/commands.hpp"
#include "apps/frontend/printer.hpp"
#include "apps/tensor/problem.hpp"
#include "apps/tensor/record.hpp"
#include "apps/tensor/report.hpp"
#include "core/agree.hpp"
#include "core/printable.hpp"
#include "miniapp/space/vtu.hpp"

namespace miniapp::apps {
namespace {

/// The solution, its error where the exact one is known, and what each element has. Returns what it did.
std::string write_fields(const TensorOptions& o, const tensor::Case& problem, const tensor::KernelResult& result) {
  const double start = measure::now();
  const tensor::Discretisation& d = problem.discretisation;
  std::vector<space::CellField> cells;
  const auto means = to_host(d.mean_coefficient());
  if (means.extent(0) > 0) cells.push_back({"k", {means.data(), means.data() + means.extent(0)}});
  std::vector<double> groups(d.mesh->num_elements(), 0);  // from 1 on, 0: none
  double number = 0;
  for (const mesh::Group& group : d.mesh->groups) {
    if (group.dimension != 3) continue;
    ++number;
    for (const Index cell : group.cells) groups[static_cast<std::size_t>(cell)] = number;
  }
  if (number > 0) cells.push_back({"group", groups});
  if (!o.ranks.is_alone()) cells.push_back({"rank", std::vector<double>(d.mesh->num_elements(), o.ranks.rank())});
  const auto solution = to_host(result.solution);
  std::function<void(std::int64_t, int, const double*, const double*, const double*, double*)> exact;
  if (o.user.exact)
    exact = [&](std::int64_t element, int count, const double* x, const double* y, const double* z, double* values) {
      o.user.exact->evaluate(element, count, x, y, z, values);
    };
  std::vector<std::string> points{"u"}, names, pieces;
  if (exact) points.emplace_back("error");
  for (const space::CellField& field : cells) names.push_back(field.name);
  std::string bytes;
  agree<ResultError>(o.ranks, [&] {
    try {
      bytes =
          space::vtu(*d.mesh, d.space, {{"u", {solution.data(), solution.data() + solution.extent(0)}}}, cells, exact);
      ReplacedFile({"--output", piece_of(o.field_file, o.ranks.rank(), o.ranks.size())}, field_file_kind())
          .write(bytes);
      for (int rank = 0; rank < o.ranks.size(); ++rank)
        pieces.push_back(std::filesystem::path(piece_of(o.field_file, rank, o.ranks.size())).filename().string());
      if (!o.ranks.is_alone() && o.ranks.rank() == 0)
        ReplacedFile({"--output", o.field_file}, field_list_kind()).write(space::pvtu(points, names, pieces));
    } catch (const InputError& error) {  // too late to be bad input
      throw ResultError(error.what());
    }
  });
  return fmt::format("Solution in {}: {}, written in {}", printable(o.field_file, 200),
                     report::bytes(o.ranks.sum(double(bytes.size()))), report::seconds(measure::now() - start));
}

/// All kernels of one case.
void run_case(const TensorOptions& o, Printer& printer) {
  const tensor::Case problem(o, o.variants);
  if (!o.sweep) printer.print(fmt::format("{}\n", report::text(describe(o, problem))));
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
    if (!o.field_file.empty() && result.solution.extent(0) > 0) printer.note(write_fields(o, problem, result));
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
