// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <string>
#include <vector>

#include "miniapp/core/names.hpp"
#include "miniapp/mesh/mesh.hpp"

namespace miniapp::mesh {

using miniapp::name;

/// Orders of the elements of a mesh; nodes follow, since they are numbered in the order in which elements meet them.
enum class Order {
  none,   ///< as generated
  metis,  ///< parts of about 64 elements by METIS k-way on the graph of elements that share faces
  rcm,    ///< reverse Cuthill-McKee on the same graph, by Kokkos Kernels
};

constexpr auto names(Order) { return std::array{"none", "metis", "rcm"}; }
/// Empty where this build can make the order; else why not.
std::string why_not(Order order);

/// The graph of solid cells that share faces: neighbours[offsets[e] .. offsets[e+1]) of element e.
struct ElementGraph {
  std::vector<Index> offsets, neighbours;
};
ElementGraph face_neighbours(const Mesh& mesh);

/// New places of the elements: place[e], a permutation.
std::vector<Index> make_order(const Mesh& mesh, Order order);

/// The same mesh with element e at place[e].
Mesh reorder(const Mesh& mesh, const std::vector<Index>& place);

}  // namespace miniapp::mesh
