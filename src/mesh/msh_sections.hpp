// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "mesh/msh_text.hpp"
#include "miniapp/mesh/mesh.hpp"

/// The sections of a mesh file of Gmsh. Errors: InputError of MshText.
namespace miniapp::mesh {

enum class MshVersion { v2_2, v4_1 };

/// Gmsh goes around the bottom of a hexahedron, then around its top: the place of its vertex i in ours, and back.
inline constexpr int hexahedron_place[8] = {0, 1, 3, 2, 4, 5, 7, 6};

/// Vertices by the numbers that the file gives them.
struct MshVertices {
  struct Tag {
    std::int64_t number;
    Index vertex;
  };
  std::vector<Point> points;
  std::vector<Tag> tags;  ///< by ascending number once all are read

  /// The vertex of this number, -1 if there is none. At once where numbers have no gaps.
  Index find(std::int64_t number) const;
};

/// Cells of each kind, in the order of the file.
struct MshCells {
  std::array<std::vector<Index>, 4> corners;       ///< one cell after the other
  std::array<std::vector<std::size_t>, 4> places;  ///< of each cell in the text
};

MshVersion read_version(MshText& text);
MshVertices read_vertices(MshText& text, MshVersion version);
MshCells read_cells(MshText& text, MshVersion version, const MshVertices& vertices);

}  // namespace miniapp::mesh
