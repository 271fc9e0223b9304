// SPDX-License-Identifier: BSD-3-Clause
/// What is known about loops and orders without making one.
#include "miniapp/core/features.hpp"
#include "miniapp/indirect/case.hpp"
#include "miniapp/indirect/reorder.hpp"

namespace miniapp::indirect {

std::string why_not([[maybe_unused]] Reorder reorder) {
#ifndef MINIAPP_HAVE_METIS
  if (reorder == Reorder::metis) return "this build has no METIS; accepted are none, rcm, gps, blocks or bisection";
#endif
  return "";
}

}  // namespace miniapp::indirect
