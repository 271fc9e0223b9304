// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/detail/async_copy.hpp"
#include "miniapp/core/teams.hpp"
#include "miniapp/indirect/detail/local_call.hpp"
#include "miniapp/indirect/plan.hpp"

/// Strategies with blocks on a GPU (on a host: host_block.hpp). A team stages the target values that its block reads in
/// scratch, computes its elements from there and accumulates the increments in scratch, so that each target of a block
/// is accessed once in memory:
///   r(t, c) += sum over elements e of the block and slots s with map(e, s) = t of f_s,c(e).
/// Scratch is (argument, component, place) with the values of one component contiguous, so that threads of neighbouring
/// places use different banks.
namespace miniapp::indirect {

/// A piece of PlanArrays::rows.
struct alignas(16) RowUnit {
  std::uint16_t values[PlanArrays::row_unit];
};

/// A plan's blocks on the device; arrays as in PlanArrays.
template <int arity>
struct BlockPointers {
  const Index* launch_order;  ///< blocks of this launch; null: all
  const Index* first_position;
  const Index* first_target;
  const Index* targets;
  const Index* first_row;
  const RowUnit* rows;
  struct alignas(arity % 8 == 0 ? 16 : arity % 4 == 0 ? 8 : arity % 2 == 0 ? 4 : 2) Locals {
    std::uint16_t id[arity];
  };
  const Locals* local;       ///< (position)
  const Ids<arity>* global;  ///< (position)
  const Index* order;        ///< (position); null: as numbered
  const std::uint8_t* thread_colour;
  const std::uint8_t* thread_colours;
  Index block_size, to_size;
  bool adds_atomically;  ///< whether blocks of one launch share targets, and add to them atomically
  int target_stride, element_stride, row_units;  ///< number of places of a component, and of row units, in scratch
};

/// Who adds to a target.
enum class Writing {
  owner,   ///< this block only: its own range of targets
  shared,  ///< other blocks too, where PlanArrays::targets marks it
};

/// Positions of the arguments in the scratch of a block.
template <class Call, Staging staging>
struct ScratchOf;
template <class Function, int arity, class... Arguments, Staging staging>
struct ScratchOf<LocalCall<Function, arity, Arguments...>, staging> {
  template <class Argument>
  static KOKKOS_FUNCTION constexpr int read_bytes() {
    return Argument::role == Role::reads_target && staging == Staging::all
               ? Argument::components * int(sizeof(typename Argument::Value))
               : 0;
  }
  /// If `kept`, for elements, else for targets.
  template <class Argument>
  static KOKKOS_FUNCTION constexpr int increment_bytes(bool kept) {
    return Argument::role == Role::increments
               ? (kept ? Argument::slots : 1) * Argument::components * int(sizeof(typename Argument::Value))
               : 0;
  }
  /// Bytes of the arguments before number `end`.
  static KOKKOS_FUNCTION constexpr int reads_before(std::size_t end) {
    const int bytes[] = {read_bytes<Arguments>()...};
    int sum = 0;
    for (std::size_t i = 0; i < end; ++i) sum += bytes[i];
    return sum;
  }
  static KOKKOS_FUNCTION constexpr int increments_before(std::size_t end, bool kept) {
    const int bytes[] = {increment_bytes<Arguments>(kept)...};
    int sum = 0;
    for (std::size_t i = 0; i < end; ++i) sum += bytes[i];
    return sum;
  }
  static constexpr std::size_t count = sizeof...(Arguments);
};

/// Runs phase(i) for i in [0, n), distributed cyclically over the threads of a team.
template <class Phase>
KOKKOS_FORCEINLINE_FUNCTION void in_turns(const Team& team, int n, const Phase& phase) {
  for (int i = team.team_rank(); i < n; i += team.team_size()) phase(i);
}

template <class Call, Staging staging, Writing writing>
struct BlockBase {
  static constexpr int arity = Call::arity;
  using Scratch = ScratchOf<Call, staging>;
  template <class Argument>
  static constexpr bool in_scratch = std::decay_t<Argument>::role == Role::reads_target&& staging == Staging::all;
  Call call;
  BlockPointers<arity> plan;

  /// One block as its team sees it.
  struct Block {
    char* scratch;
    Index number;
    Index first_target;  ///< into plan.targets
    Index first_owned;   ///< owner: its first target
    int owned;           ///< owner: its targets
    int targets;         ///< all targets that its elements refer to
    Index first_position;
    int positions;
  };
  KOKKOS_FORCEINLINE_FUNCTION Block block(const Team& team) const {
    const Index b = plan.launch_order ? plan.launch_order[team.league_rank()] : team.league_rank();
    Block block;
    block.scratch = static_cast<char*>(team.scratch());
    block.number = b;
    block.first_target = plan.first_target[b];
    block.targets = plan.first_target[b + 1] - block.first_target;
    block.first_owned = 0;
    block.owned = 0;
    if constexpr (writing == Writing::owner) {
      block.first_owned = b * plan.block_size;
      block.owned =
          plan.to_size - block.first_owned < plan.block_size ? plan.to_size - block.first_owned : plan.block_size;
      block.targets += block.owned;
    }
    block.first_position = plan.first_position[b];
    block.positions = plan.first_position[b + 1] - block.first_position;
    return block;
  }

  /// Number of target t of a block, and whether other blocks add to it.
  struct Target {
    Index id;
    bool shared;  ///< whether other blocks of the launch may add to it
  };
  KOKKOS_FORCEINLINE_FUNCTION Target target(const Block& block, int t) const {
    if constexpr (writing == Writing::owner)
      if (t < block.owned) return {block.first_owned + t, false};
    const Index id = plan.targets[block.first_target + t - block.owned];
    return {id < 0 ? ~id : id, id < 0 && plan.adds_atomically};
  }

  static KOKKOS_FUNCTION std::size_t scratch_bytes(int target_stride, int element_stride, bool kept) {
    constexpr int reads = Scratch::reads_before(Scratch::count),
                  elements = Scratch::increments_before(Scratch::count, true),
                  targets = Scratch::increments_before(Scratch::count, false);
    return std::size_t(reads) * target_stride +
           (kept ? std::size_t(elements) * element_stride : std::size_t(targets) * target_stride);
  }

  /// Component 0 of a read argument in scratch, and of an increment of elements (kept) or targets.
  template <std::size_t i, class Argument>
  KOKKOS_FORCEINLINE_FUNCTION typename Argument::Value* read_row(const Block& block, const Argument&) const {
    constexpr int before = Scratch::reads_before(i);
    return reinterpret_cast<typename Argument::Value*>(block.scratch + before * plan.target_stride);
  }
  template <std::size_t i, bool kept, class Argument>
  KOKKOS_FORCEINLINE_FUNCTION typename Argument::Value* increment_row(const Block& block, const Argument&) const {
    constexpr int reads = Scratch::reads_before(Scratch::count), before = Scratch::increments_before(i, kept);
    return reinterpret_cast<typename Argument::Value*>(block.scratch + reads * plan.target_stride +
                                                       before * (kept ? plan.element_stride : plan.target_stride));
  }

  /// Issues copies of the values of target t that the elements read.
  KOKKOS_FORCEINLINE_FUNCTION void stage(const Block& block, int t, Index id) const {
    call.template visit_role<Role::reads_target>([&](const auto& argument, auto i) {
      using Argument = std::decay_t<decltype(argument)>;
      if constexpr (in_scratch<Argument>) {
        auto* const row = read_row<decltype(i)::value>(block, argument);
        MINIAPP_UNROLL
        for (int c = 0; c < Argument::components; ++c)
          copy_async(row + c * plan.target_stride + t, &argument.field(id, c));
      }
    });
  }

  /// Loads what element e reads from memory, and zeros its increments.
  KOKKOS_FORCEINLINE_FUNCTION void load_elsewhere(const Block& block, int e, typename Call::Locals& locals) const {
    const Index position = block.first_position + e;
    Place<arity> place;
    place.position = position;
    place.element = plan.order ? plan.order[position] : position;
    if constexpr (staging == Staging::increments) place.targets = plan.global[position];
    call.visit(locals, [&](const auto& argument, auto& local, auto) {
      if constexpr (!in_scratch<decltype(argument)>) argument.load(local, place);
    });
  }
  /// Loads from scratch what an element reads of its targets.
  KOKKOS_FORCEINLINE_FUNCTION void load_staged(const Block& block, typename Call::Locals& locals,
                                               const typename BlockPointers<arity>::Locals& ids) const {
    call.visit(locals, [&](const auto& argument, auto& local, auto i) {
      using Argument = std::decay_t<decltype(argument)>;
      if constexpr (in_scratch<Argument>) {
        const auto* const row = read_row<decltype(i)::value>(block, argument);
        MINIAPP_UNROLL
        for (int s = 0; s < arity; ++s) {
          MINIAPP_UNROLL
          for (int c = 0; c < Argument::components; ++c) local[s][c] = row[c * plan.target_stride + ids.id[s]];
        }
      }
    });
  }

  KOKKOS_FORCEINLINE_FUNCTION void prefetch_sum(const Target& target) const {
    if (writing == Writing::shared && target.shared) return;
    call.template visit_role<Role::increments>([&](const auto& argument, auto) {
      using Argument = std::decay_t<decltype(argument)>;
      constexpr int lines = Argument::layout == Layout::soa ? Argument::components : 1;
      MINIAPP_UNROLL
      for (int c = 0; c < lines; ++c) prefetch(&argument.field(target.id, c));
    });
  }
  /// The sum for a target starts from the target's value, unless it is added atomically.
  template <class Argument>
  KOKKOS_FORCEINLINE_FUNCTION void begin_sum(const Argument& argument, const Target& target,
                                             typename Argument::Value (&sum)[Argument::components]) const {
    if (writing == Writing::shared && target.shared) {
      MINIAPP_UNROLL
      for (int c = 0; c < Argument::components; ++c) sum[c] = 0;
    } else {
      argument.field.load(target.id, sum);
    }
  }
  template <class Argument>
  KOKKOS_FORCEINLINE_FUNCTION void end_sum(const Argument& argument, const Target& target,
                                           const typename Argument::Value (&sum)[Argument::components]) const {
    if (writing == Writing::shared && target.shared) {
      MINIAPP_UNROLL
      for (int c = 0; c < Argument::components; ++c) Kokkos::atomic_add(&argument.field(target.id, c), sum[c]);
    } else {
      argument.field.store(target.id, sum);
    }
  }
};

/// Registers per thread: Function::registers if the local function defines it, else 128.
template <class Call>
constexpr int registers_of() {
  if constexpr (requires { Call::FunctionType::registers; }) return Call::FunctionType::registers;
  return 128;
}

/// Elements store their increments to scratch, then each target gathers its own: InBlock::gather, and owners.
template <class Call, Staging staging, Writing writing>
struct GatherBlock : BlockBase<Call, staging, writing> {
  static constexpr int threads = 256, teams_at_once = 65536 / threads / registers_of<Call>();
  static constexpr bool keeps_elements = false;
  using Base = BlockBase<Call, staging, writing>;
  static constexpr int arity = Call::arity;
  static KOKKOS_FUNCTION std::size_t rows_offset(const BlockPointers<arity>& plan) {
    return (Base::scratch_bytes(plan.target_stride, plan.element_stride, true) + 15) / 16 * 16;
  }
  static std::size_t scratch_bytes(const BlockPointers<arity>& plan) {
    return rows_offset(plan) + sizeof(RowUnit) * plan.row_units;
  }

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const typename Base::Block block = this->block(team);
    const int written = writing == Writing::owner ? block.owned : block.targets;
    RowUnit* const rows = reinterpret_cast<RowUnit*>(block.scratch + rows_offset(this->plan));
    compute_all(team, block, written, rows);
    gather(team, block, written, rows->values);
  }

  /// All loads of the first iterations of all loops are issued before anything waits: memory latency is paid three
  /// times per block (ids, values, data that were not prefetched) instead of once per loop.
  KOKKOS_FORCEINLINE_FUNCTION void compute_all(const Team& team, const typename Base::Block& block, int written,
                                               RowUnit* rows) const {
    typename Call::Locals locals;
    typename BlockPointers<arity>::Locals ids;
    const int first = team.team_rank(), size = team.team_size();
    const Index first_row = this->plan.first_row[block.number];
    const int units = this->plan.first_row[block.number + 1] - first_row;
    Index id = 0;
    if (first < block.targets) id = this->target(block, first).id;
    if (first < block.positions) {
      ids = this->plan.local[block.first_position + first];
      this->load_elsewhere(block, first, locals);
    }
    if (first < block.targets) this->stage(block, first, id);
    in_turns(team, units, [&](int u) { copy_async(rows + u, this->plan.rows + first_row + u); });
    for (int t = first + size; t < block.targets; t += size) this->stage(block, t, this->target(block, t).id);
    for (int t = first; t < written; t += size) this->prefetch_sum(this->target(block, t));
    wait_for_copies();
    team.team_barrier();
    if (first < block.positions) compute(block, first, locals, ids);
    for (int e = first + size; e < block.positions; e += size) {
      ids = this->plan.local[block.first_position + e];
      this->load_elsewhere(block, e, locals);
      compute(block, e, locals, ids);
    }
    team.team_barrier();
  }

  KOKKOS_FORCEINLINE_FUNCTION void compute(const typename Base::Block& block, int e, typename Call::Locals& locals,
                                           const typename BlockPointers<arity>::Locals& ids) const {
    this->load_staged(block, locals, ids);
    this->call.compute(locals);
    this->call.visit(locals, [&](const auto& argument, auto& local, auto i) {
      using Argument = std::decay_t<decltype(argument)>;
      if constexpr (Argument::role == Role::increments) {
        auto* const row = this->template increment_row<decltype(i)::value, true>(block, argument);
        MINIAPP_UNROLL
        for (int s = 0; s < Argument::slots; ++s) {
          MINIAPP_UNROLL
          for (int c = 0; c < Argument::components; ++c)
            row[(s * Argument::components + c) * this->plan.element_stride + e] = Argument::kept(local, s, c);
        }
      }
    });
  }

  /// Every target that the block writes sums the increments listed in its row.
  KOKKOS_FORCEINLINE_FUNCTION void gather(const Team& team, const typename Base::Block& block, int written,
                                          const std::uint16_t* starts) const {
    const std::uint16_t* const entries = starts + written + 1;
    in_turns(team, written, [&](int t) {
      const typename Base::Target target = this->target(block, t);
      const int begin = starts[t], end = starts[t + 1];
      this->call.template visit_role<Role::increments>([&](const auto& argument, auto i) {
        using Argument = std::decay_t<decltype(argument)>;
        constexpr int n = Argument::components;
        const auto* const row = this->template increment_row<decltype(i)::value, true>(block, argument);
        typename Argument::Value sum[n];
        this->begin_sum(argument, target, sum);
        for (int q = begin; q < end; ++q) {
          const int e = entries[q] / arity, slot = entries[q] % arity;
          MINIAPP_UNROLL
          for (int c = 0; c < n; ++c)
            sum[c] += Argument::of_kept([&](int s, int k) { return row[(s * n + k) * this->plan.element_stride + e]; },
                                        slot, c);
        }
        this->end_sum(argument, target, sum);
      });
    });
  }
};

/// A thread keeps the increments of its element in registers and adds them to the targets in scratch, colour by colour
/// with one barrier per colour: InBlock::colours (Algorithm 2.2 of the paper).
template <class Call, Staging staging, int most_threads>
struct ColourBlock : BlockBase<Call, staging, Writing::shared> {
  static constexpr int threads = most_threads, teams_at_once = 1;
  static constexpr bool keeps_elements = true;
  using Base = BlockBase<Call, staging, Writing::shared>;
  static constexpr int arity = Call::arity;
  using LocalIds = typename BlockPointers<arity>::Locals;
  static std::size_t scratch_bytes(const BlockPointers<arity>& plan) {
    return Base::scratch_bytes(plan.target_stride, plan.element_stride, false);
  }

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const typename Base::Block block = this->block(team);
    in_turns(team, block.targets, [&](int t) { this->stage(block, t, this->target(block, t).id); });
    in_turns(team, block.targets, [&](int t) { clear(block, t); });
    typename Call::Locals locals;
    LocalIds ids;
    const int e = team.team_rank();
    int own = -1;
    if (e < block.positions) {
      ids = this->plan.local[block.first_position + e];
      own = this->plan.thread_colour[block.first_position + e];
      this->load_elsewhere(block, e, locals);
    }
    wait_for_copies();
    team.team_barrier();
    if (e < block.positions) {
      this->load_staged(block, locals, ids);
      this->call.compute(locals);
    }
    const int colours = this->plan.thread_colours[block.number];
    for (int colour = 0; colour < colours; ++colour) {
      if (colour == own) add_to_scratch(block, locals, ids);
      team.team_barrier();
    }
    in_turns(team, block.targets, [&](int t) { write(block, t); });
  }

  KOKKOS_FORCEINLINE_FUNCTION void add_to_scratch(const typename Base::Block& block, typename Call::Locals& locals,
                                                  const LocalIds& ids) const {
    this->call.visit(locals, [&](const auto& argument, auto& local, auto i) {
      using Argument = std::decay_t<decltype(argument)>;
      if constexpr (Argument::role == Role::increments) {
        auto* const row = this->template increment_row<decltype(i)::value, false>(block, argument);
        MINIAPP_UNROLL
        for (int s = 0; s < arity; ++s) {
          MINIAPP_UNROLL
          for (int c = 0; c < Argument::components; ++c)
            row[c * this->plan.target_stride + ids.id[s]] += Argument::of_kept(typename Argument::Kept{local}, s, c);
        }
      }
    });
  }
  KOKKOS_FORCEINLINE_FUNCTION void clear(const typename Base::Block& block, int t) const {
    this->call.template visit_role<Role::increments>([&](const auto& argument, auto i) {
      using Argument = std::decay_t<decltype(argument)>;
      auto* const row = this->template increment_row<decltype(i)::value, false>(block, argument);
      MINIAPP_UNROLL
      for (int c = 0; c < Argument::components; ++c) row[c * this->plan.target_stride + t] = 0;
    });
  }
  KOKKOS_FORCEINLINE_FUNCTION void write(const typename Base::Block& block, int t) const {
    const typename Base::Target target = this->target(block, t);
    this->call.template visit_role<Role::increments>([&](const auto& argument, auto i) {
      using Argument = std::decay_t<decltype(argument)>;
      const auto* const row = this->template increment_row<decltype(i)::value, false>(block, argument);
      typename Argument::Value sum[Argument::components];
      this->begin_sum(argument, target, sum);
      MINIAPP_UNROLL
      for (int c = 0; c < Argument::components; ++c) sum[c] += row[c * this->plan.target_stride + t];
      this->end_sum(argument, target, sum);
    });
  }
};

}  // namespace miniapp::indirect
