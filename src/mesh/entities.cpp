// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/mesh/entities.hpp"

#include <limits>
#include <string>

#include "core/offsets.hpp"
#include "miniapp/core/error.hpp"

namespace miniapp::mesh {
namespace {

using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;

/// The edges or the faces of a kind of cells.
struct Slots {
  int count = 0;
  Side sides[12] = {};
};

/// One use of an entity by a cell.
struct Use {
  Index others[3];  ///< vertices other than the lowest, ascending; padded with -1 in front
  Index position;   ///< cell * slots + slot

  KOKKOS_INLINE_FUNCTION bool same_entity(const Use& use) const {
    return others[0] == use.others[0] && others[1] == use.others[1] && others[2] == use.others[2];
  }
  KOKKOS_INLINE_FUNCTION bool operator<(const Use& use) const {
    for (int i = 0; i < 3; ++i)
      if (others[i] != use.others[i]) return others[i] < use.others[i];
    return position < use.position;
  }
};

/// Sifts entry `top` of a heap down.
KOKKOS_INLINE_FUNCTION void sift(Use* uses, Index top, Index size) {
  const Use moved = uses[top];
  for (Index child = 2 * top + 1; child < size; child = 2 * top + 1) {
    if (child + 1 < size && uses[child] < uses[child + 1]) ++child;
    if (!(moved < uses[child])) break;
    uses[top] = uses[child];
    top = child;
  }
  uses[top] = moved;
}

/// Insertion sort for few uses, else heap sort.
KOKKOS_INLINE_FUNCTION void sort(Use* uses, Index size) {
  if (size > 32) {
    for (Index top = size / 2; top-- > 0;) sift(uses, top, size);
    for (Index last = size - 1; last > 0; --last) {
      const Use largest = uses[0];
      uses[0] = uses[last];
      uses[last] = largest;
      sift(uses, 0, last);
    }
    return;
  }
  for (Index i = 1; i < size; ++i) {
    const Use moved = uses[i];
    Index to = i;
    for (; to > 0 && moved < uses[to - 1]; --to) uses[to] = uses[to - 1];
    uses[to] = moved;
  }
}

/// Increments the counter and returns the old value.
KOKKOS_INLINE_FUNCTION Index count_up(Index* counter) {
  if constexpr (has_one_thread) return (*counter)++;
  return Kokkos::atomic_fetch_add(counter, 1);
}

/// The cells of a mesh with one set of slots, and lists of uses.
struct Uses {
  Slots slots;
  Vector<const Index> vertices;  ///< (cell, local vertex)
  int arity;
  Vector<Index> begin;  ///< (vertex + 1): of its list
  Vector<Use> uses;

  /// The use at a position; returns the lowest vertex.
  KOKKOS_INLINE_FUNCTION Index make(std::int64_t position, Use& use) const {
    const Side& side = slots.sides[position % slots.count];
    const Index* const cell = vertices.data() + position / slots.count * arity;
    Index sorted[4] = {-1, -1, -1, -1};  // descending
    for (int c = 0; c < side.size; ++c) {
      const Index vertex = cell[side.vertices[c]];
      int to = c;
      for (; to > 0 && sorted[to - 1] < vertex; --to) sorted[to] = sorted[to - 1];
      sorted[to] = vertex;
    }
    const Index lowest = sorted[side.size - 1];
    sorted[side.size - 1] = -1;
    for (int i = 0; i < 3; ++i) use.others[i] = sorted[2 - i];
    use.position = static_cast<Index>(position);
    return lowest;
  }
};

/// Lists the uses of all positions by their lowest vertices.
void fill(Uses& all, std::int64_t positions, std::size_t vertices) {
  const Vector<Index> sizes = make_zeros<Index>("mesh/sizes of lists", vertices),
                      next = make_zeros<Index>("mesh/next use", vertices);
  const Uses cells = all;
  Kokkos::parallel_for(
      "mesh/count uses", Range(0, positions), KOKKOS_LAMBDA(const std::int64_t position) {
        Use use;
        count_up(&sizes(cells.make(position, use)));
      });
  all.begin = offsets_of(sizes);
  all.uses = make_vector<Use>("mesh/uses", positions);
  const Uses lists = all;
  Kokkos::parallel_for(
      "mesh/list uses", Range(0, positions), KOKKOS_LAMBDA(const std::int64_t position) {
        Use use;
        const Index vertex = lists.make(position, use);
        lists.uses(lists.begin(vertex) + count_up(&next(vertex))) = use;
      });
}

Entities find_entities(const Mesh& mesh, const Vector<const Index>& cells, const Slots& slots) {
  const std::int64_t positions = static_cast<std::int64_t>(mesh.num_elements()) * slots.count;
  require(positions <= std::numeric_limits<Index>::max(),
          std::to_string(mesh.num_elements()) + " cells have " + std::to_string(positions) +
              " edges or faces, counted by cell; accepted are up to 2^31 - 1");
  Entities entities{slots.count, make_vector<Index>("mesh/entities", positions), {}};
  const Map& map = mesh.element_to_vertex;
  const bool given = cells.extent(0) > 0;
  Uses all{slots, given ? cells : read_on_device("mesh/cells", map.entries), map.arity, {}, {}};
  fill(all, positions, mesh.vertices.size());

  // the first use of an entity represents it, and entities are numbered in the order of their first uses
  const Uses lists = all;
  const Vector<Index> of_cell = entities.of_cell;  // positions of first uses, then numbers
  const Vector<char> is_first = make_zeros<char>("mesh/first uses", positions);
  Kokkos::parallel_for(
      "mesh/sort uses", Range(0, static_cast<std::int64_t>(mesh.vertices.size())),
      KOKKOS_LAMBDA(const std::int64_t vertex) {
        Use* const uses = lists.uses.data() + lists.begin(vertex);
        const Index size = lists.begin(vertex + 1) - lists.begin(vertex);
        sort(uses, size);
        Index first = 0;
        for (Index u = 0; u < size; ++u) {
          if (!uses[u].same_entity(uses[first])) first = u;
          of_cell(uses[u].position) = uses[first].position;
          is_first(uses[first].position) = 1;
        }
      });
  const Vector<Index> number = offsets_of(is_first);
  entities.multiplicity = make_zeros<Index>("mesh/multiplicity", last_of(number));
  const Vector<Index> multiplicity = entities.multiplicity;
  Kokkos::parallel_for(
      "mesh/entities of cells", Range(0, positions), KOKKOS_LAMBDA(const std::int64_t position) {
        const Index own = number(of_cell(position));
        count_up(&multiplicity(own));
        of_cell(position) = own;
      });
  return entities;
}

}  // namespace

Entities find_edges(const Mesh& mesh, const Vector<const Index>& cells) {
  Slots slots{cell(mesh.kind).num_edges};
  for (int s = 0; s < slots.count; ++s) slots.sides[s] = cell(mesh.kind).edges[s];
  return find_entities(mesh, cells, slots);
}

Entities find_faces(const Mesh& mesh, const Vector<const Index>& cells) {
  Slots slots{cell(mesh.kind).num_faces};
  for (int s = 0; s < slots.count; ++s) slots.sides[s] = cell(mesh.kind).faces[s];
  return find_entities(mesh, cells, slots);
}

}  // namespace miniapp::mesh
