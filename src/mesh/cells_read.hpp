// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "miniapp/mesh/mesh.hpp"

/// What readers of files do with the cells that they have read.
namespace miniapp::mesh {

/// Removes the vertices that no cell uses; the others keep their order. Returns the new number of each vertex, -1 where
/// it was removed.
std::vector<Index> drop_unused(Mesh& mesh);

/// Throws an InputError that names the place of an element in a file.
using FailAtElement = std::function<void(std::size_t element, const std::string& reason, const std::string& accepted)>;

/// Makes clockwise cells counter-clockwise and left-handed ones right-handed; they keep their first vertex. Refuses
/// plane cells in space, those of a tilted plane or of a curved surface, cells without area or volume, and, naming
/// `source`, meshes as require_conforming() does.
void put_right(Mesh& mesh, const std::string& source, const FailAtElement& fail);

}  // namespace miniapp::mesh
