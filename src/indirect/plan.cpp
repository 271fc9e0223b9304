// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/indirect/plan.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "miniapp/core/error.hpp"
#include "miniapp/core/host_ranges.hpp"
#include "miniapp/graph/colouring.hpp"
#include "miniapp/graph/transpose.hpp"
#include "miniapp/indirect/loop.hpp"

namespace miniapp::indirect {
namespace {

/// Appends one block's elements, targets and rows to a plan.
class BlockBuilder {
 public:
  BlockBuilder(PlanArrays& plan, const Map& map) : plan_(plan), map_(map), place_(plan.to_size, -1) {
    plan_.first_position = plan_.first_target = plan_.first_row = {0};
  }

  /// `elements` in the order in which they run; `targets`: all that they refer to, of which this block adds to the
  /// first `written`; the plan lists those from index `listed` on.
  void add(const std::vector<Index>& elements, const std::vector<Index>& targets, int written, int listed) {
    require_locals(plan_.options.block_size, std::max(targets.size(), elements.size() * map_.arity));
    for (std::size_t t = 0; t < targets.size(); ++t) place_[targets[t]] = static_cast<Index>(t);
    plan_.targets.insert(plan_.targets.end(), targets.begin() + listed, targets.end());
    for (const Index element : elements)
      for (int s = 0; s < map_.arity; ++s) plan_.local.push_back(static_cast<std::uint16_t>(place_[map_[element][s]]));
    plan_.order.insert(plan_.order.end(), elements.begin(), elements.end());
    plan_.first_position.push_back(static_cast<Index>(plan_.order.size()));
    plan_.first_target.push_back(static_cast<Index>(plan_.targets.size()));
    add_rows(written, elements.size());
  }

 private:
  /// For each of the block's `written` targets, the increments of its elements to sum.
  void add_rows(int written, std::size_t elements) {
    const std::size_t first = plan_.local.size() - elements * map_.arity, begin = plan_.rows.size();
    next_.assign(written + 1, 0);
    for (std::size_t q = first; q < plan_.local.size(); ++q)
      if (plan_.local[q] < written) ++next_[plan_.local[q] + 1];
    for (int t = 0; t < written; ++t) next_[t + 1] += next_[t];
    plan_.rows.insert(plan_.rows.end(), next_.begin(), next_.end());
    const std::size_t entries = plan_.rows.size();
    plan_.rows.resize((entries + next_[written] + row_unit - 1) / row_unit * row_unit, 0);
    for (std::size_t q = first; q < plan_.local.size(); ++q)
      if (plan_.local[q] < written)
        plan_.rows[entries + next_[plan_.local[q]]++] = static_cast<std::uint16_t>(q - first);
    plan_.first_row.push_back(plan_.first_row.back() + static_cast<Index>((plan_.rows.size() - begin) / row_unit));
  }

  static constexpr int row_unit = PlanArrays::row_unit;
  std::vector<std::uint16_t> next_;
  PlanArrays& plan_;
  const Map& map_;
  std::vector<Index> place_;
};

/// Sorts numbers below `size` and removes duplicates, these first, since sorting takes longest.
class SetMaker {
 public:
  explicit SetMaker(std::size_t size) : last_set_(make_large<Index>(size, -1)) {}
  void make_set(std::vector<Index>& values) {
    ++set_;
    const auto is_met = [&](Index value) { return std::exchange(last_set_[value], set_) == set_; };
    values.erase(std::remove_if(values.begin(), values.end(), is_met), values.end());
    std::sort(values.begin(), values.end());
  }

 private:
  std::vector<Index> last_set_;  ///< (value): the last set that has it
  Index set_ = -1;
};

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}
/// Appends where rows begin, behind those that are there.
template <class Offset>
void append_offsets(std::vector<Offset>& to, const std::vector<Offset>& from) {
  const Offset before = to.back();
  for (std::size_t i = 1; i < from.size(); ++i) to.push_back(before + from[i]);
}
/// Appends the blocks of another plan.
void append_blocks(PlanArrays& plan, const PlanArrays& piece) {
  append(plan.order, piece.order);
  append_offsets(plan.first_position, piece.first_position);
  append_offsets(plan.first_target, piece.first_target);
  append_offsets(plan.first_row, piece.first_row);
  append(plan.targets, piece.targets);
  append(plan.local, piece.local);
  append(plan.thread_colour, piece.thread_colour);
  append(plan.thread_colours, piece.thread_colours);
  append(plan.rows, piece.rows);
}

void require_positions(const PlanArrays& plan) {
  require(plan.order.size() < std::size_t(std::numeric_limits<Index>::max()) / plan.arity, "strategy", "owner",
          "more than 2^31 increments; accepted are fewer, of fewer elements");
}

/// Makes the blocks of a plan by several threads of the host: make(piece, range, first, last) those [first, last) as a
/// plan of their own. Few threads, since each has numbers for all targets.
template <class Make>
void make_blocks(PlanArrays& plan, std::size_t blocks, const Make& make) {
  constexpr std::size_t least = 64, most_threads = 8;
  const HostRanges ranges(blocks, std::max(least, blocks / most_threads));
  std::vector<PlanArrays> pieces(ranges.count(), plan);
  ranges.for_each([&](int range) { make(pieces[range], range, ranges.begin(range), ranges.end(range)); });
  plan = std::move(pieces.front());
  for (int range = 1; range < ranges.count(); ++range) append_blocks(plan, pieces[range]);
}

/// First-fit colours of the elements of a block; sorts the elements by them.
std::vector<std::uint8_t> colour_threads(std::vector<Index>& elements, const std::vector<Index>& targets,
                                         const Map& map) {
  Csr<> sets;
  for (const Index element : elements) {
    for (int s = 0; s < map.arity; ++s) {
      const auto place = std::lower_bound(targets.begin(), targets.end(), map[element][s]);
      sets.entries.push_back(static_cast<Index>(place - targets.begin()));
    }
    sets.end_row();
  }
  const graph::Colouring colouring = graph::colour(sets, targets.size(), graph::Choice::first_fit);
  require(colouring.size() <= 255, "strategy", "hierarchical",
          "a block needs " + std::to_string(colouring.size()) + " thread colours; accepted are at most 255");
  std::vector<Index> sorted;
  std::vector<std::uint8_t> colours;
  for (std::size_t c = 0; c < colouring.size(); ++c)
    for (const Index place : colouring[c]) {
      sorted.push_back(elements[place]);
      colours.push_back(static_cast<std::uint8_t>(c));
    }
  elements = sorted;
  return colours;
}

/// Blocks [first_block, last_block) of plan_hierarchical() with the targets that they share with others. `uses`
/// (target): references to it.
void add_hierarchical(PlanArrays& plan, const Map& map, const std::vector<Index>& first_element,
                      const std::vector<Index>& uses, std::size_t first_block, std::size_t last_block, Csr<>& shared) {
  BlockBuilder builder(plan, map);
  SetMaker sets(plan.to_size);
  std::vector<Index> elements, targets;
  for (std::size_t b = first_block; b < last_block; ++b) {
    elements.clear();
    for (Index e = first_element[b]; e < first_element[b + 1]; ++e) elements.push_back(e);
    targets.assign(map[first_element[b]], map[first_element[b + 1]]);
    sets.make_set(targets);
    if (plan.options.in_block == InBlock::colours) {
      const std::vector<std::uint8_t> colours = colour_threads(elements, targets, map);
      append(plan.thread_colour, colours);
      plan.thread_colours.push_back(static_cast<std::uint8_t>(colours.empty() ? 0 : colours.back() + 1));
    }
    const int written = static_cast<int>(targets.size());
    builder.add(elements, targets, written, 0);
    // a target is shared unless all references to it are in this block
    const std::uint16_t* const starts = plan.row_starts(static_cast<int>(b - first_block));
    const std::size_t first = plan.targets.size() - written;
    for (int t = 0; t < written; ++t) {
      if (starts[t + 1] - starts[t] == uses[targets[t]]) continue;
      plan.targets[first + t] = ~targets[t];
      shared.entries.push_back(targets[t]);
    }
    shared.end_row();
  }
}

void plan_hierarchical(PlanArrays& plan, const Map& map, const std::vector<Index>& first_element) {
  const std::vector<Index> uses = graph::count_uses(map, 0, plan.to_size);
  std::vector<Csr<>> shared(host_threads());  // (range)
  make_blocks(plan, first_element.size() - 1, [&](PlanArrays& piece, int range, std::size_t first, std::size_t last) {
    add_hierarchical(piece, map, first_element, uses, first, last, shared[range]);
  });
  if (plan.options.write_back == WriteBack::colours) {
    for (std::size_t range = 1; range < shared.size(); ++range) {
      append(shared[0].entries, shared[range].entries);
      append_offsets(shared[0].offsets, shared[range].offsets);
    }
    const graph::Colouring colouring = graph::colour(shared[0], plan.to_size, graph::Choice::least_used);
    plan.colour_offsets = colouring.offsets;
    plan.launch_order = colouring.entries;
  }
}

/// Blocks [first_block, last_block) of plan_owner(). `rows`: the transposed map.
void add_owners(PlanArrays& plan, const Map& map, const Csr<std::int64_t>& rows, std::size_t first_block,
                std::size_t last_block) {
  BlockBuilder builder(plan, map);
  SetMaker sets_of_elements(map.size()), sets_of_targets(plan.to_size);
  std::vector<Index> elements, targets, others;
  for (std::size_t b = first_block; b < last_block; ++b) {
    const auto first = static_cast<std::int64_t>(b) * plan.options.block_size;
    const std::int64_t last = std::min(plan.to_size, first + plan.options.block_size);
    elements.clear();
    for (std::int64_t q = rows.offsets[first]; q < rows.offsets[last]; ++q)
      elements.push_back(static_cast<Index>(rows.entries[q] / map.arity));
    sets_of_elements.make_set(elements);
    others.clear();
    for (const Index element : elements)
      for (int s = 0; s < map.arity; ++s)
        if (const Index target = map[element][s]; target < first || target >= last) others.push_back(target);
    sets_of_targets.make_set(others);
    const int owned = static_cast<int>(last - first);
    targets.resize(owned);
    for (int t = 0; t < owned; ++t) targets[t] = static_cast<Index>(first + t);
    append(targets, others);
    builder.add(elements, targets, owned, owned);
    require_positions(plan);
  }
}

void plan_owner(PlanArrays& plan, const Map& map) {
  const Csr<std::int64_t> rows = graph::transpose(map, plan.to_size);
  const std::int64_t size = plan.options.block_size;
  make_blocks(
      plan, static_cast<std::size_t>((plan.to_size + size - 1) / size),
      [&](PlanArrays& piece, int, std::size_t first, std::size_t last) { add_owners(piece, map, rows, first, last); });
  require_positions(plan);
}

}  // namespace

void require_locals(int block_size, std::size_t locals) {
  constexpr int most = std::numeric_limits<std::uint16_t>::max();
  require(
      locals <= most, "block_size", block_size,
      "a block has " + std::to_string(locals) + " targets or increments; accepted are at most " + std::to_string(most));
}

std::uint64_t hash(const Map& map, std::size_t to_size) {
  std::uint64_t value = 14695981039346656037u;
  const auto add = [&](std::uint64_t word) { value = (value ^ word) * 1099511628211u; };
  add(map.arity), add(map.size()), add(to_size);
  for (const Index id : map.entries) add(static_cast<std::uint32_t>(id));
  return value;
}

PlanArrays make_plan(const Map& map, std::size_t to_size, const PlanOptions& options,
                     const std::vector<Index>& first_element) {
  require(map.entries.size() < std::size_t(std::numeric_limits<Index>::max()), "size", "",
          "a map of " + std::to_string(map.entries.size()) + " entries; accepted are fewer than 2^31");
  PlanArrays plan;
  plan.options = options;
  plan.arity = map.arity;
  plan.from_size = static_cast<std::int64_t>(map.size());
  plan.to_size = static_cast<std::int64_t>(to_size);
  plan.map_hash = hash(map, to_size);
  switch (options.strategy) {
    case Strategy::serial:
    case Strategy::atomic:
      break;
    case Strategy::staged: {
      const Csr<std::int64_t> rows = graph::transpose(map, to_size);
      plan.row_offsets.assign(rows.offsets.begin(), rows.offsets.end());
      plan.row_entries.assign(rows.entries.begin(), rows.entries.end());
      break;
    }
    case Strategy::global: {
      const graph::Colouring colouring = graph::colour(graph::target_sets(map), to_size, graph::Choice::least_used);
      plan.colour_offsets = colouring.offsets;
      plan.order = colouring.entries;
      break;
    }
    case Strategy::hierarchical: {
      std::vector<Index> first = first_element;
      if (first.empty()) {
        for (std::int64_t e = 0; e < plan.from_size; e += options.block_size) first.push_back(static_cast<Index>(e));
        first.push_back(static_cast<Index>(plan.from_size));
      }
      plan_hierarchical(plan, map, first);
      break;
    }
    case Strategy::owner:
      plan_owner(plan, map);
      break;
  }
  if (std::is_sorted(plan.order.begin(), plan.order.end()) && plan.positions() == map.size()) plan.order.clear();
  return plan;
}

PlanFigures figures(const PlanArrays& plan) {
  PlanFigures result;
  result.colours = plan.colour_offsets.empty() ? 1 : static_cast<int>(plan.colour_offsets.size()) - 1;
  for (const int colours : plan.thread_colours) result.thread_colours = std::max(result.thread_colours, colours);
  const double computed = double(plan.positions());
  result.redundancy = plan.from_size > 0 ? computed / double(plan.from_size) : 1;
  double distinct = 0;
  for (int b = 0; b < plan.blocks(); ++b) {
    const int owned = plan.options.strategy == Strategy::owner ? plan.owned(b) : 0;
    const int targets = owned + plan.first_target[b + 1] - plan.first_target[b];
    distinct += targets;
    result.most_targets = std::max(result.most_targets, targets);
    result.most_rows = std::max(result.most_rows, plan.first_row[b + 1] - plan.first_row[b]);
    result.most_positions = std::max<int>(result.most_positions, plan.first_position[b + 1] - plan.first_position[b]);
  }
  result.reuse_factor = distinct > 0 ? computed * plan.arity / distinct : 1;
  return result;
}

double cache_lines_per_block(const PlanArrays& plan, int components, int word, Layout layout) {
  constexpr std::int64_t line = 32;
  const std::int64_t stride = layout == Layout::aos ? std::int64_t(components) * word : word;
  const int copies = layout == Layout::aos ? 1 : components;
  const auto lines_of = [&](int b) {
    std::int64_t last = -1, lines = 0;
    const auto touch = [&](std::int64_t target) {
      const std::int64_t begin = target * stride / line, end = ((target + 1) * stride - 1) / line;
      lines += copies * (end - std::max(begin, last + 1) + 1);
      last = end;
    };
    if (plan.options.strategy == Strategy::owner)
      for (int t = 0; t < plan.owned(b); ++t) touch(std::int64_t(b) * plan.options.block_size + t);
    last = -1;
    for (Index t = plan.first_target[b]; t < plan.first_target[b + 1]; ++t)
      touch(plan.targets[t] < 0 ? ~plan.targets[t] : plan.targets[t]);
    return lines;
  };
  const HostRanges ranges(plan.blocks(), 64);
  std::vector<std::int64_t> of_range(ranges.count(), 0);
  ranges.for_each([&](int range) {
    for (std::size_t b = ranges.begin(range); b < ranges.end(range); ++b)
      of_range[range] += lines_of(static_cast<int>(b));
  });
  const auto lines = static_cast<double>(std::accumulate(of_range.begin(), of_range.end(), std::int64_t(0)));
  return plan.blocks() > 0 ? lines / plan.blocks() : 0;
}

void detail::require_size(const std::string& label, std::size_t size, std::size_t expected) {
  require(size == expected, label, "",
          "a field of " + std::to_string(size) + " entities; accepted are " + std::to_string(expected));
}

void detail::require_scratch(const std::string& label, int block_size, std::size_t needed, bool threads_suffice) {
  const std::size_t most = most_scratch_bytes();
  const std::size_t fits = block_size * most / std::max<std::size_t>(needed, 1) / 32 * 32;
  require(needed <= most && threads_suffice, "block_size", block_size,
          label + " needs " + std::to_string(needed) + " bytes of scratch per block; accepted are at most " +
              std::to_string(most) + ", about a block_size of " + std::to_string(fits) + ", or staging increments");
}

}  // namespace miniapp::indirect
