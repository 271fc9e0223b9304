// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <any>
#include <string>
#include <tuple>

#include "miniapp/core/host_ranges.hpp"
#include "miniapp/core/tolerance.hpp"
#include "miniapp/graph/transpose.hpp"
#include "miniapp/indirect/detail/block_kernel.hpp"
#include "miniapp/indirect/detail/device_plan.hpp"
#include "miniapp/indirect/detail/host_block.hpp"

namespace miniapp::indirect {

namespace detail {

/// The kernel argument for an access, in a loop over a map of arity `arity`.
template <class Access, int arity>
struct ArgumentOf;
template <class T, int n, Layout layout, int arity>
struct ArgumentOf<Direct<T, n, layout>, arity> {
  using Type = DirectArgument<T, n, layout>;
};
template <class T, int n, Layout layout, int other, int arity>
struct ArgumentOf<ReadThrough<T, n, layout, other>, arity> {
  using Type = OtherMapArgument<T, n, layout, other>;
};
template <class T, int n, Layout layout, int arity>
struct ArgumentOf<Read<T, n, layout>, arity> {
  using Type = TargetArgument<T, n, layout, arity>;
};
template <class T, int n, Layout layout, bool exchanges, int arity>
struct ArgumentOf<Increment<T, n, layout, exchanges>, arity> {
  static_assert(!exchanges || arity == 2, "an exchange is between two targets");
  using Type = IncrementArgument<T, n, layout, arity, exchanges>;
};

/// Whether loops over a local function are compiled for a strategy: for each, unless the function has a `static
/// constexpr bool is_called_by(Strategy)` that says otherwise.
template <class Function>
constexpr bool is_compiled_for(Strategy strategy) {
  if constexpr (requires { Function::is_called_by(strategy); }) return Function::is_called_by(strategy);
  return true;
}

/// Errors: InputError naming the loop, where a field has another size than the entities that it belongs to.
void require_size(const std::string& label, std::size_t size, std::size_t expected);
/// Errors: InputError naming the block size, where the blocks of a plan need more scratch than there is [bytes], or
/// more threads.
void require_scratch(const std::string& label, int block_size, std::size_t needed, bool threads_suffice);

}  // namespace detail

/// A loop over the elements of a plan's map: reads what its accesses declare (access.hpp), calls a pure local function,
/// and adds the computed increments to targets of the map, by the plan's strategy:
///
///   const ElementMap<2> edge_to_cell("edge to cell", map, cells);
///   const Plan<2> plan(edge_to_cell, {Strategy::owner});
///   const Loop flux("diffusion/flux", plan, Flux{}, direct(conductance), read(u), exchange(residual));
///   flux();   // residual += ...
///
/// where Flux has  KOKKOS_FUNCTION void operator()(const double (&k)[1], const double (&u)[2][1], double (&f)[1])
/// const. The order of the elements affects the result only by rounding; all strategies except the atomic ones are
/// bitwise reproducible.
template <class Function, int arity, class... Accesses>
class Loop {
 public:
  /// Errors: InputError where fields and maps do not match, or a block does not fit in scratch.
  Loop(std::string label, const Plan<arity>& plan, const Function& function, const Accesses&... accesses)
      : label_(std::move(label)), plan_(plan), accesses_(accesses...), call_{function, {{argument(accesses)}...}} {
    require(detail::is_compiled_for<Function>(plan.options().strategy), "strategy", "",
            "this loop is not compiled for it");
    if (plan_.arrays().blocks() > 0) require_scratch();
  }

  /// Adds the increments of all elements, without waiting for the device; `serial` waits for the result.
  void operator()(const Instance& instance = Instance()) const {
    switch (plan_.options().strategy) {
      case Strategy::serial:
        return serial();
      case Strategy::atomic:
        return run_elements(instance, atomic_adder(), 0, plan_.arrays().positions());
      case Strategy::staged:
        if constexpr (detail::is_compiled_for<Function>(Strategy::staged)) {
          run_elements(instance, StoreStaged(), 0, plan_.arrays().positions());
          run_gather(instance);
        }
        return;
      case Strategy::global:
        if constexpr (detail::is_compiled_for<Function>(Strategy::global))
          for (int c = 0; c < plan_.figures().colours; ++c)
            run_elements(instance, AddPlainly(), plan_.arrays().colour_offsets[c],
                         plan_.arrays().colour_offsets[c + 1]);
        return;
      case Strategy::hierarchical:
      case Strategy::owner:
        return with_block_kernel([&](auto kernel) { run_blocks(instance, kernel); });
    }
  }

  /// Runs the loop on the host, element by element as numbered: the reference.
  void serial() const {
    run_on_host(true, [&](const auto& call, const auto* targets) {
      for_elements(call, targets, 0, plan_.map().from_size(), AddPlainly());
    });
  }

  /// Runs the loop by all threads of the host, with the result of serial() for any number of them: each computes the
  /// elements that touch its range of targets, and adds to these alone, in the order of elements. Returns tolerance().
  double serial_by_targets() const {
    const HostRanges ranges(plan_.map().to_size());
    std::vector<double> largest(ranges.count(), 0);
    run_on_host(true, [&](const auto& call, const auto* targets) {
      ranges.for_each([&](int range) {
        double found = 0;
        const AddWithin within{
            static_cast<Index>(ranges.begin(range)), static_cast<Index>(ranges.end(range)), {&found}};
        for (std::size_t e = 0; e < plan_.map().from_size(); ++e)
          if (within.holds_one_of(targets[e])) for_elements(call, targets, e, e + 1, within);
        largest[range] = found;
      });
    });
    return tolerance(*std::max_element(largest.begin(), largest.end()));
  }

  /// The rounding error allowed in a result: tolerance() for the largest number of elements at a target, scaled by the
  /// largest increment of one element.
  double tolerance() const {
    double largest = 0;
    run_on_host(false, [&](const auto& call, const auto* targets) {
      for_elements(call, targets, 0, plan_.map().from_size(), FindLargest{&largest});
    });
    return tolerance(largest);
  }

  /// Bytes as the paper counts them: every field once, twice where it is incremented, and every map once.
  double bytes() const {
    double sum = plan_.map().bytes();
    std::vector<const void*> counted = {plan_.map().ids().data()};
    const auto add = [&](const void* data, double bytes) {
      if (std::find(counted.begin(), counted.end(), data) != counted.end()) return;
      counted.push_back(data);
      sum += bytes;
    };
    const auto add_access = [&](const auto& access) {
      add(access.field.values().data(), access.field.bytes() * (increments<std::decay_t<decltype(access)>> ? 2 : 1));
      if constexpr (requires { access.map; }) add(access.map.ids().data(), access.map.bytes());
    };
    std::apply([&](const auto&... access) { (add_access(access), ...); }, accesses_);
    return sum;
  }

  /// Lines of 32 bytes of the target values that a block reads or increments; mean over the blocks.
  double cache_lines_per_block() const {
    double sum = 0;
    std::vector<const void*> counted;
    const auto add = [&](const auto& access) {
      using Argument = typename detail::ArgumentOf<std::decay_t<decltype(access)>, arity>::Type;
      if constexpr (Argument::role == Role::reads_target || Argument::role == Role::increments) {
        const void* const data = access.field.values().data();
        if (std::find(counted.begin(), counted.end(), data) != counted.end()) return;
        counted.push_back(data);
        sum += indirect::cache_lines_per_block(plan_.arrays(), Argument::components,
                                               int(sizeof(typename Argument::Value)), access.field.layout);
      }
    };
    std::apply([&](const auto&... access) { (add(access), ...); }, accesses_);
    return sum;
  }

  /// What the device reports about the kernel that computes elements; its scratch is what the plan's blocks need.
  TeamResources resources() const {
    TeamResources result;
    switch (plan_.options().strategy) {
      case Strategy::serial:
        break;
      case Strategy::atomic:
        result = team_resources<ElementKernel<Call, decltype(atomic_adder())>>();
        break;
      case Strategy::staged:
        if constexpr (detail::is_compiled_for<Function>(Strategy::staged))
          result = team_resources<ElementKernel<Call, StoreStaged>>();
        break;
      case Strategy::global:
        if constexpr (detail::is_compiled_for<Function>(Strategy::global))
          result = team_resources<ElementKernel<Call, AddPlainly>>();
        break;
      case Strategy::hierarchical:
      case Strategy::owner:
        with_block_kernel([&](auto kernel) { result = team_resources<decltype(kernel)>(shape<decltype(kernel)>()); });
    }
    return result;
  }

  const Plan<arity>& plan() const { return plan_; }

 private:
  using Call = LocalCall<Function, arity, typename detail::ArgumentOf<Accesses, arity>::Type...>;

  template <class Access>
  static constexpr bool increments = detail::ArgumentOf<Access, arity>::Type::role == Role::increments;

  void require_size(std::size_t size, std::size_t expected) const { detail::require_size(label_, size, expected); }

  template <class Access>
  auto argument(const Access& access) {
    using Argument = typename detail::ArgumentOf<Access, arity>::Type;
    constexpr Role role = Argument::role;
    if constexpr (role == Role::reads_element) {
      require_size(access.field.size(), plan_.map().from_size());
      return Argument{access.field.const_pointer()};
    } else if constexpr (role == Role::reads_other_map) {
      require_size(access.field.size(), access.map.to_size());
      const auto ids = plan_.in_order(access.map);
      owned_.push_back(ids);
      return Argument{access.field.const_pointer(), ids.data()};
    } else if constexpr (role == Role::reads_target) {
      require_size(access.field.size(), plan_.map().to_size());
      return Argument{access.field.const_pointer()};
    } else {
      require_size(access.field.size(), plan_.map().to_size());
      using Value = typename Argument::Value;
      const bool stages = plan_.options().strategy == Strategy::staged;
      const auto staged = make_vector<Value>(
          label_ + "/staged", stages ? plan_.map().from_size() * Argument::slots * Argument::components : 0);
      owned_.push_back(staged);
      return Argument{access.field.pointer(), {staged.data(), plan_.map().from_size()}};
    }
  }

  auto atomic_adder() const {
    if constexpr (has_warps && requires { Function::next_slot(0); })
      return AddMerged<Function>{static_cast<Index>(plan_.arrays().positions())};
    else
      return AddAtomically();
  }
  template <class Add>
  void run_elements(const Instance& instance, const Add& add, std::size_t begin, std::size_t end) const {
    using Kernel = ElementsKernel<Call, Add>;
    const Kernel kernel{call_, plan_.global(), plan_.order(), static_cast<Index>(begin), static_cast<Index>(end), add};
    for_teams(instance, label_.c_str(), static_cast<int>((end - begin + Kernel::threads - 1) / Kernel::threads),
              kernel);
  }
  void run_gather(const Instance& instance) const {
    using Kernel = GatherStaged<Call>;
    const std::size_t targets = plan_.map().to_size();
    const Kernel kernel{call_, plan_.row_offsets().data(), plan_.row_entries().data(), static_cast<Index>(targets)};
    for_teams(instance, label_.c_str(), static_cast<int>((targets + Kernel::threads - 1) / Kernel::threads), kernel);
  }

  /// Calls visit(kernel) for the plan's blocks.
  template <class Visit>
  void with_block_kernel(const Visit& visit) const {
    if constexpr (runs_on_host) {
      if (plan_.options().strategy == Strategy::owner)
        visit(HostBlock<Call, Writing::owner>{{call_, plan_.blocks()}});
      else
        visit(HostBlock<Call, Writing::shared>{{call_, plan_.blocks()}});
    } else if (plan_.options().staging == Staging::all)
      with_staging<Staging::all>(visit);
    else
      with_staging<Staging::increments>(visit);
  }
  template <Staging staging, class Visit>
  void with_staging(const Visit& visit) const {
    const PlanOptions& o = plan_.options();
    if (o.strategy == Strategy::owner)
      return visit(GatherBlock<Call, staging, Writing::owner>{{call_, plan_.blocks()}});
    if (o.in_block == InBlock::gather)
      return visit(GatherBlock<Call, staging, Writing::shared>{{call_, plan_.blocks()}});
    if (plan_.figures().most_positions > 512) return visit(ColourBlock<Call, staging, 1024>{{call_, plan_.blocks()}});
    visit(ColourBlock<Call, staging, 512>{{call_, plan_.blocks()}});
  }

  /// Threads and scratch of a team: one element per thread for InBlock::colours, else what fills the device.
  template <class Kernel>
  TeamShape shape() const {
    const int elements = std::max(plan_.figures().most_positions, 1);
    const std::size_t scratch = Kernel::scratch_bytes(plan_.blocks());
    if constexpr (Kernel::keeps_elements) return {std::min((elements + 31) / 32 * 32, Kernel::threads), scratch};
    return {threads_that_fill<Kernel>(scratch, elements), scratch};
  }
  void require_scratch() const {
    with_block_kernel([&](auto kernel) {
      using Kernel = decltype(kernel);
      detail::require_scratch(label_, plan_.options().block_size, shape<Kernel>().scratch_bytes,
                              !Kernel::keeps_elements || plan_.figures().most_positions <= Kernel::threads);
    });
  }
  template <class Kernel>
  void run_blocks(const Instance& instance, Kernel kernel) const {
    const PlanArrays& plan = plan_.arrays();
    if (plan.launch_order.empty()) return for_teams(instance, label_.c_str(), plan.blocks(), shape<Kernel>(), kernel);
    for (int c = 0; c < plan_.figures().colours; ++c) {
      kernel.plan.launch_order = plan_.launch_order() + plan.colour_offsets[c];
      for_teams(instance, label_.c_str(), plan.colour_offsets[c + 1] - plan.colour_offsets[c], shape<Kernel>(), kernel);
    }
  }

  /// tolerance() where the largest increment is known.
  double tolerance(double largest) const {
    const auto& map = plan_.map().host();
    const HostRanges ranges(plan_.map().to_size());
    std::vector<Index> most(ranges.count(), 1);  // references to a target
    ranges.for_each([&](int range) {
      for (const Index uses : graph::count_uses(map, ranges.begin(range), ranges.end(range)))
        most[range] = std::max(most[range], uses);
    });
    const int terms = *std::max_element(most.begin(), most.end());
    const bool single = ((sizeof(typename detail::ArgumentOf<Accesses, arity>::Type::Value) == 4) || ...);
    return single ? miniapp::tolerance<float>(terms, largest) : miniapp::tolerance<double>(terms, largest);
  }

  /// Calls run(call, targets) with the arguments on the host.
  template <class Run>
  void run_on_host(bool writes, const Run& run) const {
    run_on_host(writes, run, std::index_sequence_for<Accesses...>());
  }
  template <class Run, std::size_t... i>
  void run_on_host(bool writes, const Run& run, std::index_sequence<i...>) const {
    Kokkos::fence();
    const auto values = std::make_tuple(to_host(std::get<i>(accesses_).field.values())...);
    Call call = call_;
    (move_to_host(get<i>(call.arguments), std::get<i>(values), std::get<i>(accesses_)), ...);
    run(call, plan_.map().host_ids());
    if (writes) (copy_back(std::get<i>(values), std::get<i>(accesses_)), ...);
  }
  /// Calls add(argument, local, place) for the elements [begin, end) as numbered.
  template <class Add>
  static void for_elements(const Call& call, const Ids<arity>* targets, std::size_t begin, std::size_t end,
                           const Add& add) {
    const ElementKernel<Call, Add> kernel{call, targets, nullptr, 0, 0, add};
    for (std::size_t e = begin; e < end; ++e) kernel.run(static_cast<Index>(e));
  }
  template <class Argument, class Values, class Access>
  static void move_to_host(Argument& argument, const Values& values, const Access& access) {
    argument.field = {values.data(), access.field.size()};
    if constexpr (requires { access.map; }) argument.ids = access.map.host_ids();
  }
  template <class Values, class Access>
  static void copy_back(const Values& values, const Access& access) {
    if constexpr (increments<Access>) copy_entries(access.field.values(), values);
  }

  std::string label_;
  Plan<arity> plan_;
  std::tuple<Accesses...> accesses_;
  std::vector<std::any> owned_;  ///< arrays that arguments point into
  Call call_;
};

}  // namespace miniapp::indirect
