// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/graph/bisection.hpp"

#include <algorithm>

#include "core/offsets.hpp"
#include "core/sort.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/core/host_ranges.hpp"

namespace miniapp::graph {
namespace {

constexpr int most_directions = 4;
using Range = Kokkos::RangePolicy<ExecutionSpace>;

/// Axes and diagonals of the bounding box along which pieces may be cut. Each is tilted slightly towards the others to
/// break the ties between points in a layer of a regular mesh.
struct Directions {
  int count;
  double along[most_directions][3];
  KOKKOS_FUNCTION double coordinate(const Points& points, std::size_t i, int a) const {
    return along[a][0] * points(i, 0) + along[a][1] * points(i, 1) + along[a][2] * points(i, 2);
  }
};

/// Least and greatest coordinate along a direction.
Kokkos::MinMaxScalar<double> extent(const Points& points, const Directions& directions, int a) {
  Kokkos::MinMaxScalar<double> result;
  Kokkos::parallel_reduce(
      "graph/extent", Range(0, points.extent(0)),
      KOKKOS_LAMBDA(std::size_t t, Kokkos::MinMaxScalar<double> & range) {
        const double x = directions.coordinate(points, t, a);
        if (x < range.min_val) range.min_val = x;
        if (x > range.max_val) range.max_val = x;
      },
      Kokkos::MinMax<double>(result));
  return result;
}

/// A mesh in a plane of constant z is also cut along the diagonals.
Directions choose_directions(const Points& points) {
  constexpr double e = 1. / 1024, f = 1. / 8192;
  const Directions axes{3, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  Directions directions{3, {{1, e, e * e}, {e * e, 1, e}, {e, e * e, 1}}};
  double side[3];
  for (int d = 0; d < 3; ++d) {
    const auto range = extent(points, axes, d);
    side[d] = range.max_val > range.min_val ? range.max_val - range.min_val : 0;
  }
  if (side[2] == 0) directions = {4, {{1, f, 0}, {-f, 1, 0}, {1 + f, 1 - f, 0}, {1 + f, f - 1, 0}}};
  for (auto& along : directions.along)
    for (int d = 0; d < 3; ++d) along[d] = side[d] > 0 ? along[d] / side[d] : 0;
  return directions;
}

/// The 2^level pieces of a level, each a range of blocks, as equal as whole blocks allow.
struct Level {
  std::int64_t blocks, block_size, items;
  int level;
  KOKKOS_FUNCTION std::int64_t begin(std::int64_t piece, int of_level) const {
    const std::int64_t first = (piece * blocks >> of_level) * block_size;
    return first < items ? first : items;
  }
  KOKKOS_FUNCTION std::int64_t begin(std::int64_t piece) const { return begin(piece, level); }
  KOKKOS_FUNCTION std::int64_t middle(std::int64_t piece) const { return begin(2 * piece + 1, level + 1); }
  KOKKOS_FUNCTION std::int64_t piece_of(std::int64_t position) const {
    const std::int64_t next = (position / block_size + 1) << level;
    return (next + blocks - 1) / blocks - 1;
  }
};

/// The piece of an item and, for each direction, whether it lies beyond the median.
struct alignas(8) Side {
  std::uint32_t piece;
  std::uint8_t behind[most_directions];
};

/// Nets, sets of items that a cut should not separate: members[offsets(i) .. offsets(i + 1)) of net i.
struct Nets {
  Vector<Index> members;
  std::size_t size = 0;
  int arity = 0;          ///< size of all nets; if 0, see offsets
  Vector<Index> offsets;  ///< (net + 1)
  KOKKOS_FUNCTION Index begin(std::size_t net) const { return arity > 0 ? Index(net * arity) : offsets(net); }
};

/// Bisects items level by level. In `order_` the items of a piece are a contiguous range, sorted along each direction.
class Bisection {
 public:
  Bisection(const Nets& nets, const Points& points, int block_size)
      : nets_(nets),
        items_(static_cast<std::int64_t>(points.extent(0))),
        directions_(choose_directions(points)),
        order_(make_vector<Index>("bisection", directions_.count * items_)),
        next_(make_vector<Index>("bisection, next", order_.extent(0))),
        is_behind_(make_vector<char>("bisection, behind", order_.extent(0))),
        sides_(make_vector<Side>("bisection, sides", items_)) {
    const std::int64_t blocks = (items_ + block_size - 1) / block_size;
    for (int a = 0; a < directions_.count; ++a) sort_along(points, a);
    cuts_ = make_zeros<int>("bisection, cuts", most_directions * blocks * 2);
    chosen_ = make_vector<std::uint8_t>("bisection, chosen", blocks * 2);
    for (int level = 0; (std::int64_t(1) << level) < blocks; ++level) {
      const Level pieces{blocks, block_size, items_, level};
      find_sides(pieces);
      count_cuts();
      choose(pieces);
      part(pieces);
    }
  }

  /// (position): item; the items of a block are sorted by their first coordinate.
  Vector<Index> order() const { return slice(order_, 0, items_); }

  void sort_along(const Points& points, int a) {  // public: nvcc allows no lambda in private functions
    const Directions directions = directions_;
    const auto range = extent(points, directions, a);
    const double scale = range.max_val > range.min_val ? 4294967295. / (range.max_val - range.min_val) : 0;
    const Vector<std::uint32_t> keys = make_vector<std::uint32_t>("bisection, keys", items_);
    const Vector<Index> order = slice(order_, a * items_, items_);
    Kokkos::parallel_for(
        "graph/keys", Range(0, items_), KOKKOS_LAMBDA(std::int64_t t) {
          keys(t) = static_cast<std::uint32_t>((directions.coordinate(points, t, a) - range.min_val) * scale);
          order(t) = Index(t);
        });
    sort_by_key(keys, order, 32);
  }

  void find_sides(const Level& pieces) const {
    const auto order = order_;
    const auto sides = sides_;
    const std::int64_t items = items_;
    Kokkos::parallel_for(
        "graph/sides", Range(0, order_.extent(0)), KOKKOS_LAMBDA(std::int64_t i) {
          const int a = static_cast<int>(i / items);
          const std::int64_t p = i - a * items, piece = pieces.piece_of(p);
          Side& side = sides(order(i));
          side.behind[a] = p >= pieces.middle(piece);
          if (a == 0) side.piece = static_cast<std::uint32_t>(piece);
        });
  }

  /// Counts, for each piece and direction, the nets with members on both sides.
  void count_cuts() const {
    const auto sides = sides_;
    const auto cuts = cuts_;
    const Nets nets = nets_;
    const int count = directions_.count;
    Kokkos::parallel_for(
        "graph/cuts", Range(0, nets.size), KOKKOS_LAMBDA(std::size_t net) {
          const Index begin = nets.begin(net), end = nets.begin(net + 1);
          if (end == begin) return;
          const Side first = sides(nets.members(begin));
          bool cut[most_directions] = {};
          for (Index m = begin + 1; m < end; ++m) {
            const Side side = sides(nets.members(m));
            if (side.piece != first.piece) continue;
            for (int a = 0; a < count; ++a) cut[a] |= side.behind[a] != first.behind[a];
          }
          for (int a = 0; a < count; ++a)
            if (cut[a]) Kokkos::atomic_add(&cuts(first.piece * most_directions + a), 1);
        });
  }

  /// Chooses the direction with the fewest cuts and resets the counts.
  void choose(const Level& pieces) const {
    const auto cuts = cuts_;
    const auto chosen = chosen_;
    const int count = directions_.count;
    Kokkos::parallel_for(
        "graph/choose", Range(0, std::int64_t(1) << pieces.level), KOKKOS_LAMBDA(std::int64_t piece) {
          int* const cut = &cuts(piece * most_directions);
          int best = 0;
          for (int a = 1; a < count; ++a)
            if (cut[a] < cut[best]) best = a;
          for (int a = 0; a < count; ++a) cut[a] = 0;
          chosen(piece) = static_cast<std::uint8_t>(best);
        });
  }

  /// Stable partition: items beyond the chosen median go after the others; the order along every direction is kept.
  void part(const Level& pieces) {
    const auto order = order_, next = next_;
    const auto sides = sides_;
    const auto chosen = chosen_;
    const std::int64_t items = items_;
    const auto is_behind = is_behind_;
    Kokkos::parallel_for(
        "graph/find behind", Range(0, order.extent(0)), KOKKOS_LAMBDA(std::int64_t i) {
          const Side side = sides(order(i));
          is_behind(i) = side.behind[chosen(side.piece)];
        });
    const Vector<Index> before = offsets_of(is_behind);
    Kokkos::parallel_for(
        "graph/part", Range(0, order.extent(0)), KOKKOS_LAMBDA(std::int64_t i) {
          const std::int64_t offset = i / items * items;
          const Side side = sides(order(i));
          const std::int64_t begin = offset + pieces.begin(side.piece);
          const Index behind = before(i) - before(begin);
          const std::int64_t to =
              side.behind[chosen(side.piece)] ? offset + pieces.middle(side.piece) + behind : i - behind;
          next(to) = order(i);
        });
    std::swap(order_, next_);
  }

 private:
  Nets nets_;
  std::int64_t items_;
  Directions directions_;
  Vector<Index> order_, next_;  ///< (direction, position): item
  Vector<char> is_behind_;      ///< (direction, position): whether the item is beyond the median
  Vector<Side> sides_;
  Vector<int> cuts_;
  Vector<std::uint8_t> chosen_;
};

void require_points(const DeviceMap& map, const Points& points, int block_size) {
  require(block_size >= 1, "block_size", block_size, "accepted are 1 or more");
  require(points.extent(0) == map.to_size, "bisection: " + std::to_string(points.extent(0)) +
                                               " points; accepted are one for each of " + std::to_string(map.to_size) +
                                               " targets");
}

/// inverse(order(i)) = i.
Vector<Index> inverse(const Vector<Index>& order) {
  const Vector<Index> place = make_vector<Index>("new places", order.extent(0));
  Kokkos::parallel_for(
      "graph/places", Range(0, order.extent(0)), KOKKOS_LAMBDA(std::size_t p) { place(order(p)) = Index(p); });
  return place;
}

/// Sorts elements by their lowest target in the new order, then by the second lowest.
Vector<Index> sort_elements(const DeviceMap& map, const Vector<Index>& place) {
  const std::size_t elements = map.from_size();
  const Vector<std::uint64_t> keys = make_vector<std::uint64_t>("lowest targets", elements);
  const Vector<Index> order = make_vector<Index>("order of elements", elements);
  const auto entries = map.entries;
  const int arity = map.arity, bits = bits_below(map.to_size);
  Kokkos::parallel_for(
      "graph/lowest targets", Range(0, elements), KOKKOS_LAMBDA(std::size_t e) {
        Index lowest = place(entries(e * arity)), second = Index(map.to_size) - 1;
        for (int s = 1; s < arity; ++s) {
          const Index t = place(entries(e * arity + s)), higher = t < lowest ? lowest : t;
          if (higher < second) second = higher;
          if (t < lowest) lowest = t;
        }
        keys(e) = std::uint64_t(lowest) << bits | std::uint64_t(second);
        order(e) = Index(e);
      });
  sort_by_key(keys, order, 2 * bits);
  return order;
}

/// Mean points of the targets of elements.
Points centres(const DeviceMap& map, const Points& points) {
  const Points result(Kokkos::view_alloc(Kokkos::WithoutInitializing, "centres"), map.from_size());
  const auto entries = map.entries;
  const int arity = map.arity;
  Kokkos::parallel_for(
      "graph/centres", Range(0, map.from_size()), KOKKOS_LAMBDA(std::size_t e) {
        for (int d = 0; d < 3; ++d) {
          float sum = 0;
          for (int s = 0; s < arity; ++s) sum += points(entries(e * arity + s), d);
          result(e, d) = sum / static_cast<float>(arity);
        }
      });
  return result;
}

/// Elements of each target, in any order.
Nets elements_of_targets(const DeviceMap& map) {
  const std::size_t targets = map.to_size, size = map.entries.extent(0);
  const Vector<Index> next = make_zeros<Index>("next elements", targets);
  const auto entries = map.entries;
  const int arity = map.arity;
  Kokkos::parallel_for(
      "graph/count", Range(0, size), KOKKOS_LAMBDA(std::size_t i) { Kokkos::atomic_add(&next(entries(i)), 1); });
  const Nets nets{make_vector<Index>("elements of targets", size), targets, 0, offsets_of(next)};
  Kokkos::parallel_for(
      "graph/elements of targets", Range(0, size), KOKKOS_LAMBDA(std::size_t i) {
        const Index t = entries(i), place = Kokkos::atomic_fetch_sub(&next(t), 1) - 1;
        nets.members(nets.offsets(t) + place) = Index(i / arity);
      });
  return nets;
}

/// Targets in the order in which elements first refer to them.
Vector<Index> first_touch(const DeviceMap& map, const Vector<Index>& order) {
  const std::size_t targets = map.to_size;
  const Vector<std::uint32_t> keys = make_vector<std::uint32_t>("first touch", targets);
  const Vector<Index> met = make_vector<Index>("targets as met", targets);
  const std::size_t increments = map.entries.extent(0);
  fill(keys, static_cast<std::uint32_t>(increments));
  const auto entries = map.entries;
  const int arity = map.arity;
  Kokkos::parallel_for(
      "graph/first touch", Range(0, increments), KOKKOS_LAMBDA(std::size_t i) {
        const Index target = entries(std::size_t(order(i / arity)) * arity + i % arity);
        Kokkos::atomic_fetch_min(&keys(target), static_cast<std::uint32_t>(i));
      });
  Kokkos::parallel_for(
      "graph/targets", Range(0, targets), KOKKOS_LAMBDA(std::size_t t) { met(t) = Index(t); });
  sort_by_key(keys, met, bits_below(increments + 1));
  return inverse(met);
}

}  // namespace

DeviceMap copy_to_device(const Map& map, std::size_t to_size) {
  require_valid(map, to_size, "map");
  return {to_device("map", map.entries), map.arity, to_size};
}

Points copy_to_device(const std::vector<Point>& points) {
  const Points device(Kokkos::view_alloc(Kokkos::WithoutInitializing, "points"), points.size());
  // the same memory as a vector
  const Vector<float> flat(device.data(), 3 * points.size());
  const auto host = make_host_memory(flat);
  for_host(points.size(), [&](std::size_t t) {
    for (int d = 0; d < 3; ++d) host(3 * t + d) = static_cast<float>(points[t][d]);
  });
  copy_entries(flat, host);
  return device;
}

Ordering copy_to_host(const DeviceOrdering& ordering, int block_size) {
  Ordering result{consecutive_blocks(ordering.from.extent(0), block_size), to_vector(ordering.to)};
  result.from.entries = to_vector(ordering.from);
  return result;
}

DeviceOrdering bisect_targets(const DeviceMap& map, const Points& points, int block_size) {
  require_points(map, points, block_size);
  const Vector<Index> place =
      inverse(Bisection({map.entries, map.from_size(), map.arity, {}}, points, block_size).order());
  return {sort_elements(map, place), place};
}

DeviceOrdering bisect_elements(const DeviceMap& map, const Points& points, int block_size) {
  require_points(map, points, block_size);
  const Bisection bisection(elements_of_targets(map), centres(map, points), block_size);
  const Vector<Index> order = make_vector<Index>("order of elements", map.from_size());
  copy_entries(order, bisection.order());
  return {order, first_touch(map, order)};
}

DeviceMap permute(const DeviceMap& map, const DeviceOrdering& ordering) {
  const DeviceMap result{make_vector<Index>("map", map.entries.extent(0)), map.arity, map.to_size};
  const auto from = map.entries, to = result.entries;
  const DeviceOrdering order = ordering;
  const int arity = map.arity;
  Kokkos::parallel_for(
      "graph/permute", Range(0, map.from_size()), KOKKOS_LAMBDA(std::size_t position) {
        const std::size_t old = std::size_t(order.from(position)) * arity;
        for (int s = 0; s < arity; ++s) to(position * arity + s) = order.to(from(old + s));
      });
  return result;
}

}  // namespace miniapp::graph
