// SPDX-License-Identifier: BSD-3-Clause
#include "runs/mesh_parts.hpp"

#include <cstdint>

#include "miniapp/core/csr.hpp"
#include "miniapp/mesh/distribute.hpp"
#include "miniapp/mesh/entities.hpp"

namespace miniapp::runs {
namespace {

/// (element): those that share a side with it.
Csr<Index> neighbours_of(const mesh::Mesh& mesh) {
  const mesh::Entities sides = mesh::cell(mesh.kind).dimension == 2 ? mesh::find_edges(mesh) : mesh::find_faces(mesh);
  const auto across = to_host(mesh::find_neighbours(sides));
  Csr<Index> neighbours;
  for (std::size_t place = 0; place < across.extent(0); ++place) {
    if (across(place) >= 0) neighbours.entries.push_back(across(place) / sides.slots);
    if ((place + 1) % static_cast<std::size_t>(sides.slots) == 0) neighbours.end_row();
  }
  return neighbours;
}

}  // namespace

std::vector<int> assign_elements(const mesh::Mesh& mesh, graph::Partition partition, int ranks) {
  if (partition == graph::Partition::rcb) return mesh::bisect_elements(mesh, ranks);
  if (partition == graph::Partition::metis) return graph::parts_by_metis(neighbours_of(mesh), ranks);
  std::vector<int> rank_of;
  const auto elements = static_cast<std::int64_t>(mesh.num_elements());
  for (std::int64_t e = 0; e < elements; ++e) rank_of.push_back(static_cast<int>(e * ranks / elements));
  return rank_of;
}

mesh::Mesh read_parts(const Communicator& ranks, graph::Partition partition, const std::function<mesh::Mesh()>& read) {
  return mesh::read_parts(
      ranks, read, [partition](const mesh::Mesh& mesh, int count) { return assign_elements(mesh, partition, count); });
}

}  // namespace miniapp::runs
