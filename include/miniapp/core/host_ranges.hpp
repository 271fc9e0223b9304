// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

#include "miniapp/core/large_pages.hpp"

namespace miniapp {

/// Threads that work of the host's own, such as making a mesh, is shared among: one where loops run in one thread,
/// those of OpenMP where loops run in these, and all cores that this process may use where loops run on a GPU, since
/// they would be idle.
int host_threads();

/// Sets host_threads(), for tests and for programs that need the cores themselves; 0: as it was.
void set_host_threads(int threads);

/// [0, size) cut into consecutive ranges, one for each thread of the host, fewer where they would be small. Work whose
/// parts depend on each other counts by one call of for_each() and writes by another:
///
///   const HostRanges ranges(size);
///   std::vector<Index> next(ranges.count() + 1);
///   ranges.for_each([&](int r) { .. next[r + 1] += is_wanted(i); .. });
///   std::partial_sum(next.begin(), next.end(), next.begin());
///   ranges.for_each([&](int r) { .. wanted[next[r]++] = i; .. });
class HostRanges {
 public:
  /// `least`: entries that are worth a thread.
  explicit HostRanges(std::size_t size, std::size_t least = 1 << 14);

  int count() const { return count_; }
  std::size_t begin(int range) const { return size_ / count_ * range + size_ % count_ * range / count_; }
  std::size_t end(int range) const { return begin(range + 1); }

  /// Calls body(range) for all ranges at the same time, in any order. Throws what the first range threw, once all have
  /// ended.
  void for_each(const std::function<void(int)>& body) const;

 private:
  std::size_t size_;
  int count_;
};

/// Calls body(i) for i < size, by all threads of the host. `least`: as of HostRanges.
template <class Body>
void for_host(std::size_t size, const Body& body, std::size_t least = 1 << 14) {
  const HostRanges ranges(size, least);
  ranges.for_each([&](int range) {
    const std::size_t end = ranges.end(range);
    for (std::size_t i = ranges.begin(range); i < end; ++i) body(i);
  });
}

/// A copy on large pages, made by all threads of the host.
template <class T>
std::vector<T> copy_large(const std::vector<T>& values) {
  std::vector<T> copy = make_large<T>(values.size());
  const HostRanges ranges(values.size());
  ranges.for_each([&](int range) {
    std::copy(values.begin() + ranges.begin(range), values.begin() + ranges.end(range),
              copy.begin() + ranges.begin(range));
  });
  return copy;
}

}  // namespace miniapp
