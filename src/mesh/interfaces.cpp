// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/mesh/interfaces.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "miniapp/core/error.hpp"

namespace miniapp::mesh {
namespace {

/// Local vertices of the sides of a cell, in an order whose normal points outwards.
constexpr int triangle_sides[3][2] = {{0, 1}, {1, 2}, {2, 0}};
constexpr int quadrilateral_sides[4][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};
constexpr int hexahedron_sides[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                        {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};

constexpr Index none = -1;

template <int corners>
using Corners = std::array<Index, corners>;

/// The name of a side that its two cells agree on, and the one bit in which they must differ.
template <int corners>
struct Key {
  Index lowest;                           ///< its vertex of the lowest number
  std::array<Index, corners - 1> others;  ///< in an order that does not depend on the sense of rotation
  Index sense;                            ///< of rotation, 0 or 1
};
Key<2> make_key(const Corners<2>& v) { return {std::min(v[0], v[1]), {std::max(v[0], v[1])}, v[0] > v[1]}; }
Key<4> make_key(const Corners<4>& v) {
  const int start = static_cast<int>(std::min_element(v.begin(), v.end()) - v.begin());
  const Index next = v[(start + 1) % 4], opposite = v[(start + 2) % 4], last = v[(start + 3) % 4];
  return {v[start], {opposite, std::min(next, last), std::max(next, last)}, next > last};
}

/// A side that was met. Positions are cell * slots + slot.
template <int corners>
struct Side {
  std::array<Index, corners - 1> others;
  Index next;    ///< another side of the same lowest vertex
  Index first;   ///< position in its first cell
  Index second;  ///< position in its second cell; before that is met, ~sense in the first
};

/// The sides of one kind of cells, found by a list of sides for each vertex: that with the lowest number owns a side.
template <int slots, int corners>
class Sides {
 public:
  Sides(const Mesh& mesh, const int (&vertices)[slots][corners]) : mesh_(mesh), vertices_(vertices) {
    const std::size_t positions = mesh.num_elements() * slots;
    require(positions <= std::size_t(std::numeric_limits<Index>::max()),
            std::to_string(mesh.num_elements()) + " cells have more than 2^31 - 1 sides; accepted are fewer");
    first_side_.assign(mesh.vertices.size(), none);
    sides_.reserve(positions / 2 + positions / 16);  // two cells per side, and some boundary
    for (std::size_t cell = 0, position = 0; cell < mesh.num_elements(); ++cell)
      for (int slot = 0; slot < slots; ++slot, ++position) meet(static_cast<Index>(position), corners_of(cell, slot));
  }

  Interfaces interfaces() const {
    const auto inner = std::count_if(sides_.begin(), sides_.end(), [](const auto& side) { return side.second >= 0; });
    const std::size_t outer = sides_.size() - inner;
    Interfaces found{Map(inner, 2), Map(inner, corners), Map(outer, 1), Map(outer, corners)};
    std::size_t i = 0, b = 0;
    for (const Side<corners>& side : sides_) {
      const Corners<corners> vertices = corners_of(side.first / slots, side.first % slots);
      if (side.second >= 0) {
        found.to_cell[i][0] = side.first / slots;
        found.to_cell[i][1] = side.second / slots;
        std::copy(vertices.begin(), vertices.end(), found.to_vertex[i++]);
      } else {
        found.boundary_to_cell[b][0] = side.first / slots;
        std::copy(vertices.begin(), vertices.end(), found.boundary_to_vertex[b++]);
      }
    }
    return found;
  }

 private:
  Corners<corners> corners_of(std::size_t cell, int slot) const {
    Corners<corners> result;
    for (int c = 0; c < corners; ++c) result[c] = mesh_.element_to_vertex[cell][vertices_[slot][c]];
    return result;
  }

  void meet(Index position, const Corners<corners>& vertices) {
    const Key<corners> key = make_key(vertices);
    Index& head = first_side_[key.lowest];
    for (Index s = head; s != none; s = sides_[s].next) {
      if (sides_[s].others != key.others) continue;
      if (sides_[s].second >= 0)
        fail(sides_[s].first, position, "share a side with a third cell; accepted are sides of two cells or one");
      if (~sides_[s].second == key.sense)
        fail(sides_[s].first, position,
             "lie on the same side of their interface; accepted are cells that do not overlap");
      sides_[s].second = position;
      return;
    }
    sides_.push_back({key.others, head, position, ~key.sense});
    head = static_cast<Index>(sides_.size() - 1);
  }

  [[noreturn]] static void fail(Index first, Index second, const std::string& what) {
    throw InputError("cells " + std::to_string(first / slots + 1) + " and " + std::to_string(second / slots + 1) +
                     " of the mesh " + what);
  }

  const Mesh& mesh_;
  const int (&vertices_)[slots][corners];
  std::vector<Index> first_side_;  ///< (vertex): the newest side that it owns
  std::vector<Side<corners>> sides_;
};

}  // namespace

Interfaces find_interfaces(const Mesh& mesh) {
  if (mesh.kind == CellKind::triangle) return Sides(mesh, triangle_sides).interfaces();
  if (mesh.kind == CellKind::quadrilateral) return Sides(mesh, quadrilateral_sides).interfaces();
  require(mesh.kind == CellKind::hexahedron, "the mesh has prisms; accepted are triangles, quadrilaterals, hexahedra");
  return Sides(mesh, hexahedron_sides).interfaces();
}

}  // namespace miniapp::mesh
