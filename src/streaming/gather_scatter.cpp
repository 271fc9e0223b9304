// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/streaming/gather_scatter.hpp"

namespace miniapp::streaming {
namespace {

template <class T>
Vector<const T> to_device(const std::string& label, const std::vector<T>& host) {
  const Vector<T> device = make_vector<T>(label, host.size());
  Kokkos::deep_copy(device, Kokkos::View<const T*, Kokkos::LayoutRight, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(
                                host.data(), host.size()));
  return device;
}

}  // namespace

NodeMap make_node_map(const mesh::Map& element_to_node) {
  if constexpr (runs_on_host) return NodeMap(element_to_node.entries.data(), element_to_node.entries.size());
  return to_device("streaming/node_map", element_to_node.entries);
}

std::size_t node_map_bytes(const mesh::Map& element_to_node) {
  return runs_on_host ? 0 : element_to_node.entries.size() * sizeof(mesh::Index);
}

NodeRows make_node_rows(const mesh::Map& element_to_node, std::size_t num_nodes) {
  const mesh::Rows rows = mesh::transpose(element_to_node, num_nodes);
  return {to_device("streaming/row_offsets", rows.offsets), to_device("streaming/row_positions", rows.positions)};
}

template <class Real>
void scatter(const NodeMap& map, const Vector<const Real>& global, const Vector<Real>& local) {
  Kokkos::parallel_for(
      "streaming/scatter", Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(0, map.extent(0)),
      KOKKOS_LAMBDA(const std::int64_t q) {
        const mesh::Index node = map(q);
        local(q) = node >= 0 ? global(node) : Real(0);
      });
}

template <class Real>
void gather(const NodeRows& rows, const Vector<const Real>& local, const Vector<Real>& global) {
  Kokkos::parallel_for(
      "streaming/gather", Kokkos::RangePolicy<ExecutionSpace>(0, global.extent(0)), KOKKOS_LAMBDA(const int g) {
        Real sum = 0;
        for (std::int64_t q = rows.offsets(g); q < rows.offsets(g + 1); ++q) sum += local(rows.positions(q));
        global(g) = sum;
      });
}

template void scatter(const NodeMap&, const Vector<const double>&, const Vector<double>&);
template void scatter(const NodeMap&, const Vector<const float>&, const Vector<float>&);
template void gather(const NodeRows&, const Vector<const double>&, const Vector<double>&);
template void gather(const NodeRows&, const Vector<const float>&, const Vector<float>&);

}  // namespace miniapp::streaming
