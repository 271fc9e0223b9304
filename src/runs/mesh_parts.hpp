// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <vector>

#include "miniapp/graph/partition.hpp"
#include "miniapp/mesh/mesh.hpp"

/// Meshes of files on several ranks.
namespace miniapp::runs {

/// (element): the rank that gets it. rcb: mesh::bisect_elements(); metis: graph::parts_by_metis() of the elements that
/// share sides; linear: consecutive elements, as many for each rank but for one. Errors: InputError, those of METIS.
std::vector<int> assign_elements(const mesh::Mesh& mesh, graph::Partition partition, int ranks);

/// This rank's part of the mesh that `read` gives on rank 0. Collective. Errors: those of mesh::read_parts().
mesh::Mesh read_parts(const Communicator& ranks, graph::Partition partition, const std::function<mesh::Mesh()>& read);

}  // namespace miniapp::runs
