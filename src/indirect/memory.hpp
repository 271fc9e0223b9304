// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/graph/reorder.hpp"
#include "miniapp/indirect/case.hpp"

namespace miniapp::indirect {

/// Memory for a loop over `size` from-elements of its default mesh, on the host and on the device alike [bytes]: about
/// what a map, a plan and fields take. METIS's graph joins all elements around a vertex.
double memory_need(LoopKind loop, double size, graph::Reorder reorder);

}  // namespace miniapp::indirect
