// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/tensor/tuning.hpp"

#include <algorithm>

#include "core/table_words.hpp"
#include "miniapp/core/device.hpp"
#include "miniapp/tensor/tuning_text.hpp"
#include "tensor/ladder/ladder_rules.hpp"

namespace miniapp::tensor {
namespace {

std::string precision(int word) { return word == 4 ? "single" : "double"; }

std::pair<TuningTable::Key, Variant> parse_entry(const std::vector<std::string>& words, const std::string& where) {
  require(words.size() == 6, where + ": " + std::to_string(words.size()) +
                                 " words; accepted are 6: device problem precision order kernel geometry");
  const auto problem = choose(where, "problem", words[1], with_names(members<Problem>()));
  const int word =
      choose<int>(where, "precision", words[2], std::vector<std::pair<std::string, int>>{{"double", 8}, {"single", 4}});
  std::vector<std::pair<std::string, int>> orders;
  for (int order = 1; order <= 15; ++order) orders.emplace_back(std::to_string(order), order);
  const int order = choose(where, "order", words[3], orders);
  std::vector<std::pair<std::string, Kernel>> kernels;
  for (const Kernel kernel : tensor::kernels())  // the reference is not a candidate
    if (kernel != Kernel::reference) kernels.emplace_back(name(kernel), kernel);
  const auto kernel = choose(where, "kernel", words[4], kernels);
  // of any elements: special_geometry() goes before the table
  const auto geometry =
      choose(where, "geometry", words[5], with_names(std::array{Geometry::computed, Geometry::stored}));
  const std::vector<Variant> variants = all_variants();
  require(std::find(variants.begin(), variants.end(), Variant{kernel, geometry}) != variants.end(),
          where + ": kernel " + words[4] + " does not take geometry " + words[5] + "; accepted is the other one");
  return {{words[0], problem, word, order}, {kernel, geometry}};
}

}  // namespace

TuningTable::TuningTable(const std::string& text, const std::string& source) {
  for_entries(text, source, [&](const std::vector<std::string>& words, const std::string& where) {
    const auto [key, variant] = parse_entry(words, where);
    set(key, variant);
  });
}

bool TuningTable::knows(const std::string& device) const {
  return std::any_of(entries().begin(), entries().end(), [&](const auto& e) { return e.first.device == device; });
}

std::string TuningTable::text() const {
  std::string all;
  for (const auto& [key, variant] : entries())
    all += key.device + ' ' + name(key.problem) + ' ' + precision(key.word) + ' ' + std::to_string(key.order) + ' ' +
           name(variant.kernel) + ' ' + name(variant.geometry) + '\n';
  return all;
}

const TuningTable& built_in_tuning() {
  static const TuningTable table(tuning_text, "src/tensor/tuning.txt");
  return table;
}

std::string tuned_device(const TuningTable& table, const std::string& device) {
  std::vector<std::string> classes{device};
  if (device.starts_with("host")) classes.insert(classes.end(), {"host256", "host512", "host128"});
  const auto known = std::find_if(classes.begin(), classes.end(), [&](const auto& c) { return table.knows(c); });
  return known == classes.end() ? "" : *known;
}

Variant fastest(const TuningTable& table, const TuningTable::Key& key, std::optional<Geometry> geometry) {
  const auto fits = [&](const Variant& variant) {
    return (!geometry || variant.geometry == *geometry) && why_not(variant, key.problem, key.order, key.word).empty();
  };
  const std::optional<Variant> tuned = table.find({tuned_device(table, key.device), key.problem, key.word, key.order});
  const Kernel last = rung(number_of_rungs(key.problem));
  if (tuned && fits(*tuned)) return *tuned;
  for (const Kernel kernel : {Kernel::lanes, Kernel::lines, last})
    for (const Geometry from : members<Geometry>())
      if (fits({kernel, from})) return {kernel, from};
  std::string built;
  for (const int order : built_orders()) built += std::to_string(order) + ", ";
  throw InputError("order", std::to_string(key.order),
                   why_not({last, Geometry::stored}, key.problem, key.order, key.word) + "; accepted are " + built +
                       "or --kernel reference for any");
}

Variant fastest(Problem problem, int order, int word) {
  return fastest(built_in_tuning(), {device_class(), problem, word, order});
}
Variant fastest(const Discretisation& d, int word) {
  return fastest(built_in_tuning(), {device_class(), d.problem, word, d.order}, d.suitable_geometry());
}

}  // namespace miniapp::tensor
