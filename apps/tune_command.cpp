// SPDX-License-Identifier: BSD-3-Clause
#include <fstream>
#include <iostream>

#include "checks.hpp"
#include "commands.hpp"
#include "miniapp/core/session.hpp"
#include "miniapp/measure/stopwatch.hpp"
#include "miniapp/mesh/generate.hpp"
#include "miniapp/report/table.hpp"
#include "miniapp/tensor/tuning.hpp"
#include "miniapp/tensor/verification.hpp"

namespace miniapp::apps {
namespace {

struct TuneArguments {
  int elements = 4096, order = 0, repeat = 10;
  std::string precision = "double", output;
};

/// Median time of the full operator [s]. Errors: ResultError where it is wrong.
template <class Real>
double measure_operator(const tensor::Variant& variant, const tensor::Discretisation& d,
                        const tensor::Reference& reference, int repeat) {
  const auto op = tensor::make_operator<Real>(variant, d);
  const tensor::Verification verification = tensor::verify(*op, reference, d);
  if (!verification.passed())
    throw ResultError(fmt::format("kernel {}, {}, order {}: error {:.1e} against the reference", tensor::name(variant),
                                  tensor::name(d.problem), d.order, verification.error));
  const Vector<Real> x = convert<Real>(tensor::random_vector(d.numbering, 3)), y = make_vector<Real>("y", x.extent(0));
  return measure::time([&] { op->apply(x, y); }, repeat).median;
}

/// The fastest of the kernels that may be (rungs are steps of a ladder, not rivals), with all that were measured.
template <class Real>
tensor::Variant tune(tensor::Problem problem, int order, const TuneArguments& a, report::Table& table) {
  const auto box = mesh::cubical(a.elements);
  mesh::Mesh mesh = mesh::make_box(box[0], box[1], box[2]);
  mesh::deform(mesh, 0.08);
  const auto boundary = tensor::has_stiffness(problem) ? mesh::Boundary::dirichlet : mesh::Boundary::neumann;
  const tensor::Discretisation d(std::move(mesh), problem, order, boundary, 1);
  const tensor::Reference reference(d);
  tensor::Variant best = tensor::judge;
  double least = 0;
  std::string others;
  for (const tensor::Kernel kernel : {tensor::Kernel::lanes, tensor::Kernel::lines, tensor::Kernel::tiles}) {
    for (const tensor::Geometry geometry : tensor::all_geometries) {
      const tensor::Variant variant{kernel, geometry};
      if (!tensor::why_not(variant, problem, order, sizeof(Real)).empty()) continue;
      const double time = measure_operator<Real>(variant, d, reference, a.repeat);
      others += fmt::format("{}{} {}", others.empty() ? "" : "; ", tensor::name(variant), report::seconds(time));
      if (least > 0 && time >= least) continue;
      least = time;
      best = variant;
    }
  }
  const double rate = d.numbering.num_dofs() / least * 1e-9;
  table.add({tensor::name(problem), std::to_string(order), tensor::name(best), fmt::format("{:.3g}", rate), others});
  return best;
}

void check(const TuneArguments& a, const Options& options) {
  const std::vector<int> built = tensor::built_orders();
  require(
      !options.given("--order") || std::count(built.begin(), built.end(), a.order),
      fmt::format("--order {}: this build holds no kernels of it; accepted are {}", a.order, fmt::join(built, ", ")));
  require_number("--elements", a.elements, a.elements > 0, "whole numbers > 0");
  require(a.elements >= 8 || a.order > 1,
          fmt::format("--elements {}: of order 1 they have no free node; accepted are 8 or more", a.elements));
  require_number("--repeat", a.repeat, a.repeat > 0, "whole numbers > 0");
  choose("--precision", a.precision, {"double", "single"});
}

int run_tune(const TuneArguments& a) {
  const bool single = a.precision == "single";
  std::ofstream out;
  if (!a.output.empty()) {
    out.open(a.output, std::ios::app);
    require(out.good(), fmt::format("--output {}: cannot be written; accepted is a file to append to", a.output));
  }
  const std::string device = device_class();
  report::Table table({"problem", "order", "fastest", "operator GDOF/s", "measured"});
  tensor::TuningTable tuning;
  for (const auto problem : {tensor::Problem::bp1_0, tensor::Problem::bp3_0, tensor::Problem::bp3_5}) {
    for (const int order : tensor::built_orders()) {
      if (a.order != 0 && order != a.order) continue;
      const tensor::Variant best =
          single ? tune<float>(problem, order, a, table) : tune<double>(problem, order, a, table);
      tuning.set({device, problem, single ? 4 : 8, order}, best);
    }
  }
  std::cout << fmt::format("Device class {}, {} elements, {} precision\n", device, a.elements, a.precision) << table;
  if (a.output.empty()) {
    std::cout << '\n' << tuning.text();
  } else {
    out << tuning.text();
    if (!out.flush()) throw ResultError("--output: writing to '" + a.output + "' failed");
  }
  return 0;
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
  return [a, &options](const std::string&) -> Work {
    check(*a, options);
    return [a = *a] { return run_tune(a); };
  };
}

}  // namespace miniapp::apps
