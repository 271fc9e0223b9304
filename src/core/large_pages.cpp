// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/core/large_pages.hpp"

#include <cstdint>
#include <cstring>

#include "miniapp/core/host_ranges.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace miniapp {

void ask_for_large_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  constexpr std::uintptr_t small_page = 4096, large_page = 2 << 20;
  const auto begin = (reinterpret_cast<std::uintptr_t>(memory) + small_page - 1) / small_page * small_page;
  const auto end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / small_page * small_page;
  if (end >= begin + large_page) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#endif
}

void fetch_pages(void* memory, std::size_t bytes) {
  const HostRanges ranges(bytes, 8 << 20);
  if (ranges.count() == 1) return;
  ranges.for_each([&](int range) {
    std::memset(static_cast<char*>(memory) + ranges.begin(range), 0, ranges.end(range) - ranges.begin(range));
  });
}

}  // namespace miniapp
