// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <iterator>
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

/// Cells of each CellKind, in the order of the file.
struct MshCells {
  std::array<std::vector<Index>, std::size(cell_kinds)> corners;       ///< one cell after the other
  std::array<std::vector<std::size_t>, std::size(cell_kinds)> places;  ///< of each cell in the text
};

MshVersion read_version(MshText& text);
MshVertices read_vertices(MshText& text, MshVersion version);
MshCells read_cells(MshText& text, MshVersion version, const MshVertices& vertices);

}  // namespace miniapp::mesh
