// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/mesh/reorder.hpp"

#include <algorithm>

#include "mesh/groups.hpp"

namespace miniapp::mesh {

Mesh reorder(const Mesh& mesh, const std::vector<Index>& order) {
  const int corners = num_vertices(mesh.kind);
  Mesh result{mesh.vertices, Map(mesh.num_elements(), corners), mesh.kind};
  for (std::size_t e = 0; e < mesh.num_elements(); ++e)
    std::copy_n(mesh.element_to_vertex[order[e]], corners, result.element_to_vertex[e]);
  std::vector<Index> place(mesh.groups.empty() ? 0 : order.size());
  for (std::size_t i = 0; i < place.size(); ++i) place[order[i]] = static_cast<Index>(i);
  result.groups = renumber_cells(mesh.groups, place);
  result.part = mesh.part;
  for (std::size_t i = 0; i < mesh.part.elements.size(); ++i) result.part.elements[i] = mesh.part.elements[order[i]];
  return result;
}

}  // namespace miniapp::mesh
