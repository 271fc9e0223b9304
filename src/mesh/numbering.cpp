// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/mesh/numbering.hpp"

#include <limits>
#include <string>

#include "core/offsets.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/mesh/entities.hpp"

/// Three steps, each over all elements at once. Every node gets a key by its entity, from which the elements that share
/// it agree. Elements are ordered along lines, which gives each of their local nodes a place in one sequence. A node
/// belongs to its first place in the sequence, and is numbered by how many others are first before it.
namespace miniapp::mesh {
namespace {

using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;

template <class T>
KOKKOS_INLINE_FUNCTION void lower(T* at, T value) {
  if constexpr (has_one_thread) {
    if (value < *at) *at = value;
  } else {
    Kokkos::atomic_fetch_min(at, value);
  }
}
KOKKOS_INLINE_FUNCTION void raise(Index* at, Index value) {
  if constexpr (has_one_thread) {
    if (value > *at) *at = value;
  } else {
    Kokkos::atomic_fetch_max(at, value);
  }
}

/// Keys of nodes by entity: vertices, then inner nodes of edges, of faces. Nodes inside elements have none.
struct NodeKeys {
  int p, n;
  Vector<const Index> vertices, edges, faces;  ///< (element, local vertex), (element, 12), (element, 6)
  Index edge_base, face_base, end;

  /// Of local node (i, j, k) of an element, which lies on its surface.
  KOKKOS_INLINE_FUNCTION Index operator()(std::int64_t e, int i, int j, int k) const {
    const int x[3] = {i, j, k};
    const Index* const vertex = vertices.data() + 8 * e;
    int inner = 0, along[2] = {0, 0}, corner = 0;  // directions with inner coordinates; the others' ends as bits
    for (int d = 0; d < 3; ++d) {
      if (x[d] == 0 || x[d] == p)
        corner |= (x[d] == p) << d;
      else
        along[inner++] = d;
    }
    if (inner == 0) return vertex[corner];
    const int d = along[0], a = x[d];
    if (inner == 1) {  // from the lower global vertex to the higher one
      const int slot = 4 * d + (d == 0 ? corner >> 1 : d == 1 ? (corner & 1) + (corner >> 1 & 2) : corner);
      const Index edge = edges(12 * e + slot);
      const bool forward = vertex[corner] < vertex[corner | 1 << d];
      return edge_base + edge * (p - 1) + (forward ? a - 1 : p - 1 - a);
    }
    // as seen from the lowest global vertex, first towards the lower of that one's neighbours
    const int f = along[1], b = x[f], across = 3 - d - f, slot = 2 * across + (corner >> across);
    const int steps[4] = {0, 1 << d, 1 << f, 1 << d | 1 << f};
    int lowest = 0;
    for (int c = 1; c < 4; ++c)
      if (vertex[corner | steps[c]] < vertex[corner | steps[lowest]]) lowest = c;
    int first = lowest & 1 ? p - a : a, second = lowest & 2 ? p - b : b;
    if (vertex[corner | steps[lowest ^ 2]] < vertex[corner | steps[lowest ^ 1]]) {
      const int swapped = first;
      first = second;
      second = swapped;
    }
    return face_base + faces(6 * e + slot) * (p - 1) * (p - 1) + (second - 1) * (p - 1) + first - 1;
  }

  /// Whether the row (j, k) of an element lies inside of it but for its ends.
  KOKKOS_INLINE_FUNCTION bool is_inner(int j, int k) const { return 0 < j && j < p && 0 < k && k < p; }
};

/// Where the rows of elements stand in the sequence: row `row` of element e is the unit first(e) + row * length(e).
/// Elements whose r-faces lie on each other vertex for vertex form lines; a line's rows follow each other, each through
/// all of its elements. Lines follow in the order of their lowest elements.
struct Sequence {
  Vector<std::int64_t> first;
  Vector<Index> length;  ///< elements of the line
};

/// next(e): the element beyond e's face r=+1 whose face r=-1 lies on it vertex for vertex; -1 where there is none.
Vector<Index> find_successors(const Vector<const Index>& vertices, const Entities& faces, std::int64_t size) {
  const Vector<Index> left_of = make_vector<Index>("mesh/left of face", faces.size()),
                      next = make_vector<Index>("mesh/successors", size);
  Kokkos::deep_copy(left_of, -1);
  const Vector<Index> of_cell = faces.of_cell;
  Kokkos::parallel_for(
      "mesh/left of face", Range(0, size),
      KOKKOS_LAMBDA(const std::int64_t e) { raise(&left_of(of_cell(6 * e)), static_cast<Index>(e)); });
  Kokkos::parallel_for(
      "mesh/successors", Range(0, size), KOKKOS_LAMBDA(const std::int64_t e) {
        const std::int64_t candidate = left_of(of_cell(6 * e + 1));
        bool aligned = candidate >= 0 && candidate != e;
        for (int v = 0; aligned && v < 8; v += 2) aligned = vertices(8 * e + v + 1) == vertices(8 * candidate + v);
        next(e) = aligned ? static_cast<Index>(candidate) : -1;
      });
  return next;
}

/// The lines themselves are followed on the host, one step per element.
Sequence find_sequence(const Vector<const Index>& vertices, const Entities& faces, std::int64_t size, int n) {
  const auto next = to_host(find_successors(vertices, faces, size));
  std::vector<Index> previous(size, -1), length(size);
  for (std::int64_t e = 0; e < size; ++e)
    if (next(e) >= 0) previous[next(e)] = static_cast<Index>(e);
  std::vector<std::int64_t> first(size, -1);
  std::int64_t before = 0;  // elements of the lines before
  for (std::int64_t seed = 0; seed < size; ++seed) {
    if (first[seed] >= 0) continue;
    Index start = static_cast<Index>(seed);
    while (previous[start] >= 0 && previous[start] != seed) start = previous[start];
    Index elements = 0;
    for (Index e = start; e >= 0 && first[e] < 0; e = next(e)) first[e] = before * n * n + elements++;
    for (Index e = start, i = 0; i < elements; e = next(e), ++i) length[e] = elements;
    before += elements;
  }
  return {to_device("mesh/first units", first), to_device("mesh/line lengths", length)};
}

/// Numbers nodes in the order of the sequence. `Place`: an unsigned type that holds the place of every local node.
template <class Place>
class Numberer {
 public:
  /// `nodes` (element, local node) will be the numbers, ~number where masked.
  Numberer(const NodeKeys& keys, const Sequence& sequence, const Vector<Index>& nodes, Index num_nodes)
      : keys_(keys),
        first_unit_(sequence.first),
        length_(sequence.length),
        rows_(static_cast<std::int64_t>(nodes.extent(0)) / keys.n),
        nodes_(nodes),
        first_(make_vector<Place>("mesh/first places", keys.end)),
        count_(make_vector<Index>("mesh/numbers of units", rows_)),
        on_surface_(make_zeros<char>("mesh/on surface", keys.end)),
        is_masked_(make_zeros<char>("mesh/is masked", num_nodes)) {
    Kokkos::deep_copy(first_, ~Place(0));
  }

  void run() {
    find_first_places();
    mark_owned();
    count_ = offsets_of(count_);
    number_shared();
    number_all();
  }

  // public, since nvcc wants it of functions that hold kernels

  /// Masks the nodes of faces that one element has alone. Before run().
  void mask_surface(const Vector<const Index>& multiplicity) {
    const Numberer own = *this;
    Kokkos::parallel_for(
        "mesh/mask surface", Range(0, rows_ / (keys_.n * keys_.n) * 6), KOKKOS_LAMBDA(const std::int64_t position) {
          const NodeKeys& keys = own.keys_;
          if (multiplicity(keys.faces(position)) > 1) return;
          const int direction = position % 6 / 2, end = position % 2 ? keys.p : 0;
          for (int b = 0; b < keys.n; ++b)
            for (int a = 0; a < keys.n; ++a) {
              int x[3] = {a, b, b};  // along r, s, t
              x[1] = direction == 0 ? a : b;
              x[direction] = end;
              own.on_surface_(keys(position / 6, x[0], x[1], x[2])) = 1;
            }
        });
  }

  /// The masked nodes, ascending. After run().
  std::vector<Index> masked() const {
    const Vector<char> is_masked = is_masked_;
    const Vector<Index> place = offsets_of(is_masked), nodes = make_vector<Index>("mesh/masked nodes", last_of(place));
    Kokkos::parallel_for(
        "mesh/masked nodes", Range(0, static_cast<std::int64_t>(is_masked.extent(0))),
        KOKKOS_LAMBDA(const std::int64_t node) {
          if (is_masked(node)) nodes(place(node)) = static_cast<Index>(node);
        });
    const auto host = to_host(nodes);
    return {host.data(), host.data() + host.extent(0)};
  }

  void find_first_places() {
    const Numberer own = *this;
    Kokkos::parallel_for(
        "mesh/first places", Range(0, rows_), KOKKOS_LAMBDA(const std::int64_t row) {
          const int n = own.keys_.n;
          const Row at = own.row(row);
          Index* const nodes = at.nodes;
          const auto key = [&](int i) { return own.keys_(at.element, i, at.j, at.k); };
          nodes[0] = key(0);
          nodes[n - 1] = key(n - 1);
          if (at.step == 1 && n > 2) {  // nodes of one entity, at equal steps
            nodes[1] = key(1);
            const Index step = n > 3 ? key(2) - nodes[1] : 0;
            for (int i = 2; i < n - 1; ++i) nodes[i] = nodes[i - 1] + step;
          }
          for (int i = 0; i < n; i += at.step) lower(&own.first_(nodes[i]), static_cast<Place>(at.unit * n + i));
        });
  }

  /// Nodes that have their first place here become ~key; how many these and those inside are is counted.
  void mark_owned() {
    const Numberer own = *this;
    Kokkos::parallel_for(
        "mesh/owned nodes", Range(0, rows_), KOKKOS_LAMBDA(const std::int64_t row) {
          const int n = own.keys_.n;
          const Row at = own.row(row);
          Index* const nodes = at.nodes;
          Index count = at.step - 1;
          for (int i = 0; i < n; i += at.step)
            if (own.first_(nodes[i]) == static_cast<Place>(at.unit * n + i)) {
              nodes[i] = ~nodes[i];
              ++count;
            }
          own.count_(at.unit) = count;
        });
  }

  /// first_ (key) becomes the node's number, ~number where masked.
  void number_shared() {
    const Numberer own = *this;
    Kokkos::parallel_for(
        "mesh/shared nodes", Range(0, rows_), KOKKOS_LAMBDA(const std::int64_t row) {
          const int n = own.keys_.n;
          const Row at = own.row(row);
          const Index* const nodes = at.nodes;
          Index number = own.count_(at.unit);
          for (int i = 0; i < n; i += at.step) {
            if (nodes[i] < 0) own.number_one(~nodes[i], number++);
            if (i == 0) number += at.step - 1;
          }
        });
  }

  void number_all() {
    const Numberer own = *this;
    Kokkos::parallel_for(
        "mesh/number nodes", Range(0, rows_), KOKKOS_LAMBDA(const std::int64_t row) {
          const int n = own.keys_.n;
          const Row at = own.row(row);
          Index* const nodes = at.nodes;
          Index number = own.count_(at.unit);
          for (int i = 0; i < n; i += at.step) {
            const bool owned = nodes[i] < 0;
            nodes[i] = static_cast<Index>(own.first_(owned ? ~nodes[i] : nodes[i]));
            number += owned;
            if (i == 0)
              for (int inside = 1; inside < at.step; ++inside) nodes[inside] = number++;
          }
        });
  }

 private:
  struct Row {
    std::int64_t element, unit;
    int j, k;
    int step;      ///< to the next node on the element's surface; those between lie inside
    Index* nodes;  ///< of the row
  };
  KOKKOS_INLINE_FUNCTION Row row(std::int64_t row) const {
    const int n = keys_.n, of_element = static_cast<int>(row % (n * n));
    const std::int64_t e = row / (n * n);
    const int j = of_element % n, k = of_element / n;
    return {e,
            first_unit_(e) + std::int64_t(of_element) * length_(e),
            j,
            k,
            keys_.is_inner(j, k) ? keys_.p : 1,
            nodes_.data() + row * n};
  }
  KOKKOS_INLINE_FUNCTION void number_one(Index key, Index number) const {
    const bool masked = on_surface_(key);
    first_(key) = static_cast<Place>(masked ? ~number : number);
    if (masked) is_masked_(number) = 1;
  }

  NodeKeys keys_;
  Vector<std::int64_t> first_unit_;
  Vector<Index> length_;
  std::int64_t rows_;
  Vector<Index> nodes_;  ///< (element, local node): keys, then numbers
  Vector<Place> first_;  ///< (key): the first place of a node, then its number
  Vector<Index>
      count_;  ///< (unit): nodes that have their first place there, then, one more, the number of the first of them
  Vector<char> on_surface_;  ///< (key)
  Vector<char> is_masked_;   ///< (number)
};

}  // namespace

std::int64_t count_nodes(std::int64_t vertices, std::int64_t edges, std::int64_t faces, std::int64_t elements,
                         int order) {
  const std::int64_t inner = order - 1;
  return vertices + inner * (edges + inner * (faces + inner * elements));
}

Numbering make_numbering(const Mesh& mesh, int order, Boundary boundary) {
  require(mesh.kind == CellKind::hexahedron, "a mesh of kind " + name(mesh.kind) + ": accepted are hexahedra");
  const Entities edges = order > 1 ? find_edges(mesh) : Entities{}, faces = find_faces(mesh);
  const auto count = [](std::size_t size) { return static_cast<std::int64_t>(size); };
  const std::int64_t elements = count(mesh.num_elements()), vertices = count(mesh.vertices.size());
  const std::int64_t total = count_nodes(vertices, count(edges.size()), count(faces.size()), elements, order);
  require(total <= std::numeric_limits<Index>::max(),
          "--elements, --order: " + std::to_string(total) + " nodes; accepted are up to 2147483647");

  const int n = order + 1;
  const Vector<const Index> of_element = read_on_device("mesh/element to vertex", mesh.element_to_vertex.entries);
  const Index edge_base = static_cast<Index>(vertices),
              face_base = edge_base + static_cast<Index>(edges.size()) * (order - 1),
              end = face_base + static_cast<Index>(faces.size()) * (order - 1) * (order - 1);
  const NodeKeys keys{order, n, of_element, edges.of_cell, faces.of_cell, edge_base, face_base, end};
  const Sequence sequence = find_sequence(of_element, faces, elements, n);

  Numbering numbering{order, {}, static_cast<Index>(total), {}};
  const auto number_with = [&]<class Place>(const Vector<Index>& nodes, Place) {
    Numberer<Place> numberer(keys, sequence, nodes, numbering.num_nodes);
    if (boundary == Boundary::dirichlet) numberer.mask_surface(faces.multiplicity);
    numberer.run();
    if (boundary == Boundary::dirichlet) numbering.masked = numberer.masked();
  };
  numbering.element_to_node = SharedMap(mesh.num_elements(), n * n * n, [&](const Vector<Index>& nodes) {
    if (nodes.extent(0) < std::numeric_limits<std::uint32_t>::max())
      number_with(nodes, std::uint32_t{});
    else
      number_with(nodes, std::uint64_t{});
  });
  return numbering;
}

}  // namespace miniapp::mesh
