// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/mesh/reorder.hpp"

#include <algorithm>

namespace miniapp::mesh {

Mesh reorder(const Mesh& mesh, const std::vector<Index>& order) {
  const int corners = num_vertices(mesh.kind);
  Mesh result{mesh.vertices, Map(mesh.num_elements(), corners), mesh.kind};
  for (std::size_t e = 0; e < mesh.num_elements(); ++e)
    std::copy_n(mesh.element_to_vertex[order[e]], corners, result.element_to_vertex[e]);
  return result;
}

}  // namespace miniapp::mesh
