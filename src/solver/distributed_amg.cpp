// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/solver/distributed_amg.hpp"

#include <utility>

namespace miniapp::solver {
DistributedAmg::DistributedAmg(linalg::CsrMatrix<double> part, const space::Space& space, const AmgOptions& options,
                               const Vector<const double>& near_null, Precision precision) {
  if (space.exchange.empty()) {
    if (precision == Precision::fp32)
      single_ = std::make_unique<Amg<float>>(std::move(part), options, near_null);
    else
      double_ = std::make_unique<Amg<double>>(std::move(part), options, near_null);
    return;
  }
  const linalg::GlobalRows rows = linalg::make_global_rows(part, space);
  BoomerAmgOptions chosen;
  chosen.functions = options.block;
  of_all_ = std::make_unique<BoomerAmg>(rows, chosen, modes_after(rows, near_null, part.num_rows, options.block));
}

}  // namespace miniapp::solver
