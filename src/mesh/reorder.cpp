// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/mesh/reorder.hpp"

#include <algorithm>

#include "mesh/groups.hpp"

namespace miniapp::mesh {

namespace {

/// Renumbers what else names cells: groups, parts and nodes of curved elements.
void reorder_rest(const Mesh& mesh, const std::vector<Index>& order, Mesh& result) {
  std::vector<Index> place(mesh.groups.empty() && mesh.curved.empty() ? 0 : order.size());
  for (std::size_t i = 0; i < place.size(); ++i) place[order[i]] = static_cast<Index>(i);
  result.groups = renumber_cells(mesh.groups, place);
  result.curved = renumber_cells(mesh.curved, place);
  result.part = mesh.part;
  for (std::size_t i = 0; i < mesh.part.elements.size(); ++i) result.part.elements[i] = mesh.part.elements[order[i]];
}

}  // namespace

Mesh reorder(const Mesh& mesh, const std::vector<Index>& order) {
  const int corners = num_vertices(mesh.kind);
  Mesh result{mesh.vertices, Map(mesh.num_elements(), corners), mesh.kind};
  for (std::size_t e = 0; e < mesh.num_elements(); ++e)
    std::copy_n(mesh.element_to_vertex[order[e]], corners, result.element_to_vertex[e]);
  reorder_rest(mesh, order, result);
  return result;
}

Mesh reorder(const Mesh& mesh, const Vector<const Index>& element_to_vertex, const Vector<const Index>& order) {
  const int corners = num_vertices(mesh.kind);
  Mesh result{mesh.vertices, Map(mesh.num_elements(), corners), mesh.kind};
  std::vector<Index>& entries = result.element_to_vertex.entries;
  const Vector<Index> to = make_vector<Index>("mesh/elements in order", entries.size());
  Kokkos::parallel_for(
      "mesh/reorder", Kokkos::RangePolicy<ExecutionSpace>(0, order.extent(0)), KOKKOS_LAMBDA(const std::size_t e) {
        for (int corner = 0; corner < corners; ++corner)
          to(e * corners + corner) = element_to_vertex(std::size_t(order(e)) * corners + corner);
      });
  copy_entries(HostVector<Index>(entries.data(), entries.size()), to);
  if (mesh.groups.empty() && mesh.part.elements.empty() && mesh.curved.empty()) {
    result.part = mesh.part;
    return result;
  }
  const auto host = to_host(order);
  reorder_rest(mesh, {host.data(), host.data() + host.extent(0)}, result);
  return result;
}

}  // namespace miniapp::mesh
