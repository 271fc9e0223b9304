// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/solver/distributed_amg.hpp"

#include <optional>

namespace miniapp::solver {
namespace {

/// (own row, mode) of a near-null space (entry, mode).
Vector<const double> of_own_rows(const Vector<const Index>& entry, const Vector<const double>& near_null,
                                 Index entries) {
  if (near_null.extent(0) == 0) return near_null;
  const auto modes = static_cast<Index>(near_null.extent(0)) / entries;
  const Vector<double> own = make_vector<double>("solver/near null", entry.extent(0) * std::size_t(modes));
  Kokkos::parallel_for(
      "solver/near null of own",
      Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<Index>>(0, static_cast<Index>(entry.extent(0))),
      KOKKOS_LAMBDA(const Index row) {
        for (int m = 0; m < modes; ++m)
          own(std::int64_t(row) * modes + m) = near_null(std::int64_t(entry(row)) * modes + m);
      });
  Kokkos::fence();
  return own;
}

}  // namespace

DistributedAmg::DistributedAmg(const linalg::CsrMatrix<double>& part, const space::Space& space,
                               const AmgOptions& options, const Vector<const double>& near_null, Precision precision) {
  const KeepMemory keep;
  const auto make = [&](const auto&... of) {
    if (precision == Precision::fp32)
      single_ = std::make_unique<Amg<float>>(of...);
    else
      double_ = std::make_unique<Amg<double>>(of...);
  };
  if (space.exchange.empty()) {
    make(part, options, near_null);
    return;
  }
  const linalg::SpaceRows rows = linalg::make_ghosted(part, space, options.block);
  make(rows.matrix, options, of_own_rows(rows.entries, near_null, part.num_rows), std::optional(rows.entries));
}

}  // namespace miniapp::solver
