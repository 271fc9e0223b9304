// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/facets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <set>
#include <span>
#include <utility>

#include "miniapp/core/error.hpp"
#include "miniapp/core/host_ranges.hpp"

namespace miniapp::mesh {
namespace {

Corners corners_of(const Side& side, const Index* vertices) {
  Corners corners{side.size, {}};
  for (int c = 0; c < side.size; ++c) corners.vertices[c] = vertices[side.vertices[c]];
  return corners;
}

[[noreturn]] void fail(const Mesh& mesh, Index first, Index second, const std::string& what) {
  const Index sides = cell(mesh.kind).num_sides(), a = first / sides, b = second / sides;
  const auto vertices = [&](Index element) {
    const Index* const v = mesh.element_to_vertex[element];
    return std::set<Index>(v, v + num_vertices(mesh.kind));
  };
  throw InputError(
      fmt::format("cells {} and {} of the mesh {}", a + 1, b + 1,
                  vertices(a) == vertices(b) ? "have the same vertices; accepted is each cell once" : what));
}

/// Refuses the sides of two cells that have the same vertices unless they go around it in opposite ways.
void require_opposite(const Mesh& mesh, Index a, Index b) {
  const Corners first = corners_of(mesh, a), second = corners_of(mesh, b);
  if (first.follows(second, 1))
    fail(mesh, a, b, "lie on the same side of their interface; accepted are cells that do not overlap");
  if (!first.follows(second, -1))
    fail(mesh, a, b,
         "have the vertices of a side in common, but not its edges; accepted are cells that share whole sides");
}

/// The size of the sides of a kind, 0 where they have several.
template <CellKind kind>
constexpr int common_size = [] {
  int size = cell(kind).side(0).size;
  for (int s = 1; s < cell(kind).num_sides(); ++s) size = cell(kind).side(s).size == size ? size : 0;
  return size;
}();

/// The vertices of a side but the least one, in rising order; those beyond its size are -1.
struct Key {
  std::uint64_t middle;  // the two next ones
  Index last;
  unsigned odd;  // 1 where the order of the cell is an odd permutation of the rising one

  bool same(const Key& other) const { return (middle == other.middle) & (last == other.last); }
};

template <CellKind kind>
Key key_of(const Mesh& mesh, Index position) {
  constexpr int sides = cell(kind).num_sides(), arity = num_vertices(kind);
  const Side& side = cell(kind).side(position % sides);
  const Index* const vertices = mesh.element_to_vertex.entries.data() + std::size_t(position / sides) * arity;
  const int size = common_size<kind> > 0 ? common_size<kind> : side.size;
  Index a = vertices[side.vertices[0]], b = vertices[side.vertices[1]], c = -1, d = -1;
  unsigned odd = 0;
  const auto order = [&](Index& first, Index& second) {
    const Index least = std::min(first, second), most = std::max(first, second);
    odd ^= static_cast<unsigned>(first > second);
    first = least;
    second = most;
  };
  order(a, b);
  if (size == 3) {
    c = vertices[side.vertices[2]];
    order(b, c);
    order(a, b);
  } else if (size == 4) {
    c = vertices[side.vertices[2]];
    d = vertices[side.vertices[3]];
    order(c, d);
    order(a, c);
    order(b, d);
    order(b, c);
  }
  return {std::uint64_t(std::uint32_t(b)) << 32 | std::uint32_t(c), d, odd};
}

/// A side of a cell and the least of its vertices.
struct LeastOfSide {
  Index vertex, position;
};

/// Calls visit(side) for the sides of the cells [begin, end).
template <CellKind kind, class Visit>
void for_sides(const Mesh& mesh, std::size_t begin, std::size_t end, const Visit& visit) {
  auto position = static_cast<Index>(begin * cell(kind).num_sides());
  for (std::size_t e = begin; e < end; ++e) {
    const Index* const vertices = mesh.element_to_vertex[e];
    for (int s = 0; s < cell(kind).num_sides(); ++s) {
      const Side& side = cell(kind).side(s);
      Index least = vertices[side.vertices[0]];
      for (int c = 1; c < side.size; ++c) least = std::min(least, vertices[side.vertices[c]]);
      visit(LeastOfSide{least, position++});
    }
  }
}

/// The sides of all cells in buckets by their least vertices: bucket b is [begin[b], begin[b + 1]) of `sides`, by
/// rising positions.
struct Buckets {
  /// A bucket is for so many consecutive vertices: few enough for its sides and their cells to fit into a second-level
  /// cache, however cells and vertices are numbered.
  static constexpr int bits = 11, vertices = 1 << bits;
  std::vector<Index> begin;
  std::unique_ptr<LeastOfSide[]> sides;
  std::size_t size() const { return begin.size() - 1; }
  std::span<const LeastOfSide> operator[](std::size_t b) const {
    return {sides.get() + begin[b], static_cast<std::size_t>(begin[b + 1] - begin[b])};
  }
};

template <CellKind kind>
Buckets sort_into_buckets(const Mesh& mesh) {
  const std::size_t cells = mesh.num_elements(), size = mesh.vertices.size() / Buckets::vertices + 1;
  const HostRanges ranges(cells);
  std::vector<std::vector<Index>> next(ranges.count());  // (range, bucket): sides of it, then where the next one goes
  ranges.for_each([&](int range) {
    next[range].assign(size, 0);
    for_sides<kind>(mesh, ranges.begin(range), ranges.end(range),
                    [&](const LeastOfSide& side) { ++next[range][side.vertex >> Buckets::bits]; });
  });
  Buckets buckets{std::vector<Index>(size + 1, 0),
                  std::make_unique_for_overwrite<LeastOfSide[]>(cells * cell(kind).num_sides())};
  Index sum = 0;
  for (std::size_t b = 0; b < size; ++b) {
    for (std::vector<Index>& of_range : next) sum += std::exchange(of_range[b], sum);
    buckets.begin[b + 1] = sum;
  }
  ask_for_large_pages(buckets.sides.get(), sum * sizeof(LeastOfSide));
  ranges.for_each([&](int range) {
    Index* const places = next[range].data();
    for_sides<kind>(mesh, ranges.begin(range), ranges.end(range),
                    [&, sides = buckets.sides.get()](const LeastOfSide& side) {
                      sides[places[side.vertex >> Buckets::bits]++] = side;
                    });
  });
  return buckets;
}

/// The sides of a bucket by their least vertices: [begin[v], begin[v + 1]) of `positions`, in rising order, v counted
/// within the bucket.
struct SortedBucket {
  std::array<Index, Buckets::vertices + 1> begin;
  std::vector<Index> positions;

  /// `fetch(position)`: asks for what will be read of a side.
  template <class Fetch>
  void sort(std::span<const LeastOfSide> sides, const Fetch& fetch) {
    constexpr Index within = Buckets::vertices - 1;
    begin.fill(0);
    for (const LeastOfSide& side : sides) ++begin[(side.vertex & within) + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    positions.resize(sides.size());
    std::array<Index, Buckets::vertices> next;
    std::copy_n(begin.begin(), next.size(), next.begin());
    for (const LeastOfSide& side : sides) {
      positions[next[side.vertex & within]++] = side.position;
      fetch(side.position);
    }
  }
  std::span<const Index> operator[](int v) const {
    return {positions.data() + begin[v], static_cast<std::size_t>(begin[v + 1] - begin[v])};
  }
};

/// Finds the pairs among sides that have one least vertex: a hash table with linear probing, so small that it stays in
/// the nearest cache.
template <CellKind kind>
class SidePairs {
 public:
  explicit SidePairs(const Mesh& mesh) : mesh_(mesh) {}

  /// `sides`: positions, rising. Writes the position of the other side of each, -1 where there is none. False where a
  /// third cell has a side, or two cells that go around an edge or a triangle in the same way.
  bool match(std::span<const Index> sides, std::vector<Index>& opposite) {
    if (slots_.size() < 2 * sides.size()) slots_.assign(std::bit_ceil(4 * sides.size()), Slot{});
    used_.resize(sides.size());
    std::size_t used = 0;
    bool right = true;
    Index nowhere;
    for (const Index position : sides) {
      const Key key = key_of<kind>(mesh_, position);
      const std::size_t at = find(key);
      Slot& slot = slots_[at];
      const bool found = slot.first >= 0, quadrilateral = key.last >= 0;
      right &= !(found & ((slot.paired != 0) | (!quadrilateral & (slot.key.odd == key.odd))));
      // written without a branch, which half of the sides would take
      opposite[position] = slot.first;
      (found ? opposite[slot.first] : nowhere) = position;
      slot.key.middle = key.middle;
      slot.key.last = key.last;
      slot.key.odd = key.odd;
      slot.first = found ? slot.first : position;
      slot.paired = found;
      used_[used] = static_cast<std::uint32_t>(at);
      used += !found;
    }
    for (std::size_t i = 0; i < used; ++i) slots_[used_[i]].first = -1;
    return right;
  }

 private:
  struct Slot {
    Key key;
    Index first = -1;  // position of the side that came first; -1: the slot is free
    unsigned paired = 0;
  };

  std::size_t find(const Key& key) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = key.middle * 0x9E3779B97F4A7C15u >> 32 & mask;
    while (slots_[at].first >= 0 && !slots_[at].key.same(key)) at = (at + 1) & mask;
    return at;
  }

  const Mesh& mesh_;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> used_;
};

/// Throws what is wrong with some of the sides that have one least vertex, if anything is.
template <CellKind kind>
void require_pairs(const Mesh& mesh, std::span<const Index> sides) {
  for (auto side = sides.begin(); side < sides.end(); ++side) {
    const Key key = key_of<kind>(mesh, *side);
    const auto same = [&](Index other) { return key_of<kind>(mesh, other).same(key); };
    const auto first = std::find_if(sides.begin(), side, same);
    if (first == side) continue;
    if (std::count_if(sides.begin(), side, same) > 1)
      fail(mesh, *first, *side, "share a side with a third cell; accepted are sides of two cells or one");
    require_opposite(mesh, *first, *side);
  }
}

/// Finds the pairs among sides that have one least vertex. Errors: as opposite_sides().
template <CellKind kind>
void match_sides(const Mesh& mesh, std::span<const Index> sides, SidePairs<kind>& pairs, std::vector<Index>& opposite) {
  if (!pairs.match(sides, opposite)) require_pairs<kind>(mesh, sides);
  if constexpr (common_size<kind> != 2 && common_size<kind> != 3) {
    for (const Index side : sides)  // whether quadrilaterals fit does not follow from permutations being odd
      if (cell(kind).side(side % cell(kind).num_sides()).size == 4 && opposite[side] > side)
        require_opposite(mesh, side, opposite[side]);
  }
}

template <CellKind kind>
std::vector<Index> opposite_sides_of(const Mesh& mesh) {
  constexpr int sides_of_cell = cell(kind).num_sides();
  const std::size_t num_sides = mesh.num_elements() * sides_of_cell;
  require(num_sides <= std::size_t(std::numeric_limits<Index>::max()),
          fmt::format("{} sides of cells; accepted are at most 2^31 - 1", num_sides));
  const Buckets buckets = sort_into_buckets<kind>(mesh);
  std::vector<Index> opposite = make_large<Index>(num_sides);
  const HostRanges ranges(buckets.size(), 8);
  ranges.for_each([&](int range) {
    SidePairs<kind> pairs(mesh);
    SortedBucket sorted;
    for (std::size_t b = ranges.begin(range); b < ranges.end(range); ++b) {
      sorted.sort(buckets[b], [&](Index position) {
        __builtin_prefetch(mesh.element_to_vertex[position / sides_of_cell]);
        __builtin_prefetch(&opposite[position], 1);
      });
      for (int v = 0; v < Buckets::vertices; ++v) match_sides<kind>(mesh, sorted[v], pairs, opposite);
    }
  });
  return opposite;
}

}  // namespace

bool Corners::follows(const Corners& other, int step) const {
  if (size == 2) return (vertices[0] == other.vertices[0]) == (step == 1);
  const auto at = std::find(other.vertices, other.vertices + size, vertices[0]) - other.vertices;
  for (int c = 0; c < size; ++c)
    if (vertices[c] != other.vertices[(at + step * c + size) % size]) return false;
  return true;
}

Corners corners_of(const Mesh& mesh, Index position) {
  const Cell& kind = cell(mesh.kind);
  return corners_of(kind.side(position % kind.num_sides()), mesh.element_to_vertex[position / kind.num_sides()]);
}

std::vector<Index> opposite_sides(const Mesh& mesh) {
  switch (mesh.kind) {
    case CellKind::triangle:
      return opposite_sides_of<CellKind::triangle>(mesh);
    case CellKind::quadrilateral:
      return opposite_sides_of<CellKind::quadrilateral>(mesh);
    case CellKind::tetrahedron:
      return opposite_sides_of<CellKind::tetrahedron>(mesh);
    case CellKind::hexahedron:
      return opposite_sides_of<CellKind::hexahedron>(mesh);
    default:
      return opposite_sides_of<CellKind::prism>(mesh);
  }
}

}  // namespace miniapp::mesh
