// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/tensor/tuning.hpp"

#include <algorithm>
#include <sstream>

#include "core/printable.hpp"
#include "miniapp/core/device.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/tensor/tuning_text.hpp"
#include "tensor/ladder_rules.hpp"

namespace miniapp::tensor {
namespace {

/// The member with this name. Errors: InputError listing the names.
template <class T, class Names>
T choose(const std::string& where, const std::string& what, const std::string& word, const Names& names) {
  std::string accepted;
  for (const auto& [name, value] : names) {
    if (name == word) return value;
    accepted += (accepted.empty() ? "" : ", ") + name;
  }
  throw InputError(where + ": unknown " + what + " '" + printable(word, 40) + "'; accepted are " + accepted);
}

/// The members of an enum with their names.
template <Named T>
std::vector<std::pair<std::string, T>> named() {
  std::vector<std::pair<std::string, T>> names;
  for (const T value : members<T>()) names.emplace_back(name(value), value);
  return names;
}

std::string precision(int word) { return word == 4 ? "single" : "double"; }

std::pair<TuningTable::Key, Variant> parse_entry(const std::vector<std::string>& words, const std::string& where) {
  require(words.size() == 6, where + ": " + std::to_string(words.size()) +
                                 " words; accepted are 6: device problem precision order kernel geometry");
  const auto problem = choose<Problem>(where, "problem", words[1], named<Problem>());
  const int word =
      choose<int>(where, "precision", words[2], std::vector<std::pair<std::string, int>>{{"double", 8}, {"single", 4}});
  std::vector<std::pair<std::string, int>> orders;
  for (int order = 1; order <= 15; ++order) orders.emplace_back(std::to_string(order), order);
  const int order = choose<int>(where, "order", words[3], orders);
  std::vector<std::pair<std::string, Kernel>> kernels;
  for (const Kernel kernel : tensor::kernels())  // the reference is not a candidate
    if (kernel != Kernel::reference) kernels.emplace_back(name(kernel), kernel);
  const auto kernel = choose<Kernel>(where, "kernel", words[4], kernels);
  const auto geometry = choose<Geometry>(where, "geometry", words[5], named<Geometry>());
  const std::vector<Variant> variants = all_variants();
  require(std::find(variants.begin(), variants.end(), Variant{kernel, geometry}) != variants.end(),
          where + ": kernel " + words[4] + " does not take geometry " + words[5] + "; accepted is the other one");
  return {{words[0], problem, word, order}, {kernel, geometry}};
}

}  // namespace

TuningTable::TuningTable(const std::string& text, const std::string& source) {
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::istringstream rest(line.substr(0, line.find('#')));
    std::vector<std::string> words;
    for (std::string word; rest >> word;) words.push_back(word);
    if (words.empty()) continue;
    const auto [key, variant] = parse_entry(words, source + ", line " + std::to_string(number));
    set(key, variant);
  }
}

void TuningTable::set(const Key& key, const Variant& variant) {
  for (auto& [known, value] : entries_) {
    if (known != key) continue;
    value = variant;
    return;
  }
  entries_.emplace_back(key, variant);
}

std::optional<Variant> TuningTable::find(const Key& key) const {
  for (const auto& [known, variant] : entries_)
    if (known == key) return variant;
  return {};
}

std::string TuningTable::text() const {
  std::string all;
  for (const auto& [key, variant] : entries_)
    all += key.device + ' ' + name(key.problem) + ' ' + precision(key.word) + ' ' + std::to_string(key.order) + ' ' +
           name(variant.kernel) + ' ' + name(variant.geometry) + '\n';
  return all;
}

const TuningTable& built_in_tuning() {
  static const TuningTable table(tuning_text, "src/tensor/tuning.txt");
  return table;
}

Variant fastest(const TuningTable& table, const TuningTable::Key& key, std::optional<Geometry> geometry) {
  const auto fits = [&](const Variant& variant) {
    return (!geometry || variant.geometry == *geometry) && why_not(variant, key.problem, key.order, key.word).empty();
  };
  const std::optional<Variant> tuned = table.find(key);
  const Kernel last = rung(number_of_rungs(key.problem));
  if (tuned && fits(*tuned)) return *tuned;
  for (const Kernel kernel : {Kernel::lanes, Kernel::lines, last})
    for (const Geometry from : members<Geometry>())
      if (fits({kernel, from})) return {kernel, from};
  std::string built;
  for (const int order : built_orders()) built += std::to_string(order) + ", ";
  throw InputError("order " + std::to_string(key.order) + ": " +
                   why_not({last, Geometry::stored}, key.problem, key.order, key.word) + "; accepted are " + built +
                   "or --kernel reference for any");
}

Variant fastest(Problem problem, int order, int word) {
  return fastest(built_in_tuning(), {device_class(), problem, word, order});
}

}  // namespace miniapp::tensor
