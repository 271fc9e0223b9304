// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "apps/frontend/commands.hpp"
#include "apps/frontend/device_text.hpp"
#include "apps/frontend/memory.hpp"
#include "apps/frontend/printer.hpp"
#include "apps/frontend/record_parts.hpp"
#include "apps/frontend/solution_file.hpp"
#include "apps/indirect/options.hpp"
#include "core/agree.hpp"
#include "core/printable.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/core/region.hpp"
#include "miniapp/indirect/state.hpp"
#include "miniapp/measure/roofs.hpp"
#include "miniapp/mesh/generate.hpp"
#include "miniapp/mesh/read.hpp"
#include "miniapp/mesh/vtu.hpp"
#include "runs/fastest.hpp"
#include "runs/indirect/planned.hpp"
#include "runs/mesh_parts.hpp"

namespace miniapp::apps {
namespace {

using indirect::Combination;
using indirect::LoadedPlan;
using indirect::Measured;
using indirect::Planned;
using indirect::Planner;
using indirect::Problem;
using indirect::Strategy;
using measure::MemoryRoof;

/// Runs body(); names the loop where memory runs out. Errors: InputError; of several ranks, which do not all know it,
/// what body() throws.
template <class Body>
auto within_memory(const IndirectOptions& o, indirect::LoopKind kind, const Body& body) {
  try {
    return body();
  } catch (const std::exception& error) {
    if (!failed_allocation(error) || !o.ranks.is_alone()) throw;
    throw about(o.generated() ? o.size : o.mesh_option(),
                fmt::format("memory ran out in loop {}; accepted is {}", indirect::name(kind),
                            o.generated() ? "fewer elements" : "a mesh of fewer cells"));
  }
}

/// A file with fields, whole on each rank. Collective.
std::optional<mesh::Vtu> read_state(const IndirectOptions& o) {
  std::optional<mesh::Vtu> file;
  if (!o.state.empty()) of_option("--state", [&] { agree(o.ranks, [&] { file = mesh::read_vtu(o.state); }); });
  return file;
}

/// The mesh of a file, read once for all loops; on several ranks this one's part.
std::optional<mesh::Mesh> read_mesh(const IndirectOptions& o, const std::optional<mesh::Vtu>& state) {
  if (o.generated()) return {};
  return of_option(o.mesh == o.state ? "--state" : "--mesh", [&] {
    return runs::read_parts(o.ranks, o.partition, [&] {
      if (o.mesh == o.state) return state->mesh;
      mesh::Mesh mesh = mesh::read_gmsh(o.mesh);
      mesh::require_straight(mesh, printable(o.mesh, 200));
      return mesh;
    });
  });
}

/// A loop with what it runs on.
struct LoopCase {
  Problem problem;
  mesh::Mesh mesh;  ///< where fields are written; else empty
};

/// Refuses a state whose increments no number of the precision holds.
void require_finite(const Problem& problem, const IndirectOptions& o) {
  agree(o.ranks, [&] {
    require(std::all_of(problem.expected.begin(), problem.expected.end(), [](double x) { return std::isfinite(x); }),
            "--state", printable(o.state, 200),
            fmt::format("increments overflow in {} precision; accepted are smaller numbers", name(problem.precision)));
  });
}

LoopCase make_problem(indirect::LoopKind kind, const IndirectOptions& o, const std::optional<mesh::Mesh>& from_file,
                      const std::optional<mesh::Vtu>& state_file) {
  const Region region("mesh");
  mesh::Mesh mesh = from_file ? *from_file : of_option(o.size + ":", [&] {
    return indirect::make_mesh(kind, o.sides.at(kind), o.ranks, o.partition);
  });
  if (o.shuffle) mesh = mesh::shuffle(mesh, 1);
  std::optional<indirect::State> state;
  if (state_file)
    state = of_option("--state " + printable(o.state, 200) + ":",
                      [&] { return indirect::find_state(kind, mesh, *state_file); });
  const std::string words = o.generated() ? o.size : o.mesh_option();
  const auto make = [&] { return indirect::make_case(kind, mesh, state ? &*state : nullptr); };
  indirect::Case data = from_file ? of_option(words + ":", make) : make();
  require(data.from_size() > 0 || !o.ranks.is_alone(), "--loop", indirect::name(kind),
          words + " has no elements of the loop; accepted is a mesh of two cells or more");
  LoopCase made{{kind, o.precision.value_or(indirect::usual_precision(kind)), std::move(data)}, {}};
  if (state) require_finite(made.problem, o);
  if (!o.output.file.empty()) made.mesh = std::move(mesh);
  return made;
}

std::optional<LoadedPlan> load_plan(const std::string& path) {
  if (path.empty()) return {};
  return of_option("--load-plan", [&] { return LoadedPlan(path); });
}

/// "auto: hierarchical colours/atomic".
std::string strategy_name(bool automatic, const std::string& strategy, const std::string& in_block,
                          const std::string& write_back) {
  const std::string text = automatic ? "auto: " + strategy : strategy;
  return strategy == indirect::name(Strategy::hierarchical) ? fmt::format("{} {}/{}", text, in_block, write_back)
                                                            : text;
}
std::string strategy_name(const Combination& how) {
  return strategy_name(how.automatic, indirect::name(how.plan.strategy), indirect::name(how.plan.in_block),
                       indirect::name(how.plan.write_back));
}

std::vector<report::Column> columns(const IndirectOptions& o) {
  using report::detail, report::expected, report::part_of, report::positive;
  const auto strategy = [](const Json& r) {
    return strategy_name(at(r, field::automatic), at(r, field::strategy), at(r, field::in_block),
                         at(r, field::write_back));
  };
  const auto colours = [](const Json& r) -> std::string {
    const int blocks = at(r, field::block_colours), threads = at(r, field::thread_colours);
    if (threads > 0) return fmt::format("{}/{}", blocks, threads);
    return blocks > 1 ? std::to_string(blocks) : "-";
  };
  const auto of_blocks = [](report::Column column) {  // "-" where a plan has none
    column.text = [text = std::move(column.text)](const Json& r) {
      return at(r, field::block_size).is_null() ? std::string("-") : text(r);
    };
    return column;
  };
  const auto each = [](const Json& r) -> std::string {
    const Json time = value_at(r, field::kernel_s);
    return time.is_null() ? "-" : fmt::format("{:.3g}", 1e9 * double(time["median"]) / double(at(r, field::size)));
  };
  const bool blocks = std::any_of(o.combinations.begin(), o.combinations.end(),
                                  [](const Combination& how) { return has_blocks(how.plan.strategy); });
  return {report::sized({"kernel", strategy},
                        report::longest(o.combinations, [](const Combination& how) { return strategy_name(how); })),
          report::sized(field::reorder,
                        report::longest(o.combinations, [](const Combination& how) { return name(how.reorder); })),
          field::layout,
          expected(field::block_size, blocks),
          field::kernel_s,
          detail(part_of(field::kernel_s, "min", "min")),
          detail(part_of(field::kernel_s, "max", "max")),
          field::kernel_gbytes.as("GB/s", "{:.4g}"),
          field::fraction_of_bound,
          detail(field::fraction_of_copy_roof),
          {"ns/element", each},
          expected(of_blocks(field::reuse_factor), blocks),
          detail(part_of(field::kernel_s, "joules", "mJ", "{:.3g}", 1e3)),
          detail({"colours", colours}),
          detail(of_blocks(field::cache_lines)),
          expected(detail(positive(field::scratch_bytes)), blocks && !runs_on_host),
          expected(detail(positive(field::occupancy)), !runs_on_host),
          report::setup_column(),
          report::sized(field::error_over_tolerance, report::error_width)};
}

std::string heading(const Problem& problem, const IndirectOptions& o, const MemoryRoof& roof) {
  const std::string rates =
      o.verify_only ? ""
                    : fmt::format(
                          "copy roof {:.4g} GB/s at {}; GB/s by the paper's formula, fields once (incremented "
                          "ones twice) and maps once;\nbound: these bytes, and staged increments, at {:.4g} GB/s, "
                          "the fastest of copying, reading and updating;\n",
                          roof.bandwidth * 1e-9, report::bytes(roof.bytes), roof.memory * 1e-9);
  return fmt::format(
      "{}: {} elements, {} targets, {}{}{}, {} precision, {}{}\n{}error / tolerance against the serial loop\n",
      indirect::name(problem.kind), report::count(problem.num_elements), report::count(problem.num_targets), o.mesh,
      o.shuffle ? ", shuffled" : "",
      o.state.empty() || o.state == o.mesh ? "" : ", state of " + printable(o.state, 200), name(problem.precision),
      describe_world(o.ranks), describe_device(platform()), rates);
}

/// Returns the record.
Json add(Printer& printer, const Problem& problem, const IndirectOptions& o, const MemoryRoof& roof,
         const Measured& m) {
  const indirect::PlanOptions& plan = m.how.plan;
  Json record = printer.base();
  record["case"] = {{"loop", indirect::name(problem.kind)},
                    {"precision", name(problem.precision)},
                    {field::strategy.key(), indirect::name(plan.strategy)},
                    {field::reorder.key(), m.reorder},
                    {field::layout.key(), name(m.layout)},
                    {field::block_size.key(), m.figures.most_positions > 0 ? Json(plan.block_size) : Json(nullptr)},
                    {field::size.key(), problem.num_elements},
                    {"targets", problem.num_targets},
                    {field::in_block.key(), indirect::name(plan.in_block)},
                    {field::write_back.key(), indirect::name(plan.write_back)},
                    {"staging", indirect::name(plan.staging)},
                    {"mesh", o.mesh},
                    {"shuffled", o.shuffle},
                    {"state", o.state.empty() ? Json("own") : Json(o.state)},
                    {field::automatic.key(), m.how.automatic},
                    {"iterations", o.iterations},
                    {"verify_only", o.verify_only}};
  put_ranks(record, m.of_ranks, o.partition);
  record["verification"] = verification("serial loop", m.error);
  record["result"] = {{"norm", m.norm},
                      {field::reuse_factor.key(), m.figures.reuse_factor},
                      {field::block_colours.key(), m.figures.colours},
                      {field::thread_colours.key(), m.figures.thread_colours},
                      {field::cache_lines.key(), m.lines},
                      {"redundancy", m.figures.redundancy}};
  record["result"].update(team_record(m.resources));
  if (o.has_fields())
    for (const indirect::FieldSums& field : sum_fields(problem, m.increments))
      record["result"]["increments"][field.name] = {{"sum", field.sums}, {"norm", field.norm}};
  at(record, field::setup_s) = report::to_json(m.phases);
  if (m.sample.repetitions > 0) {
    const double rate = m.bytes / m.sample.median;
    at(record, field::kernel_s) = report::to_json(m.sample);
    record["rates"] = {{field::kernel_gbytes.key(), rate * 1e-9}, {"kernel_bytes", m.bytes}};
    record["roofs"] = {{field::copy_gbytes.key(), roof.bandwidth * 1e-9},
                       {field::fraction_of_copy_roof.key(), rate / roof.bandwidth}};
    put_bound(record, {m.least_bytes, 0, 0}, {roof.memory, 0, 0}, m.sample.median);
  }
  printer.add(record, why_wrong(fmt::format("{}, {}", indirect::name(problem.kind), strategy_name(m.how)),
                                "serial loop", m.error));
  return record;
}

/// State and increments, of several ranks with the numbers of cells and vertices in the whole mesh. Returns what it
/// did. Collective.
std::string write_fields(const LoopCase& loop, const IndirectOptions& o, const std::vector<double>& increments) {
  return write_solution(o.output, o.ranks, [&] {
    const Problem& problem = loop.problem;
    const mesh::Part& part = loop.mesh.part;
    std::vector<space::PointField> points;
    std::vector<space::CellField> cells;
    const auto add = [&](const std::vector<indirect::FieldValues>& fields) {
      for (const indirect::FieldValues& field : fields) {
        if (field.site == indirect::Site::vertices)
          points.push_back({field.name, field.values, field.components});
        else
          cells.push_back({field.name, field.values, field.components});
      }
    };
    add(state_of(problem.kind, problem.data, loop.mesh));
    add(increments_of(problem.kind, increments, problem.data, loop.mesh));
    if (!o.ranks.is_alone()) {
      points.push_back({"point_number", {part.vertices.begin(), part.vertices.end()}});
      cells.push_back({"cell_number", {part.elements.begin(), part.elements.end()}});
      cells.push_back({"rank", std::vector<double>(loop.mesh.num_elements(), o.ranks.rank())});
    }
    return space::vtu(loop.mesh, points, cells, o.output.compress);
  });
}

/// The plan of a combination, or the one that was loaded; saved where that is asked for. A wrong one is reported, and
/// nothing returned.
std::optional<Planned> make_plan(const Combination& how, const Problem& problem, const IndirectOptions& o,
                                 const std::optional<LoadedPlan>& loaded, Planner& planner, Printer& printer) {
  const std::string loading = "--load-plan " + printable(o.load_plan, 200) + ":";
  Planned planned =
      loaded ? of_option(loading, [&] { return indirect::make_planned(*loaded, problem); }) : planner.make(how);
  const std::optional<indirect::SavedPlan> to_save =
      o.save_plan.empty() ? std::nullopt : std::optional(indirect::to_save(planned, problem));
  if (const std::string wrong = finish(planned); !wrong.empty()) {
    require(!loaded, "--load-plan", printable(o.load_plan, 200), wrong + "; accepted is a file of --save-plan");
    const std::string what = fmt::format("WRONG plan of {}, {}: {}", strategy_name(how), name(how.reorder), wrong);
    printer.note("  " + what + "; it was not run");
    printer.wrong(indirect::name(problem.kind) + ": " + what);
    return std::nullopt;
  }
  if (to_save) indirect::save_plan(o.save_plan, *to_save);
  return planned;
}

/// Combinations that cannot run are listed below the table: one of them does not end a sweep. `impossible` keeps the
/// first reason.
void run_loop(const LoopCase& loop, const IndirectOptions& o, const Options& options,
              const std::optional<LoadedPlan>& loaded, Printer& printer, std::optional<InputError>& impossible) {
  const Problem& problem = loop.problem;
  MemoryRoof roof;
  if (!o.verify_only)
    roof =
        within_memory(o, problem.kind, [&] { return measure::memory_roof(problem.bytes / o.ranks.size(), o.ranks); });
  printer.begin({{heading(problem, o, roof), columns(o)}});
  Planner planner(problem);
  std::vector<measure::Fastest<Measured>> automatic(o.layouts.size());  // of an order
  bool told = o.ranks.is_alone();                                       // how ranks share the loop
  bool written = o.output.file.empty();
  const auto report = [&](const Measured& measured) {
    const Json record = add(printer, problem, o, roof, measured);
    if (measured.error <= 1 && !std::exchange(written, true))
      printer.note("  " + write_fields(loop, o, measured.increments));
    if (!std::exchange(told, true)) printer.note("  ranks: " + describe_ranks(record, "run"));
  };
  const auto finish_automatic = [&] {
    for (measure::Fastest<Measured>& of_layout : automatic)
      if (const auto fastest = of_layout.take()) report(*fastest);
  };
  const auto run = [&](const Combination& how) {
    const Region region(fmt::format("{}, {}", strategy_name(how), name(how.reorder)));
    const std::optional<Planned> planned = make_plan(how, problem, o, loaded, planner, printer);
    if (!planned) return;
    for (std::size_t l = 0; l < o.layouts.size(); ++l) {
      const Measured measured =
          measure_loop(problem, *planned, o.layouts[l], o.iterations,
                       o.verify_only ? std::optional<measure::Repeat>() : o.repeat, o.has_fields());
      // a wrong one is reported however slow it is, and without times none is the fastest
      if (!how.automatic || o.verify_only || !(measured.error <= 1))
        report(measured);
      else
        automatic[l].offer(measured, measured.sample.median);
    }
  };
  const Combination* last = nullptr;
  for (const Combination& how : o.combinations) {
    printer.next(fmt::format("{}: {}, {}", indirect::name(problem.kind), strategy_name(how), name(how.reorder)));
    if (last && (!how.automatic || last->reorder != how.reorder)) finish_automatic();
    last = &how;
    try {
      within_memory(o, problem.kind, [&] { run(how); });
    } catch (const InputError& error) {
      const std::string reason = options.with_option(error);
      printer.note(fmt::format("  Skipped {}, {}: {}", strategy_name(how), name(how.reorder), reason));
      if (!impossible) impossible = error;
    }
  }
  finish_automatic();
  printer.end();
}

void run_indirect(const IndirectOptions& o, const std::string& command_line, const Options& options) {
  Printer printer("indirect", command_line, o);
  printer.expect(o.loops.size() * o.combinations.size());
  std::optional<InputError> impossible;
  const std::optional<LoadedPlan> loaded = load_plan(o.load_plan);
  std::optional<mesh::Vtu> state = within_memory(o, o.loops.front(), [&] { return read_state(o); });
  const std::optional<mesh::Mesh> from_file = within_memory(o, o.loops.front(), [&] { return read_mesh(o, state); });
  const auto make = [&](indirect::LoopKind loop) {
    printer.progress(indirect::name(loop) + ": mesh");
    return within_memory(o, loop, [&] { return make_problem(loop, o, from_file, state); });
  };
  if (from_file) {  // a loop that the mesh does not suit is refused before another one has run
    std::vector<LoopCase> cases;
    for (const indirect::LoopKind loop : o.loops) cases.push_back(make(loop));
    state.reset();
    for (const LoopCase& one : cases) run_loop(one, o, options, loaded, printer, impossible);
  } else {
    for (const indirect::LoopKind loop : o.loops) {
      try {
        run_loop(make(loop), o, options, loaded, printer, impossible);
      } catch (const InputError& error) {
        const std::string reason = options.with_option(error);
        printer.note(fmt::format("Skipped {}: {}", indirect::name(loop), reason));
        printer.end();
        if (!impossible) impossible = error;
      }
    }
  }
  printer.finish();
  if (printer.rows() == 0) throw impossible.value();
}

}  // namespace

Command add_indirect_command(Options& options) { return make_command<IndirectArguments>(options, run_indirect); }

}  // namespace miniapp::apps
