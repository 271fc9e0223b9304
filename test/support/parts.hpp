// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "miniapp/core/communicator.hpp"
#include "miniapp/mesh/mesh.hpp"
#include "miniapp/messages/peers.hpp"
#include "support/catch.hpp"

namespace miniapp::test {

/// A communicator of these ranks whose values travel by their memory of each other, where they have it. Collective.
inline Communicator by_memory(const Communicator& ranks) {
  const bool possible = ranks.is_alone() || messages::PeerMemory::make(ranks, 8) != nullptr;
  return ranks.through(possible ? Halo::peer : Halo::host);
}
/// A communicator of these ranks whose values travel through the host (way 0) or by_memory() (way 1).
inline Communicator by_way(const Communicator& ranks, int way) {
  return way == 0 ? ranks.through(Halo::host) : by_memory(ranks);
}

/// This rank's part of a mesh whose elements are distributed at random: parts have vertices, edges and faces in common
/// in any combination, and most parts are not connected. Every rank has an element, where there are enough.
inline mesh::Mesh take_part(const mesh::Mesh& whole, const Communicator& ranks, unsigned seed) {
  std::mt19937 random(seed);
  mesh::Mesh part;
  part.kind = whole.kind;
  part.part.ranks = ranks;
  const int corners = mesh::num_vertices(whole.kind);
  for (std::size_t e = 0; e < whole.num_elements(); ++e) {
    const auto rank = e < std::size_t(ranks.size()) ? e : random() % ranks.size();
    if (rank == std::size_t(ranks.rank())) part.part.elements.push_back(static_cast<std::int64_t>(e));
  }
  std::vector<std::int64_t>& vertices = part.part.vertices;
  for (const std::int64_t e : part.part.elements)
    vertices.insert(vertices.end(), whole.element_to_vertex[e], whole.element_to_vertex[e] + corners);
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  for (const std::int64_t v : vertices) part.vertices.push_back(whole.vertices[v]);
  part.element_to_vertex = Map(part.part.elements.size(), corners);
  for (std::size_t e = 0; e < part.num_elements(); ++e)
    for (int v = 0; v < corners; ++v)
      part.element_to_vertex[e][v] = static_cast<Index>(
          std::lower_bound(vertices.begin(), vertices.end(), whole.element_to_vertex[part.part.elements[e]][v]) -
          vertices.begin());
  return part;
}

/// Requires that a rank's part has cells and vertices of the whole mesh, where it says, and that no cell is missing.
inline void require_part_of(const mesh::Mesh& whole, const mesh::Mesh& part, const Communicator& world) {
  CHECK(world.sum(std::int64_t(part.num_elements())) == std::int64_t(whole.num_elements()));
  REQUIRE(part.kind == whole.kind);
  if (world.is_alone()) return;
  REQUIRE(part.part.vertices.size() == part.vertices.size());
  for (std::size_t v = 0; v < part.vertices.size(); ++v)
    REQUIRE(part.vertices[v] == whole.vertices[part.part.vertices[v]]);
  for (std::size_t e = 0; e < part.num_elements(); ++e)
    for (int v = 0; v < part.element_to_vertex.arity; ++v)
      REQUIRE(part.part.vertices[part.element_to_vertex[e][v]] == whole.element_to_vertex[part.part.elements[e]][v]);
}

}  // namespace miniapp::test
