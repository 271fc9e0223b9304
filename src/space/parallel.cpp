// SPDX-License-Identifier: BSD-3-Clause
#include "space/parallel.hpp"

namespace miniapp::space {

std::vector<Index> list_marked(const Vector<const char>& marks) {
  const Vector<Index> place = offsets_of(marks), marked = make_vector<Index>("space/marked", last_of(place));
  Kokkos::parallel_for(
      "space/marked", Range(0, static_cast<std::int64_t>(marks.extent(0))), KOKKOS_LAMBDA(const std::int64_t i) {
        if (marks(i)) marked(place(i)) = static_cast<Index>(i);
      });
  const auto host = to_host(marked);
  return {host.data(), host.data() + host.extent(0)};
}

}  // namespace miniapp::space
