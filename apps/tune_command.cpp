// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <fstream>
#include <iostream>

#include "checks.hpp"
#include "commands.hpp"
#include "interrupt.hpp"
#include "miniapp/core/session.hpp"
#include "miniapp/measure/stopwatch.hpp"
#include "miniapp/mesh/generate.hpp"
#include "miniapp/report/record.hpp"
#include "miniapp/report/table.hpp"
#include "miniapp/tensor/tuning.hpp"
#include "miniapp/tensor/verification.hpp"
#include "progress.hpp"
#include "tensor_memory.hpp"

namespace miniapp::apps {
namespace {

using report::Json;

constexpr double deformation = 0.08;

struct TuneArguments {
  int elements = 4096, order = 0, repeat = 10;
  std::string precision = "double", output, json;
  bool quiet = false;
  bool single() const { return precision == "single"; }
};

/// The kernels that may be fastest: rungs are steps of a ladder, not rivals.
std::vector<tensor::Variant> rivals(tensor::Problem problem, int order, int word) {
  std::vector<tensor::Variant> able;
  for (const tensor::Kernel kernel : {tensor::Kernel::lanes, tensor::Kernel::lines, tensor::Kernel::tiles})
    for (const tensor::Geometry geometry : tensor::all_geometries)
      if (tensor::why_not({kernel, geometry}, problem, order, word).empty()) able.push_back({kernel, geometry});
  return able;
}

/// One case of those that are tuned.
TensorOptions make_case(const TuneArguments& a, tensor::Problem problem, int order) {
  const auto box = mesh::cubical(a.elements);
  TensorOptions o{};
  o.problem = problem;
  o.order = order;
  o.nx = box[0];
  o.ny = box[1];
  o.nz = box[2];
  o.single = a.single();
  o.boundary = tensor::has_stiffness(problem) ? mesh::Boundary::dirichlet : mesh::Boundary::neumann;
  o.lambda = 1;
  o.deform = deformation;
  o.variants = rivals(problem, order, o.word());
  return o;
}

std::vector<TensorOptions> make_cases(const TuneArguments& a) {
  std::vector<TensorOptions> cases;
  for (const auto problem : {tensor::Problem::bp1_0, tensor::Problem::bp3_0, tensor::Problem::bp3_5})
    for (const int order : tensor::built_orders())
      if (a.order == 0 || order == a.order) cases.push_back(make_case(a, problem, order));
  return cases;
}

/// What was measured of one variant.
struct Rival {
  tensor::Variant variant;
  tensor::Verification verification;
  measure::Sample time;  ///< of the full operator [s]
};

/// Errors: ResultError where the operator is wrong.
template <class Real>
Rival measure_operator(const tensor::Variant& variant, const tensor::Discretisation& d,
                       const tensor::Reference& reference, int repeat) {
  const auto op = tensor::make_operator<Real>(variant, d);
  const tensor::Verification verification = tensor::verify(*op, reference, d);
  if (!verification.passed())
    throw ResultError(fmt::format("kernel {}, {}, order {}: error {:.1e} against the reference", tensor::name(variant),
                                  tensor::name(d.problem), d.order, verification.error));
  const Vector<Real> x = convert<Real>(tensor::random_vector(d.numbering, 3)), y = make_vector<Real>("y", x.extent(0));
  return {variant, verification, measure::time([&] { op->apply(x, y); }, repeat)};
}

/// All variants of one case, the fastest first.
template <class Real>
std::vector<Rival> tune(const TensorOptions& o, int repeat, Progress& progress, double& dofs) {
  mesh::Mesh mesh = mesh::make_box(o.nx, o.ny, o.nz);
  mesh::deform(mesh, o.deform);
  const tensor::Discretisation d(std::move(mesh), o.problem, o.order, o.boundary, o.lambda);
  const tensor::Reference reference(d);
  dofs = d.numbering.num_dofs();
  std::vector<Rival> measured;
  for (const tensor::Variant& variant : o.variants) {
    progress.next(fmt::format("{}, order {}, {}", tensor::name(o.problem), o.order, tensor::name(variant)));
    measured.push_back(measure_operator<Real>(variant, d, reference, repeat));
  }
  std::stable_sort(measured.begin(), measured.end(),
                   [](const Rival& x, const Rival& y) { return x.time.median < y.time.median; });
  return measured;
}

Json to_record(const Json& base, const TuneArguments& a, const TensorOptions& o, const std::vector<Rival>& measured,
               double dofs, const std::string& device_class) {
  Json record = base;
  record["case"] = {{"bp", tensor::name(o.problem)}, {"order", o.order},   {"elements", o.elements()},
                    {"box", {o.nx, o.ny, o.nz}},     {"deform", o.deform}, {"lambda", o.lambda},
                    {"precision", a.precision},      {"repeat", a.repeat}, {"dofs", static_cast<std::int64_t>(dofs)}};
  double worst = 0;
  Json& rivals = record["result"]["measured"] = Json::array();
  for (const Rival& rival : measured) {
    worst = std::max(worst, rival.verification.error);
    rivals.push_back({{"kernel", tensor::name(rival.variant.kernel)},
                      {"geometry", tensor::name(rival.variant.geometry)},
                      {"operator_s", report::to_json(rival.time)}});
  }
  const Rival& best = measured.front();
  record["verification"] = {
      {"against", "reference"}, {"error", worst}, {"tolerance", best.verification.limit}, {"passed", true}};
  record["result"]["device_class"] = device_class;
  record["result"]["kernel"] = tensor::name(best.variant.kernel);
  record["result"]["geometry"] = tensor::name(best.variant.geometry);
  record["timing"]["operator_s"] = report::to_json(best.time);
  record["rates"]["operator_gdofs"] = dofs / best.time.median * 1e-9;
  return record;
}

void check(const TuneArguments& a, const Options& options) {
  const std::vector<int> built = tensor::built_orders();
  require(
      !options.given("--order") || std::count(built.begin(), built.end(), a.order),
      fmt::format("--order {}: this build holds no kernels of it; accepted are {}", a.order, fmt::join(built, ", ")));
  require_number("--elements", a.elements, a.elements > 0, "whole numbers > 0");
  require_number("--repeat", a.repeat, a.repeat > 0, "whole numbers > 0");
  choose("--precision", a.precision, {"double", "single"});
  for (const TensorOptions& o : make_cases(a)) {
    require(o.order > 1 || std::min({o.nx, o.ny, o.nz}) > 1,
            fmt::format("--elements {}: {} x {} x {} elements of order 1 have no free node; accepted are products of "
                        "three factors of 2 or more, such as 8 or 4096",
                        a.elements, o.nx, o.ny, o.nz));
    for (const tensor::Variant& variant : o.variants)
      require_memory(operator_need(o, variant), fmt::format("--elements {}, order {}", a.elements, o.order),
                     "fewer elements, or one --order");
  }
}

int run_tune(const TuneArguments& a, const std::string& command_line) {
  std::ofstream out;
  if (!a.output.empty()) {
    out.open(a.output, std::ios::app);
    require(out.good(), fmt::format("--output {}: cannot be written; accepted is a file to append to", a.output));
  }
  const report::RecordFile file(a.json);
  const Json base = report::make_record("tune", command_line);
  const std::string device = device_class();
  report::Table table({"problem", "order", "fastest", "operator GDOF/s", "measured"});
  tensor::TuningTable tuning;
  const std::vector<TensorOptions> cases = make_cases(a);
  std::size_t runs = 0;
  for (const TensorOptions& o : cases) runs += o.variants.size();
  Progress progress(runs, a.quiet);
  std::size_t done = 0;
  const auto print = [&] {
    std::cout << fmt::format("Device class {}, {} elements, {} precision\n", device, a.elements, a.precision) << table;
    if (a.output.empty()) std::cout << '\n' << tuning.text();
  };
  PrintedOnSignal rows([&] {
    if (done > 0) print();
    return done > 0;
  });
  for (const TensorOptions& o : cases) {
    double dofs = 0;
    const std::vector<Rival> measured =
        o.single ? tune<float>(o, a.repeat, progress, dofs) : tune<double>(o, a.repeat, progress, dofs);
    if (measured.empty()) continue;
    std::string times;
    for (const Rival& rival : measured)
      times += fmt::format("{}{} {}", times.empty() ? "" : "; ", tensor::name(rival.variant),
                           report::seconds(rival.time.median));
    const Rival& best = measured.front();
    const auto held = hold_rows();
    table.add({tensor::name(o.problem), std::to_string(o.order), tensor::name(best.variant),
               fmt::format("{:.3g}", dofs / best.time.median * 1e-9), times});
    file.append(to_record(base, a, o, measured, dofs, device));
    tuning.set({device, o.problem, o.word(), o.order}, best.variant);
    ++done;
  }
  progress.clear();
  rows.release();
  print();
  if (!a.output.empty()) {
    out << tuning.text();
    if (!out.flush()) throw ResultError("--output: writing to '" + a.output + "' failed");
  }
  return 0;
}

/// The largest of all cases.
MemoryNeed memory_need(const TuneArguments& a) {
  std::vector<MemoryNeed> needs;
  for (const TensorOptions& o : make_cases(a))
    for (const tensor::Variant& variant : o.variants) needs.push_back(operator_need(o, variant));
  return most_of(needs);
}

}  // namespace

Command add_tune_command(Options& options) {
  const auto a = std::make_shared<TuneArguments>();
  const auto group = options.group("Options");
  group.optional("--order", a->order, "Polynomial order [all that are built]");
  group.add("--elements", a->elements, "Hexahedra");
  group.add("--precision", a->precision, "double or single");
  group.add("--repeat", a->repeat, "Timed repetitions");
  group.file("--output", a->output, "Append the table to this file, for --tuning; without it, print it");
  group.flag("--quiet", a->quiet, "Print no progress");
  group.file("--json", a->json, "Append a record per problem and order to this file");
  return [a, &options](const std::string& command_line) -> Work {
    check(*a, options);
    return [a = *a, command_line] {
      return within_memory(memory_need(a), fmt::format("--elements {}", a.elements),
                           [&] { return run_tune(a, command_line); });
    };
  };
}

}  // namespace miniapp::apps
