// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/graph/partition.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>

#include "graph/metis_parts.hpp"
#include "miniapp/core/error.hpp"

namespace miniapp::graph {
namespace {

using Element = std::array<int, 3>;  // its place along x, y, z

/// Elements of the ranks before `rank`, where all have equally many.
std::int64_t before(std::int64_t total, int ranks, int rank) {
  return total / ranks * rank + total % ranks * rank / ranks;
}

/// Divides a region: elements before `first` in the order of their places along `axes` belong to the lower half.
struct Cut {
  std::array<int, 3> axes;
  Element first;
  bool keeps_lower;

  bool keeps(const Element& e) const {
    for (const int axis : axes)
      if (e[axis] != first[axis]) return (e[axis] < first[axis]) == keeps_lower;
    return !keeps_lower;
  }
};

/// The elements of a box that all cuts keep, and the least box around them.
struct Region {
  Element low, high;  // high: behind the last
  std::vector<Cut> cuts;

  template <class Visit>
  void visit(const Visit& visit_element) const {
    Element e;
    for (e[2] = low[2]; e[2] < high[2]; ++e[2])
      for (e[1] = low[1]; e[1] < high[1]; ++e[1])
        for (e[0] = low[0]; e[0] < high[0]; ++e[0])
          if (std::all_of(cuts.begin(), cuts.end(), [&](const Cut& cut) { return cut.keeps(e); })) visit_element(e);
  }
  void shrink() {
    Element least = high, most = low;
    visit([&](const Element& e) {
      for (int d = 0; d < 3; ++d) {
        least[d] = std::min(least[d], e[d]);
        most[d] = std::max(most[d], e[d] + 1);
      }
    });
    low = least;
    high = most;
  }
  /// A cut with `count` elements below it, across the longest side, within a layer in rows along the shorter side.
  Cut cut_after(std::int64_t count) const {
    std::array<int, 3> axes = {0, 1, 2};
    std::stable_sort(axes.begin(), axes.end(), [&](int a, int b) { return high[a] - low[a] > high[b] - low[b]; });
    Cut cut{axes, low, true};
    for (int level = 0; level < 3; ++level) {  // the layer, then the row, then the element
      const int axis = axes[level];
      std::vector<std::int64_t> size(static_cast<std::size_t>(high[axis]) + 1, 0);
      visit([&](const Element& e) {
        for (int before = 0; before < level; ++before)
          if (e[axes[before]] != cut.first[axes[before]]) return;
        ++size[e[axis]];
      });
      int& place = cut.first[axis];
      place = low[axis];
      while (place + 1 < high[axis] && count >= size[place]) count -= size[place++];
    }
    return cut;
  }
};

std::vector<std::int64_t> numbers(const Region& region, const std::array<int, 3>& sides) {
  std::vector<std::int64_t> elements;
  region.visit([&](const Element& e) { elements.push_back((std::int64_t(e[2]) * sides[1] + e[1]) * sides[0] + e[0]); });
  return elements;
}

std::vector<std::int64_t> bisect(const std::array<int, 3>& sides, std::int64_t total, int rank, int ranks) {
  Region region{{0, 0, 0}, sides, {}};
  std::int64_t first = 0;  // elements of ranks before the region's
  for (int low = 0, high = ranks; high - low > 1;) {
    const int middle = (low + high) / 2;
    Cut cut = region.cut_after(before(total, ranks, middle) - first);
    cut.keeps_lower = rank < middle;
    region.cuts.push_back(cut);
    if (cut.keeps_lower) {
      high = middle;
    } else {
      low = middle;
      first = before(total, ranks, middle);
    }
    region.shrink();
  }
  return numbers(region, sides);
}

#ifdef MINIAPP_HAVE_METIS
/// Elements that share a face.
MetisGraph neighbours(const std::array<int, 3>& sides) {
  MetisGraph graph;
  Element e;
  for (e[2] = 0; e[2] < sides[2]; ++e[2])
    for (e[1] = 0; e[1] < sides[1]; ++e[1])
      for (e[0] = 0; e[0] < sides[0]; ++e[0]) {
        const auto number = static_cast<idx_t>(graph.size());
        idx_t step = 1;
        for (int d = 0; d < 3; step *= sides[d], ++d) {
          if (e[d] > 0) graph.entries.push_back(number - step);
          if (e[d] + 1 < sides[d]) graph.entries.push_back(number + step);
        }
        graph.end_row();
      }
  return graph;
}

void require_countable(std::size_t pairs) {
  require(pairs <= std::size_t(std::numeric_limits<idx_t>::max()), "partition", "metis",
          "more pairs of neighbours than METIS's integers count; accepted are rcb and linear");
}

std::vector<idx_t> make_full_parts(MetisGraph graph, int parts) {
  std::vector<idx_t> part = make_parts(std::move(graph), parts, 5, "partition");
  std::vector<std::int64_t> size(static_cast<std::size_t>(parts), 0);
  for (const idx_t p : part) ++size[static_cast<std::size_t>(p)];
  require(*std::min_element(size.begin(), size.end()) > 0, "partition", "metis",
          "METIS leaves a rank without elements; accepted are rcb and linear");
  return part;
}

std::vector<std::int64_t> part_by_metis(const std::array<int, 3>& sides, std::int64_t total, int rank, int ranks) {
  require_countable(6 * static_cast<std::size_t>(total));
  const std::vector<idx_t> part = make_full_parts(neighbours(sides), ranks);
  std::vector<std::int64_t> elements;
  for (std::size_t e = 0; e < part.size(); ++e)
    if (part[e] == rank) elements.push_back(static_cast<std::int64_t>(e));
  return elements;
}
#else
[[noreturn]] void refuse_metis() {
  throw InputError("partition", "metis", "this build has no METIS; accepted are rcb and linear");
}
std::vector<std::int64_t> part_by_metis(const std::array<int, 3>&, std::int64_t, int, int) { refuse_metis(); }
#endif

}  // namespace

#ifdef MINIAPP_HAVE_METIS
std::vector<int> parts_by_metis(const Csr<Index>& neighbours, int parts) {
  require_countable(neighbours.entries.size());
  MetisGraph graph;
  graph.offsets.assign(neighbours.offsets.begin(), neighbours.offsets.end());
  graph.entries.assign(neighbours.entries.begin(), neighbours.entries.end());
  const std::vector<idx_t> part = make_full_parts(std::move(graph), parts);
  return {part.begin(), part.end()};
}
#else
std::vector<int> parts_by_metis(const Csr<Index>&, int) { refuse_metis(); }
#endif

std::vector<std::int64_t> part_of_box(const std::array<int, 3>& sides, Partition partition, int rank, int ranks) {
  const std::int64_t total = std::int64_t(sides[0]) * sides[1] * sides[2];
  require(total >= ranks, std::to_string(ranks) + " ranks for " + std::to_string(total) +
                              " elements; accepted are no more ranks than elements");
  if (partition == Partition::rcb) return bisect(sides, total, rank, ranks);
  if (partition == Partition::metis) return part_by_metis(sides, total, rank, ranks);
  const std::int64_t first = before(total, ranks, rank);
  std::vector<std::int64_t> elements(static_cast<std::size_t>(before(total, ranks, rank + 1) - first));
  std::iota(elements.begin(), elements.end(), first);
  return elements;
}

}  // namespace miniapp::graph
