// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/indirect/plan_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "miniapp/core/host_ranges.hpp"
#include "miniapp/graph/transpose.hpp"

namespace miniapp::indirect {
namespace {

/// A defect, thrown to the function that returns it as a message.
struct Wrong {
  std::string what;
};

/// Throws with a formatted message if the condition fails; formats only then.
template <class... Values>
void demand(bool right, const char* format, const Values&... values) {
  if (!right) throw Wrong{fmt::format(fmt::runtime(format), values...)};
}

template <class Check>
std::string wrong_of(const Check& check) {
  try {
    check();
  } catch (const Wrong& wrong) {
    return wrong.what;
  }
  return "";
}

constexpr int least_blocks = 64;  // that are worth a thread of the host

Index id_of(Index entry) { return entry < 0 ? ~entry : entry; }

void check_offsets(const char* name, const std::vector<Index>& offsets, std::size_t size, std::size_t end) {
  demand(offsets.size() == size, "{} {}, {} are due", offsets.size(), name, size);
  demand(offsets.front() == 0 && std::size_t(offsets.back()) == end, "{} run from {} to {}, not from 0 to {}", name,
         offsets.front(), offsets.back(), end);
  demand(std::is_sorted(offsets.begin(), offsets.end()), "{} fall", name);
}
void check_ids(const char* name, const std::vector<Index>& ids, std::int64_t end) {
  for_host(ids.size(), [&](std::size_t i) {
    demand(ids[i] >= 0 && ids[i] < end, "{} {} of {}", name, std::int64_t(ids[i]) + 1, end);
  });
}
void check_each_once(const char* name, const std::vector<Index>& ids, std::int64_t end) {
  check_ids(name, ids, end);
  demand(std::int64_t(ids.size()) == end, "{} of {}, not each once: {} are listed", name, end, ids.size());
  std::vector<char> seen(end, 0);
  for (const Index id : ids) demand(!std::exchange(seen[id], 1), "{} {} is listed twice", name, id + 1);
}

/// Checks the lengths of the arrays that a strategy uses; all others must be empty.
void check_lengths(const PlanArrays& plan) {
  const PlanOptions& o = plan.options;
  const bool hierarchical = o.strategy == Strategy::hierarchical,
             blocks = hierarchical || o.strategy == Strategy::owner;
  const bool threads = hierarchical && o.in_block == InBlock::colours;
  const bool launches = hierarchical && o.write_back == WriteBack::colours;
  const auto belongs = [](bool due, bool empty, const char* name) {
    demand(due || empty, "{} in a plan that has none", name);
  };
  belongs(o.strategy == Strategy::staged, plan.row_offsets.empty() && plan.row_entries.empty(), "rows of targets");
  belongs(o.strategy == Strategy::global || launches, plan.colour_offsets.empty(), "colours");
  belongs(launches, plan.launch_order.empty(), "an order of launches");
  belongs(threads, plan.thread_colour.empty() && plan.thread_colours.empty(), "thread colours");
  belongs(blocks,
          plan.first_position.empty() && plan.first_target.empty() && plan.targets.empty() && plan.local.empty() &&
              plan.first_row.empty() && plan.rows.empty(),
          "blocks");
}

void check_sizes(const PlanArrays& plan) {
  constexpr std::int64_t most = std::numeric_limits<Index>::max();
  const PlanOptions& o = plan.options;
  demand(o.strategy >= Strategy::serial && o.strategy <= Strategy::owner && o.in_block >= InBlock::colours &&
             o.in_block <= InBlock::gather && o.write_back >= WriteBack::colours && o.write_back <= WriteBack::atomic &&
             o.staging >= Staging::all && o.staging <= Staging::increments,
         "an option that does not exist");
  demand(o.block_size >= 1, "blocks of {}", o.block_size);
  demand(plan.arity >= 1 && plan.arity <= 255, "{} targets an element", plan.arity);
  demand(plan.from_size >= 0 && plan.from_size <= most / plan.arity, "{} elements", plan.from_size);
  demand(plan.to_size >= 0 && plan.to_size <= most, "{} targets", plan.to_size);
  demand(plan.order.size() <= std::size_t(most / plan.arity), "{} positions", plan.order.size());
}

/// Checks the ranges of block b's data.
void check_block(const PlanArrays& plan, int b) {
  const int arity = plan.arity, written = plan.written(b);
  const int positions = plan.first_position[b + 1] - plan.first_position[b];
  const int listed = plan.first_target[b + 1] - plan.first_target[b];
  const int targets = listed + (plan.options.strategy == Strategy::owner ? plan.owned(b) : 0);
  const std::size_t first = std::size_t(plan.first_position[b]) * arity, increments = std::size_t(positions) * arity;
  for (std::size_t q = first; q < first + increments; ++q)
    demand(plan.local[q] < targets, "block {}: place {} of {}", b + 1, plan.local[q] + 1, targets);
  const std::size_t units = std::size_t(plan.first_row[b + 1] - plan.first_row[b]) * PlanArrays::row_unit;
  demand(units > std::size_t(written), "block {}: {} places for rows of {} targets", b + 1, units, written);
  const std::uint16_t* const starts = plan.row_starts(b);
  demand(starts[0] == 0 && std::is_sorted(starts, starts + written + 1), "block {}: starts of rows fall", b + 1);
  demand(written + 1 + std::size_t(starts[written]) <= units, "block {}: rows end behind the block", b + 1);
  for (int q = 0; q < starts[written]; ++q)
    demand(starts[written + 1 + q] < increments, "block {}: increment {} of {}", b + 1, starts[written + 1 + q] + 1,
           increments);
  if (plan.thread_colours.empty()) return;
  for (Index p = plan.first_position[b]; p < plan.first_position[b + 1]; ++p)
    demand(plan.thread_colour[p] < plan.thread_colours[b], "block {}: thread colour {} of {}", b + 1,
           plan.thread_colour[p] + 1, plan.thread_colours[b]);
}

void check_blocks(const PlanArrays& plan) {
  const bool owner = plan.options.strategy == Strategy::owner;
  const std::int64_t size = plan.options.block_size;
  demand(!plan.first_position.empty(), "no blocks");
  const std::size_t blocks = plan.first_position.size() - 1;
  demand(!owner || std::int64_t(blocks) == (plan.to_size + size - 1) / size, "{} blocks own {} targets, {} each",
         blocks, plan.to_size, size);
  demand(plan.rows.size() % PlanArrays::row_unit == 0, "{} places for rows: no multiple of {}", plan.rows.size(),
         PlanArrays::row_unit);
  check_offsets("first positions", plan.first_position, blocks + 1, plan.positions());
  check_offsets("first targets", plan.first_target, blocks + 1, plan.targets.size());
  check_offsets("first rows", plan.first_row, blocks + 1, plan.rows.size() / PlanArrays::row_unit);
  for_host(plan.targets.size(), [&](std::size_t t) {
    const Index target = id_of(plan.targets[t]);
    demand(target < plan.to_size, "target {} of {}", std::int64_t(target) + 1, plan.to_size);
  });
  demand(plan.local.size() == plan.positions() * plan.arity, "{} local numbers, {} are due", plan.local.size(),
         plan.positions() * plan.arity);
  const bool threads = !owner && plan.options.in_block == InBlock::colours;
  demand(plan.thread_colour.size() == (threads ? plan.positions() : 0) &&
             plan.thread_colours.size() == (threads ? blocks : 0),
         "{} thread colours in {} blocks", plan.thread_colour.size(), plan.thread_colours.size());
  for_host(
      blocks, [&](std::size_t b) { check_block(plan, static_cast<int>(b)); }, least_blocks);
  if (owner || plan.options.write_back == WriteBack::atomic) return;
  check_each_once("block", plan.launch_order, static_cast<std::int64_t>(blocks));
  demand(!plan.colour_offsets.empty(), "no colours");
  check_offsets("colours", plan.colour_offsets, plan.colour_offsets.size(), blocks);
}

/// Checks a plan against its map; throws the first defect.
class Checker {
 public:
  Checker(const PlanArrays& plan, const Map& map) : plan_(plan), map_(map), arity_(map.arity) {}

  void check() {
    demand(plan_.arity == map_.arity && plan_.from_size == std::int64_t(map_.size()), "it is of another map");
    check_ids("target", map_.entries, plan_.to_size);
    if (plan_.options.strategy != Strategy::owner && !plan_.order.empty())
      check_each_once("element", plan_.order, plan_.from_size);
    last_.assign(plan_.to_size, -1);
    switch (plan_.options.strategy) {
      case Strategy::serial:
      case Strategy::atomic:
        return;
      case Strategy::staged:
        return check_staged();
      case Strategy::global:
        return check_global();
      case Strategy::hierarchical:
        check_rows(false);
        if (plan_.options.in_block == InBlock::colours) check_threads();
        last_.assign(plan_.to_size, -1);
        return plan_.options.write_back == WriteBack::atomic ? check_shared() : check_launches();
      case Strategy::owner:
        return check_rows(true);
    }
  }

 private:
  Index element(Index position) const { return plan_.order.empty() ? position : plan_.order[position]; }
  Index target(Index position, int slot) const { return map_[element(position)][slot]; }

  /// Entries of a row ascend and belong to its target; so, if their number is right, the rows hold each increment once.
  void check_staged() const {
    demand(plan_.row_entries.size() == map_.entries.size(), "{} increments in rows, {} are due",
           plan_.row_entries.size(), map_.entries.size());
    for (Index t = 0; t < plan_.to_size; ++t)
      for (Index q = plan_.row_offsets[t]; q < plan_.row_offsets[t + 1]; ++q) {
        const Index entry = plan_.row_entries[q];
        demand(target(entry / arity_, entry % arity_) == t, "the row of target {} names an increment of target {}",
               t + 1, target(entry / arity_, entry % arity_) + 1);
        demand(q == plan_.row_offsets[t] || plan_.row_entries[q - 1] < entry,
               "the row of target {} names an increment twice", t + 1);
      }
  }

  /// No two of the positions [first, last) share a target; no target carries a mark of one of them yet.
  template <class Where>
  void check_apart(Index first, Index last, const Where& where) {
    for (Index p = first; p < last; ++p)
      for (int s = 0; s < arity_; ++s) {
        Index& other = last_[target(p, s)];
        if (other >= first && other != p)
          throw Wrong{fmt::format("elements {} and {} of {} share target {}", element(other) + 1, element(p) + 1,
                                  where(), target(p, s) + 1)};
        other = p;
      }
  }
  void check_global() {
    for (std::size_t c = 0; c + 1 < plan_.colour_offsets.size(); ++c)
      check_apart(plan_.colour_offsets[c], plan_.colour_offsets[c + 1],
                  [&] { return fmt::format("colour {}", c + 1); });
  }
  /// Positions of a block are sorted by thread colour.
  void check_threads() {
    for (int b = 0; b < plan_.blocks(); ++b) {
      const Index last = plan_.first_position[b + 1];
      for (Index first = plan_.first_position[b]; first < last;) {
        const int colour = plan_.thread_colour[first];
        Index end = first;
        while (end < last && plan_.thread_colour[end] == colour) ++end;
        demand(end == last || plan_.thread_colour[end] > colour, "block {}: thread colours fall", b + 1);
        check_apart(first, end, [&] { return fmt::format("thread colour {} of block {}", colour + 1, b + 1); });
        first = end;
      }
    }
  }

  void check_rows(bool owner) const {
    const HostRanges ranges(plan_.blocks(), least_blocks);
    ranges.for_each([&](int range) {
      const auto first = static_cast<int>(ranges.begin(range)), last = static_cast<int>(ranges.end(range));
      const std::int64_t size = plan_.options.block_size;
      std::vector<Index> uses;  // of the targets that these blocks own
      if (owner) uses = graph::count_uses(map_, first * size, std::min(last * size, plan_.to_size));
      for (int b = first; b < last; ++b) check_rows(b, owner ? &uses[(b - first) * size] : nullptr);
    });
  }
  /// `uses` (target of block b): of an owner, null of other blocks.
  void check_rows(int b, const Index* uses) const {
    const bool owner = uses != nullptr;
    const Index first = plan_.first_position[b], last = plan_.first_position[b + 1];
    check_places(b, owner);
    for (Index p = first + 1; owner && p < last; ++p)
      demand(element(p - 1) < element(p), "block {} runs element {} twice, or out of order", b + 1, element(p) + 1);
    const int written = plan_.written(b);
    const std::uint16_t *const starts = plan_.row_starts(b), *const entries = starts + written + 1;
    const std::uint16_t* const places = plan_.local.data() + std::size_t(first) * arity_;
    for (int t = 0; t < written; ++t) {
      for (int q = starts[t]; q < starts[t + 1]; ++q) {
        demand(places[entries[q]] == t, "block {}: the row of place {} names an increment of place {}", b + 1, t + 1,
               places[entries[q]] + 1);
        demand(q == starts[t] || entries[q - 1] < entries[q], "block {}: the row of place {} names an increment twice",
               b + 1, t + 1);
      }
      demand(!owner || starts[t + 1] - starts[t] == uses[t], "block {}: {} of {} increments of target {}", b + 1,
             starts[t + 1] - starts[t], owner ? uses[t] : 0, std::int64_t(b) * plan_.options.block_size + t + 1);
    }
    demand(owner || starts[written] == (last - first) * arity_, "block {}: {} increments in rows, {} are due", b + 1,
           int(starts[written]), (last - first) * arity_);
  }
  /// Places correspond to the map's targets; the targets that a block lists ascend, so that none is listed twice.
  void check_places(int b, bool owner) const {
    const Index* const targets = plan_.targets.data() + plan_.first_target[b];
    const int listed = plan_.first_target[b + 1] - plan_.first_target[b], owned = owner ? plan_.owned(b) : 0;
    const std::int64_t first_owned = owner ? std::int64_t(b) * plan_.options.block_size : 0;
    for (int t = 1; t < listed; ++t)
      demand(id_of(targets[t - 1]) < id_of(targets[t]), "block {}: its targets do not rise", b + 1);
    for (Index p = plan_.first_position[b]; p < plan_.first_position[b + 1]; ++p)
      for (int s = 0; s < arity_; ++s) {
        const int place = plan_.local[std::size_t(p) * arity_ + s];
        const std::int64_t found = place < owned ? first_owned + place : id_of(targets[place - owned]);
        demand(found == target(p, s), "block {}: a place stands for target {}, the map has {}", b + 1, found + 1,
               target(p, s) + 1);
      }
  }

  /// Targets that several blocks list are marked as shared, so that blocks add to them atomically.
  void check_shared() {
    for (const Index entry : plan_.targets) ++last_[id_of(entry)];  // blocks that list it, minus one
    for (const Index entry : plan_.targets)
      demand(entry < 0 || last_[entry] == 0, "target {} of several blocks is not marked as shared", id_of(entry) + 1);
  }
  void check_launches() {
    for (std::size_t c = 0; c + 1 < plan_.colour_offsets.size(); ++c)
      for (Index k = plan_.colour_offsets[c]; k < plan_.colour_offsets[c + 1]; ++k) {
        const Index b = plan_.launch_order[k];
        for (Index t = plan_.first_target[b]; t < plan_.first_target[b + 1]; ++t) {
          Index& other = last_[id_of(plan_.targets[t])];
          demand(other < plan_.colour_offsets[c], "blocks {} and {} of colour {} share target {}",
                 plan_.launch_order[std::max(other, 0)] + 1, b + 1, c + 1, id_of(plan_.targets[t]) + 1);
          other = k;
        }
      }
  }

  const PlanArrays& plan_;
  const Map& map_;
  int arity_;
  std::vector<Index> last_;  ///< (target): the last position, or place in the order of launches, that referred to it
};

}  // namespace

std::string check_arrays(const PlanArrays& plan) {
  return wrong_of([&] {
    check_sizes(plan);
    check_lengths(plan);
    check_ids("element", plan.order, plan.from_size);
    const std::size_t positions = plan.positions();
    switch (plan.options.strategy) {
      case Strategy::serial:
      case Strategy::atomic:
        return;
      case Strategy::staged:
        check_offsets("rows of targets", plan.row_offsets, plan.to_size + 1, plan.row_entries.size());
        return check_ids("increment", plan.row_entries, static_cast<std::int64_t>(positions) * plan.arity);
      case Strategy::global:
        demand(!plan.colour_offsets.empty(), "no colours");
        return check_offsets("colours", plan.colour_offsets, plan.colour_offsets.size(), positions);
      case Strategy::hierarchical:
      case Strategy::owner:
        return check_blocks(plan);
    }
  });
}

std::string check_plan(const PlanArrays& plan, const Map& map) {
  const std::string wrong = check_arrays(plan);
  return wrong.empty() ? wrong_of([&] { Checker(plan, map).check(); }) : wrong;
}

}  // namespace miniapp::indirect
