// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <memory>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

#include "miniapp/core/kokkos.hpp"

namespace miniapp {

/// While one lives, arrays that make_vector() makes on a GPU have the memory of earlier ones of the same type and about
/// the same size that nobody uses any more. A set-up makes hundreds of arrays, and getting and freeing memory takes
/// some 50 us for each. An array may have up to an eighth more than it needs. Memory without use goes with the last
/// KeepMemory of the thread; before, where an array finds none, if it is more than a quarter of what was taken and 256
/// MiB. An array may have the memory of one that a loop still uses, so that all loops and copies of the set-up must be
/// in the order of one Instance, or wait for it. Hosts do not keep memory: multigrid of 10^6 rows took 1.35 s to set up
/// instead of 1.07.
class KeepMemory {
 public:
  KeepMemory();
  ~KeepMemory();
  KeepMemory(const KeepMemory&) = delete;
  KeepMemory& operator=(const KeepMemory&) = delete;
};

namespace detail {

/// The arrays of one type that were made while a KeepMemory lived.
class KeptArrays {
 public:
  struct Bytes {
    std::size_t all = 0, idle = 0;
  };
  virtual ~KeptArrays() = default;
  virtual Bytes bytes() const = 0;
  virtual void free_idle() = 0;
};

/// Where those of a type are in this thread, an empty pointer before the first; null if no KeepMemory lives.
std::unique_ptr<KeptArrays>* find_kept_arrays(const std::type_info& type);
/// Frees memory without use: of all types, or only if it is too much. Returns whether there was some.
bool free_kept_arrays(bool all);

template <class Array>
class KeptArraysOf final : public KeptArrays {
 public:
  /// `allocate` (size): a new array.
  template <class Allocate>
  Array make(std::size_t size, const Allocate& allocate) {
    const Array* found = nullptr;
    for (const Array& array : arrays_)
      if (is_idle(array) && size <= array.extent(0) && array.extent(0) <= most(size) &&
          (!found || array.extent(0) < found->extent(0)))
        found = &array;
    if (!found) {
      free_kept_arrays(false);
      found = &arrays_.emplace_back(make_new(with_room(size), allocate));
    }
    return Kokkos::subview(*found, std::pair<std::size_t, std::size_t>(0, size));
  }
  Bytes bytes() const override {
    Bytes sum;
    for (const Array& array : arrays_) {
      const std::size_t own = array.extent(0) * entry_bytes;
      sum.all += own;
      if (is_idle(array)) sum.idle += own;
    }
    return sum;
  }
  void free_idle() override { std::erase_if(arrays_, is_idle); }

 private:
  static constexpr std::size_t entry_bytes = sizeof(typename Array::value_type);
  std::vector<Array> arrays_;

  static bool is_idle(const Array& array) { return array.use_count() == 1; }
  /// Offsets, one more than rows, fit where numbers of rows were.
  static std::size_t with_room(std::size_t size) {
    const std::size_t step = std::max<std::size_t>(1, 4096 / entry_bytes);
    return (size / step + 1) * step;
  }
  /// The largest array whose memory one of `size` entries may have.
  static std::size_t most(std::size_t size) { return with_room(size) + size / 8; }

  template <class Allocate>
  static Array make_new(std::size_t size, const Allocate& allocate) {
    try {
      return allocate(size);
    } catch (const std::exception&) {
      if (!free_kept_arrays(true)) throw;
    }
    return allocate(size);
  }
};

}  // namespace detail
}  // namespace miniapp
