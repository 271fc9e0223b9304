// SPDX-License-Identifier: BSD-3-Clause
#include "indirect/memory.hpp"

namespace miniapp::indirect {

double memory_need(LoopKind loop, double size, graph::Reorder reorder) {
  const bool metis = reorder == graph::Reorder::metis;
  switch (loop) {
    case LoopKind::hydro_stress:
      return size * (metis ? 1700 : 1100);
    case LoopKind::corner_acceleration:
      return size * (metis ? 1000 : 800);
    default:
      return size * 500;
  }
}

}  // namespace miniapp::indirect
