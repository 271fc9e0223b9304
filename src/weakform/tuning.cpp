// SPDX-License-Identifier: BSD-3-Clause
#include "weakform/tuning.hpp"

#include <algorithm>
#include <charconv>
#include <sstream>

#include "core/printable.hpp"
#include "miniapp/core/device.hpp"
#include "miniapp/core/error.hpp"

namespace miniapp::weakform {
namespace {

/// The value with this name. Errors: InputError listing the names.
template <class T>
T choose(const std::string& where, const std::string& what, const std::string& word, const std::vector<T>& values) {
  std::string accepted;
  for (const T value : values) {
    if (name(value) == word) return value;
    accepted += (accepted.empty() ? "" : ", ") + name(value);
  }
  throw InputError(where + ": unknown " + what + " '" + printable(word, 40) + "'; accepted are " + accepted);
}

template <Named T>
std::vector<T> all() {
  const auto values = members<T>();
  return {values.begin(), values.end()};
}

int parse_number(const std::string& where, const std::string& what, const std::string& word, int least, int most) {
  int number = -1;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  require(error == std::errc() && end == word.data() + word.size() && number >= least && number <= most,
          where + ": " + what + " '" + printable(word, 40) + "'; accepted are whole numbers from " +
              std::to_string(least) + " to " + std::to_string(most));
  return number;
}

std::pair<TuningTable::Key, Options> parse_entry(const std::vector<std::string>& words, const std::string& where) {
  require(words.size() == 8,
          where + ": " + std::to_string(words.size()) +
              " words; accepted are 8: device form dim precision strategy block_size blocks batches");
  constexpr int most = 4096;
  TuningTable::Key key{words[0], choose(where, "form", words[1], all<FormKind>()),
                       parse_number(where, "dim", words[2], 2, 3),
                       choose(where, "precision", words[3], all<Precision>())};
  Options options;
  options.strategy = choose(where, "strategy", words[4], timed_strategies());
  options.block_size = parse_number(where, "block_size", words[5], 1, most);
  options.blocks = parse_number(where, "blocks", words[6], 0, most);
  options.batches = parse_number(where, "batches", words[7], 1, most);
  return {key, options};
}

}  // namespace

std::vector<Strategy> timed_strategies() {
  std::vector<Strategy> timed;
  for (const Strategy strategy : members<Strategy>())
    if (strategy != Strategy::reference) timed.push_back(strategy);
  return timed;
}

TuningTable::TuningTable(const std::string& text, const std::string& source) {
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::istringstream rest(line.substr(0, line.find('#')));
    std::vector<std::string> words;
    for (std::string word; rest >> word;) words.push_back(word);
    if (words.empty()) continue;
    const auto [key, options] = parse_entry(words, source + ", line " + std::to_string(number));
    set(key, options);
  }
}

void TuningTable::set(const Key& key, const Options& options) {
  const auto known = std::find_if(entries_.begin(), entries_.end(), [&](const auto& e) { return e.first == key; });
  if (known != entries_.end())
    known->second = options;
  else
    entries_.emplace_back(key, options);
}

std::optional<Options> TuningTable::find(const Key& key) const {
  for (const auto& [known, options] : entries_)
    if (known == key) return options;
  return {};
}

std::string TuningTable::text() const {
  std::string all;
  for (const auto& [key, options] : entries_)
    all += key.device + ' ' + name(key.form) + ' ' + std::to_string(key.dim) + ' ' + name(key.precision) + ' ' +
           name(options.strategy) + ' ' +
           std::to_string(options.block_size.value_or(usual_block_size(options.strategy))) + ' ' +
           std::to_string(options.blocks) + ' ' + std::to_string(options.batches) + '\n';
  return all;
}

TuningTable::Key tuning_key(FormKind form, const FormSettings& settings) {
  return {device_class(), form, settings.dim, settings.precision};
}

std::vector<Options> tuning_candidates() {
  std::vector<Options> candidates;
  for (const Strategy strategy : timed_strategies()) {
    Options options{.strategy = strategy};
    if (has_blocks(strategy)) {
      for (const int size : {64, 128, 256, 512}) {
        options.block_size = size;
        candidates.push_back(options);
      }
    } else if (strategy == Strategy::transposed) {
      for (const int blocks : {0, 4, 16})
        for (const int batches : {1, 4, 16}) {
          options.blocks = blocks;
          options.batches = batches;
          candidates.push_back(options);
        }
    } else {
      candidates.push_back(options);
    }
  }
  return candidates;
}

}  // namespace miniapp::weakform
