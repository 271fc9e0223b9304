// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "miniapp/basis/prism.hpp"
#include "miniapp/elasticity/integrator.hpp"
#include "miniapp/mesh/mesh.hpp"

/// Meshes of prisms of any order: their global nodes, and what integrators take of them.
namespace miniapp::elasticity {

/// Continuous nodes of one order on a mesh of prisms.
struct Numbering {
  int order = 0;
  Map element_to_node;   ///< (element, r): global node of shape function r (basis::prism_nodes); ~node if masked
  Index num_nodes = 0;   ///< masked ones included
  Index num_masked = 0;  ///< nodes that are held: their values are zero
  /// Free unknowns: three per node that is not masked.
  std::int64_t num_dofs() const { return 3 * (std::int64_t(num_nodes) - num_masked); }
};

/// Numbers the nodes of a conforming mesh, none masked. Vertices, edges, triangles and quadrilaterals that elements
/// share have the same nodes in all of them, whatever the order of their local vertices: an entity is known by the set
/// of its vertices, a node on it by its lattice indices in the order of these, in a quadrilateral in the frame of its
/// lowest vertex, first along the side to the lower of its neighbours. Nodes follow in the order in which elements, one
/// after the other, meet them. O(elements), see mesh::find_faces().
/// Errors: a mesh of other cells, an order outside 1..7, more than 2^31 - 1 nodes (InputError).
Numbering make_numbering(const mesh::Mesh& mesh, int order);

/// Where the global nodes are, (node) [m]. A node's elements agree on that up to rounding.
std::vector<mesh::Point> node_points(const mesh::Mesh& mesh, const Numbering& numbering);

/// Masks the nodes for which held[node] is not zero, beside those that are masked already.
void mask(Numbering& numbering, const std::vector<char>& held);

/// The elements of a mesh, all of one material. Errors: a mesh of other cells, an element with det J <= 0
/// somewhere, a material that make_lame() refuses (InputError).
Prisms make_prisms(const mesh::Mesh& mesh, double young, double poisson);

}  // namespace miniapp::elasticity
