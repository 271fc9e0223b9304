// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/map.hpp"

namespace miniapp::solver {

/// n / block, as the node of row n. Most matrices have blocks of 1, for which nothing is divided.
KOKKOS_FORCEINLINE_FUNCTION Index by_block(Index n, int block) { return block == 1 ? n : n / block; }

}  // namespace miniapp::solver
