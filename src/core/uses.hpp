// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/execution.hpp"
#include "miniapp/core/map.hpp"

namespace miniapp {

/// Rows of a transposed map on the device: row t has positions(offsets(t)) .. positions(offsets(t + 1) - 1).
struct Uses {
  Vector<Index> offsets;    ///< (target + 1)
  Vector<Index> positions;  ///< (use)
};

/// Found where loops run: for each target the positions of the entries of `map` that refer to it, ascending; masked
/// entries (~target) are omitted. O(entries), and the square of the number of uses of a target. Errors: InputError for
/// more than 2^31 - 1 entries.
Uses find_uses(const Vector<const Index>& map, Index to_size);

}  // namespace miniapp
