// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/mesh/entities.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

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

Slots make_slots(int count, const Side* sides) {
  Slots slots{count};
  std::copy_n(sides, count, slots.sides);
  return slots;
}

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

/// Cells of one kind with one set of slots. Positions are counted through all kinds.
struct Block {
  Slots slots;
  Vector<const Index> vertices;  ///< (cell, local vertex)
  int arity;
  std::int64_t first, size;  ///< positions

  Range range() const { return {first, first + size}; }

  /// The use at a position; returns the lowest vertex.
  KOKKOS_INLINE_FUNCTION Index make(std::int64_t position, Use& use) const {
    const std::int64_t own = position - first;
    const Side& side = slots.sides[own % slots.count];
    const Index* const cell = vertices.data() + own / slots.count * arity;
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

/// Lists of uses, one per vertex.
struct Lists {
  Vector<Index> begin;  ///< (vertex + 1)
  Vector<Use> uses;
};

void count_uses(const Block& block, const Vector<Index>& sizes) {
  Kokkos::parallel_for(
      "mesh/count uses", block.range(), KOKKOS_LAMBDA(const std::int64_t position) {
        Use use;
        count_up(&sizes(block.make(position, use)));
      });
}

void list_uses(const Block& block, const Lists& lists, const Vector<Index>& next) {
  Kokkos::parallel_for(
      "mesh/list uses", block.range(), KOKKOS_LAMBDA(const std::int64_t position) {
        Use use;
        const Index vertex = block.make(position, use);
        lists.uses(lists.begin(vertex) + count_up(&next(vertex))) = use;
      });
}

/// Lists the uses at all positions by their lowest vertices.
Lists make_lists(const std::vector<Block>& blocks, std::int64_t positions, std::size_t vertices) {
  const Vector<Index> sizes = make_zeros<Index>("mesh/sizes of lists", vertices),
                      next = make_zeros<Index>("mesh/next use", vertices);
  for (const Block& block : blocks) count_uses(block, sizes);
  const Lists lists{offsets_of(sizes), make_vector<Use>("mesh/uses", positions)};
  for (const Block& block : blocks) list_uses(block, lists, next);
  return lists;
}

/// Numbers of entities and how many cells share each.
struct Numbers {
  Vector<Index> of_position, multiplicity;
};

/// The first use of an entity represents it, and entities are numbered in the order of their first uses.
Numbers number_entities(const Lists& lists) {
  const auto positions = static_cast<std::int64_t>(lists.uses.extent(0)),
             vertices = static_cast<std::int64_t>(lists.begin.extent(0)) - 1;
  const Vector<Index> of_position = make_vector<Index>("mesh/entities", positions);  // first uses, then numbers
  const Vector<char> is_first = make_zeros<char>("mesh/first uses", positions);
  Kokkos::parallel_for(
      "mesh/sort uses", Range(0, vertices), KOKKOS_LAMBDA(const std::int64_t vertex) {
        Use* const uses = lists.uses.data() + lists.begin(vertex);
        const Index size = lists.begin(vertex + 1) - lists.begin(vertex);
        sort(uses, size);
        Index first = 0;
        for (Index u = 0; u < size; ++u) {
          if (!uses[u].same_entity(uses[first])) first = u;
          of_position(uses[u].position) = uses[first].position;
          is_first(uses[first].position) = 1;
        }
      });
  const Vector<Index> number = offsets_of(is_first);
  const Vector<Index> multiplicity = make_zeros<Index>("mesh/multiplicity", last_of(number));
  Kokkos::parallel_for(
      "mesh/entities of cells", Range(0, positions), KOKKOS_LAMBDA(const std::int64_t position) {
        const Index own = number(of_position(position));
        count_up(&multiplicity(own));
        of_position(position) = own;
      });
  return {of_position, multiplicity};
}

std::vector<Entities> find_entities(std::size_t vertices, const std::vector<Cells>& all,
                                    Slots (*slots_of)(const Cell&)) {
  std::vector<Block> blocks;
  std::int64_t positions = 0, count = 0;
  for (const Cells& cells : all) {
    const Slots slots = slots_of(cell(cells.kind));
    const int arity = cell(cells.kind).num_vertices;
    const auto size = static_cast<std::int64_t>(cells.vertices.extent(0)) / arity;
    blocks.push_back({slots, cells.vertices, arity, positions, size * slots.count});
    positions += size * slots.count;
    count += size;
  }
  require(positions <= std::numeric_limits<Index>::max(),
          std::to_string(count) + " cells have " + std::to_string(positions) +
              " edges or faces, counted by cell; accepted are up to 2^31 - 1");
  const Numbers numbers = number_entities(make_lists(blocks, positions, vertices));
  std::vector<Entities> entities;
  for (const Block& block : blocks)
    entities.push_back({block.slots.count,
                        Kokkos::subview(numbers.of_position, std::pair(block.first, block.first + block.size)),
                        numbers.multiplicity});
  return entities;
}

std::vector<Cells> only(const Mesh& mesh, const Vector<const Index>& cells) {
  if (cells.extent(0) > 0) return {{mesh.kind, cells}};
  return {{mesh.kind, read_on_device("mesh/cells", mesh.element_to_vertex.entries)}};
}

}  // namespace

std::vector<Entities> find_edges(std::size_t num_vertices, const std::vector<Cells>& cells) {
  return find_entities(num_vertices, cells, [](const Cell& kind) { return make_slots(kind.num_edges, kind.edges); });
}

std::vector<Entities> find_faces(std::size_t num_vertices, const std::vector<Cells>& cells) {
  return find_entities(num_vertices, cells, [](const Cell& kind) { return make_slots(kind.num_faces, kind.faces); });
}

Entities find_edges(const Mesh& mesh, const Vector<const Index>& cells) {
  return find_edges(mesh.vertices.size(), only(mesh, cells)).front();
}

Entities find_faces(const Mesh& mesh, const Vector<const Index>& cells) {
  return find_faces(mesh.vertices.size(), only(mesh, cells)).front();
}

Vector<Index> find_neighbours(const Entities& entities) {
  const std::size_t positions = entities.of_cell.extent(0);
  const Vector<Index> first = make_vector<Index>("mesh/entities/first", entities.size()),
                      last = make_vector<Index>("mesh/entities/last", entities.size()),
                      neighbours = make_vector<Index>("mesh/entities/neighbours", positions);
  fill(first, std::numeric_limits<Index>::max());
  fill(last, -1);
  const auto of_cell = entities.of_cell;
  Kokkos::parallel_for(
      "mesh/entities/ends", Range(0, positions), KOKKOS_LAMBDA(const std::int64_t position) {
        Kokkos::atomic_fetch_min(&first(of_cell(position)), static_cast<Index>(position));
        Kokkos::atomic_fetch_max(&last(of_cell(position)), static_cast<Index>(position));
      });
  Kokkos::parallel_for(
      "mesh/entities/neighbours", Range(0, positions), KOKKOS_LAMBDA(const std::int64_t position) {
        const Index low = first(of_cell(position)), high = last(of_cell(position));
        neighbours(position) = low == high ? -1 : position == low ? high : position == high ? low : -1;
      });
  ExecutionSpace().fence();  // `first` and `last` are freed
  return neighbours;
}

}  // namespace miniapp::mesh
