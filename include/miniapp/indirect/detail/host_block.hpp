// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/indirect/detail/block_kernel.hpp"
#include "miniapp/indirect/detail/lane_kernel.hpp"

/// Strategies with blocks on a host, where one thread runs a block in the order of the plan, without scratch. Caches
/// keep what the block's elements share, so that copies to scratch would only be more work:
///   r(t, c) += f_s,c(e)   for each element of the block, for the targets that the block may write.
/// In-block orders and staging are for GPUs: here they only change the order of the elements.
namespace miniapp::indirect {

/// Owners add to their own range of targets.
struct AddOwned {
  Index first, last;
  template <class Argument, class Kept, int arity>
  void operator()(const Argument& argument, const Kept& kept, const Place<arity>& place) const {
    MINIAPP_UNROLL
    for (int s = 0; s < arity; ++s)
      if (const Index target = place.targets.id[s]; target >= first && target < last)
        add_plainly(argument, kept, target, s);
  }
};

/// Hierarchical blocks add to all their targets, atomically to those shared by blocks that run concurrently.
template <int arity>
struct AddShared {
  const typename BlockPointers<arity>::Locals* local;
  const Index* targets;  ///< targets of the block, ~id where shared
  template <class Argument, class Kept>
  void operator()(const Argument& argument, const Kept& kept, const Place<arity>& place) const {
    MINIAPP_UNROLL
    for (int s = 0; s < arity; ++s)
      if (targets[local[place.position].id[s]] < 0)
        add_atomically(argument, kept, place.targets.id[s], s);
      else
        add_plainly(argument, kept, place.targets.id[s], s);
  }
};

template <class Call, Writing writing>
struct HostBlock : BlockBase<Call, Staging::increments, writing> {
  static constexpr int threads = 1, teams_at_once = 1, arity = Call::arity;
  static constexpr bool keeps_elements = false;
  static std::size_t scratch_bytes(const BlockPointers<arity>&) { return 0; }

  void operator()(const Team& team) const {
    const auto block = this->block(team);
    if constexpr (writing == Writing::owner)
      run(block, AddOwned{block.first_owned, block.first_owned + block.owned});
    else if (has_one_thread || !this->plan.adds_atomically)
      run(block, AddPlainly());
    else
      run(block, AddShared<arity>{this->plan.local, this->plan.targets + block.first_target});
  }
  template <class Block, class Add>
  void run(const Block& block, const Add& add) const {
    const Index first = block.first_position, last = first + block.positions;
    const ElementsKernel<Call, Add> kernel{this->call, this->plan.global, this->plan.order, first, last, add};
    kernel.run_range(first, last);
  }
};

}  // namespace miniapp::indirect
