// SPDX-License-Identifier: BSD-3-Clause
#include "graph/levels.hpp"
#include "graph/renumber.hpp"
#include "miniapp/graph/transpose.hpp"

namespace miniapp::graph {
namespace {

/// Numbers one connected piece after the other.
class Numbering {
 public:
  explicit Numbering(const Graph& graph)
      : graph_(graph),
        level_(graph.size(), -1),
        other_(graph.size(), -1),
        grouped_(graph.size(), false),
        numbered_(graph.size(), false) {
    order_.reserve(graph.size());
  }

  std::vector<Index> run() {
    for (Index root = 0; root < Index(graph_.size()); ++root) {
      if (level_[root] >= 0) continue;
      Ends ends = find_ends(graph_, root, level_);
      if (graph_.degree(ends.end) < graph_.degree(ends.start)) std::swap(ends.start, ends.end);
      number(combine(ends), ends.start);
    }
    std::reverse(order_.begin(), order_.end());
    return inverse(order_);
  }

 private:
  /// Chooses one of two levels for each vertex of the piece: the distance from the start, or the depth minus the
  /// distance from the end. Where both agree there is no choice; each connected group of the other vertices chooses as
  /// a whole, the largest group first, such that the level widths stay small. Returns the vertices of each level.
  std::vector<std::vector<Index>> combine(Ends ends) {
    const Levels from_start = sweep(graph_, ends.start, level_), from_end = sweep(graph_, ends.end, other_);
    std::vector<Index> width(from_start.depth, 0);
    for (const Index v : from_start.order) {
      other_[v] = from_start.depth - 1 - other_[v];
      if (level_[v] == other_[v]) ++width[level_[v]];
    }
    std::vector<std::vector<Index>> groups = undecided(from_start.order);
    std::stable_sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
    for (const std::vector<Index>& group : groups) {
      const Index by_start = widest(group, level_, width), by_end = widest(group, other_, width);
      const bool take_other = by_end < by_start || (by_end == by_start && from_end.width < from_start.width);
      for (const Index v : group) {
        if (take_other) level_[v] = other_[v];
        ++width[level_[v]];
      }
    }
    std::vector<std::vector<Index>> members(from_start.depth);
    for (const Index v : from_start.order) members[level_[v]].push_back(v);
    return members;
  }

  /// Connected groups of vertices whose two levels differ.
  std::vector<std::vector<Index>> undecided(const std::vector<Index>& piece) {
    std::vector<std::vector<Index>> groups;
    for (const Index v : piece) {
      if (level_[v] == other_[v] || grouped_[v]) continue;
      std::vector<Index>& group = groups.emplace_back(1, v);
      grouped_[v] = true;
      for (std::size_t i = 0; i < group.size(); ++i)
        for (const Index w : graph_[group[i]]) {
          if (level_[w] == other_[w] || grouped_[w]) continue;
          grouped_[w] = true;
          group.push_back(w);
        }
    }
    return groups;
  }

  /// The largest width of the levels that the group joins with `choice`.
  static Index widest(const std::vector<Index>& group, const std::vector<Index>& choice, std::vector<Index>& width) {
    Index most = 0;
    for (const Index v : group) most = std::max(most, ++width[choice[v]]);
    for (const Index v : group) --width[choice[v]];
    return most;
  }

  /// Numbers level after level: first neighbours of the previous level in its order, then neighbours within the level,
  /// then the rest, starting from the lowest degree.
  void number(std::vector<std::vector<Index>> levels, Index start) {
    std::size_t before = order_.size(), begin = before;
    append(start);
    for (Index l = 0; l < Index(levels.size()); ++l) {
      std::vector<Index>& level = levels[l];
      sort_by_degree(level.begin(), level.end());
      for (; before < begin; ++before) append_neighbours(order_[before], l);
      std::size_t head = begin;
      for (const Index v : level) {
        for (; head < order_.size(); ++head) append_neighbours(order_[head], l);
        if (!numbered_[v]) append(v);
      }
      before = begin;
      begin = order_.size();
    }
  }

  void append(Index v) {
    numbered_[v] = true;
    order_.push_back(v);
  }

  void append_neighbours(Index v, Index of_level) {
    const std::size_t first = order_.size();
    for (const Index w : graph_[v])
      if (!numbered_[w] && level_[w] == of_level) append(w);
    sort_by_degree(order_.begin() + first, order_.end());
  }

  template <class Iterator>
  void sort_by_degree(Iterator begin, Iterator end) const {
    std::stable_sort(begin, end, [&](Index a, Index b) { return graph_.degree(a) < graph_.degree(b); });
  }

  const Graph& graph_;
  std::vector<Index> level_, other_;  ///< (vertex) distance from the start; the same from the end, counted back
  std::vector<bool> grouped_, numbered_;
  std::vector<Index> order_;
};

}  // namespace

std::vector<Index> gibbs_poole_stockmeyer(const Graph& graph) { return Numbering(graph).run(); }

}  // namespace miniapp::graph
