// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "miniapp/core/error.hpp"
#include "miniapp/core/execution.hpp"
#include "miniapp/core/map.hpp"
#include "miniapp/core/shared_map.hpp"

namespace miniapp::indirect {

/// The targets of one from-element, loaded together.
template <int arity>
struct alignas(arity % 4 == 0   ? 16
               : arity % 2 == 0 ? 8
                                : 4) Ids {
  Index id[arity];
};

/// A map (from-element, slot) on the device, whose arity is known at compile time. Also has the map on the host, on a
/// GPU copied when it is first asked for where the map came from the device.
template <int arity>
class ElementMap {
 public:
  ElementMap() = default;
  /// Errors: InputError where an entry points outside the to-set, or `map` has another arity.
  ElementMap(const std::string& name, Map map, std::size_t to_size) : to_size_(to_size) {
    if (map.arity == 0) map.arity = arity;
    require_valid(map, to_size, name);
    set(name, SharedMap(std::move(map)));
  }
  /// A map whose entries lie in the to-set. Errors: InputError where it has another arity.
  ElementMap(const std::string& name, const SharedMap& map, std::size_t to_size) : to_size_(to_size) { set(name, map); }

  std::size_t from_size() const { return shared_.size(); }
  std::size_t to_size() const { return to_size_; }
  double bytes() const { return double(from_size()) * sizeof(Ids<arity>); }
  const Map& host() const { return shared_.host(); }
  const Vector<Ids<arity>>& ids() const { return ids_; }
  /// The ids of all elements on the host, without a copy where the map came from there.
  const Ids<arity>* host_ids() const {
    if constexpr (runs_on_host) return ids_.data();
    return reinterpret_cast<const Ids<arity>*>(host().entries.data());
  }

 private:
  void set(const std::string& name, const SharedMap& map) {
    if (map.arity() != arity)
      throw InputError(name, "",
                       "arity " + std::to_string(map.arity()) + " where the loop has " + std::to_string(arity));
    shared_ = map;
    if constexpr (runs_on_host) {  // a copy in large pages
      ids_ = make_vector<Ids<arity>>(name, map.size());
      for (std::size_t e = 0; e < map.size(); ++e)
        for (int s = 0; s < arity; ++s) ids_(e).id[s] = map.host()[e][s];
    } else {
      static_assert(sizeof(Ids<arity>) == arity * sizeof(Index));
      auto* const entries = const_cast<Index*>(map.device().data());
      ids_ = Vector<Ids<arity>>(reinterpret_cast<Ids<arity>*>(entries), map.size());
    }
  }

  SharedMap shared_;
  std::size_t to_size_ = 0;
  Vector<Ids<arity>> ids_;
};

}  // namespace miniapp::indirect
