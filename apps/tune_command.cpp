// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "commands.hpp"
#include "miniapp/core/device.hpp"
#include "miniapp/measure/stopwatch.hpp"
#include "miniapp/mesh/generate.hpp"
#include "miniapp/tensor/verification.hpp"
#include "printer.hpp"
#include "tensor/choice.hpp"
#include "tune_options.hpp"

namespace miniapp::apps {
namespace {

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
  const Vector<Real> x = convert<Real>(tensor::random_vector(d.space, 3)), y = make_vector<Real>("y", x.extent(0));
  const Instance instance;
  return {variant, verification, measure::time([&] { op->apply(instance, x, y); }, repeat)};
}

/// All variants of one case, the fastest first.
template <class Real>
std::vector<Rival> tune(const TensorOptions& o, Printer& printer, double& dofs) {
  mesh::Mesh mesh = mesh::make_box(o.nx, o.ny, o.nz);
  mesh::deform(mesh, o.deform);
  const tensor::Discretisation d(std::move(mesh), o.problem, o.order, o.boundary, o.lambda);
  const tensor::Reference reference(d);
  dofs = d.space.num_dofs();
  std::vector<Rival> measured;
  for (const tensor::Variant& variant : o.variants) {
    printer.next(fmt::format("{}, order {}, {}", tensor::name(o.problem), o.order, tensor::name(variant)));
    measured.push_back(measure_operator<Real>(variant, d, reference, o.repeat));
  }
  std::stable_sort(measured.begin(), measured.end(),
                   [](const Rival& x, const Rival& y) { return x.time.median < y.time.median; });
  return measured;
}

Json to_record(const Json& base, const TensorOptions& o, const std::vector<Rival>& measured, double dofs,
               const std::string& device_class) {
  Json record = base;
  record["case"] = {{"bp", tensor::name(o.problem)},  {"order", o.order},   {"elements", o.elements()},
                    {"box", {o.nx, o.ny, o.nz}},      {"deform", o.deform}, {"lambda", o.lambda},
                    {"precision", name(o.precision)}, {"repeat", o.repeat}, {"dofs", static_cast<std::int64_t>(dofs)}};
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

std::vector<report::Column> columns() {
  const auto variant = [](const Json& r) { return std::string(r["kernel"]) + ", " + std::string(r["geometry"]); };
  const auto measured = [variant](const Json& r) {
    std::string text;
    for (const Json& rival : r["result"]["measured"])
      text += fmt::format("{}{} {}", text.empty() ? "" : "; ", variant(rival),
                          report::seconds(rival["operator_s"]["median"]));
    return text;
  };
  return {{"problem", "/case/bp"},
          {"order", "/case/order"},
          {"fastest", [variant](const Json& r) { return variant(r["result"]); }},
          {"operator GDOF/s", "/rates/operator_gdofs", "{:.3g}"},
          {"measured", measured}};
}

void run_tune(const TuneOptions& a, const std::string& command_line) {
  std::ofstream out;
  if (!a.output.empty()) {
    out.open(a.output, std::ios::app);
    require(out.good(), fmt::format("--output {}: cannot be written; accepted is a file to append to", a.output));
  }
  Printer printer("tune", command_line, a);
  const std::string device = device_class();
  std::size_t runs = 0;
  for (const TensorOptions& o : a.cases) runs += o.variants.size();
  printer.expect(runs);
  tensor::TuningTable tuning;
  printer.begin({{fmt::format("Device class {}, {} elements, {} precision\n", device, a.elements, name(a.precision)),
                  columns()}});
  for (const TensorOptions& o : a.cases) {
    double dofs = 0;
    const std::vector<Rival> measured =
        o.precision == Precision::fp32 ? tune<float>(o, printer, dofs) : tune<double>(o, printer, dofs);
    if (measured.empty()) continue;
    printer.add(to_record(printer.base(), o, measured, dofs, device));
    tuning.set(tensor::tuning_key(o), measured.front().variant);
  }
  printer.end();
  if (a.output.empty()) printer.print('\n' + tuning.text());
  printer.finish();
  if (!a.output.empty()) {
    out << tuning.text();
    if (!out.flush()) throw ResultError("--output: writing to '" + a.output + "' failed");
  }
}

}  // namespace

Command add_tune_command(Options& options) {
  return make_command<TuneArguments>(
      options, [](const TuneOptions& o, const std::string& command_line, const Options&) {
        within_memory(o.need, fmt::format("--elements {}", o.elements), [&] { run_tune(o, command_line); });
      });
}

}  // namespace miniapp::apps
