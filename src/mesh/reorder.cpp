// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/mesh/reorder.hpp"

#include <algorithm>
#include <numeric>

#include "core/own_signals.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/core/features.hpp"
#include "miniapp/mesh/entities.hpp"
#ifdef MINIAPP_HAVE_METIS
#include <metis.h>
#endif
#ifdef MINIAPP_HAVE_KOKKOS_KERNELS
#include <KokkosGraph_RCM.hpp>
#include <Kokkos_Core.hpp>
#endif

namespace miniapp::mesh {
namespace {

[[maybe_unused]] constexpr int part_size = 64;  // elements of order 7: their vectors fill a second-level cache

#ifdef MINIAPP_HAVE_METIS
std::vector<Index> metis_order(ElementGraph graph) {
  const std::size_t size = graph.offsets.size() - 1;
  idx_t vertices = static_cast<idx_t>(size), constraints = 1, parts = std::max<idx_t>(1, vertices / part_size), cut = 0;
  std::vector<idx_t> offsets(graph.offsets.begin(), graph.offsets.end()),
      neighbours(graph.neighbours.begin(), graph.neighbours.end()), part(size, 0);
  if (parts > 1) {
    idx_t options[METIS_NOPTIONS];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1;
    const OwnSignals own;
    const int status = METIS_PartGraphKway(&vertices, &constraints, offsets.data(), neighbours.data(), nullptr, nullptr,
                                           nullptr, &parts, nullptr, nullptr, options, &cut, part.data());
    if (status != METIS_OK)
      throw ResultError("--reorder metis: METIS_PartGraphKway failed, status " + std::to_string(status));
  }
  // parts follow each other in the order of their first elements; elements keep their order within a part
  std::vector<Index> first(parts, static_cast<Index>(size));
  for (std::size_t e = size; e-- > 0;) first[part[e]] = static_cast<Index>(e);
  std::vector<Index> by_part(size);
  std::iota(by_part.begin(), by_part.end(), 0);
  std::stable_sort(by_part.begin(), by_part.end(), [&](Index a, Index b) { return first[part[a]] < first[part[b]]; });
  std::vector<Index> place(size);
  for (std::size_t i = 0; i < size; ++i) place[by_part[i]] = static_cast<Index>(i);
  return place;
}
#endif

#ifdef MINIAPP_HAVE_KOKKOS_KERNELS
std::vector<Index> rcm_order(const ElementGraph& graph) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  using Array = Kokkos::View<Index*, Space>;
  const Array offsets("offsets", graph.offsets.size()), neighbours("neighbours", graph.neighbours.size());
  std::copy(graph.offsets.begin(), graph.offsets.end(), offsets.data());
  std::copy(graph.neighbours.begin(), graph.neighbours.end(), neighbours.data());
  const auto labels = KokkosGraph::Experimental::graph_rcm<Space::device_type, Array, Array>(offsets, neighbours);
  return {labels.data(), labels.data() + labels.extent(0)};
}
#endif

}  // namespace

ElementGraph face_neighbours(const Mesh& mesh) {
  const Entities faces = find_faces(mesh);
  const int slots = faces.slots;
  const auto face = to_host(faces.of_cell);
  std::vector<std::array<Index, 2>> sides(faces.size(), {-1, -1});
  for (std::size_t e = 0; e < mesh.num_elements(); ++e)
    for (int s = 0; s < slots; ++s) {
      auto& side = sides[face(slots * e + s)];
      side[side[0] >= 0] = static_cast<Index>(e);
    }
  ElementGraph graph;
  graph.offsets.push_back(0);
  for (std::size_t e = 0; e < mesh.num_elements(); ++e) {
    for (int s = 0; s < slots; ++s) {
      const auto& side = sides[face(slots * e + s)];
      if (side[1] >= 0) graph.neighbours.push_back(side[side[0] == static_cast<Index>(e)]);
    }
    graph.offsets.push_back(static_cast<Index>(graph.neighbours.size()));
  }
  return graph;
}

std::vector<Index> make_order(const Mesh& mesh, Order order) {
  const std::string reason = why_not(order);
  require(reason.empty(), "--reorder: " + reason);
#ifdef MINIAPP_HAVE_METIS
  if (order == Order::metis) return metis_order(face_neighbours(mesh));
#endif
#ifdef MINIAPP_HAVE_KOKKOS_KERNELS
  if (order == Order::rcm) return rcm_order(face_neighbours(mesh));
#endif
  std::vector<Index> place(mesh.num_elements());
  std::iota(place.begin(), place.end(), 0);
  return place;
}

Mesh reorder(const Mesh& mesh, const std::vector<Index>& place) {
  const int corners = num_vertices(mesh.kind);
  Mesh result{mesh.vertices, Map(mesh.num_elements(), corners), mesh.kind};
  for (std::size_t e = 0; e < mesh.num_elements(); ++e)
    std::copy_n(mesh.element_to_vertex[e], corners, result.element_to_vertex[place[e]]);
  return result;
}

}  // namespace miniapp::mesh
