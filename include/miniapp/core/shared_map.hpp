// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <utility>

#include "miniapp/core/execution.hpp"
#include "miniapp/core/map.hpp"

namespace miniapp {

/// A map of fixed arity in the memory of the default execution space: (from, slot), row-major. On a GPU a host copy is
/// made when it is first asked for, since copying takes ten times as long as numbering the nodes (64^3 elements, order
/// 7); others that ask then wait. Copies of a SharedMap share the data.
class SharedMap {
 public:
  SharedMap() = default;
  explicit SharedMap(Map map)
      : arity_(map.arity),
        host_(std::make_shared<HostMap>(std::move(map), true)),
        device_(read_on_device("core/map", host_->map.entries)) {}
  /// Calls fill(entries) with the array to be written, in the memory of the default execution space.
  template <class Fill>
  SharedMap(std::size_t from_size, int arity, const Fill& fill) : arity_(arity) {
    if constexpr (runs_on_host) {
      host_ = std::make_shared<HostMap>(Map(from_size, arity), true);
      device_ = read_on_device("core/map", host_->map.entries);
      fill(Vector<Index>(host_->map.entries.data(), host_->map.entries.size()));
    } else {
      host_ = std::make_shared<HostMap>(Map(), false);
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
    static const Map none;
    if (!host_) return none;
    if (!host_->is_made) {
      const std::lock_guard held(host_->lock);
      if (!host_->is_made) {
        host_->map = Map(size(), arity_);
        copy_entries(HostVector<Index>(host_->map.entries.data(), num_entries()), device_);
        host_->is_made = true;
      }
    }
    return host_->map;
  }

 private:
  struct HostMap {
    HostMap(Map of_host, bool made) : map(std::move(of_host)), is_made(made) {}
    Map map;
    std::atomic<bool> is_made;
    std::mutex lock;
  };

  int arity_ = 0;
  std::shared_ptr<HostMap> host_;
  Vector<const Index> device_;
};

}  // namespace miniapp
