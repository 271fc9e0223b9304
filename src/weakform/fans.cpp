// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/weakform/detail/fans.hpp"

#include "core/offsets.hpp"
#include "core/sort.hpp"

namespace miniapp::weakform::detail {
namespace {

using Range = Kokkos::RangePolicy<ExecutionSpace>;

/// Edge number k of a simplex: its two vertices, the lower local number first.
struct Edge {
  int i, j;
};
KOKKOS_INLINE_FUNCTION Edge edge(int k) {
  const int j = k < 1 ? 1 : k < 3 ? 2 : 3;
  return {k - j * (j - 1) / 2, j};
}

/// Cells that share an edge, as links of what lies opposite: from p to q where (a, b, p, q) is a tetrahedron of
/// positive volume, a < b. Of a triangle p alone, q < 0 where (b, a, p) is the positive one.
struct Link {
  Index from, to;
};

/// At most 32 links of one edge as fans. Calls emit(ring, closed) for each.
template <class Emit>
KOKKOS_INLINE_FUNCTION int join_links(const Link* links, int count, int ring, const Emit& emit) {
  constexpr int most = 8;
  int fans = 0;
  unsigned left = count == 32 ? ~0u : (1u << count) - 1;
  const auto find = [&](auto holds) {
    for (int k = 0; k < count; ++k)
      if (left >> k & 1 && holds(links[k])) return k;
    return -1;
  };
  while (left) {
    int k = -1;
    for (int i = 0; i < count && k < 0; ++i)  // the first of a chain, where there is one
      if (left >> i & 1 && find([&](const Link& other) { return other.to == links[i].from; }) < 0) k = i;
    if (k < 0) k = find([](const Link&) { return true; });
    Index nodes[most];
    int cells = 0;
    nodes[0] = links[k].from;
    while (k >= 0) {
      left &= ~(1u << k);
      const Index to = links[k].to;
      nodes[++cells] = to;
      k = find([&](const Link& other) { return other.from == to; });
      if (k >= 0 && cells < ring - 1) continue;
      const bool closed = k >= 0 && links[k].to == nodes[0];
      if (closed) {
        left &= ~(1u << k);
        k = -1;
      }
      for (int i = cells + 1; i < ring; ++i) nodes[i] = nodes[cells];
      emit(nodes, closed);
      ++fans;
      nodes[0] = to;
      cells = 0;
    }
  }
  return fans;
}

/// Joins triangles to fans, two by two.
template <class Emit>
KOKKOS_INLINE_FUNCTION int join_triangles(const Link* links, int count, const Emit& emit) {
  int fans = 0, above = 0, below = 0;
  while (above < count || below < count) {
    while (above < count && links[above].to < 0) ++above;
    while (below < count && links[below].to >= 0) ++below;
    if (above >= count && below >= count) break;
    emit(above < count ? links[above].from : -1, below < count ? links[below].from : -1);
    ++fans, ++above, ++below;
  }
  return fans;
}

/// Numbers of votes by edge: a table with open addressing, at most half full.
class Votes {
 public:
  Votes() = default;
  explicit Votes(std::size_t most)
      : mask_((std::size_t(1) << bits_below(2 * most + 1)) - 1),
        keys_(make_vector<std::uint64_t>("weakform/edges with votes", mask_ + 1)),
        counts_(make_zeros<Index>("weakform/votes", mask_ + 1)) {
    fill(keys_, none);
  }
  KOKKOS_INLINE_FUNCTION void add(std::uint64_t key) const {
    for (std::size_t i = place(key);; i = (i + 1) & mask_) {
      const std::uint64_t found = Kokkos::atomic_compare_exchange(&keys_(i), none, key);
      if (found != none && found != key) continue;
      count_one(&counts_(i));
      return;
    }
  }
  KOKKOS_INLINE_FUNCTION Index operator()(std::uint64_t key) const {
    std::size_t i = place(key);
    while (keys_(i) != key && keys_(i) != none) i = (i + 1) & mask_;
    return keys_(i) == key ? counts_(i) : 0;
  }

 private:
  static constexpr std::uint64_t none = ~std::uint64_t(0);
  KOKKOS_INLINE_FUNCTION std::size_t place(std::uint64_t key) const {
    key *= 0x9e3779b97f4a7c15u;
    return (key ^ key >> 32) & mask_;
  }

  std::size_t mask_ = 0;
  Vector<std::uint64_t> keys_;
  Vector<Index> counts_;
};

template <class Real>
class FanMaker {
 public:
  FanMaker(const Vector<const Index>& cells, int dim, const Vector<const Real>& vertices, int row, int ring)
      : cells_(cells),
        vertices_(vertices),
        row_(row),
        dim_(dim),
        ring_(ring),
        size_(cells.extent(0) / (dim + 1)),
        edge_bits_(bits_below(vertices.extent(0) / row)),
        chosen_(make_vector<char>("weakform/edges of cells", size_)) {}

  Vector<Index> make() {
    for (int round = 0; round < 3; ++round) choose(round > 0);
    votes_ = {};
    sort();
    const Vector<Index> counts = make_vector<Index>("weakform/fans of edges", size_);
    const FanMaker own = *this;
    Kokkos::parallel_for(
        "weakform/count fans", Range(0, size_), KOKKOS_LAMBDA(std::size_t i) { counts(i) = own.join(i, nullptr); });
    const Vector<Index> offsets = offsets_of(counts);
    const Vector<Index> fans = make_vector<Index>("weakform/fans", std::size_t(last_of(offsets)) * (2 + ring_));
    Kokkos::parallel_for(
        "weakform/fans", Range(0, size_),
        KOKKOS_LAMBDA(std::size_t i) { own.join(i, fans.data() + std::size_t(offsets(i)) * (2 + own.ring_)); });
    return fans;
  }

  // public, since nvcc requires it for functions that contain kernels

  /// Each cell votes for an edge: the one with the most votes of its other cells in the round before, of those the
  /// longest.
  void choose(bool again) {
    const Votes before = votes_;
    votes_ = Votes(size_);
    const FanMaker own = *this;
    Kokkos::parallel_for(
        "weakform/choose edges", Range(0, size_), KOKKOS_LAMBDA(std::size_t cell) {
          int best = 0;
          Index most = -1;
          double longest = -1;
          std::uint64_t key = 0;
          for (int k = 0; k < own.num_edges(); ++k) {
            const std::uint64_t one = own.key(cell, k);
            const double length = own.length(one);
            const Index votes = again ? before(one) - (own.chosen_(cell) == k) : 0;
            if (votes < most) continue;
            if (votes == most && (length < longest || (length == longest && one < key))) continue;
            best = k;
            most = votes;
            longest = length;
            key = one;
          }
          own.vote(cell, best, key);
        });
  }

  KOKKOS_INLINE_FUNCTION int num_edges() const { return dim_ * (dim_ + 1) / 2; }
  /// The nodes of an edge, the lower one first, as one number.
  KOKKOS_INLINE_FUNCTION std::uint64_t key(std::size_t cell, int k) const {
    const Edge e = edge(k);
    const Index a = cells_(cell * (dim_ + 1) + e.i), b = cells_(cell * (dim_ + 1) + e.j);
    return std::uint64_t(a < b ? a : b) << edge_bits_ | std::uint64_t(a < b ? b : a);
  }
  KOKKOS_INLINE_FUNCTION Index low(std::uint64_t key) const { return static_cast<Index>(key >> edge_bits_); }
  KOKKOS_INLINE_FUNCTION Index high(std::uint64_t key) const {
    return static_cast<Index>(key & ((std::uint64_t(1) << edge_bits_) - 1));
  }
  KOKKOS_INLINE_FUNCTION double length(std::uint64_t key) const {
    const Real *const x = &vertices_(std::size_t(low(key)) * row_), *const y =
                                                                        &vertices_(std::size_t(high(key)) * row_);
    double sum = 0;
    for (int d = 0; d < dim_; ++d) sum += (double(x[d]) - y[d]) * (double(x[d]) - y[d]);
    return sum;
  }
  KOKKOS_INLINE_FUNCTION void vote(std::size_t cell, int k, std::uint64_t key) const {
    chosen_(cell) = static_cast<char>(k);
    votes_.add(key);
  }

  void sort() {
    keys_ = make_vector<std::uint64_t>("weakform/edges", size_);
    order_ = make_vector<Index>("weakform/cells by edges", size_);
    const FanMaker own = *this;
    Kokkos::parallel_for(
        "weakform/edges", Range(0, size_), KOKKOS_LAMBDA(std::size_t cell) {
          own.keys_(cell) = own.key(cell, own.chosen_(cell));
          own.order_(cell) = static_cast<Index>(cell);
        });
    sort_by_key(keys_, order_, 2 * edge_bits_);
  }

  KOKKOS_INLINE_FUNCTION Link link(Index cell) const {
    const Edge e = edge(chosen_(cell));
    const Index* const v = &cells_(std::size_t(cell) * (dim_ + 1));
    const bool odd = ((e.i + e.j) % 2 == 0) != (v[e.i] > v[e.j]);
    Index rest[2] = {0, -1};
    int count = 0;
    for (int k = 0; k <= dim_; ++k)
      if (k != e.i && k != e.j) rest[count++] = v[k];
    if (dim_ == 2) return {rest[0], odd ? -1 : 0};
    return odd ? Link{rest[1], rest[0]} : Link{rest[0], rest[1]};
  }

  /// The number of fans of the edge whose cells begin at place i of the order; stores them unless `to` is null.
  KOKKOS_INLINE_FUNCTION Index join(std::size_t i, Index* to) const {
    const std::uint64_t key = keys_(i);
    if (i > 0 && keys_(i - 1) == key) return 0;
    const Index a = low(key), b = high(key);
    Index fans = 0;
    while (i < size_ && keys_(i) == key) {
      Link links[32];
      int count = 0;
      for (; count < 32 && i < size_ && keys_(i) == key; ++i) links[count++] = link(order_(i));
      if (dim_ == 2)
        fans += join_triangles(links, count, [&](Index above, Index below) {
          if (!to) return;
          to[0] = above < 0 ? b : a;
          to[1] = above < 0 ? a : b;
          to[2] = above < 0 ? below : above;
          to[3] = below < 0 ? above : below;
          to += 4;
        });
      else
        fans += join_links(links, count, ring_, [&](const Index* nodes, bool closed) {
          if (!to) return;
          to[0] = closed ? ~a : a;
          to[1] = b;
          for (int p = 0; p < ring_; ++p) to[2 + p] = nodes[p];
          to += 2 + ring_;
        });
    }
    return fans;
  }

 private:
  Vector<const Index> cells_;
  Vector<const Real> vertices_;

  int row_, dim_, ring_;
  std::size_t size_;
  int edge_bits_;
  Vector<char> chosen_;  ///< (cell): its edge
  Votes votes_;
  Vector<std::uint64_t> keys_;
  Vector<Index> order_;
};

}  // namespace

Vector<Index> make_fans(const Vector<const Index>& cells, int dim, const Vector<const double>& vertices, int row,
                        int ring) {
  return FanMaker<double>(cells, dim, vertices, row, ring).make();
}
Vector<Index> make_fans(const Vector<const Index>& cells, int dim, const Vector<const float>& vertices, int row,
                        int ring) {
  return FanMaker<float>(cells, dim, vertices, row, ring).make();
}

}  // namespace miniapp::weakform::detail
