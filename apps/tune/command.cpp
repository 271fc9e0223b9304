// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>

#include "apps/frontend/commands.hpp"
#include "apps/frontend/fields.hpp"
#include "apps/frontend/printer.hpp"
#include "apps/frontend/tuning_file.hpp"
#include "apps/tune/options.hpp"
#include "miniapp/core/device.hpp"
#include "runs/tensor/choice.hpp"
#include "runs/tensor/kernel_run.hpp"

namespace miniapp::apps {
namespace {

Json to_record(const Json& base, const TensorOptions& o, const tensor::Race& race, const std::string& device_class) {
  Json record = base;
  record["case"] = {{field::bp.key(), tensor::name(o.problem)},
                    {field::order.key(), o.order},
                    {field::elements.key(), o.elements()},
                    {"box", {o.nx, o.ny, o.nz}},
                    {"deform", o.deform},
                    {"lambda", o.lambda},
                    {"precision", name(o.precision)},
                    {"repeat", o.repeat.times},
                    {"dofs", race.dofs}};
  double worst = 0;
  Json& rivals = at(record, field::measured) = Json::array();
  for (const tensor::Rival& rival : race.rivals) {
    worst = std::max(worst, rival.verification.error);
    rivals.push_back({{field::kernel.key(), tensor::name(rival.variant.kernel)},
                      {field::geometry.key(), tensor::name(rival.variant.geometry)},
                      {field::operator_s.key(), report::to_json(rival.time)}});
  }
  const tensor::Rival& best = race.rivals.front();
  record["verification"] = {
      {"against", "reference"}, {"error", worst}, {"tolerance", best.verification.limit}, {"passed", true}};
  record["result"]["device_class"] = device_class;
  record["result"][field::kernel.key()] = tensor::name(best.variant.kernel);
  record["result"][field::geometry.key()] = tensor::name(best.variant.geometry);
  at(record, field::operator_s) = report::to_json(best.time);
  at(record, field::operator_gdofs) = double(race.dofs) / best.time.median * 1e-9;
  return record;
}

std::vector<report::Column> columns(const std::vector<TensorOptions>& cases) {
  using report::longest, report::sized;
  const auto variant = [](const Json& r) {
    return std::string(r[field::kernel.key()]) + ", " + std::string(r[field::geometry.key()]);
  };
  const auto longest_name = [](const TensorOptions& o) {
    return std::string(longest(o.variants, [](const tensor::Variant& v) { return tensor::name(v); }), 'x');
  };
  const auto all_names = [](const TensorOptions& o) {
    std::string text;
    for (const tensor::Variant& v : o.variants)
      text += (text.empty() ? "" : "; ") + tensor::name(v) + std::string(1 + report::time_width, 'x');
    return text;
  };
  const auto measured = [variant](const Json& r) {
    std::string text;
    for (const Json& rival : at(r, field::measured))
      text += fmt::format("{}{} {}", text.empty() ? "" : "; ", variant(rival),
                          report::seconds(rival[field::operator_s.key()]["median"]));
    return text;
  };
  return {field::bp,
          field::order,
          field::elements,
          sized({"fastest", [variant](const Json& r) { return variant(r["result"]); }}, longest(cases, longest_name)),
          field::operator_gdofs,
          sized(report::detail({"measured", measured}), longest(cases, all_names))};
}

void run_tune(const TuneOptions& a, const std::string& command_line) {
  Printer printer("tune", command_line, a);
  const std::string device = device_class();
  std::size_t runs = 0;
  for (const TensorOptions& o : a.cases) runs += o.variants.size();
  printer.expect(runs);
  tensor::TuningTable tuning;
  printer.begin({{fmt::format("Device class {}, {} precision\n", device, name(a.precision)), columns(a.cases)}});
  for (const TensorOptions& o : a.cases) {
    const tensor::Race race = tensor::race(o, o.variants, [&](const tensor::Variant& variant) {
      printer.next(fmt::format("{}, order {}, {}", tensor::name(o.problem), o.order, tensor::name(variant)));
    });
    if (race.rivals.empty()) continue;
    printer.add(to_record(printer.base(), o, race, device));
    tuning.set(tensor::tuning_key(o), race.rivals.front().variant);
  }
  printer.end();
  if (a.output.empty()) printer.print('\n' + tuning.text());
  printer.finish();
  if (!a.output.empty()) tuning_file<tensor::TuningTable>(a.output).append(tuning.text());
}

}  // namespace

Command add_tune_command(Options& options) {
  return make_command<TuneArguments>(
      options, [](const TuneOptions& o, const std::string& command_line, const Options&) {
        within_memory(o.need, o.elements > 0 ? fmt::format("--elements {}", o.elements) : std::string("tune"),
                      [&] { run_tune(o, command_line); });
      });
}

}  // namespace miniapp::apps
