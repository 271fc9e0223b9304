// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weakform/settings.hpp"

namespace miniapp::weakform {

/// A table of the fastest strategies with what tunes them, by measurement of residuals. As text it has one line per
/// entry with the words device class (device_class()), form, dimensions, precision, strategy, block size, blocks and
/// batches; # starts a comment.
class TuningTable {
 public:
  struct Key {
    std::string device;
    FormKind form;
    int dim;
    Precision precision;
    auto operator<=>(const Key&) const = default;
  };

  TuningTable() = default;
  /// Reads a table. Errors: InputError naming `source`, the line, the word and what is accepted.
  TuningTable(const std::string& text, const std::string& source);

  void set(const Key& key, const Options& options);
  /// The entry for `key`, if there is one.
  std::optional<Options> find(const Key& key) const;
  /// The table in the format that the constructor reads.
  std::string text() const;

 private:
  std::vector<std::pair<Key, Options>> entries_;
};

/// The entry that a form asks for, on this machine.
TuningTable::Key tuning_key(FormKind form, const FormSettings& settings);

/// What may be fastest: every strategy, with several sizes of blocks or numbers of blocks and batches.
std::vector<Options> tuning_candidates();

}  // namespace miniapp::weakform
