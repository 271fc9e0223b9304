// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/mesh/mesh.hpp"

namespace miniapp::space {

/// A rank's part of a mesh, and behind its cells those of other ranks that share a side with one of them which has the
/// lower number. So the rank of the lower cell has both cells of each interface between ranks. Groups are left out.
/// Collective.
mesh::Mesh with_halo_cells(const mesh::Mesh& mesh);

}  // namespace miniapp::space
