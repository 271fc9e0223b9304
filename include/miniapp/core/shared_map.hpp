// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <utility>

#include "miniapp/core/execution.hpp"
#include "miniapp/core/map.hpp"

namespace miniapp {

/// A map of fixed arity in the memory of the default execution space: (from, slot), row-major. On a GPU a host copy is
/// made when it is first asked for, since copying takes ten times as long as numbering the nodes (64^3 elements, order
/// 7). Copies of a SharedMap share the data.
class SharedMap {
 public:
  SharedMap() = default;
  explicit SharedMap(Map map)
      : arity_(map.arity),
        host_(std::make_shared<Map>(std::move(map))),
        device_(read_on_device("core/map", host_->entries)) {}
  /// Calls fill(entries) with the array to be written, in the memory of the default execution space.
  template <class Fill>
  SharedMap(std::size_t from_size, int arity, const Fill& fill) : arity_(arity), host_(std::make_shared<Map>()) {
    if constexpr (runs_on_host) {
      *host_ = Map(from_size, arity);
      device_ = read_on_device("core/map", host_->entries);
      fill(Vector<Index>(host_->entries.data(), host_->entries.size()));
    } else {
      const Vector<Index> entries = make_vector<Index>("core/map", from_size * arity);
      device_ = entries;
      fill(entries);
    }
  }

  int arity() const { return arity_; }
  std::size_t size() const { return arity_ ? num_entries() / arity_ : 0; }
  std::size_t num_entries() const { return device_.extent(0); }
  /// Device memory in addition to the host's [bytes].
  std::size_t device_bytes() const { return runs_on_host ? 0 : num_entries() * sizeof(Index); }

  Vector<const Index> device() const { return device_; }
  const Map& host() const {
    if (host_ && host_->entries.size() != num_entries()) {
      *host_ = Map(size(), arity_);
      copy_entries(HostVector<Index>(host_->entries.data(), num_entries()), device_);
    }
    static const Map none;
    return host_ ? *host_ : none;
  }

 private:
  int arity_ = 0;
  std::shared_ptr<Map> host_;
  Vector<const Index> device_;
};

}  // namespace miniapp
