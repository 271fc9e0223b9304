// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <compare>
#include <optional>
#include <string>

#include "miniapp/core/tuning_entries.hpp"
#include "miniapp/tensor/element_operator.hpp"

namespace miniapp::tensor {

/// What a kernel is chosen by: the device class, the problem, the precision and the order.
struct TuningKey {
  std::string device;
  Problem problem;
  int word;  ///< bytes of a number
  int order;
  auto operator<=>(const TuningKey&) const = default;
};

/// A table of the fastest variants, by measurement of the full operator. As text it has one line per entry with the
/// words device class (Platform::device_class), problem, precision, order, kernel and geometry; # starts a comment. The
/// built-in table is src/tensor/tuning.txt; `miniapp tune` measures one for a machine.
class TuningTable : public TuningEntries<TuningKey, Variant> {
 public:
  TuningTable() = default;
  /// Reads a table. Errors: InputError naming `source`, the line, the word and what is accepted.
  TuningTable(const std::string& text, const std::string& source);

  /// Whether it has entries for a device class.
  bool knows(const std::string& device) const;

  /// The table in the format that the constructor reads.
  std::string text() const;
};

/// The built-in table.
const TuningTable& built_in_tuning();

/// The device class whose entries hold: its own; for a host without any, the first of host256, host512 and host128 that
/// has some; empty where there is none.
std::string tuned_device(const TuningTable& table, const std::string& device);

/// The variant to use: the entry of tuned_device() if this build can run it and it has the requested geometry, if any;
/// else the first of lanes, lines and the last rung that this build can run. Errors: InputError where this build has no
/// kernel of the order except the reference, which is used only on request.
Variant fastest(const TuningTable& table, const TuningTable::Key& key, std::optional<Geometry> geometry = {});
/// The fastest kernel by the built-in table, for this machine.
Variant fastest(Problem problem, int order, int word = 8);
/// With the geometry that suits the elements of a discretisation.
Variant fastest(const Discretisation& d, int word = 8);

}  // namespace miniapp::tensor
