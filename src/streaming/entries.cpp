// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/streaming/entries.hpp"

#include <algorithm>

namespace miniapp::streaming::detail {

ReductionScratch reduction_scratch(std::size_t size) {
  static Vector<double> partial;
  static Vector<unsigned> finished;
  if (finished.extent(0) == 0) {
    finished = Vector<unsigned>("streaming/finished", 1);
    Kokkos::push_finalize_hook([] {
      partial = {};
      finished = {};
    });
  }
  if (partial.extent(0) < size) {
    Kokkos::fence();                         // a loop that is under way may still need the old one
    constexpr std::size_t enough = 1 << 16;  // for any loop of today's devices: a recorded graph keeps the address
    partial = Vector<double>("streaming/partial", std::max(enough, 2 * size));
  }
  return {partial.data(), finished.data()};
}

Mailbox& mailbox() {
  static Mailbox box;
  static const bool freed_at_the_end = [] {
    Kokkos::push_finalize_hook([] { box.free(); });
    return true;
  }();
  static_cast<void>(freed_at_the_end);
  return box;
}

}  // namespace miniapp::streaming::detail
