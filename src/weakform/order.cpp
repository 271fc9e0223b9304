// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/weakform/order.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "miniapp/core/error.hpp"
#include "miniapp/graph/bisection.hpp"
#include "miniapp/mesh/reorder.hpp"

namespace miniapp::weakform {

OrderedMesh order_cells(const mesh::Mesh& mesh, Strategy strategy, graph::Reorder reorder, int block_size) {
  require(block_size >= 1, "block_size", block_size, "accepted are 1 and more");
  double cells = block_size;
  if (strategy == Strategy::owner) cells *= double(mesh.num_elements()) / double(mesh.vertices.size());
  const int rounded = std::max(1, static_cast<int>(std::min(std::round(cells), 1e9)));
  if (reorder == graph::Reorder::bisection) {  // stays on the device
    const graph::DeviceMap map = graph::copy_to_device(mesh.element_to_vertex, mesh.vertices.size());
    const auto order = graph::bisect_elements(map, graph::copy_to_device(mesh.vertices), rounded).from;
    std::vector<Index> first;
    for (std::size_t e = 0; e < mesh.num_elements(); e += rounded) first.push_back(static_cast<Index>(e));
    first.push_back(static_cast<Index>(mesh.num_elements()));
    return {mesh::reorder(mesh, map.entries, order), std::move(first)};
  }
  const graph::Ordering ordering =
      graph::make_ordering(mesh.element_to_vertex, mesh.vertices.size(), reorder, rounded, mesh.vertices);
  const auto& first = ordering.from.offsets;
  return {mesh::reorder(mesh, ordering.from.entries), {first.begin(), first.end()}};
}

}  // namespace miniapp::weakform
