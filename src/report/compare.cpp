// SPDX-License-Identifier: BSD-3-Clause
#include "report/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/printable.hpp"
#include "miniapp/measure/stopwatch.hpp"
#include "report/rows.hpp"

namespace miniapp::report {
namespace {

constexpr double least_spread = 0.02, spread_of_one = 0.2, spread_of_sizes = 0.1;

double median(std::vector<double> values) { return measure::summarise(std::move(values)).median; }

/// What says which case a record is of: module, machine, and the options of the run. What it prints about itself and
/// how often it was timed do not count, nor does an option that would replace the module.
Json identity_of(const Json& record) {
  const std::set<std::string> ignored = {"automatic", "idea",    "module",     "no_solve", "preconditioner_asked",
                                         "repeat",    "samples", "verify_only"};
  Json identity;
  for (const char* key : {"module", "device", "threads", "ranks"})
    if (record.contains(key)) identity[key] = record[key];
  const Json backend = value_at(record, "/kokkos/backends/0");
  if (!backend.is_null()) identity["backend"] = backend;
  for (const auto& [key, value] : record["case"].items())
    if (!ignored.contains(key)) identity[key] = value;
  return identity;
}

/// The names of values in the identities of each module.
using Known = std::map<std::string, std::set<std::string>>;

Known known_keys(const std::vector<Json>& records) {
  Known known;
  for (const Json& record : records) {
    const Json identity = identity_of(record);
    for (const auto& [key, value] : identity.items()) known[record["module"]].insert(key);
  }
  return known;
}

/// All records of one case in one file.
struct Case {
  Json identity;
  std::string key;  ///< the identity as a text, whatever the order of its values
  std::vector<const Json*> records;
};

std::vector<Case>::const_iterator find(const std::vector<Case>& cases, const std::string& key) {
  return std::find_if(cases.begin(), cases.end(), [&](const Case& c) { return c.key == key; });
}

/// The cases of a file. What no record of the other file says of its cases does not count: an older version of the
/// program had no such option.
std::vector<Case> cases_of(const std::vector<Json>& records, const Known& own, const Known& others) {
  std::vector<Case> cases;
  for (const Json& record : records) {
    const std::string module = record["module"];
    const auto other = others.find(module);
    const Json all = identity_of(record);
    Json identity;
    for (const auto& [key, value] : all.items())
      if (other == others.end() || other->second.contains(key)) identity[key] = value;
    for (const std::string& key : own.at(module))  // an option that other cases alone have
      if (!all.contains(key) && (other == others.end() || other->second.contains(key))) identity[key] = nullptr;
    const std::string key = nlohmann::json(identity).dump();
    const auto found = find(cases, key);
    if (found == cases.end())
      cases.push_back({identity, key, {&record}});
    else
      cases[static_cast<std::size_t>(found - cases.cbegin())].records.push_back(&record);
  }
  return cases;
}

std::string text_of(const Json& value) {
  return printable(value.is_string() ? value.get<std::string>() : value.dump(), 200);
}

std::string name_of(const std::string& key) { return printable(key, 100); }

std::string describe(const Json& identity, const std::vector<std::string>& keys) {
  std::string text;
  for (const std::string& key : keys) {
    if (!identity.contains(key) || identity[key].is_null()) continue;
    text += (text.empty() ? "" : ", ") + (key == "module" ? "" : name_of(key) + " ") + text_of(identity[key]);
  }
  return text;
}

/// How many texts describe() makes of the identities.
std::size_t count_different(const std::vector<Json>& identities, const std::vector<std::string>& keys) {
  std::set<std::string> texts;
  for (const Json& identity : identities) texts.insert(describe(identity, keys));
  return texts.size();
}

std::vector<std::string> keys_of(const std::vector<Json>& identities) {
  std::vector<std::string> keys;
  for (const Json& identity : identities)
    for (const auto& [key, value] : identity.items())
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
  return keys;
}

/// The keys that tell identities apart, without those that follow from the ones before, as dofs from elements.
std::vector<std::string> differing_keys(const std::vector<Json>& identities) {
  std::vector<std::string> differing;
  std::size_t told_apart = 1;
  for (const std::string& key : keys_of(identities)) {
    differing.push_back(key);
    const std::size_t now = count_different(identities, differing);
    if (now == told_apart) differing.pop_back();
    told_apart = now;
  }
  return differing;
}

/// Names of cases by what tells them from others of their module, and what all cases share.
class Names {
 public:
  explicit Names(const std::vector<Json>& identities) {
    std::map<std::string, std::vector<Json>> of_modules;
    for (const Json& identity : identities) of_modules[identity["module"]].push_back(identity);
    for (const auto& [module, own] : of_modules) {
      differing_[module] = differing_keys(own);
      if (of_modules.size() > 1) differing_[module].insert(differing_[module].begin(), "module");
    }
    std::vector<std::string> common;
    for (const std::string& key : keys_of(identities))
      if (count_different(identities, {key}) == 1) common.push_back(key);
    shared_ = describe(identities.front(), common);
  }
  std::string operator()(const Json& identity) const {
    const std::string module = identity["module"], name = describe(identity, differing_.at(module));
    return name.empty() ? text_of(module) : name;
  }
  const std::string& shared() const { return shared_; }

 private:
  std::map<std::string, std::vector<std::string>> differing_;
  std::string shared_;
};

/// What a record took as a whole, which depends on how often its times were taken.
bool is_of_the_whole(const std::string& time) { return time == "wall_s" || time == "verification_s"; }

/// The samples of each time of a case; not those of its phases.
std::vector<std::pair<std::string, std::vector<Json>>> times_of(const Case& c) {
  std::vector<std::pair<std::string, std::vector<Json>>> times;
  for (const Json* record : c.records)
    for (const auto& [name, time] : (*record)["timing"].items()) {
      const bool sampled = time.is_object() && time.contains("median") && time["median"] > 0;
      if ((!sampled && !(time.is_number() && time > 0)) || is_of_the_whole(name)) continue;
      auto found =
          std::find_if(times.begin(), times.end(), [&, key = name](const auto& known) { return known.first == key; });
      if (found == times.end()) found = times.insert(times.end(), {name, {}});
      found->second.push_back(time);
    }
  return times;
}

/// Seconds of a streaming operation in each record, by bytes.
std::map<double, std::vector<double>> curve_of(const Case& c) {
  std::map<double, std::vector<double>> seconds;
  for (const Json* record : c.records) {
    const Json curve = value_at(*record, "/result/curve");
    if (!curve.is_array()) continue;
    for (const Json& point : curve)
      if (point.is_array() && point.size() == 2 && point[0].is_number() && point[1].is_number() && point[1] > 0)
        seconds[point[0]].push_back(point[1]);
  }
  return seconds;
}

/// One size in both files: new / old of the medians, of the fastest new run by the slowest old one, and the reverse.
struct Ratios {
  double old_time, low, middle, high;
};

/// How times of some sizes compare: by the medians over them of the times' ratios.
ComparedTime compare_sizes(const std::string& name, const std::vector<Ratios>& sizes) {
  std::vector<double> low, middle, high;
  for (const Ratios& size : sizes) {
    low.push_back(size.low);
    middle.push_back(size.middle);
    high.push_back(size.high);
  }
  const double before = sizes.back().old_time, ratio = median(middle);  // of the largest size
  const double least = std::min(median(low), ratio * (1 - spread_of_sizes)),
               most = std::max(median(high), ratio * (1 + spread_of_sizes));
  return {name,
          {before, before, before},
          {before * least, before * ratio, before * most},
          ratio,
          least > 1  ? Change::slower
          : most < 1 ? Change::faster
                     : Change::same};
}

void compare_curves(const Case& old_case, const Case& new_case, std::vector<ComparedTime>& times) {
  const auto before = curve_of(old_case), after = curve_of(new_case);
  std::vector<Ratios> sizes;
  for (const auto& [bytes, seconds] : before) {
    const auto found = after.find(bytes);
    if (found == after.end()) continue;
    const auto [fastest, slowest] = std::minmax_element(seconds.begin(), seconds.end());
    const auto [new_fastest, new_slowest] = std::minmax_element(found->second.begin(), found->second.end());
    sizes.push_back(
        {median(seconds), *new_fastest / *slowest, median(found->second) / median(seconds), *new_slowest / *fastest});
  }
  if (sizes.empty()) return;
  const auto third = static_cast<std::ptrdiff_t>((sizes.size() + 2) / 3);
  if (sizes.size() > 1) times.push_back(compare_sizes("small sizes", {sizes.begin(), sizes.begin() + third}));
  times.push_back(compare_sizes("large sizes", {sizes.end() - third, sizes.end()}));
}

/// What is wrong with a result; empty where nothing is. Records of schema 1 say it in several places.
std::string what_is_wrong(const Json& record) {
  const Json said = value_at(record, "/wrong");
  if (record["schema"] != 1) return said.is_string() ? "is wrong: " + said.get<std::string>() : "";
  for (const auto& [key, text] : {std::pair{"/verification/passed", "is wrong"},
                                  {"/result/converged", "does not converge"},
                                  {"/result/comparison/passed", "fails its comparison"}})
    if (value_at(record, key) == false) return text;
  const Json verdict = value_at(record, "/result/verdict");
  if (verdict.is_string() && verdict != "converged" && verdict != "stagnated")
    return "is wrong: " + verdict.get<std::string>();
  return "";
}

/// What is wrong with the first wrong record of a case; empty where all are right.
std::string what_is_wrong(const Case& c) {
  for (const Json* record : c.records)
    if (std::string wrong = what_is_wrong(*record); !wrong.empty()) return wrong;
  return "";
}

/// What is wrong in the new state, where all records of the old one were right.
std::string what_became_wrong(const Case& old_case, const Case& new_case) {
  return what_is_wrong(old_case).empty() ? printable(what_is_wrong(new_case), 200) : "";
}

std::string difference(const Json& before, const Json& after) {
  std::string text;
  for (const auto& [key, value] : before.items())
    if (!after.contains(key) || after[key] != value)
      text += fmt::format("{}{} {} and {}", text.empty() ? "" : ", ", name_of(key), text_of(value),
                          after.contains(key) ? text_of(after[key]) : "none");
  return text;
}

ComparedCase compare_cases(const std::string& name, const Case& old_case, const Case& new_case) {
  ComparedCase compared{name, {}, what_became_wrong(old_case, new_case)};
  const auto after = times_of(new_case);
  for (const auto& [time, samples] : times_of(old_case))
    for (const auto& [other, new_samples] : after)
      if (time == other) {
        const Interval a = interval_of(samples), b = interval_of(new_samples);
        compared.times.push_back({name_of(time), a, b, b.median / a.median, change_of(a, b)});
      }
  compare_curves(old_case, new_case, compared.times);
  return compared;
}

}  // namespace

Interval interval_of(const std::vector<Json>& samples) {
  std::vector<double> medians;
  double low = 0, high = 0;
  bool once = samples.size() == 1;
  for (const Json& sample : samples) {
    const bool several = sample.is_object();
    once = once && (!several || sample.value("repetitions", 2) == 1);
    medians.push_back(several ? sample["median"] : sample);
    const double least = several ? sample["min"] : sample, most = several ? sample["max"] : sample;
    low = medians.size() == 1 ? least : std::min(low, least);
    high = std::max(high, most);
  }
  const double middle = median(medians), spread = once ? spread_of_one : least_spread;
  return {std::min(low, middle * (1 - spread)), middle,
          std::max(std::min(high, 2 * middle - low), middle * (1 + spread))};
}

Change change_of(const Interval& old_time, const Interval& new_time) {
  if (new_time.low > old_time.high) return Change::slower;
  return new_time.high < old_time.low ? Change::faster : Change::same;
}

Comparison compare(const std::vector<Json>& old_records, const std::vector<Json>& new_records) {
  const Known old_keys = known_keys(old_records), new_keys = known_keys(new_records);
  const std::vector<Case> old_cases = cases_of(old_records, old_keys, new_keys),
                          new_cases = cases_of(new_records, new_keys, old_keys);
  std::vector<Json> identities;
  for (const auto* cases : {&old_cases, &new_cases})
    for (const Case& c : *cases) identities.push_back(c.identity);
  const Names name(identities);
  Comparison comparison{name.shared(), {}, {}, {}, ""};
  for (const Case& c : old_cases)
    if (const auto partner = find(new_cases, c.key); partner != new_cases.end())
      comparison.cases.push_back(compare_cases(name(c.identity), c, *partner));
    else
      comparison.only_old.push_back(name(c.identity));
  for (const Case& c : new_cases)
    if (find(old_cases, c.key) == old_cases.end()) comparison.only_new.push_back(name(c.identity));
  if (comparison.cases.empty())
    comparison.difference = difference(old_cases.front().identity, new_cases.front().identity);
  return comparison;
}

}  // namespace miniapp::report
