// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <string>

#include "miniapp/core/error.hpp"
#include "miniapp/mesh/mesh.hpp"

namespace miniapp::mesh {

/// The part of a mesh whose cells are each cut into `pieces`: those of cell e get the numbers pieces e .. pieces e +
/// pieces - 1. Errors: more than 2^31 - 1 cells (InputError).
inline Part cut(const Part& part, int pieces) {
  const double cells = double(pieces) * double(part.elements.size());
  require(cells <= std::numeric_limits<Index>::max(),
          std::to_string(static_cast<std::int64_t>(cells)) + " cells of a part; accepted are up to 2147483647");
  Part result{part.ranks, part.vertices, {}};
  result.elements.reserve(pieces * part.elements.size());
  for (const std::int64_t e : part.elements)
    for (int piece = 0; piece < pieces; ++piece) result.elements.push_back(pieces * e + piece);
  return result;
}

}  // namespace miniapp::mesh
