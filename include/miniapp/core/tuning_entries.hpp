// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace miniapp {

/// What was found best for each key, in the order in which keys came first.
template <class K, class Value>
class TuningEntries {
 public:
  using Key = K;

  /// A key that is known gets another value.
  void set(const Key& key, const Value& value) {
    const auto known = std::find_if(entries_.begin(), entries_.end(), [&](const auto& e) { return e.first == key; });
    if (known == entries_.end())
      entries_.emplace_back(key, value);
    else
      known->second = value;
  }
  /// The entry for `key`, if there is one.
  std::optional<Value> find(const Key& key) const {
    for (const auto& [known, value] : entries_)
      if (known == key) return value;
    return {};
  }

 protected:
  const std::vector<std::pair<Key, Value>>& entries() const { return entries_; }

 private:
  std::vector<std::pair<Key, Value>> entries_;
};

}  // namespace miniapp
