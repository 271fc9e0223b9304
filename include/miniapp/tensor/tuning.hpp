// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "miniapp/tensor/element_operator.hpp"

namespace miniapp::tensor {

/// Which variant is fastest where, by measurement of the full operator. As text: one line per entry, its words device
/// class (Platform::device_class), problem, precision, order, kernel and geometry; # starts a comment. The table of the
/// repository is src/tensor/tuning.txt, `miniapp tune` measures that of a machine.
class TuningTable {
 public:
  struct Key {
    std::string device;
    Problem problem;
    int word;  ///< bytes of a number
    int order;
    auto operator<=>(const Key&) const = default;
  };

  TuningTable() = default;
  /// Errors: InputError naming `source`, the line, the word and what is accepted.
  TuningTable(const std::string& text, const std::string& source);

  void set(const Key& key, const Variant& variant);
  /// Nothing where the table has no entry.
  std::optional<Variant> find(const Key& key) const;
  /// What the constructor reads.
  std::string text() const;

 private:
  std::vector<std::pair<Key, Variant>> entries_;
};

/// The table of the repository.
const TuningTable& built_in_tuning();

/// The variant to use: the table's where this build can run it and it has the geometry wanted, if any; else the first
/// that this build can run of lanes, lines and the last rung. Errors: InputError where this build has no kernel of the
/// order but the reference, against which others are verified (`judge`) and which is taken by name only.
Variant fastest(const TuningTable& table, const TuningTable::Key& key, std::optional<Geometry> geometry = {});
/// The same by the table of the repository, for this machine.
Variant fastest(Problem problem, int order, int word = 8);

}  // namespace miniapp::tensor
