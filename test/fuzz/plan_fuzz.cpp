// SPDX-License-Identifier: BSD-3-Clause
/// Files of plans: bytes, the last eight replaced by the right checksum -> parse_plan(). A plan that is accepted runs
/// here, index by index, on the map that it seems to be of; where check_plan() finds nothing wrong with the two, the
/// result is that of a loop without a plan, and nothing that runs at once shares a target.
#include <optional>

#include "fuzz/finding.hpp"
#include "indirect/plan_bytes.hpp"
#include "miniapp/indirect/plan_check.hpp"
#include "miniapp/indirect/plan_file.hpp"

namespace {

using namespace miniapp;
using namespace miniapp::indirect;
using fuzz::expect;
using Sums = std::vector<std::uint64_t>;

std::string with_checksum(std::string_view bytes) {
  if (bytes.size() < 8) return std::string(bytes);
  const std::string_view summed = bytes.substr(0, bytes.size() - 8);
  PlanWriter sum("");
  sum.integer(plan_checksum(summed));
  return std::string(summed) + sum.bytes();
}

/// A plan and what it does, position by position.
class Run {
 public:
  explicit Run(const PlanArrays& plan) : plan_(plan), map_(std::size_t(plan.from_size), plan.arity) {
    if (has_blocks()) {
      for (int b = 0; b < plan.blocks(); ++b)
        each(b, [&](Index p, int s) { map_[element(p)][s] = target_of_place(b, place(p, s)); });
    } else if (plan.options.strategy == Strategy::staged) {
      for (Index t = 0; t < plan.to_size; ++t)
        for (Index q = plan.row_offsets[t]; q < plan.row_offsets[t + 1]; ++q) {
          const Index entry = plan.row_entries[q];
          map_[element(entry / plan.arity)][entry % plan.arity] = t;
        }
    } else {
      for (std::size_t i = 0; i < map_.entries.size(); ++i)
        map_.entries[i] = static_cast<Index>(i * 7 % std::max<std::int64_t>(plan.to_size, 1));
    }
  }
  const Map& map() const { return map_; }

  /// Sums by the loop itself.
  Sums expected() const {
    Sums sums(plan_.to_size, 0);
    for (std::size_t i = 0; i < map_.entries.size(); ++i) sums.at(map_.entries[i]) += i + 1;
    return sums;
  }

  /// Sums as the plan makes them.
  Sums by_plan() const {
    Sums sums(plan_.to_size, 0);
    if (has_blocks()) {
      for (int b = 0; b < plan_.blocks(); ++b) add_block(b, sums);
    } else if (plan_.options.strategy == Strategy::staged) {
      for (Index t = 0; t < plan_.to_size; ++t)
        for (Index q = plan_.row_offsets[t]; q < plan_.row_offsets[t + 1]; ++q) {
          const Index entry = plan_.row_entries[q];
          sums.at(t) += increment(entry / plan_.arity, entry % plan_.arity);
        }
    } else {
      for (Index p = 0; p < Index(plan_.positions()); ++p)
        for (int s = 0; s < plan_.arity; ++s) sums.at(map_[element(p)][s]) += increment(p, s);
    }
    return sums;
  }

  /// No two positions of a colour, thread colour of a block or launch add to one target.
  void check_colours() const {
    const std::vector<Index>& colours = plan_.colour_offsets;
    std::vector<std::int64_t> group(plan_.to_size, -1), owner(plan_.to_size, -1);
    const auto touch = [&](Index target, std::int64_t now, std::int64_t who) {
      expect(group.at(target) != now || owner.at(target) == who, "a target that two add to at once");
      group[target] = now;
      owner[target] = who;
    };
    if (plan_.options.strategy == Strategy::global)
      for (std::size_t c = 0; c + 1 < colours.size(); ++c)
        for (Index p = colours[c]; p < colours[c + 1]; ++p)
          for (int s = 0; s < plan_.arity; ++s) touch(map_[element(p)][s], std::int64_t(c), p);
    if (plan_.options.strategy != Strategy::hierarchical) return;
    if (plan_.options.in_block == InBlock::colours)
      for (int b = 0; b < plan_.blocks(); ++b)
        each(b,
             [&](Index p, int s) { touch(map_[element(p)][s], std::int64_t(b) * 256 + plan_.thread_colour.at(p), p); });
    group.assign(group.size(), -1);
    if (plan_.options.write_back == WriteBack::colours)
      for (std::size_t c = 0; c + 1 < colours.size(); ++c)
        for (Index k = colours[c]; k < colours[c + 1]; ++k) {
          const Index b = plan_.launch_order.at(k);
          each(b, [&](Index p, int s) { touch(map_[element(p)][s], std::int64_t(c), b); });
        }
  }

 private:
  bool has_blocks() const {
    return plan_.options.strategy == Strategy::hierarchical || plan_.options.strategy == Strategy::owner;
  }
  Index element(Index position) const { return plan_.order.empty() ? position : plan_.order.at(position); }
  int place(Index position, int slot) const { return plan_.local.at(std::size_t(position) * plan_.arity + slot); }
  std::uint64_t increment(Index position, int slot) const {
    return std::uint64_t(element(position)) * plan_.arity + slot + 1;
  }
  /// f(position, slot) of a block.
  template <class F>
  void each(int b, const F& f) const {
    for (Index p = plan_.first_position.at(b); p < plan_.first_position.at(b + 1); ++p)
      for (int s = 0; s < plan_.arity; ++s) f(p, s);
  }
  Index target_of_place(int b, int place) const {
    const bool owner = plan_.options.strategy == Strategy::owner;
    const int owned = owner ? plan_.owned(b) : 0;
    if (place < owned) return static_cast<Index>(std::int64_t(b) * plan_.options.block_size + place);
    const Index id = plan_.targets.at(plan_.first_target.at(b) + place - owned);
    return id < 0 ? ~id : id;
  }
  void add_block(int b, Sums& sums) const {
    const int written = plan_.written(b);
    if (plan_.options.strategy == Strategy::hierarchical && plan_.options.in_block == InBlock::colours) {
      each(b, [&](Index p, int s) { sums.at(target_of_place(b, place(p, s))) += increment(p, s); });
      return;
    }
    const std::size_t first = std::size_t(PlanArrays::row_unit) * plan_.first_row.at(b);
    for (int t = 0; t < written; ++t)
      for (int q = plan_.rows.at(first + t); q < plan_.rows.at(first + t + 1); ++q) {
        const int entry = plan_.rows.at(first + written + 1 + q);
        sums.at(target_of_place(b, t)) +=
            increment(plan_.first_position.at(b) + entry / plan_.arity, entry % plan_.arity);
      }
  }

  const PlanArrays& plan_;
  Map map_;
};

void check(const SavedPlan& saved) {
  if (saved.plan.to_size == 0) return;  // no map of elements can have it
  const Run run(saved.plan);
  const Sums sums = run.by_plan();
  figures(saved.plan);
  const std::string wrong = check_plan(saved.plan, run.map());
  if (!wrong.empty()) return fuzz::check_refusal(wrong);
  expect(sums == run.expected(), "a plan that was found right adds up other sums than its loop");
  run.check_colours();
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  std::optional<SavedPlan> saved;
  const std::string file = with_checksum(fuzz::text(bytes, size));
  if (fuzz::accepts([&] { saved = parse_plan(file, "x.plan"); })) check(*saved);
  return 0;
}
