// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <compare>
#include <string>
#include <vector>

#include "miniapp/core/tuning_entries.hpp"
#include "runs/weakform/settings.hpp"

namespace miniapp::weakform {

/// What a strategy is chosen by: the device class, the form, its dimensions and the precision.
struct TuningKey {
  std::string device;
  FormKind form;
  int dim;
  Precision precision;
  auto operator<=>(const TuningKey&) const = default;
};

/// A table of the fastest strategies with what tunes them, by measurement of residuals. As text it has one line per
/// entry with the words device class (device_class()), form, dimensions, precision, strategy, block size, blocks and
/// batches; # starts a comment.
class TuningTable : public TuningEntries<TuningKey, Options> {
 public:
  TuningTable() = default;
  /// Reads a table. Errors: InputError naming `source`, the line, the word and what is accepted.
  TuningTable(const std::string& text, const std::string& source);

  /// The table in the format that the constructor reads.
  std::string text() const;
};

/// The entry that a form asks for, on this machine.
TuningTable::Key tuning_key(FormKind form, const FormSettings& settings);

/// What may be fastest: every strategy, with several sizes of blocks or numbers of blocks and batches.
std::vector<Options> tuning_candidates();

}  // namespace miniapp::weakform
