// SPDX-License-Identifier: BSD-3-Clause
#include "runs/weakform/tuning.hpp"

#include <algorithm>
#include <charconv>

#include "core/table_words.hpp"
#include "miniapp/core/device.hpp"

namespace miniapp::weakform {
namespace {

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
  TuningTable::Key key{words[0], choose(where, "form", words[1], with_names(members<FormKind>())),
                       parse_number(where, "dim", words[2], 2, 3),
                       choose(where, "precision", words[3], with_names(members<Precision>()))};
  Options options;
  options.strategy = choose(where, "strategy", words[4], with_names(timed_strategies()));
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
  for_entries(text, source, [&](const std::vector<std::string>& words, const std::string& where) {
    const auto [key, options] = parse_entry(words, where);
    set(key, options);
  });
}

std::string TuningTable::text() const {
  std::string all;
  for (const auto& [key, options] : entries())
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
