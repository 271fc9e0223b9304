// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/space/values.hpp"

#include <string>
#include <vector>

#include "miniapp/core/error.hpp"

namespace miniapp::space {
namespace {

void require_vector(const Space& space, std::size_t entries) {
  require(entries == space.num_entries(), "x", std::to_string(entries),
          "entries; accepted are the " + std::to_string(space.num_entries()) + " of the space");
}

}  // namespace

void set_to_zero(const Space& space, const Vector<double>& x) {
  require_vector(space, x.extent(0));
  std::vector<Index> constrained;
  for (int c = 0; c < space.components; ++c)
    for (const Index node : space.masked) constrained.push_back(static_cast<Index>(space.entry(node, c)));
  const Vector<const Index> entries = to_device<Index>("space/constrained", constrained);
  Kokkos::parallel_for(
      "space/set to zero", Kokkos::RangePolicy<ExecutionSpace>(0, entries.extent(0)),
      KOKKOS_LAMBDA(const std::size_t i) { x(entries(i)) = 0; });
  ExecutionSpace().fence();
}

}  // namespace miniapp::space
