// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "mesh/msh_text.hpp"
#include "miniapp/mesh/mesh.hpp"

/// The sections of a Gmsh mesh file. Errors: InputError, as MshText.
namespace miniapp::mesh {

enum class MshVersion { v2_2, v4_1 };

/// An element type of Gmsh that is read. Of points and lines `kind` says nothing.
struct MshType {
  int type, dimension;
  CellKind kind;
  int order, nodes;  ///< fewer nodes than (order + 1)^dimension: none within sides and volume
};
inline constexpr MshType msh_types[] = {
    {15, 0, CellKind::triangle, 1, 1},       {1, 1, CellKind::triangle, 1, 2},
    {8, 1, CellKind::triangle, 2, 3},        {26, 1, CellKind::triangle, 3, 4},
    {27, 1, CellKind::triangle, 4, 5},       {2, 2, CellKind::triangle, 1, 3},
    {3, 2, CellKind::quadrilateral, 1, 4},   {16, 2, CellKind::quadrilateral, 2, 8},
    {10, 2, CellKind::quadrilateral, 2, 9},  {36, 2, CellKind::quadrilateral, 3, 16},
    {37, 2, CellKind::quadrilateral, 4, 25}, {4, 3, CellKind::tetrahedron, 1, 4},
    {5, 3, CellKind::hexahedron, 1, 8},      {17, 3, CellKind::hexahedron, 2, 20},
    {12, 3, CellKind::hexahedron, 2, 27},    {92, 3, CellKind::hexahedron, 3, 64},
    {93, 3, CellKind::hexahedron, 4, 125},   {6, 3, CellKind::prism, 1, 6},
};
/// Vertices by the numbers that the file gives them.
struct MshVertices {
  struct Tag {
    std::int64_t number;
    Index vertex;
  };
  std::vector<Point> points;
  std::vector<Tag> tags;  ///< by ascending number once all are read

  /// The vertex with this number, -1 if there is none. O(1) if the numbers have no gaps.
  Index find(std::int64_t number) const;
};

/// Cells of one kind, in the order of the file.
struct MshCellList {
  const MshType* type = nullptr;     ///< one for all; null: there are none
  std::vector<Index> corners;        ///< one cell after the other
  std::vector<Index> others;         ///< (cell, node): the further nodes of curved hexahedra, in Gmsh's order
  std::vector<std::size_t> places;   ///< (cell): in the text
  std::vector<std::int64_t> owners;  ///< (cell): what says to which groups it belongs, see MshGroups
};

/// Cells of each CellKind, and lines.
struct MshCells {
  std::array<MshCellList, std::size(cell_kinds)> of_kind;
  MshCellList lines;

  MshCellList& of(CellKind kind) { return of_kind[static_cast<std::size_t>(kind)]; }
};

/// Physical groups, by dimension and number.
struct MshGroups {
  using Key = std::pair<int, std::int64_t>;
  std::map<Key, std::string> names;
  /// Format 4.1: numbers of the groups of a geometric entity, which owns cells. In format 2.2 a cell's owner is the
  /// number of its group, 0 if it is in none.
  std::map<Key, std::vector<std::int64_t>> of_entity;

  std::vector<std::int64_t> of(MshVersion version, int dimension, std::int64_t owner) const;
  /// The name of a group: its number where the file has none.
  std::string name(const Key& key) const;
};

MshVersion read_version(MshText& text);
MshVertices read_vertices(MshText& text, MshVersion version);
MshGroups read_groups(MshText& text, MshVersion version);
MshCells read_cells(MshText& text, MshVersion version, const MshVertices& vertices);

}  // namespace miniapp::mesh
