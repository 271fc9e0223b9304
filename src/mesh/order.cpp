// SPDX-License-Identifier: BSD-3-Clause
/// What is known about orders without making one.
#include "miniapp/core/features.hpp"
#include "miniapp/mesh/reorder.hpp"

namespace miniapp::mesh {

std::string why_not(Order order) {
#ifndef MINIAPP_HAVE_METIS
  if (order == Order::metis) return "this build has no METIS; accepted are none or rcm";
#endif
#ifndef MINIAPP_HAVE_KOKKOS_KERNELS
  if (order == Order::rcm) return "this build has no Kokkos Kernels; accepted are none or metis";
#endif
  static_cast<void>(order);
  return "";
}

}  // namespace miniapp::mesh
