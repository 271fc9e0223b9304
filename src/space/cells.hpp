// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "miniapp/space/space.hpp"

/// Spaces of one component for each cell kind; make_space() selects one.
namespace miniapp::space {

struct SpaceOfCells {
  Space space;
  std::optional<std::vector<Index>> single_sides;  ///< list_single_sides(), on several ranks where sides were found
};
SpaceOfCells make_space_of_hexahedra(const mesh::Mesh& mesh, int order, Boundary boundary);
SpaceOfCells make_space_of_prisms(const mesh::Mesh& mesh, int order, Boundary boundary);
SpaceOfCells make_space_of_simplices(const mesh::Mesh& mesh, int order, Boundary boundary);

/// Errors: more nodes than an Index can hold (InputError).
void require_few_nodes(std::int64_t nodes);

}  // namespace miniapp::space
