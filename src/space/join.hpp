// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "miniapp/mesh/entities.hpp"
#include "miniapp/space/space.hpp"

/// Spaces on meshes that are distributed over ranks. Ranks know vertices of each other by their numbers in the whole
/// mesh; who else has a vertex is found through the rank at which its number is at home, number mod ranks.
namespace miniapp::space {

/// (rank, ascending): those of this rank's numbers that it has too, ascending. Collective. O(numbers).
std::map<int, std::vector<std::int64_t>> find_shared(const std::vector<std::int64_t>& numbers,
                                                     const Communicator& ranks);

/// A face of a cell that another rank has too.
struct SharedFace {
  int rank;
  std::array<std::int64_t, 4> key;  ///< its vertices in the whole mesh, ascending, then -1
  Index cell;
  int side;
  auto operator<=>(const SharedFace&) const = default;  // NOLINT(modernize-use-nullptr): a fault of clang-tidy 14
};

/// The sides of cells, cell * number of sides + side, that are no other cell's of this rank, ascending: the surface of
/// its part. O(sides) on the device. `faces`: those of the mesh, of a plane one its edges.
std::vector<Index> list_single_sides(const mesh::Entities& faces);

/// The faces of this rank's surface that a cell of another rank has too, by rank and key, which is the other rank's
/// order. Collective. The host's work and messages are O(surface of the part).
std::vector<SharedFace> find_shared_faces(const mesh::Mesh& mesh, const std::vector<Index>& single_sides);
std::vector<SharedFace> find_shared_faces(const mesh::Mesh& mesh, const mesh::Entities& faces);

/// The surface of a rank's part, and what of it other ranks have: each is found when it is first asked for, once for
/// all spaces of a mesh (Space::part_surface). shared_faces() and shared_vertices() are collective where they are asked
/// for the first time, so that all ranks ask for the same, in the same order.
class PartSurface {
 public:
  /// list_single_sides().
  const std::vector<Index>& single_sides(const mesh::Entities& faces);
  /// Those if single_sides() was called, else null: no space needed the faces yet.
  const std::vector<Index>* known_sides() const { return single_sides_ ? &*single_sides_ : nullptr; }
  /// find_shared_faces().
  const std::vector<SharedFace>& shared_faces(const mesh::Mesh& mesh, const mesh::Entities& faces);
  /// find_shared() of the vertices on known_sides(), of all where they are not known.
  const std::map<int, std::vector<std::int64_t>>& shared_vertices(const mesh::Mesh& mesh);
  /// What is known, on the mesh whose cell i is cell cells[i] of the one before. Not collective.
  PartSurface reordered(const std::vector<Index>& cells, int sides_of_cell) const;

 private:
  std::optional<std::vector<Index>> single_sides_;
  std::optional<std::vector<SharedFace>> shared_faces_;
  std::optional<std::map<int, std::vector<std::int64_t>>> shared_vertices_;
};

/// Finds the surface on several ranks, where `faces` are known. If the space `masks` it, shared faces then have the
/// multiplicity 2, since a face between parts is no surface. Collective if it masks.
void find_surface(const mesh::Mesh& mesh, mesh::Entities& faces, bool masks, PartSurface& surface);

/// The space of another order on `mesh`, on which `other` was made and whose cells have kept their places since.
/// Components and layout are those of `other`. What ranks share is not looked for again. Collective. Errors: as
/// make_space().
Space make_space_of_order(int order, const Space& other, const mesh::Mesh& mesh, Boundary boundary);

/// Makes the space's exchange, and masks nodes that other ranks mask: of a surface of which this rank may have an edge
/// alone. A node is known to ranks by the vertices of the vertex, edge or face on which it lies, and by its place among
/// them. The space has its part_surface already. Collective. O(vertices + nodes between parts) where the sides of the
/// space's surface are known, on which all that is shared lies where parts do not overlap and no side has three cells;
/// else also O(cells).
void join(Space& space, const mesh::Mesh& mesh);

}  // namespace miniapp::space
