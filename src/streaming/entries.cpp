// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/streaming/entries.hpp"

namespace miniapp::streaming::detail {

ReductionScratch reduction_scratch(std::size_t size) {
  static Vector<double> room;
  static Vector<unsigned> finished;
  if (room.extent(0) == 0) {
    finished = Vector<unsigned>("streaming/finished", 1);
    Kokkos::push_finalize_hook([] {
      room = {};
      finished = {};
    });
  }
  if (room.extent(0) < size + 1) {
    Kokkos::fence();  // a loop that is under way may still need the old one
    room = Vector<double>("streaming/partial", 2 * size + 1);
  }
  return {room.data(), room.data() + 1, finished.data()};
}

}  // namespace miniapp::streaming::detail
