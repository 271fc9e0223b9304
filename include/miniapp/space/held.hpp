// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "miniapp/space/space.hpp"

/// Single components of nodes that are held, where hold_sides() holds whole nodes. Operators know only these: flags are
/// for solvers (weakform::Newton, linalg::BlockMatrix::hold()).
namespace miniapp::space {

/// Flags (entry), 1 for these components, from 0, of the nodes on sides, on this rank or another. Collective. Errors:
/// InputError where a component is none of the space.
std::vector<char> held_components(const Space& space, const std::vector<mesh::CellSide>& sides,
                                  const std::vector<int>& components);

/// (node): 1 where all components are held, as hold() takes them.
std::vector<char> held_nodes(const Space& space, const std::vector<char>& held);

}  // namespace miniapp::space
