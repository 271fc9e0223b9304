// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <vector>

#include "miniapp/mesh/mesh.hpp"

namespace miniapp::mesh {

/// (element): the rank that gets it, by recursive bisection of the elements' centres across the longest side of their
/// box. Parts differ by one element at most. O(elements log ranks).
std::vector<int> bisect_elements(const Mesh& mesh, int ranks);

/// This rank's part of a mesh that rank 0 has as `whole`; the others give any mesh. `rank_of` (element) is that of rank
/// 0 too. Elements and vertices of a part keep their order; it has all groups, with the members that are its own. Rank
/// 0 holds the whole mesh, its own part and one other at a time. Collective. Errors: InputError on all ranks where a
/// rank gets no element.
Mesh distribute(const Mesh& whole, const std::vector<int>& rank_of, const Communicator& ranks);

/// This rank's part of the mesh that `read` gives on rank 0, as read_gmsh() of a file, where `assign` gives the rank of
/// each element. A process that is alone gets the whole mesh. Collective. Errors: InputError of `read`, of `assign` and
/// of distribute(), on all ranks.
Mesh read_parts(const Communicator& ranks, const std::function<Mesh()>& read,
                const std::function<std::vector<int>(const Mesh&, int ranks)>& assign = bisect_elements);

}  // namespace miniapp::mesh
