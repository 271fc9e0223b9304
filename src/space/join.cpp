// SPDX-License-Identifier: BSD-3-Clause
#include "space/join.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <numeric>
#include <utility>

#include "core/marks.hpp"
#include "miniapp/basis/prism.hpp"
#include "space/parallel.hpp"
#include "space/shared_first.hpp"

namespace miniapp::space {
namespace {

using Number = std::int64_t;                     ///< number of a vertex in the whole mesh
using Key = std::array<Number, 4>;               ///< a vertex, an edge or a face: its vertices, ascending, then -1
using Lists = std::vector<std::vector<Number>>;  ///< (rank)

/// The key that stands at i in a list.
Key key_at(const std::vector<Number>& list, std::size_t i) { return {list[i], list[i + 1], list[i + 2], list[i + 3]}; }

/// A vertex, edge or face of a cell.
struct Piece {
  mesh::Side side;          ///< its local vertices
  std::vector<int> nodes;   ///< local nodes inside it
  std::vector<Key> places;  ///< places of these nodes: their weights at the piece's vertices, as the side lists them
};

/// (node, vertex): the integers by which the position of a local node is the mean of the vertices of its cell.
std::vector<std::vector<int>> find_weights(const Space& space) {
  const int p = space.order, n = p + 1, corners = mesh::num_vertices(space.kind);
  std::vector<std::vector<int>> weights(static_cast<std::size_t>(space.element_to_node.arity()));
  const std::vector<basis::PrismNode> prism =
      space.kind == mesh::CellKind::prism ? basis::prism_nodes(p) : std::vector<basis::PrismNode>{};
  for (int node = 0; node < space.element_to_node.arity(); ++node)
    for (int v = 0; v < corners; ++v) {
      int weight = v == node;  // of simplices
      if (space.kind == mesh::CellKind::hexahedron) {
        const int i = node % n, j = node / n % n, k = node / n / n;
        weight = (v & 1 ? i : p - i) * (v & 2 ? j : p - j) * (v & 4 ? k : p - k);
      } else if (space.kind == mesh::CellKind::prism) {
        weight = prism[node].triangle[v % 3] * (v < 3 ? p - prism[node].line : prism[node].line);
      }
      weights[node].push_back(weight);
    }
  return weights;
}

/// The pieces of a cell that have nodes.
std::vector<Piece> make_pieces(const Space& space) {
  const mesh::Cell& cell = mesh::cell(space.kind);
  std::vector<Piece> pieces;
  for (int v = 0; v < cell.num_vertices; ++v) pieces.push_back({{1, {v}}, {}, {}});
  for (int e = 0; e < cell.num_edges; ++e) pieces.push_back({cell.edges[e], {}, {}});
  for (int f = 0; f < cell.num_faces; ++f) pieces.push_back({cell.faces[f], {}, {}});
  const std::vector<std::vector<int>> weights = find_weights(space);
  for (int node = 0; node < space.element_to_node.arity(); ++node) {
    const std::vector<int>& weight = weights[node];
    const auto corners = std::count_if(weight.begin(), weight.end(), [](int w) { return w > 0; });
    for (Piece& piece : pieces) {
      const auto [size, vertices] = piece.side;
      if (size != corners || std::any_of(vertices, vertices + size, [&](int v) { return weight[v] == 0; })) continue;
      Key place{-1, -1, -1, -1};
      for (int i = 0; i < size; ++i) place[i] = weight[vertices[i]];
      piece.nodes.push_back(node);
      piece.places.push_back(place);
    }
  }
  std::erase_if(pieces, [](const Piece& piece) { return piece.nodes.empty(); });
  return pieces;
}

/// The key of a piece of a cell; `order`: how its vertices were sorted.
Key make_key(const mesh::Mesh& mesh, std::size_t cell, const mesh::Side& side, std::array<int, 4>* order = nullptr) {
  std::array<std::pair<Number, int>, 4> vertices;
  for (int i = 0; i < side.size; ++i) {  // by insertion: GCC 12 warns of std::sort on so few
    int at = i;
    const std::pair vertex(mesh.part.vertices[mesh.element_to_vertex[cell][side.vertices[i]]], i);
    for (; at > 0 && vertex < vertices[at - 1]; --at) vertices[at] = vertices[at - 1];
    vertices[at] = vertex;
  }
  Key key{-1, -1, -1, -1};
  for (int i = 0; i < side.size; ++i) {
    key[i] = vertices[i].first;
    if (order) (*order)[i] = vertices[i].second;
  }
  return key;
}

/// The numbers of all lists, each with its list, ascending. Most lists ascend already.
std::vector<std::pair<Number, int>> merge(const Lists& lists) {
  std::vector<std::pair<Number, int>> all;
  std::vector<std::ptrdiff_t> ends{0};  // of what is sorted
  for (std::size_t r = 0; r < lists.size(); ++r) {
    if (lists[r].empty()) continue;
    for (const Number v : lists[r]) all.emplace_back(v, static_cast<int>(r));
    if (!std::is_sorted(all.begin() + ends.back(), all.end())) std::sort(all.begin() + ends.back(), all.end());
    ends.push_back(static_cast<std::ptrdiff_t>(all.size()));
  }
  while (ends.size() > 2) {
    std::vector<std::ptrdiff_t> merged{0};
    for (std::size_t i = 0; i + 1 < ends.size(); i += 2) {
      const std::size_t end = std::min(i + 2, ends.size() - 1);
      std::inplace_merge(all.begin() + ends[i], all.begin() + ends[i + 1], all.begin() + ends[end]);
      merged.push_back(ends[end]);
    }
    ends = merged;
  }
  return all;
}

/// Where a piece occurs first.
struct Occurrence {
  Key key;
  Index cell;
  int piece;
};

/// The cells, ascending, among which are all with nodes that other ranks share: those of the part's surface, where its
/// sides are known.
std::vector<Index> shareable_cells(const mesh::Mesh& mesh, const std::vector<Index>* single_sides) {
  std::vector<Index> cells;
  if (!single_sides) {
    cells.resize(mesh.num_elements());
    std::iota(cells.begin(), cells.end(), 0);
    return cells;
  }
  for (const Index at : *single_sides) {
    const Index cell = at / mesh::cell(mesh.kind).num_sides();
    if (cells.empty() || cells.back() != cell) cells.push_back(cell);
  }
  return cells;
}

/// The numbers of vertices likewise.
std::vector<Number> shareable_vertices(const mesh::Mesh& mesh, const std::vector<Index>* single_sides) {
  if (!single_sides) return mesh.part.vertices;
  const mesh::Cell& kind = mesh::cell(mesh.kind);
  Marks on_surface(mesh.vertices.size());
  for (const Index at : *single_sides) {
    const mesh::Side& side = kind.side(at % kind.num_sides());
    for (int v = 0; v < side.size; ++v)
      on_surface.add(mesh.element_to_vertex[static_cast<std::size_t>(at / kind.num_sides())][side.vertices[v]]);
  }
  std::vector<Number> vertices;
  for (const Index vertex : on_surface.list()) vertices.push_back(mesh.part.vertices[vertex]);
  return vertices;
}

/// The pieces of some cells all of whose vertices are in `shared`, each once, by key.
std::vector<Occurrence> find_pieces(const mesh::Mesh& mesh, const std::vector<Piece>& pieces,
                                    const std::vector<Index>& cells, const std::vector<Number>& shared) {
  std::vector<char> is_shared(mesh.vertices.size(), 0);
  for (const Number v : shared)
    is_shared[std::lower_bound(mesh.part.vertices.begin(), mesh.part.vertices.end(), v) - mesh.part.vertices.begin()] =
        1;
  std::vector<Occurrence> found;
  const int corners = mesh::num_vertices(mesh.kind);
  for (const Index cell : cells) {
    const auto e = static_cast<std::size_t>(cell);
    const Index* const vertices = mesh.element_to_vertex[e];
    if (std::none_of(vertices, vertices + corners, [&](Index v) { return is_shared[v]; })) continue;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const auto& [size, of_side] = pieces[i].side;
      if (std::all_of(of_side, of_side + size, [&](int v) { return is_shared[vertices[v]]; }))
        found.push_back({make_key(mesh, e, pieces[i].side), cell, static_cast<int>(i)});
    }
  }
  std::sort(found.begin(), found.end(), [](const Occurrence& a, const Occurrence& b) {
    return std::pair(a.key, a.cell) < std::pair(b.key, b.cell);
  });
  found.erase(
      std::unique(found.begin(), found.end(), [](const Occurrence& a, const Occurrence& b) { return a.key == b.key; }),
      found.end());
  return found;
}

/// Rows of a map from the device: all of a map may take longer to copy than to make.
class Rows {
 public:
  /// `numbers`: of the rows, in any order.
  Rows(const SharedMap& map, std::vector<Index> numbers) : arity_(static_cast<std::size_t>(map.arity())) {
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    const Vector<Index> rows = make_vector<Index>("space/rows", numbers.size() * arity_);
    copy_rows(map, numbers, rows);
    entries_ = to_host(rows);
    numbers_ = std::move(numbers);
  }
  const Index* operator[](Index number) const {
    const auto at = std::lower_bound(numbers_.begin(), numbers_.end(), number) - numbers_.begin();
    return entries_.data() + static_cast<std::size_t>(at) * arity_;
  }

 private:
  std::size_t arity_;
  std::vector<Index> numbers_;
  decltype(to_host(Vector<Index>())) entries_;
};

/// The nodes of pieces in an order that depends on the numbers of their vertices only.
class NodesOfPieces {
 public:
  /// `cells`: in which pieces occur.
  NodesOfPieces(const mesh::Mesh& mesh, const Space& space, const std::vector<Piece>& pieces, std::vector<Index> cells)
      : mesh_(mesh), nodes_(space.element_to_node, std::move(cells)), pieces_(pieces) {}

  void append(const Occurrence& at, std::vector<Index>& nodes) {
    const Piece& piece = pieces_[at.piece];
    std::array<int, 4> order{0, 1, 2, 3};
    make_key(mesh_, at.cell, piece.side, &order);
    std::vector<int>& sorted = sorted_[{at.piece, order}];
    if (sorted.empty()) {
      std::vector<std::pair<Key, int>> places;
      for (std::size_t i = 0; i < piece.nodes.size(); ++i) {
        Key place{-1, -1, -1, -1};
        for (int v = 0; v < piece.side.size; ++v) place[v] = piece.places[i][order[v]];
        places.emplace_back(place, piece.nodes[i]);
      }
      std::sort(places.begin(), places.end());
      for (const auto& [place, node] : places) sorted.push_back(node);
    }
    for (const int local : sorted) {
      const Index node = nodes_[at.cell][local];
      nodes.push_back(node < 0 ? ~node : node);
    }
  }

 private:
  const mesh::Mesh& mesh_;
  Rows nodes_;
  const std::vector<Piece>& pieces_;
  std::map<std::pair<int, std::array<int, 4>>, std::vector<int>> sorted_;  ///< local nodes
};

/// The nodes that this rank shares with others, in the order on which each two agree.
std::vector<SharedEntries> find_shared_nodes(const Space& space, const mesh::Mesh& mesh) {
  const Communicator& ranks = mesh.part.ranks;
  const std::vector<Piece> pieces = make_pieces(space);
  const std::vector<Index> own = shareable_cells(mesh, space.part_surface->known_sides());
  std::map<int, std::vector<Occurrence>> found;
  Lists to(ranks.size());
  std::vector<Index> cells;
  for (const auto& [rank, vertices] : space.part_surface->shared_vertices(mesh)) {
    found[rank] = find_pieces(mesh, pieces, own, vertices);
    for (const Occurrence& piece : found[rank]) {
      to[rank].insert(to[rank].end(), piece.key.begin(), piece.key.end());
      cells.push_back(piece.cell);
    }
  }
  const Lists theirs = ranks.exchange(to);
  NodesOfPieces nodes(mesh, space, pieces, std::move(cells));
  std::vector<SharedEntries> result;
  for (const auto& [rank, of_rank] : found) {
    SharedEntries with{rank, {}};
    const std::vector<Number>& other = theirs[rank];
    std::size_t at = 0;  // both lists ascend
    for (const Occurrence& piece : of_rank) {
      while (at < other.size() && key_at(other, at) < piece.key) at += 4;
      if (at < other.size() && key_at(other, at) == piece.key) nodes.append(piece, with.entries);
    }
    result.push_back(std::move(with));
  }
  return result;
}

/// Masks the nodes that other ranks mask, of those that they share. Collective.
void mask_alike(Space& space, const std::vector<SharedEntries>& shared, const Communicator& ranks) {
  const Marks is_masked(static_cast<std::size_t>(space.num_nodes), space.masked);
  std::vector<int> others;
  std::vector<std::size_t> offsets = {0};
  std::vector<char> own;
  for (const SharedEntries& with : shared) {
    for (const Index node : with.entries) own.push_back(is_masked.has(node));
    others.push_back(with.rank);
    offsets.push_back(own.size());
  }
  std::vector<char> theirs(own.size());
  const Communicator::Messages messages(ranks, std::move(others), offsets);
  messages.start(own.data(), theirs.data(), sizeof(char));
  messages.finish();
  std::vector<Index> also;
  auto of_other = theirs.begin();
  for (const SharedEntries& with : shared)
    for (const Index node : with.entries)
      if (*of_other++ && !is_masked.has(node)) also.push_back(node);
  if (also.empty()) return;
  std::vector<char> held(space.num_nodes, 0);
  for (const Index node : also) held[node] = 1;
  hold(space, held);
}

/// Gives shared faces the multiplicity 2 among `faces`. O(shared faces).
void mark_faces(const std::vector<SharedFace>& shared, mesh::Entities& faces) {
  if (shared.empty()) return;
  std::vector<Index> positions;
  for (const SharedFace& face : shared) positions.push_back(face.cell * faces.slots + face.side);
  const Vector<const Index> at = to_device("space/shared faces", positions);
  const auto of_cell = faces.of_cell;
  const auto multiplicity = faces.multiplicity;
  Kokkos::parallel_for(
      "space/shared faces", Range(0, static_cast<std::int64_t>(positions.size())),
      KOKKOS_LAMBDA(const std::int64_t i) { multiplicity(of_cell(at(i))) = 2; });
  ExecutionSpace().fence();  // `at` is freed
}

}  // namespace

std::map<int, std::vector<std::int64_t>> find_shared(const std::vector<std::int64_t>& numbers,
                                                     const Communicator& ranks) {
  Lists to(ranks.size());
  for (const Number v : numbers) to[v % ranks.size()].push_back(v);
  const std::vector<std::pair<Number, int>> at_home = merge(ranks.exchange(to));
  to.assign(ranks.size(), {});
  for (std::size_t first = 0, end = 0; first < at_home.size(); first = end) {
    while (end < at_home.size() && at_home[end].first == at_home[first].first) ++end;
    for (std::size_t a = first; a < end; ++a)
      for (std::size_t b = first; b < end; ++b)
        if (a != b) to[at_home[a].second].insert(to[at_home[a].second].end(), {at_home[b].second, at_home[a].first});
  }
  std::map<int, std::vector<Number>> shared;
  for (const std::vector<Number>& answer : ranks.exchange(to))
    for (std::size_t i = 0; i < answer.size(); i += 2) shared[static_cast<int>(answer[i])].push_back(answer[i + 1]);
  for (auto& [rank, of_both] : shared) std::sort(of_both.begin(), of_both.end());
  return shared;
}

std::vector<Index> list_single_sides(const mesh::Entities& faces) {
  const auto of_cell = faces.of_cell;
  const auto multiplicity = faces.multiplicity;
  const Vector<char> is_single = make_vector<char>("space/single sides", of_cell.extent(0));
  Kokkos::parallel_for(
      "space/single sides", Range(0, static_cast<std::int64_t>(of_cell.extent(0))),
      KOKKOS_LAMBDA(const std::int64_t i) { is_single(i) = multiplicity(of_cell(i)) <= 1; });
  return list_marked(is_single);
}

std::vector<SharedFace> find_shared_faces(const mesh::Mesh& mesh, const mesh::Entities& faces) {
  if (mesh.part.ranks.is_alone()) return {};
  return find_shared_faces(mesh, list_single_sides(faces));
}

std::vector<SharedFace> find_shared_faces(const mesh::Mesh& mesh, const std::vector<Index>& single_sides) {
  const Communicator& ranks = mesh.part.ranks;
  if (ranks.is_alone()) return {};
  const mesh::Cell& kind = mesh::cell(mesh.kind);
  std::vector<std::vector<SharedFace>> asked_for(ranks.size());  // in the order in which each rank is asked
  Lists to(ranks.size());
  for (const Index at : single_sides) {
    const Index cell = at / kind.num_sides();
    const int side = at % kind.num_sides();
    const Key key = make_key(mesh, static_cast<std::size_t>(cell), kind.side(side));
    const auto home = static_cast<std::size_t>(key[0] % ranks.size());
    to[home].insert(to[home].end(), key.begin(), key.end());
    asked_for[home].push_back({-1, key, cell, side});
  }
  const Lists asked = ranks.exchange(to);
  struct Asked {
    Key key;
    int rank;
    std::size_t place;                               // among what that rank asked
    auto operator<=>(const Asked&) const = default;  // NOLINT(modernize-use-nullptr): a fault of clang-tidy 14
  };
  std::vector<Asked> all;
  to.assign(ranks.size(), {});
  for (int r = 0; r < ranks.size(); ++r) {
    for (std::size_t i = 0; i < asked[r].size(); i += 4) all.push_back({key_at(asked[r], i), r, i / 4});
    to[r].assign(asked[r].size() / 4, -1);
  }
  std::sort(all.begin(), all.end());
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {  // two ranks at most have a face
    if (all[i].key != all[i + 1].key) continue;
    to[all[i].rank][all[i].place] = all[i + 1].rank;
    to[all[i + 1].rank][all[i + 1].place] = all[i].rank;
  }
  const Lists answers = ranks.exchange(to);
  std::vector<SharedFace> shared;
  for (int r = 0; r < ranks.size(); ++r)
    for (std::size_t i = 0; i < answers[r].size(); ++i) {
      if (answers[r][i] < 0) continue;
      SharedFace& face = asked_for[r][i];
      face.rank = static_cast<int>(answers[r][i]);
      shared.push_back(face);
    }
  std::sort(shared.begin(), shared.end());
  return shared;
}

const std::vector<Index>& PartSurface::single_sides(const mesh::Entities& faces) {
  if (!single_sides_) single_sides_ = list_single_sides(faces);
  return *single_sides_;
}

const std::vector<SharedFace>& PartSurface::shared_faces(const mesh::Mesh& mesh, const mesh::Entities& faces) {
  if (!shared_faces_) shared_faces_ = find_shared_faces(mesh, single_sides(faces));
  return *shared_faces_;
}

const std::map<int, std::vector<Number>>& PartSurface::shared_vertices(const mesh::Mesh& mesh) {
  if (!shared_vertices_) shared_vertices_ = find_shared(shareable_vertices(mesh, known_sides()), mesh.part.ranks);
  return *shared_vertices_;
}

PartSurface PartSurface::reordered(const std::vector<Index>& cells, int sides_of_cell) const {
  std::vector<Index> place(cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i) place[cells[i]] = static_cast<Index>(i);
  PartSurface result = *this;
  if (result.single_sides_) {
    for (Index& side : *result.single_sides_) side = place[side / sides_of_cell] * sides_of_cell + side % sides_of_cell;
    std::sort(result.single_sides_->begin(), result.single_sides_->end());
  }
  if (result.shared_faces_)
    for (SharedFace& face : *result.shared_faces_) face.cell = place[face.cell];
  return result;
}

void find_surface(const mesh::Mesh& mesh, mesh::Entities& faces, bool masks, PartSurface& surface) {
  if (mesh.part.ranks.is_alone() || faces.slots == 0) return;
  surface.single_sides(faces);  // before shared faces change the multiplicities
  if (masks) mark_faces(surface.shared_faces(mesh, faces), faces);
}

void join(Space& space, const mesh::Mesh& mesh) {
  std::vector<SharedEntries> shared = find_shared_nodes(space, mesh);
  mask_alike(space, shared, mesh.part.ranks);
  for (SharedEntries& with : shared) {
    std::vector<Index> entries;
    entries.reserve(with.entries.size() * static_cast<std::size_t>(space.components));
    for (const Index node : with.entries)
      for (int c = 0; c < space.components; ++c) entries.push_back(static_cast<Index>(space.entry(node, c)));
    with.entries = std::move(entries);
  }
  space.exchange = Exchange(mesh.part.ranks, shared, space.num_entries());
}

}  // namespace miniapp::space
