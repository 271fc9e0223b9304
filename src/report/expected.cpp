// SPDX-License-Identifier: BSD-3-Clause
#include "report/expected.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/expected_text.hpp"
#include "report/field.hpp"

namespace miniapp::report {
namespace {

bool is_of(const Json& record, const Json& entry) {
  if (record["module"] != entry["module"]) return false;
  for (const auto& [key, value] : entry["case"].items())
    if (record["case"].value(key, Json()) != value) return false;
  return true;
}

/// "result.iterations" as the path of a value.
std::string path_of(std::string key) {
  std::replace(key.begin(), key.end(), '.', '/');
  return '/' + key;
}

std::string in_words(double number) { return fmt::format("{:.12g}", number); }

void compare(const Json& record, const Json& entry, Check& result) {
  for (const auto& [key, value] : entry["values"].items()) {
    const double expected = value[0], deviation = value[1];
    const Json got = value_at(record, path_of(key));
    ++result.values;
    if (got.is_number() && std::fabs(got.get<double>() - expected) <= deviation) continue;
    result.deviations.push_back({entry["name"], key, got.is_number() ? in_words(got) : "none", in_words(expected),
                                 fmt::format("{:.3g}", deviation)});
  }
}

}  // namespace

const Json& expected_table() {
  static const Json table = Json::parse(expected_text);
  return table;
}

std::string text(const Deviation& d) {
  return fmt::format("{}: {} is {}, expected {} +- {}", d.name, d.what, d.got, d.expected, d.tolerance);
}

Check check(const std::vector<Json>& records, const Json& table) {
  Check result;
  std::vector<bool> compared(records.size(), false);
  for (const Json& entry : table["entries"]) {
    bool was_run = false;
    for (std::size_t r = 0; r < records.size(); ++r) {
      if (!is_of(records[r], entry)) continue;
      was_run = compared[r] = true;
      if (!is_wrong(records[r])) compare(records[r], entry, result);
    }
    if (!was_run) result.not_run.push_back(entry["name"]);
  }
  result.records = static_cast<int>(std::count(compared.begin(), compared.end(), true));
  return result;
}

}  // namespace miniapp::report
