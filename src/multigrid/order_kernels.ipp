// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/orders.hpp"
#include "multigrid/order_kernels.hpp"
#ifdef MINIAPP_RUNS_ON_HOST
#include "multigrid/schwarz_lanes.hpp"
#include "multigrid/transfer_lanes.hpp"
#else
#include "multigrid/schwarz_teams.hpp"
#include "multigrid/transfer_teams.hpp"
#endif

namespace miniapp::multigrid {

template <int order>
std::unique_ptr<Schwarz> make_order_schwarz(const Discretisation& d) {
#ifdef MINIAPP_RUNS_ON_HOST
  return std::make_unique<SchwarzLanes>(d, sizeof(typename SchwarzInLanes<order>::Scratch),
                                        SchwarzLanes::invert_group<order>);
#else
  return std::make_unique<SchwarzTeams<order>>(d);
#endif
}

template <int order>
std::unique_ptr<PTransfer> make_order_transfer(const Discretisation& coarse, const Discretisation& fine) {
  constexpr int built[] = {MINIAPP_ORDERS}, lower = lower_order(order, built);
  if constexpr (order == 1) return nullptr;
#ifdef MINIAPP_RUNS_ON_HOST
  return std::make_unique<TransferLanes<order, lower>>(coarse, fine);
#else
  return std::make_unique<TransferTeams<order, lower>>(coarse, fine);
#endif
}

}  // namespace miniapp::multigrid
