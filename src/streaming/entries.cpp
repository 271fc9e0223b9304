// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/streaming/entries.hpp"

namespace miniapp::streaming::detail {

ReductionScratch reduction_scratch(std::size_t size) {
  static Vector<double> result, partial;  // apart: a result is still needed when `partial` grows
  static Vector<unsigned> finished;
  if (result.extent(0) == 0) {
    result = Vector<double>("streaming/result", 1);
    finished = Vector<unsigned>("streaming/finished", 1);
    Kokkos::push_finalize_hook([] {
      result = partial = {};
      finished = {};
    });
  }
  if (partial.extent(0) < size) {
    Kokkos::fence();  // a loop that is under way may still need the old one
    partial = Vector<double>("streaming/partial", 2 * size);
  }
  return {result.data(), partial.data(), finished.data()};
}

}  // namespace miniapp::streaming::detail
