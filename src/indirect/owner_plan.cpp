// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/indirect/owner_plan.hpp"

#include <limits>

#include "core/offsets.hpp"
#include "core/sort.hpp"
#include "miniapp/core/error.hpp"

namespace miniapp::indirect {
namespace {

using Range = Kokkos::RangePolicy<ExecutionSpace>;

/// Start of each block among ascending keys: first(b) is the number of keys with key >> shift below b.
template <class Key>
Vector<Index> starts(const Vector<Key>& keys, int blocks, int shift) {
  const Vector<Index> first = make_vector<Index>("starts", blocks + 1);
  const std::size_t size = keys.extent(0);
  Kokkos::parallel_for(
      "indirect/starts", Range(0, blocks + 1), KOKKOS_LAMBDA(std::size_t b) {
        std::size_t low = 0, high = size;
        while (low < high) {
          const std::size_t middle = (low + high) / 2;
          if ((keys(middle) >> shift) < b)
            low = middle + 1;
          else
            high = middle;
        }
        first(b) = Index(low);
      });
  return first;
}

/// The largest of first(b + 1) - first(b), plus the number of targets that block b owns if blocks own block_size of
/// to_size.
int most(const Vector<Index>& first, Index block_size, std::size_t to_size) {
  int result = 0;
  Kokkos::parallel_reduce(
      "indirect/figures", Range(0, first.extent(0) - 1),
      KOKKOS_LAMBDA(std::int64_t b, int& most) {
        const Index after = Index(to_size - b * block_size), owned = after < block_size ? after : block_size;
        const Index count = first(b + 1) - first(b) + owned;
        if (count > most) most = count;
      },
      Kokkos::Max<int>(result));
  return std::max(result, 0);
}

struct Planner {
  const graph::DeviceMap map;
  OwnerPlan plan;
  Index block_size;
  int blocks, target_bits;
  Vector<std::uint32_t> block_of;  ///< (position)

  Planner(const graph::DeviceMap& map_, const PlanOptions& options) : map(map_) {
    plan.options = options;
    plan.arity = map.arity;
    plan.from_size = map.from_size();
    plan.to_size = map.to_size;
    block_size = options.block_size;
    blocks = static_cast<int>((map.to_size + block_size - 1) / block_size);
    target_bits = bits_below(map.to_size);
  }

  /// Positions: each element once in each block that owns one of its targets, in the order of blocks and elements.
  void find_positions() {
    const auto entries = map.entries;
    const int arity = map.arity;
    const Index size = block_size;
    const Vector<Index> counts = make_vector<Index>("blocks of elements", plan.from_size);
    Kokkos::parallel_for(
        "indirect/blocks of elements", Range(0, plan.from_size),
        KOKKOS_LAMBDA(std::size_t e) { counts(e) = for_blocks(&entries(e * arity), arity, size, [](int, Index) {}); });
    require_total(counts);
    const Vector<Index> offsets = offsets_of(counts);
    const std::size_t positions = plan.from_size > 0 ? last_of(offsets) : 0;
    const Vector<Index> order = make_vector<Index>("order", positions);
    const Vector<std::uint32_t> keys = make_vector<std::uint32_t>("blocks of positions", positions);
    Kokkos::parallel_for(
        "indirect/positions", Range(0, plan.from_size), KOKKOS_LAMBDA(std::size_t e) {
          for_blocks(&entries(e * arity), arity, size, [&](int i, Index block) {
            keys(offsets(e) + i) = static_cast<std::uint32_t>(block);
            order(offsets(e) + i) = Index(e);
          });
        });
    sort_by_key(keys, order, bits_below(blocks));
    plan.order = order;
    block_of = keys;
    plan.first_position = starts(keys, blocks, 0);
  }

  /// Calls visit(i, block) for the distinct blocks of an element's targets; returns their number.
  template <class Visit>
  static KOKKOS_FUNCTION int for_blocks(const Index* targets, int arity, Index block_size, const Visit& visit) {
    int count = 0;
    for (int s = 0; s < arity; ++s) {
      const Index block = targets[s] / block_size;
      bool seen = false;
      for (int r = 0; r < s; ++r) seen |= targets[r] / block_size == block;
      if (!seen) visit(count++, block);
    }
    return count;
  }

  void require_total(const Vector<Index>& counts) const {
    std::int64_t total = 0;
    Kokkos::parallel_reduce(
        "indirect/positions", Range(0, counts.extent(0)),
        KOKKOS_LAMBDA(std::size_t e, std::int64_t & sum) { sum += counts(e); }, total);
    require(total < std::numeric_limits<Index>::max() / map.arity, "strategy", "owner",
            "more than 2^31 increments; accepted are fewer, of fewer elements");
  }

  /// The targets of other owners that blocks read: pairs of block and target, sorted and distinct.
  void find_targets() {
    const auto entries = map.entries;
    const auto order = plan.order;
    const auto block = block_of;
    const int arity = map.arity, bits = target_bits;
    const Index size = block_size;
    const Vector<Index> counts = make_vector<Index>("others", order.extent(0));
    Kokkos::parallel_for(
        "indirect/others", Range(0, order.extent(0)), KOKKOS_LAMBDA(std::size_t p) {
          Index count = 0;
          for (int s = 0; s < arity; ++s)
            count += std::uint32_t(entries(std::size_t(order(p)) * arity + s) / size) != block(p);
          counts(p) = count;
        });
    const Vector<Index> offsets = offsets_of(counts);
    const std::size_t total = order.extent(0) > 0 ? last_of(offsets) : 0;
    const Vector<std::uint64_t> keys = make_vector<std::uint64_t>("blocks and targets", total);
    const Vector<Index> targets = make_vector<Index>("targets", total);
    Kokkos::parallel_for(
        "indirect/blocks and targets", Range(0, order.extent(0)), KOKKOS_LAMBDA(std::size_t p) {
          Index next = offsets(p);
          for (int s = 0; s < arity; ++s) {
            const Index target = entries(std::size_t(order(p)) * arity + s);
            if (std::uint32_t(target / size) == block(p)) continue;
            keys(next) = std::uint64_t(block(p)) << bits | std::uint64_t(target);
            targets(next++) = target;
          }
        });
    sort_by_key(keys, targets, bits + bits_below(blocks));
    keep_distinct(keys, targets);
  }

  void keep_distinct(const Vector<std::uint64_t>& keys, const Vector<Index>& targets) {
    const std::size_t total = keys.extent(0);
    const Vector<Index> isnew = make_vector<Index>("distinct", total);
    Kokkos::parallel_for(
        "indirect/distinct", Range(0, total),
        KOKKOS_LAMBDA(std::size_t i) { isnew(i) = i == 0 || keys(i) != keys(i - 1); });
    const Vector<Index> places = offsets_of(isnew), before = starts(keys, blocks, target_bits);
    plan.targets = make_vector<Index>("targets", total > 0 ? last_of(places) : 0);
    const auto kept = plan.targets;
    Kokkos::parallel_for(
        "indirect/keep", Range(0, total), KOKKOS_LAMBDA(std::size_t i) {
          if (isnew(i)) kept(places(i)) = targets(i);
        });
    Kokkos::parallel_for(
        "indirect/first targets", Range(0, blocks + 1),
        KOKKOS_LAMBDA(std::size_t b) { before(b) = places(before(b)); });
    plan.first_target = before;
  }

  void require_local_numbers() const {
    const int targets = most(plan.first_target, block_size, map.to_size), positions = most(plan.first_position, 0, 0);
    require_locals(block_size, std::max<std::size_t>(targets, std::size_t(positions) * map.arity));
  }

  /// Places of targets in the scratch of blocks: a block's own targets first.
  void find_locals() {
    plan.local = make_vector<std::uint16_t>("local numbers", plan.order.extent(0) * map.arity);
    const auto local = plan.local;
    const auto entries = map.entries;
    const auto order = plan.order, targets = plan.targets, first_target = plan.first_target;
    const auto block = block_of;
    const int arity = map.arity;
    const Index size = block_size, to_size = Index(map.to_size);
    Kokkos::parallel_for(
        "indirect/local numbers", Range(0, local.extent(0)), KOKKOS_LAMBDA(std::size_t q) {
          const Index b = Index(block(q / arity)), first = b * size;
          const Index owned = to_size - first < size ? to_size - first : size;
          const Index target = entries(std::size_t(order(q / arity)) * arity + q % arity);
          Index low = first_target(b), high = first_target(b + 1);
          if (target >= first && target < first + owned) {
            local(q) = static_cast<std::uint16_t>(target - first);
            return;
          }
          while (low < high) {
            const Index middle = (low + high) / 2;
            if (targets(middle) < target)
              low = middle + 1;
            else
              high = middle;
          }
          local(q) = static_cast<std::uint16_t>(owned + low - first_target(b));
        });
  }

  /// Rows: every increment of an owned target is in its block, so the length of a row is the number of references to
  /// the target.
  void find_rows() {
    const auto entries = map.entries;
    const Index size = block_size, to_size = Index(map.to_size);
    const Vector<Index> uses = make_zeros<Index>("uses", map.to_size);
    Kokkos::parallel_for(
        "indirect/uses", Range(0, entries.extent(0)),
        KOKKOS_LAMBDA(std::size_t i) { Kokkos::atomic_add(&uses(entries(i)), 1); });
    const Vector<Index> ends = offsets_of(uses), units = make_vector<Index>("units", blocks);
    Kokkos::parallel_for(
        "indirect/units", Range(0, blocks), KOKKOS_LAMBDA(std::size_t b) {
          const Index first = Index(b) * size, last = to_size - first < size ? to_size : first + size;
          units(b) = (last - first + 1 + ends(last) - ends(first) + unit - 1) / unit;
        });
    plan.first_row = offsets_of(units);
    plan.rows = Vector<RowUnit>("rows", blocks > 0 ? last_of(plan.first_row) : 0);
    fill_rows(uses, ends);
  }

  void fill_rows(const Vector<Index>& left, const Vector<Index>& ends) const {
    const auto order = plan.order, first_row = plan.first_row, first_position = plan.first_position;
    const auto local = plan.local;
    const auto block = block_of;
    std::uint16_t* const rows = reinterpret_cast<std::uint16_t*>(plan.rows.data());
    const int arity = map.arity;
    const Index size = block_size, to_size = Index(map.to_size);
    Kokkos::parallel_for(
        "indirect/row entries", Range(0, local.extent(0)), KOKKOS_LAMBDA(std::size_t q) {
          const Index b = Index(block(q / arity)), first = b * size, target = first + local(q);
          const Index owned = to_size - first < size ? to_size - first : size;
          if (local(q) >= owned) return;
          const Index place = ends(target) - ends(first) + Kokkos::atomic_fetch_sub(&left(target), 1) - 1;
          rows[std::size_t(first_row(b)) * unit + owned + 1 + place] =
              static_cast<std::uint16_t>(q - std::size_t(first_position(b)) * arity);
        });
    // entries arrive in any order; sorting them makes sums reproducible
    Kokkos::parallel_for(
        "indirect/sort rows", Range(0, map.to_size), KOKKOS_LAMBDA(std::size_t t) {
          const Index b = Index(t) / size, first = b * size;
          const Index owned = to_size - first < size ? to_size - first : size;
          std::uint16_t* const starts = rows + std::size_t(first_row(b)) * unit;
          std::uint16_t* const row = starts + owned + 1 + ends(t) - ends(first);
          const Index length = ends(t + 1) - ends(t);
          for (Index i = 1; i < length; ++i) {
            const std::uint16_t value = row[i];
            Index j = i;
            for (; j > 0 && row[j - 1] > value; --j) row[j] = row[j - 1];
            row[j] = value;
          }
          starts[t - first] = static_cast<std::uint16_t>(ends(t) - ends(first));
          if (Index(t) == first + owned - 1) starts[owned] = static_cast<std::uint16_t>(ends(t + 1) - ends(first));
        });
  }

  static constexpr int unit = PlanArrays::row_unit;
};

}  // namespace

PlanFigures figures(const OwnerPlan& plan) {
  PlanFigures result;
  result.colours = 1;
  result.most_positions = most(plan.first_position, 0, 0);
  result.most_targets = most(plan.first_target, plan.options.block_size, plan.to_size);
  result.most_rows = most(plan.first_row, 0, 0);
  const double computed = double(plan.order.extent(0)), targets = double(plan.targets.extent(0) + plan.to_size);
  result.redundancy = plan.from_size > 0 ? computed / double(plan.from_size) : 1;
  result.reuse_factor = targets > 0 ? computed * plan.arity / targets : 1;
  return result;
}

OwnerPlan make_owner_plan(const graph::DeviceMap& map, const PlanOptions& options) {
  require(map.entries.extent(0) < std::size_t(std::numeric_limits<Index>::max()), "size", "",
          "a map of " + std::to_string(map.entries.extent(0)) + " entries; accepted are fewer than 2^31");
  Planner planner(map, options);
  planner.find_positions();
  planner.find_targets();
  planner.require_local_numbers();
  planner.find_locals();
  planner.find_rows();
  return planner.plan;
}

PlanArrays copy_to_host(const OwnerPlan& plan, const Map& map) {
  PlanArrays arrays;
  const auto copy = [](const auto& from, auto& to) {
    using To = typename std::decay_t<decltype(to)>::value_type;
    to = to_vector(
        Vector<const To>(reinterpret_cast<const To*>(from.data()), from.extent(0) * sizeof(*from.data()) / sizeof(To)));
  };
  arrays.options = plan.options;
  arrays.arity = plan.arity;
  arrays.from_size = static_cast<std::int64_t>(plan.from_size);
  arrays.to_size = static_cast<std::int64_t>(plan.to_size);
  arrays.map_hash = hash(map, plan.to_size);
  copy(plan.order, arrays.order);
  copy(plan.first_position, arrays.first_position);
  copy(plan.first_target, arrays.first_target);
  copy(plan.targets, arrays.targets);
  copy(plan.first_row, arrays.first_row);
  copy(plan.rows, arrays.rows);
  copy(plan.local, arrays.local);
  return arrays;
}

}  // namespace miniapp::indirect
