// SPDX-License-Identifier: BSD-3-Clause
#include "fuzz/commands.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "apps/elasticity/options.hpp"
#include "apps/frontend/command_line.hpp"
#include "apps/frontend/config_file.hpp"
#include "apps/frontend/plot.hpp"
#include "apps/indirect/options.hpp"
#include "apps/report/options.hpp"
#include "apps/solver/options.hpp"
#include "apps/streaming/options.hpp"
#include "apps/tensor/options.hpp"
#include "apps/tune/options.hpp"
#include "apps/weakform/options.hpp"
#include "fuzz/finding.hpp"
#include "miniapp/core/session.hpp"

namespace miniapp::fuzz {
namespace {

namespace fs = std::filesystem;

bool within(double value, double least, double most) { return value >= least && value <= most; }

/// Files that inputs may refer to, and their contents.
const std::map<std::string, std::string>& given_files() {
  static const std::map<std::string, std::string> files = {
      {"a.msh",
       "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n$EndNodes\n$Elements\n1\n"
       "1 2 2 1 1 1 2 3\n$EndElements\n"},
      {"a.toml", "order = 1\nelements = 8\n[streaming]\nbs = [1, 7]\n[indirect]\nloop = \"airfoil\"\n"},
      {"a.json", "{\"schema\": 1}\n"},
      {"a.txt", "here BP1.0 double 1 rung1 stored\n"},
      {"no.toml", "order = [1\n"},
      {"no.txt", "here\n"},
  };
  return files;
}

void check(const apps::TensorOptions& o) {
  constexpr double most = 2147483647;
  expect(within(o.order, 1, 15) && o.nx > 0 && o.ny > 0 && o.nz > 0, "a main job without elements or of no order");
  expect((double(o.nx) * o.order + 1) * (double(o.ny) * o.order + 1) * (double(o.nz) * o.order + 1) <= most,
         "a main job of more nodes than indices number");
  expect(!o.variants.empty(), "a main job without kernels");
  for (const tensor::Variant& variant : o.variants)
    expect(tensor::why_not(variant, o.problem, o.order, o.word()).empty(), "a kernel that this build cannot run");
  expect(o.tolerance > 0 && o.tolerance < 1, "a tolerance that is none");
  expect(std::isfinite(o.deform) && std::isfinite(o.lambda) && o.lambda >= 0, "a deformation or lambda that is none");
  expect(o.lambda > 0 || o.boundary == space::Boundary::dirichlet || !tensor::has_stiffness(o.problem),
         "a singular problem");
  expect(o.max_iterations > 0 && o.repeat.times >= 0, "a main job without iterations or repetitions");
}

void check(const apps::StreamingOptions& o) {
  expect(!o.tests.empty() && !o.orders.empty() && o.samples > 0 && o.repeat >= 0 && o.iterations >= 0,
         "streaming of nothing");
  expect(o.min_bytes > 0 && o.max_bytes >= o.min_bytes && o.max_bytes <= 1e18, "bytes that are none");
  for (const int number : o.tests) {
    expect(within(number, 0, 8), "a streaming operation that does not exist");
    const streaming::Test& test = streaming::find_test(number);
    if (number > 0 && !test.on_mesh()) {
      const std::vector<std::size_t> sizes = streaming::vector_sizes(test, o);
      const double entry = test.words * o.word();
      expect(sizes.size() == std::size_t(o.samples), "fewer sizes than --samples");
      expect(std::adjacent_find(sizes.begin(), sizes.end(), std::greater_equal<>()) == sizes.end(),
             "sizes that do not rise");
      expect(double(sizes.front() + 1) * entry >= o.min_bytes && double(sizes.back()) * entry <= o.max_bytes,
             "sizes beyond --min-bytes or --max-bytes");
    }
    for (const int order : o.orders) {
      expect(within(order, 1, 15), "an order that does not exist");
      if (!test.on_mesh()) continue;
      const std::vector<std::vector<int>> meshes = streaming::mesh_sizes(test, order, o);
      expect(!meshes.empty(), "an operation without meshes");
      for (const std::vector<int>& sides : meshes)
        expect(sides.size() == 3 && *std::min_element(sides.begin(), sides.end()) > 0 &&
                   double(sides[0]) * sides[1] * sides[2] * std::pow(order + 1, 3) <= 2147483647,
               "a mesh of more nodes than indices number, or of none");
    }
  }
}

void check(const apps::IndirectOptions& o) {
  expect(!o.loops.empty() && !o.combinations.empty() && !o.layouts.empty(), "nothing to run");
  expect(o.iterations > 0 && o.repeat.times >= 0, "a loop of no repetitions");
  for (const auto& [loop, sides] : o.sides)
    expect(within(indirect::num_elements(loop, sides), 1, 1.1e9), "a loop of no elements");
  for (const indirect::Combination& combination : o.combinations) {
    expect(within(combination.plan.block_size, 1, 4096), "a block size beyond its limits");
    expect(graph::why_not(combination.reorder).empty(), "an order that this build cannot make");
  }
  expect(o.save_plan.empty() || (o.loops.size() == 1 && o.combinations.size() == 1), "many plans for one file");
}

void check(const apps::ElasticityOptions& o) {
  expect(!o.orders.empty() && !o.methods.empty() && o.elements >= 0 && o.repeat.times >= 0, "elasticity of nothing");
  for (const int order : o.orders) expect(within(order, 1, 7), "an order of no prism");
  expect(o.young > 0 && std::isfinite(o.young) && o.poisson > -1 && o.poisson < 0.5, "a material that is none");
  expect(within(o.deform, 0, 0.12), "a deformation that may invert prisms");
  if (!o.mesh) return;
  expect(o.solve && o.mesh->kind == mesh::CellKind::prism, "a body of other cells, or one that is not solved");
  expect(!o.body.held.empty() && o.body.material.density >= 0, "a body that is not held, or of a negative density");
  for (const elasticity::Holding& holding : o.body.held)
    expect(o.mesh->find_group(holding.group), "a group that the mesh has not");
}

void check(const apps::SolverOptions& o) {
  expect(!o.matrices.empty() && !o.solves().empty() && o.repeat.times >= 0, "solves of nothing");
  for (const apps::MatrixChoice& matrix : o.matrices)
    expect(matrix.kind == apps::MatrixKind::file ||
               (within(matrix.unknowns(), 1, 1.1e9) && within(matrix.entries(), 1, 2147483647) &&
                within(matrix.order, 1, 15)),
           "a matrix of no unknowns, or of more entries than indices number");
  for (const solver::SolveSettings& settings : o.solves()) {
    expect(solver::why_not(settings.preconditioner).empty(), "a preconditioner that this build has not");
    expect(settings.method == solver::CgMethod::cg || is_pointwise(settings.preconditioner),
           "pipelined CG without a pointwise preconditioner");
    expect(settings.cg.tolerance > 0 && settings.cg.tolerance < 1 && settings.cg.max_iterations > 0,
           "a solve without iterations, or to a tolerance that is none");
    expect(within(settings.amg.sweeps, 1, 100) && settings.amg.strength >= 0 && settings.amg.strength < 1,
           "a smoother without sweeps, or a strength that is none");
    expect(o.precision == Precision::fp64 || settings.amg_precision == Precision::fp32,
           "cycles finer than their solve");
  }
  expect(o.history.empty() || (o.matrices.size() == 1 && o.solves().size() == 1), "many solves for one file");
}

void check(const apps::WeakformOptions& o) {
  expect(!o.forms.empty() && !o.ways.empty() && o.repeat.times >= 0, "forms of nothing");
  expect((o.dim == 2 || o.dim == 3) && within(o.boxes(), 1, 1e9), "a mesh that is none");
  for (const weakform::Way& way : o.ways) {
    expect(way.options.strategy != weakform::Strategy::reference, "a reference that is timed");
    expect(within(way.options.block_size.value_or(1), 1, 4096) && within(way.options.blocks, 0, 4096) &&
               within(way.options.batches, 1, 4096),
           "blocks beyond their limits");
    expect(graph::why_not(way.reorder).empty(), "an order that this build cannot make");
  }
}

void check(const apps::TuneOptions& a) {
  expect(!a.cases.empty() && a.repeat.times >= 0, "a tuning of nothing");
  for (const apps::TensorOptions& o : a.cases) {
    expect(
        (a.elements == 0 || o.elements() == a.elements) && std::count(a.orders.begin(), a.orders.end(), o.order) == 1,
        "another case than the one asked for");
    expect(!o.variants.empty(), "a case without kernels");
  }
}

void check(const apps::ReportOptions& o) {
  expect(o.other.has_value() == !o.what_if.empty() && (!o.other || (o.other->memory > 0 && o.other->fma > 0)),
         "another device without rates");
  if (!o.records_given.empty()) return expect(o.other || o.check, "records that are looked at for nothing");
  expect(!o.entries.empty() && o.output.ends_with(".html"), "a report of nothing, or without a page");
  for (const apps::Entry& entry : o.entries)
    expect(!entry.name.empty() && !entry.words.empty(), "a run without a command line");
}

/// The program's commands; those whose check the fuzzer does not have take no options here.
struct Commands {
  apps::Options tensor{"", "The main job."}, streaming{"streaming", ""}, indirect{"indirect", ""},
      elasticity{"elasticity", ""}, solver{"solver", ""}, info{"info", ""}, tune{"tune", ""}, weakform{"weakform", ""},
      compare{"compare", ""}, report{"report", ""};
  apps::TensorArguments tensor_arguments;
  apps::StreamingArguments streaming_arguments;
  apps::IndirectArguments indirect_arguments;
  apps::ElasticityArguments elasticity_arguments;
  apps::SolverArguments solver_arguments;
  apps::TuneArguments tune_arguments;
  apps::WeakformArguments weakform_arguments;
  apps::ReportArguments report_arguments;
  std::string info_json, info_csv, old_file, new_file, compare_plot;

  Commands() {
    apps::add_options(tensor, tensor_arguments);
    apps::add_options(streaming, streaming_arguments);
    apps::add_options(indirect, indirect_arguments);
    apps::add_options(elasticity, elasticity_arguments);
    apps::add_options(solver, solver_arguments);
    apps::add_options(tune, tune_arguments);
    apps::add_options(weakform, weakform_arguments);
    apps::add_options(report, report_arguments);
    info.group("Options").optional("--json", info_json, "").output();
    info.group("Options").optional("--csv", info_csv, "").output();
    compare.group("Files").optional("OLD.json", old_file, "").input();
    compare.group("Files").optional("NEW.json", new_file, "").input();
    compare.group("Output").optional("--plot", compare_plot, "").output(apps::check_picture);
  }
  std::vector<apps::Options*> all() {
    return {&tensor, &info, &streaming, &indirect, &elasticity, &solver, &tune, &weakform, &compare, &report};
  }

  /// Lets a command check its options, and checks the result.
  void check_options(apps::Options* command) {
    if (command) command->take_values();
    if (command == &tensor) {
      const auto cases = apps::check(tensor_arguments, tensor);
      expect(!cases.empty(), "a main job without cases");
      for (const apps::TensorOptions& o : cases) check(o);
    }
    if (command == &streaming) check(apps::check(streaming_arguments, streaming));
    if (command == &indirect) check(apps::check(indirect_arguments, indirect));
    if (command == &elasticity) check(apps::check(elasticity_arguments, elasticity));
    if (command == &solver) check(apps::check(solver_arguments, solver));
    if (command == &tune) check(apps::check(tune_arguments, tune));
    if (command == &weakform) check(apps::check(weakform_arguments, weakform));
    if (command == &report) check(apps::check(report_arguments, report));
  }
};

/// `read(commands)` reads options and returns the command that they belong to.
template <class Read>
void check_options(const Read& read) {
  static const Session session{std::vector<std::string>()};  // the check of options needs the device
  const Scratch& folder = scratch();
  Commands commands;
  const apps::Options* command = &commands.tensor;
  const bool accepted = accepts(
      [&] {
        apps::Options* const asked = read(commands);
        if (asked) command = asked;
        commands.check_options(asked);
      },
      [&](const Error& error) { return printable(command->with_origin(error)); });  // as main() shows it
  folder.clean(!accepted);
}

}  // namespace

Scratch::Scratch() : path_((fs::temp_directory_path() / ("miniapp-fuzz-" + std::to_string(getpid()))).string()) {
  fs::create_directory(path_);
  fs::current_path(path_);
  for (const auto& [name, text] : given_files()) std::ofstream(name, std::ios::binary) << text;
}

Scratch::~Scratch() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void Scratch::clean(bool refused) const {
  std::size_t known = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(path_)) {
    const auto given = given_files().find(entry.path().filename().string());
    if (given != given_files().end()) {
      expect(entry.file_size() == given->second.size(), "a file that was there is changed");
      ++known;
    } else {
      expect(!refused, "a refusal that leaves a file behind");
      fs::remove_all(entry.path());
    }
  }
  expect(known == given_files().size(), "a file that was there is gone");
}

const Scratch& scratch() {
  static const Scratch scratch;
  return scratch;
}

void check_command_line(std::vector<std::string> words) {
  for (std::string& word : words) std::replace(word.begin(), word.end(), '/', '_');
  check_options([&](Commands& commands) {
    const apps::CommandLine asked = apps::parse_command_line(words, commands.all(), "0");
    expect(asked.command || !asked.text.empty(), "neither a command nor a text");
    return asked.command;
  });
}

void check_config(const std::string& text, const std::string& command) {
  std::string tame = text;
  std::replace(tame.begin(), tame.end(), '/', '_');
  check_options([&](Commands& commands) {
    apps::Options* chosen = nullptr;
    for (apps::Options* options : commands.all())
      if (options->command() == command) chosen = options;
    apps::apply_config(tame, "a.toml", *chosen, commands.all());
    chosen->check_values();
    return chosen;
  });
}

}  // namespace miniapp::fuzz
