// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "apps/frontend/commands.hpp"
#include "apps/frontend/history_file.hpp"
#include "apps/frontend/record_parts.hpp"
#include "apps/frontend/solution_file.hpp"
#include "apps/frontend/tuning_file.hpp"
#include "apps/weakform/report.hpp"
#include "core/agree.hpp"
#include "core/printable.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/geometry/simplex.hpp"
#include "miniapp/mesh/generate.hpp"
#include "miniapp/mesh/read.hpp"
#include "runs/fastest.hpp"
#include "runs/mesh_parts.hpp"

namespace miniapp::apps {
namespace {

using weakform::FormKind;
using weakform::FormProblem;
using weakform::Measured;
using weakform::Way;

/// The mesh of a file, on several ranks this one's part: of the dimension that is asked for, and of cells that have a
/// volume.
mesh::Mesh read_mesh(const WeakformOptions& o) {
  const std::string file = printable(o.mesh, 200);
  return runs::read_parts(o.ranks, o.partition, [&] {
    mesh::Mesh mesh = of_option("--mesh", [&] { return mesh::read_gmsh(o.mesh); });  // names the file
    const mesh::CellKind kind = o.dim == 2 ? mesh::CellKind::triangle : mesh::CellKind::tetrahedron;
    require(mesh.kind == kind, "--mesh", file,
            fmt::format("{}; --dim {} accepts {}", mesh::cell(mesh.kind).names, o.dim, mesh::cell(kind).names));
    of_option("--mesh " + file + ":", [&] { geometry::require_positive_simplices(mesh); });
    return mesh;
  });
}

/// Refuses a mesh on which the diffusion of a form to solve is not positive.
void require_elliptic(const mesh::Mesh& mesh, const WeakformOptions& o) {
  for (const FormKind kind : o.forms)
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
      const auto& [x, y, z] = mesh.vertices[v];
      const double kappa = weakform::exact_coefficient(kind, o.dim, mesh.vertices[v]);
      require(
          kappa > 0, "--mesh", printable(o.mesh, 200),
          fmt::format("kappa of {} is {:.3g} at vertex {}, ({:g}, {:g}, {:g}); accepted with --solve are meshes where "
                      "it is positive",
                      name(kind), kappa, mesh.part.vertices.empty() ? std::int64_t(v) + 1 : mesh.part.vertices[v] + 1,
                      x, y, z));
    }
}

/// A way that cannot run, and why.
struct Skipped {
  Way way;
  InputError error;
};

/// Ways of a form that no mesh rules out, found before a large one is made. The others go into `skipped`.
std::vector<Way> possible_ways(FormKind kind, const WeakformOptions& o, std::vector<Skipped>& skipped) {
  std::vector<Way> possible;
  for (const Way& way : ways_of(o, kind)) {
    try {
      weakform::require_able(kind, o, way.options);
      possible.push_back(way);
    } catch (const InputError& error) {
      skipped.push_back({way, error});
    }
  }
  return possible;
}

/// Bytes of a rank's map, vertices and vectors, at which the copy roof is measured.
double copied_bytes(FormKind kind, const WeakformOptions& o, const mesh::Mesh& mesh) {
  const double nodes = double(mesh.vertices.size()), word = word_bytes(o.precision);
  return 4. * (o.dim + 1) * double(mesh.num_elements()) +
         nodes * word * (o.dim + 1 + 2. * facts(kind, o.dim).components);
}

/// The last line of a form's table.
std::string verdict(int right, int rows, double worst) {
  if (right < rows) return fmt::format("WRONG: {} of {} rows differ from the reference", rows - right, rows);
  return fmt::format("{}: residual and Jacobian agree with the reference, within {:.2g} of the tolerance",
                     rows == 1 ? "right" : fmt::format("all {} right", rows), worst);
}

/// Over the first.
std::vector<double> relative(std::vector<double> residuals) {
  const double first = residuals.front();
  for (double& residual : residuals) residual = weakform::relative(residual, first);
  return residuals;
}

/// Ways that cannot run are listed below the table: one of them does not end a sweep. The fastest right one goes into
/// `fastest`.
void run_form(FormProblem& problem, const std::vector<Way>& ways, const WeakformOptions& o, const Options& options,
              Printer& printer, std::vector<Skipped>& skipped, weakform::TuningTable& fastest) {
  const FormRoofs roofs(o, copied_bytes(problem.kind(), o, problem.mesh()));
  printer.begin(form_tables(o, problem, roofs));
  int rows = 0, right = 0;
  double worst = 0;
  measure::Fastest<weakform::Options> right_ones;
  for (const Way& way : ways) {
    const std::string what = fmt::format("{}, {}", name(problem.kind()), describe(way));
    printer.next(what);
    try {
      const Measured measured = measure_form(problem, way);
      const Json record = to_record(printer.base(), o, problem, roofs, measured);
      printer.add(record, why_wrong(what, "reference", measured.error()));
      if (!o.ranks.is_alone() && rows == 0) printer.note("  ranks: " + describe_ranks(record, "residual"));
      ++rows;
      right += measured.error() <= 1;
      worst = std::max(worst, measured.error());
      if (const double seconds = measured.residual.median; seconds > 0) right_ones.offer(way.options, seconds);
    } catch (const InputError& error) {
      skipped.push_back({way, error});
    }
  }
  for (const auto& [way, error] : skipped)
    printer.note(fmt::format("  Skipped {}: {}", describe(way), options.with_option(error)));
  if (const auto options_of_way = right_ones.take()) fastest.set(tuning_key(problem.kind(), o), *options_of_way);
  if (rows > 0) printer.note(verdict(right, rows, worst));
  printer.end();
}

/// u, u - exact and the residual at the vertices, with the rank of the cells. Returns what it did.
std::string write_fields(const WeakformOptions& o, FormProblem& problem, const Way& way,
                         const weakform::Solved& solved) {
  const std::shared_ptr<const weakform::OrderedForm> ordered = problem.ordered(way);
  return write_solution(o.output, o.ranks, [&] {
    const mesh::Mesh& mesh = ordered->mesh;
    const int components = ordered->space.components;
    std::vector<space::PointField> points{{"u", solved.solution, components}};
    if (problem.knows_solution()) {
      std::vector<double> errors = solved.solution;
      std::size_t next = 0;
      for (const mesh::Point& x : space::node_points(mesh, ordered->space))
        for (const double exact : problem.solution(x)) errors[next++] -= exact;
      points.push_back({"error", std::move(errors), components});
    }
    points.push_back({"residual", solved.residual, components});
    std::vector<space::CellField> cells;
    if (!o.ranks.is_alone()) cells.push_back({"rank", std::vector<double>(mesh.num_elements(), o.ranks.rank())});
    if (ordered->user && !o.problem.coefficient.empty()) cells.push_back({"factor", ordered->user->data.cells});
    return space::vtu(mesh, ordered->space, points, cells, {}, o.output.compress);
  });
}

/// Solves a form in each configuration and prints the solutions.
void solve_form(FormProblem& problem, const std::vector<Way>& ways, const WeakformOptions& o, Printer& printer) {
  printer.begin(solution_tables(o, problem));
  for (const Way& way : ways) {
    const std::string what = fmt::format("{}, {}", name(problem.kind()), describe(way));
    printer.next(what);
    const weakform::Solved solved = weakform::solve_form(problem, way);
    if (!o.history.empty() && o.ranks.rank() == 0) write_history(o.history, relative(solved.newton.residuals));
    if (!o.output.file.empty()) printer.note(write_fields(o, problem, way, solved));
    if (!solved.natural.empty()) printer.note("  f1 . n = 0 on " + solved.natural);
    const Json record = to_record(printer.base(), o, problem, solved);
    printer.add(record, why_unsolved(solved, what, o.newton));
    if (!o.ranks.is_alone() && &way == &ways.front()) printer.note("  ranks: " + describe_ranks(record, "product"));
    if (!solved.newton.single_breakdown.empty())
      printer.note("  " + what + describe_fallback(solved.newton.single_breakdown));
    if (!solved.newton.remark.empty()) printer.note("  " + what + ": " + solved.newton.remark);
  }
  printer.end();
}

void run_forms(const WeakformOptions& o, const Options& options, const std::string& command_line) {
  weakform::TuningTable fastest;
  Printer printer("weakform", command_line, o);
  printer.expect(o.forms.size() * o.ways.size());
  std::vector<std::pair<FormKind, std::vector<Way>>> runs;
  std::vector<std::vector<Skipped>> skipped;
  std::size_t possible = 0;
  for (const FormKind kind : o.forms) {
    runs.emplace_back(kind, possible_ways(kind, o, skipped.emplace_back()));
    possible += runs.back().second.size();
  }
  const auto refuse = [&] {
    for (const std::vector<Skipped>& of_form : skipped)
      if (!of_form.empty()) throw of_form.front().error;
  };
  if (possible == 0) refuse();
  printer.progress("mesh");
  measure::Phases phases;
  mesh::Mesh mesh = phases.time(
      "mesh", [&] { return o.generated() ? weakform::make_mesh(o.dim, o.sides, o.ranks, o.partition) : read_mesh(o); });
  if (o.solve && !o.generated() && !o.problem.any()) agree(o.ranks, [&] { require_elliptic(mesh, o); });
  if (o.shuffle) mesh = phases.time("shuffle", [&] { return mesh::shuffle(mesh, 1); });
  weakform::FormSettings settings = o;
  if (o.problem.any()) agree(o.ranks, [&] { settings.user = parse_problem(o.problem, o.forms.front(), mesh); });
  if (printer.shows_progress())
    settings.newton.progress = [&](int step, double residual) {
      printer.progress(fmt::format("Newton step {}, |r| {:.1e}", step, residual));
    };
  for (std::size_t f = 0; f < runs.size(); ++f) {
    FormProblem problem(runs[f].first, settings, mesh, phases);
    if (o.solve)
      solve_form(problem, runs[f].second, o, printer);
    else
      run_form(problem, runs[f].second, o, options, printer, skipped[f], fastest);
  }
  if (!o.tune.empty()) tuning_file<weakform::TuningTable>(o.tune).append(fastest.text());
  printer.finish();
  if (printer.rows() == 0) refuse();
}

void run_weakform(const WeakformOptions& o, const std::string& command_line, const Options& options) {
  MemoryNeed most;
  for (const FormKind kind : o.forms)
    for (const Way& way : ways_of(o, kind)) most = measure::most_of({most, memory_need(o, kind, way)});
  within_memory(most, command_line, [&] { run_forms(o, options, command_line); });
}

}  // namespace

Command add_weakform_command(Options& options) { return make_command<WeakformArguments>(options, run_weakform); }

}  // namespace miniapp::apps
