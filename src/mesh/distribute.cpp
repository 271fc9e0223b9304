// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/mesh/distribute.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>

#include "core/agree.hpp"
#include "miniapp/core/error.hpp"

namespace miniapp::mesh {
namespace {

using Letter = std::vector<std::int64_t>;

/// Gives elements [begin, end) to ranks [first, last).
void bisect(const std::vector<Point>& centres, std::vector<Index>::iterator begin, std::vector<Index>::iterator end,
            int first, int last, std::vector<int>& rank_of) {
  if (last - first == 1) {
    for (auto at = begin; at != end; ++at) rank_of[static_cast<std::size_t>(*at)] = first;
    return;
  }
  const auto centre = [&](Index e) -> const Point& { return centres[static_cast<std::size_t>(e)]; };
  Point low = centre(*begin), high = low;
  for (auto at = begin; at != end; ++at)
    for (std::size_t d = 0; d < 3; ++d) {
      low[d] = std::min(low[d], centre(*at)[d]);
      high[d] = std::max(high[d], centre(*at)[d]);
    }
  std::size_t axis = 0;
  for (const std::size_t d : {1, 2})
    if (high[d] - low[d] > (1 + 1e-9) * (high[axis] - low[axis])) axis = d;
  const int middle = first + (last - first) / 2;
  const auto cut = begin + (end - begin) * (middle - first) / (last - first);
  std::nth_element(begin, cut, end,
                   [&](Index a, Index b) { return std::pair(centre(a)[axis], a) < std::pair(centre(b)[axis], b); });
  bisect(centres, begin, cut, first, middle, rank_of);
  bisect(centres, cut, end, middle, last, rank_of);
}

/// What a rank gets, as one message of integers.
class Writer {
 public:
  void add(std::int64_t number) { letter.push_back(number); }
  void add(const Point& point) {
    for (const double x : point) add(std::bit_cast<std::int64_t>(x));
  }
  void add(const std::string& text) {
    add(static_cast<std::int64_t>(text.size()));
    for (const char c : text) add(static_cast<std::int64_t>(c));
  }
  Letter letter;
};

class Reader {
 public:
  explicit Reader(const Letter& letter) : letter_(letter) {}
  std::int64_t number() { return letter_[at_++]; }
  std::size_t count() { return static_cast<std::size_t>(number()); }
  Index index() { return static_cast<Index>(number()); }
  Point point() {
    Point point;
    for (double& x : point) x = std::bit_cast<double>(number());
    return point;
  }
  std::string text() {
    std::string text(count(), ' ');
    for (char& c : text) c = static_cast<char>(number());
    return text;
  }

 private:
  const Letter& letter_;
  std::size_t at_ = 0;
};

/// The part of a rank; `place` is -1 for every vertex before and after.
Letter write_part(const Mesh& whole, const std::vector<int>& rank_of, int rank, std::vector<Index>& place) {
  std::vector<std::int64_t> elements, vertices;
  for (std::size_t e = 0; e < rank_of.size(); ++e)
    if (rank_of[e] == rank) elements.push_back(static_cast<std::int64_t>(e));
  const int corners = num_vertices(whole.kind);
  for (const std::int64_t e : elements)
    for (int v = 0; v < corners; ++v) {
      const Index vertex = whole.element_to_vertex[static_cast<std::size_t>(e)][v];
      Index& at = place[static_cast<std::size_t>(vertex)];
      if (at < 0) vertices.push_back(vertex);
      at = 0;
    }
  std::sort(vertices.begin(), vertices.end());
  for (std::size_t v = 0; v < vertices.size(); ++v)
    place[static_cast<std::size_t>(vertices[v])] = static_cast<Index>(v);

  Writer out;
  out.add(static_cast<std::int64_t>(whole.kind));
  out.add(static_cast<std::int64_t>(vertices.size()));
  for (const std::int64_t v : vertices) {
    out.add(v);
    out.add(whole.vertices[static_cast<std::size_t>(v)]);
  }
  out.add(static_cast<std::int64_t>(elements.size()));
  for (const std::int64_t e : elements) {
    out.add(e);
    for (int v = 0; v < corners; ++v)
      out.add(place[static_cast<std::size_t>(whole.element_to_vertex[static_cast<std::size_t>(e)][v])]);
  }
  out.add(whole.curved.order);
  const std::size_t nodes = whole.curved.empty() ? 0 : whole.curved.per_element();
  for (const std::int64_t e : elements)
    for (std::size_t i = 0; i < nodes; ++i) out.add(whole.curved.nodes[static_cast<std::size_t>(e) * nodes + i]);

  const auto local = [&](Index cell) {  // -1: of another rank
    if (rank_of[static_cast<std::size_t>(cell)] != rank) return std::int64_t(-1);
    return std::int64_t(std::lower_bound(elements.begin(), elements.end(), cell) - elements.begin());
  };
  out.add(static_cast<std::int64_t>(whole.groups.size()));
  for (const Group& group : whole.groups) {
    out.add(group.name);
    out.add(group.dimension);
    for (const Index cell : group.cells)
      if (const std::int64_t own = local(cell); own >= 0) out.add(own);
    out.add(-1);
    for (const CellSide& side : group.sides)
      if (const std::int64_t own = local(side.cell); own >= 0) {
        out.add(own);
        out.add(side.side);
      }
    out.add(-1);
  }
  for (const std::int64_t v : vertices) place[static_cast<std::size_t>(v)] = -1;
  return std::move(out.letter);
}

Mesh read_part(const Letter& letter, const Communicator& ranks) {
  Reader in(letter);
  Mesh mesh;
  mesh.kind = static_cast<CellKind>(in.number());
  mesh.part.ranks = ranks;
  const std::size_t vertices = in.count();
  for (std::size_t v = 0; v < vertices; ++v) {
    mesh.part.vertices.push_back(in.number());
    mesh.vertices.push_back(in.point());
  }
  const std::size_t elements = in.count();
  mesh.element_to_vertex = Map(elements, num_vertices(mesh.kind));
  for (std::size_t e = 0; e < elements; ++e) {
    mesh.part.elements.push_back(in.number());
    for (int v = 0; v < num_vertices(mesh.kind); ++v) mesh.element_to_vertex[e][v] = in.index();
  }
  mesh.curved.order = static_cast<int>(in.number());
  const std::size_t nodes = mesh.curved.order > 1 ? elements * mesh.curved.per_element() : 0;
  mesh.curved.nodes.reserve(nodes);
  for (std::size_t i = 0; i < nodes; ++i) mesh.curved.nodes.push_back(in.point());
  const std::size_t groups = in.count();
  for (std::size_t g = 0; g < groups; ++g) {
    Group group{in.text(), 0, {}, {}};
    group.dimension = static_cast<int>(in.number());
    for (Index cell = in.index(); cell >= 0; cell = in.index()) group.cells.push_back(cell);
    for (Index cell = in.index(); cell >= 0; cell = in.index())
      group.sides.push_back({cell, static_cast<int>(in.number())});
    mesh.groups.push_back(std::move(group));
  }
  return mesh;
}

}  // namespace

std::vector<int> bisect_elements(const Mesh& mesh, int ranks) {
  const auto corners = static_cast<std::size_t>(num_vertices(mesh.kind));
  std::vector<Point> centres(mesh.num_elements(), Point{});
  for (std::size_t e = 0; e < centres.size(); ++e)
    for (std::size_t v = 0; v < corners; ++v)
      for (std::size_t d = 0; d < 3; ++d)
        centres[e][d] += mesh.vertices[static_cast<std::size_t>(mesh.element_to_vertex[e][v])][d] / double(corners);
  std::vector<Index> elements(centres.size());
  std::iota(elements.begin(), elements.end(), 0);
  std::vector<int> rank_of(centres.size(), 0);
  if (!elements.empty()) bisect(centres, elements.begin(), elements.end(), 0, ranks, rank_of);
  return rank_of;
}

Mesh distribute(const Mesh& whole, const std::vector<int>& rank_of, const Communicator& ranks) {
  agree(ranks, [&] {
    if (ranks.rank() > 0) return;
    std::vector<std::int64_t> counts(static_cast<std::size_t>(ranks.size()), 0);
    for (const int rank : rank_of) ++counts[static_cast<std::size_t>(rank)];
    require(std::count(counts.begin(), counts.end(), 0) == 0, "ranks", ranks.size(),
            "for " + std::to_string(rank_of.size()) + " elements; accepted are no more ranks than elements");
    // a part is one message of less than 2^31 integers: elements, nodes, at most all vertices of each, members of
    // groups
    const auto corners = std::int64_t(num_vertices(whole.kind));
    const std::int64_t of_element =
        1 + 5 * corners + 24 + (whole.curved.empty() ? 0 : 3 * std::int64_t(whole.curved.per_element()));
    const std::int64_t most = *std::max_element(counts.begin(), counts.end());
    require(most * of_element < (std::int64_t(1) << 31), "ranks", ranks.size(),
            "of " + std::to_string(most) + " elements each; accepted are more ranks or smaller meshes");
  });
  std::vector<Index> place(ranks.rank() == 0 ? whole.vertices.size() : 0, -1);
  Letter own;
  for (int rank = 0; rank < ranks.size(); ++rank) {
    std::vector<Letter> letters(static_cast<std::size_t>(ranks.size()));
    if (ranks.rank() == 0) letters[static_cast<std::size_t>(rank)] = write_part(whole, rank_of, rank, place);
    Letter received = std::move(ranks.exchange(letters)[0]);
    if (ranks.rank() == rank) own = std::move(received);
  }
  return read_part(own, ranks);
}

Mesh read_parts(const Communicator& ranks, const std::function<Mesh()>& read,
                const std::function<std::vector<int>(const Mesh&, int)>& assign) {
  if (ranks.is_alone()) return read();
  Mesh whole;
  std::vector<int> rank_of;
  agree(ranks, [&] {
    if (ranks.rank() > 0) return;
    whole = read();
    rank_of = assign(whole, ranks.size());
  });
  return distribute(whole, rank_of, ranks);
}

}  // namespace miniapp::mesh
