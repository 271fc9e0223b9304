// SPDX-License-Identifier: BSD-3-Clause
#include "report/what_if.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/printable.hpp"
#include "report/field.hpp"

namespace miniapp::report {
namespace {

/// A positive number of a record; 0 where it has none.
double number(const Json& record, const char* path) {
  const Json value = value_at(record, path);
  return value.is_number() && std::isfinite(value.get<double>()) ? std::max(value.get<double>(), 0.) : 0;
}

std::string text(const Json& record, const char* path) {
  const Json value = value_at(record, path);
  return value.is_null() ? "" : printable(value.is_string() ? value.get<std::string>() : value.dump(), 60);
}

/// What tells the operations of a module apart, in this order: a key of the case and the words around its value.
struct Part {
  const char *key, *before, *after;
};
const std::map<std::string, std::vector<Part>>& parts() {
  static const std::map<std::string, std::vector<Part>> of_modules{
      {"tensor",
       {{"bp", "", ""},
        {"order", "p = ", ""},
        {"elements", "", " elements"},
        {"kernel", "", ""},
        {"geometry", "", ""}}},
      {"streaming", {{"bs", "BS", ""}, {"name", "", ""}, {"order", "p = ", ""}}},
      {"indirect",
       {{"loop", "", ""}, {"size", "", " elements"}, {"strategy", "", ""}, {"reorder", "", ""}, {"layout", "", ""}}},
      {"elasticity", {{"problem", "", ""}, {"order", "p = ", ""}, {"elements", "", " prisms"}, {"variant", "", ""}}},
      {"solver", {{"matrix", "", ""}, {"unknowns", "", " unknowns"}, {"method", "", ""}, {"pc", "", ""}}},
      {"weakform", {{"form", "", ""}, {"dim", "", "-D"}, {"elements", "", " cells"}, {"strategy", "", ""}}}};
  return of_modules;
}

/// "bp3.5, p = 7, 4096 elements, lines, computed"; without the keys in `left_out`.
std::string name_of(const Json& record, const std::vector<std::string>& left_out = {}) {
  const auto of_module = parts().find(record["module"]);
  if (of_module == parts().end()) return printable(record["module"].get<std::string>(), 60);
  std::string name =
      record["module"] == "elasticity" && text(record, "/case/problem").empty() ? "element matrices" : "";
  for (const Part& part : of_module->second) {
    const std::string value = text(record["case"], (std::string("/") + part.key).c_str());
    if (value.empty() || std::find(left_out.begin(), left_out.end(), part.key) != left_out.end()) continue;
    name += (name.empty() ? "" : ", ") + std::string(part.before) + value + part.after;
  }
  return name + (text(record, "/case/precision") == "single" ? ", single" : "");
}

measure::Work work_of(const Json& record) {
  const double scratch_rate =
      number(record, "/roofs/scratch_gbytes") * 1e9;  // the same kernel's, of gather and scatter none
  return {number(record, "/roofs/least_bytes"), number(record, "/roofs/multiplications"),
          number(record, "/roofs/fraction_of_scratch_roof") * scratch_rate * number(record, "/timing/kernel_s/median")};
}

/// Why a record with a bound cannot be projected; empty where it can.
std::string obstacle(const Json& record, const Device& device) {
  if (is_wrong(record)) return "wrong results";
  if (text(record, "/case/kernel") == "tiles") return "kernels on tensor cores, whose multiplications are not counted";
  if (text(record, "/case/precision") == "single" && number(record, "/roofs/multiplications") > 0 &&
      device.single_fma == 0)
    return "single precision, whose rate is not known there";
  return "";
}

void count(std::vector<LeftOut>& left_out, const std::string& reason) {
  const auto known =
      std::find_if(left_out.begin(), left_out.end(), [&](const LeftOut& one) { return one.reason == reason; });
  if (known == left_out.end())
    left_out.push_back({reason, 1});
  else
    ++known->count;
}

Projected project(const Json& record, const Device& device) {
  const measure::Work work = work_of(record);
  const Precision precision = text(record, "/case/precision") == "single" ? Precision::fp32 : Precision::fp64;
  const measure::Bound there = measure::bound(work, device.limits(precision));
  const double fraction = number(record, "/roofs/fraction_of_bound"), memory = number(record, "/result/memory_bytes");
  Projected projected;
  projected.record = record;
  projected.name = name_of(record);
  projected.here = number(record, "/roofs/bound_s") / fraction;
  projected.there = there.seconds / fraction;
  projected.fraction = fraction;
  projected.bound_by = text(record, "/roofs/bound_by");
  projected.there_bound_by = name(there.by);
  projected.in_cache = device.cache > 0 && work.bytes < device.cache;
  projected.fits = device.capacity == 0 || std::max(memory, work.bytes) <= device.capacity;
  return projected;
}

/// The settings of an operator that its geometry does not change.
std::string operator_key(const Json& record) {
  Json key = record["case"];
  for (const char* other : {"kernel", "geometry", "idea", "assembly", "repeat", "no_solve", "verify_only",
                            "preconditioner", "preconditioner_asked", "smoother", "smoother_degree", "cg", "tolerance",
                            "max_iterations", "lowest_order", "rhs"})
    key.erase(other);
  for (const char* machine : {"device", "threads", "ranks"})
    key[machine] = value_at(record, std::string("/") + machine);
  return nlohmann::json(key).dump();
}

void add(std::vector<GeometryChoice::Way>& ways, const Projected& projected) {
  const std::string geometry = text(projected.record, "/case/geometry"),
                    kernel = text(projected.record, "/case/kernel");
  const double bound = projected.there * projected.fraction;
  auto way = std::find_if(ways.begin(), ways.end(), [&](const auto& known) { return known.geometry == geometry; });
  if (way == ways.end()) {
    ways.push_back({geometry, kernel, kernel, projected.here, projected.there, bound});
    return;
  }
  way->bound_there = std::min(way->bound_there, bound);
  if (projected.here < way->here) {
    way->here = projected.here;
    way->here_kernel = kernel;
  }
  if (projected.there < way->there) {
    way->there = projected.there;
    way->there_kernel = kernel;
  }
}

std::vector<GeometryChoice> geometries_of(const std::vector<Projected>& times) {
  std::vector<std::pair<std::string, GeometryChoice>> all;
  for (const Projected& projected : times) {
    if (projected.record["module"] != "tensor" || text(projected.record, "/case/geometry").empty()) continue;
    const std::string key = operator_key(projected.record);
    auto known = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.first == key; });
    if (known == all.end())
      known = all.insert(all.end(), {key, {name_of(projected.record, {"kernel", "geometry"}), {}}});
    add(known->second.ways, projected);
  }
  std::vector<GeometryChoice> choices;
  for (auto& [key, choice] : all) {
    if (choice.ways.size() < 2) continue;
    std::stable_sort(choice.ways.begin(), choice.ways.end(),
                     [](const auto& a, const auto& b) { return a.there < b.there; });
    choices.push_back(std::move(choice));
  }
  return choices;
}

}  // namespace

const GeometryChoice::Way& GeometryChoice::winner_here() const {
  return *std::min_element(ways.begin(), ways.end(), [](const Way& a, const Way& b) { return a.here < b.here; });
}

const GeometryChoice::Way& GeometryChoice::winner_by_bound() const {
  return *std::min_element(ways.begin(), ways.end(),
                           [](const Way& a, const Way& b) { return a.bound_there < b.bound_there; });
}

WhatIf what_if(const std::vector<Json>& records, const Device& device) {
  WhatIf result;
  for (const Json& record : records) {
    if (number(record, "/roofs/bound_s") == 0 || number(record, "/roofs/fraction_of_bound") == 0) continue;
    const std::string reason = obstacle(record, device);
    if (reason.empty())
      result.times.push_back(project(record, device));
    else
      count(result.left_out, reason);
  }
  result.geometries = geometries_of(result.times);
  return result;
}

std::optional<double> mean_speed_up(const WhatIf& projection, const std::string& module) {
  double sum = 0;
  int times = 0;
  for (const Projected& projected : projection.times) {
    if (!module.empty() && projected.record["module"] != module) continue;
    sum += std::log(projected.speed_up());
    ++times;
  }
  return times == 0 ? std::nullopt : std::optional(std::exp(sum / times));
}

std::vector<std::string> assumptions(const Device& device) {
  return {
      "rates of " + device.title + ": " + device.assumptions,
      "every kernel reaches the part of its bound there that it reached here",
      "launches, latencies, caches and messages between devices change by as much as the bound; a kernel whose data "
      "fits the cache there may be faster",
      "on several ranks the work of all of them is on one such device"};
}

}  // namespace miniapp::report
