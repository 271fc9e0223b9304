// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "miniapp/core/error.hpp"
#include "miniapp/core/execution.hpp"
#include "miniapp/core/map.hpp"

namespace miniapp::indirect {

/// The targets of one from-element, loaded together.
template <int arity>
struct alignas(arity % 4 == 0   ? 16
               : arity % 2 == 0 ? 8
                                : 4) Ids {
  Index id[arity];
};

/// A map (from-element, slot) on the device, whose arity is known at compile time. Also keeps the host's map.
template <int arity>
class ElementMap {
 public:
  ElementMap() = default;
  /// Errors: InputError where an entry points outside the to-set, or `map` has another arity.
  ElementMap(const std::string& name, Map map, std::size_t to_size) : host_(std::move(map)), to_size_(to_size) {
    if (host_.arity == 0) host_.arity = arity;
    require_valid(host_, to_size, name);
    if (host_.arity != arity)
      throw InputError(name + ": arity " + std::to_string(host_.arity) + " where the loop has " +
                       std::to_string(arity));
    ids_ = make_vector<Ids<arity>>(name, host_.size());
    const auto mirror = Kokkos::create_mirror_view(ids_);
    for (std::size_t e = 0; e < host_.size(); ++e)
      for (int s = 0; s < arity; ++s) mirror(e).id[s] = host_[e][s];
    Kokkos::deep_copy(ids_, mirror);
  }

  std::size_t from_size() const { return host_.size(); }
  std::size_t to_size() const { return to_size_; }
  double bytes() const { return double(from_size()) * sizeof(Ids<arity>); }
  const Map& host() const { return host_; }
  const Vector<Ids<arity>>& ids() const { return ids_; }

 private:
  Map host_;
  std::size_t to_size_ = 0;
  Vector<Ids<arity>> ids_;
};

}  // namespace miniapp::indirect
