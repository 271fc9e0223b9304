// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>

#include "miniapp/geometry/hexahedron.hpp"
#include "miniapp/tensor/element_operator.hpp"

namespace miniapp::tensor {

/// Checks det J > 0 at the points of a rule, of the trilinear or curved maps of a mesh's elements. Collective. Errors:
/// InvertedElement, on all ranks the same.
template <class Maps>
void require_upright(const mesh::Mesh& mesh, const Maps& maps, const basis::Rule& rule) {
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  const std::int64_t found = geometry::find_inverted(maps, rule);
  const std::int64_t first =
      mesh.part.ranks.of_all(Reduction::min, found < 0 ? none : mesh.number(static_cast<std::size_t>(found)));
  if (first != none) throw InvertedElement(first);
}

}  // namespace miniapp::tensor
