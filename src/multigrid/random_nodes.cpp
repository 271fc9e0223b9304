// SPDX-License-Identifier: BSD-3-Clause
#include "multigrid/random_nodes.hpp"

#include <cstdint>

#include "miniapp/core/random_bits.hpp"

namespace miniapp::multigrid {

void randomise(const Discretisation& d, const Vector<float>& v) {
  using Bits = std::uint64_t;
  const auto global = read_on_device("multigrid/random/vertices", d.mesh->part.vertices);  // of a distributed mesh
  const bool is_part = global.extent(0) > 0;
  const Vector<const Index> vertices = read_on_device("multigrid/random/cells", d.mesh->element_to_vertex.entries);
  const Vector<const Index> nodes = d.space.element_to_node.device();
  fill(v, 0.f);
  const int order = d.order, n = order + 1, components = d.space.components;
  const auto num_nodes = static_cast<std::size_t>(d.space.num_nodes);
  // A node's number comes from the sum of its vertices' ones, each times the integer that is its weight in the node's
  // position: elements that share the node find the same.
  Kokkos::parallel_for(
      "multigrid/random",
      Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(0,
                                                                           static_cast<std::int64_t>(nodes.extent(0))),
      KOKKOS_LAMBDA(const std::int64_t position) {
        const Index node = nodes(position);
        if (node < 0) return;
        const int local = static_cast<int>(position % (n * n * n));
        const int at[3] = {local % n, local / n % n, local / n / n};
        Bits sum = 0;
        for (int corner = 0; corner < 8; ++corner) {
          int weight = 1;
          for (int r = 0; r < 3; ++r) weight *= corner >> r & 1 ? at[r] : order - at[r];
          const Index vertex = vertices(position / (n * n * n) * 8 + corner);
          sum += Bits(weight) * random_bits(static_cast<Bits>(is_part ? global(vertex) : vertex));
        }
        for (int c = 0; c < components; ++c)
          v(c * num_nodes + node) = static_cast<float>(double(random_bits(sum + c) >> 11) * 0x1p-52 - 1);
      });
  ExecutionSpace().fence();  // arrays are freed
}

}  // namespace miniapp::multigrid
