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
  std::vector<Index> corners;        ///< one cell after the other
  std::vector<std::size_t> places;   ///< (cell): in the text
  std::vector<std::int64_t> owners;  ///< (cell): what says to which groups it belongs, see MshGroups
};

/// Cells of each CellKind, and lines.
struct MshCells {
  std::array<MshCellList, std::size(cell_kinds)> of_kind;
  MshCellList lines;
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
