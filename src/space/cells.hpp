// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/space/space.hpp"

/// Spaces of one component for each cell kind; make_space() selects one.
namespace miniapp::space {

Space make_space_of_hexahedra(const mesh::Mesh& mesh, int order, Boundary boundary, PartSurface& surface);
Space make_space_of_prisms(const mesh::Mesh& mesh, int order, Boundary boundary, PartSurface& surface);
Space make_space_of_simplices(const mesh::Mesh& mesh, int order, Boundary boundary, PartSurface& surface);

/// Errors: more nodes than an Index can hold (InputError).
void require_few_nodes(std::int64_t nodes);

}  // namespace miniapp::space
