// SPDX-License-Identifier: BSD-3-Clause
#include "space/shared_first.hpp"

#include <algorithm>

#include "space/parallel.hpp"

namespace miniapp::space {

std::vector<Index> shared_first(const Space& space, int& count) {
  const auto num_elements = static_cast<std::int64_t>(space.element_to_node.size());
  const Vector<unsigned char> nodes = make_zeros<unsigned char>("space/shared nodes", space.num_nodes),
                              elements = make_zeros<unsigned char>("space/shared elements", num_elements);
  const Vector<const Index> entries = space.exchange.shared(), map = space.element_to_node.device();
  const Index num_nodes = space.num_nodes;
  const int components = space.components, arity = space.element_to_node.arity();
  const bool is_soa = space.layout == Layout::soa;
  Kokkos::parallel_for(
      "space/shared nodes", Range(0, static_cast<std::int64_t>(entries.extent(0))),
      KOKKOS_LAMBDA(const std::int64_t k) { nodes(is_soa ? entries(k) % num_nodes : entries(k) / components) = 1; });
  Kokkos::parallel_for(
      "space/shared elements", Range(0, num_elements), KOKKOS_LAMBDA(const std::int64_t e) {
        unsigned char any = 0;
        for (int i = 0; i < arity; ++i) {
          const Index node = map(e * arity + i);
          any |= nodes(node < 0 ? ~node : node);
        }
        elements(e) = any;
      });
  const auto shared = to_host(elements);
  std::vector<Index> order(static_cast<std::size_t>(num_elements));
  for (std::size_t e = 0; e < order.size(); ++e) order[e] = static_cast<Index>(e);
  const auto inner = std::stable_partition(order.begin(), order.end(), [&](Index e) { return shared(e) != 0; });
  count = static_cast<int>(inner - order.begin());
  return order;
}

void copy_rows(const SharedMap& map, const std::vector<Index>& elements, const Vector<Index>& rows) {
  const Vector<const Index> from = map.device(), order = to_device("space/rows", elements);
  const std::int64_t arity = map.arity();
  Kokkos::parallel_for(
      "space/rows", Range(0, static_cast<std::int64_t>(rows.extent(0))),
      KOKKOS_LAMBDA(const std::int64_t i) { rows(i) = from(order(i / arity) * arity + i % arity); });
  ExecutionSpace().fence();
}

SharedMap reorder(const SharedMap& map, const std::vector<Index>& elements) {
  return {map.size(), map.arity(), [&](const Vector<Index>& to) { copy_rows(map, elements, to); }};
}

}  // namespace miniapp::space
