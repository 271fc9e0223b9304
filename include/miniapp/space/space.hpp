// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "miniapp/core/field.hpp"
#include "miniapp/core/shared_map.hpp"
#include "miniapp/mesh/mesh.hpp"
#include "miniapp/space/exchange.hpp"

/// The unknowns of a problem: the nodes of the continuous space of one order on a mesh, with a number of components per
/// node.
namespace miniapp::space {

/// Where values are prescribed: which nodes of the surface are constrained.
enum class Boundary {
  neumann,    ///< every node is free
  dirichlet,  ///< nodes on the surface are constrained: they are zero and stay zero
};
constexpr auto names(Boundary) { return std::array{"neumann", "dirichlet"}; }

class PartSurface;

/// The unknowns of a problem. A vector of the space has num_entries() entries, in the order of `layout`.
struct Space {
  mesh::CellKind kind = mesh::CellKind::hexahedron;
  int order = 0;
  int components = 1;           ///< unknowns per node
  Layout layout = Layout::soa;  ///< layout of vectors: soa (component, node), aos (node, component)
  /// Z (element, local node): the global node; ~node where it is constrained. Local nodes of a hexahedron: i + n j +
  /// n^2 k at the Gauss-Lobatto point (i, j, k) along (r, s, t), n = order + 1; of a prism as basis::prism_nodes();
  /// of a simplex, whose order is 1, its vertices.
  SharedMap element_to_node;
  Index num_nodes = 0;        ///< global nodes, constrained ones included
  std::vector<Index> masked;  ///< constrained nodes, ascending: all components of them are zero
  Exchange exchange;          ///< sums with the other ranks of the mesh
  /// What is known of the surface between ranks, for other spaces of the mesh (space/join.hpp); null on one rank.
  std::shared_ptr<PartSurface> part_surface = {};

  std::size_t num_entries() const { return std::size_t(components) * num_nodes; }
  /// Whether this rank owns a node.
  bool owns(Index node) const { return exchange.empty() || exchange.owns(entry(node, 0)); }
  /// Number of nodes that this rank owns.
  std::int64_t num_owned() const;
  /// Number of free unknowns of all ranks, each counted once; of constrained ones. Collective.
  std::int64_t num_dofs() const;
  std::int64_t num_masked() const;
  /// The index of component c of a node in a vector.
  std::size_t entry(Index node, int c) const {
    return layout == Layout::soa ? std::size_t(c) * num_nodes + node : std::size_t(node) * components + c;
  }
};

/// The nodes of `mesh`: elements agree on those of shared vertices, edges and faces for any local orientation.
///
/// Nodes of hexahedra are numbered along lines: r-rows of an element that continue into the next element through its
/// r-face are numbered from end to end, line after line in the order of their lowest elements. So the n nodes of a row
/// are consecutive wherever neighbours share their r direction, as rows of a box do, and an element's nodes lie close
/// together. Nodes of prisms and of simplices are numbered in the order in which elements visit them. O(nodes +
/// elements log(longest line)); runs on the device. Errors: cells of another kind, components below 1, an order of
/// prisms outside 1..7, of simplices other than 1, more than 2^31 - 1 nodes per rank (InputError). Collective, where
/// the mesh is distributed: nodes between parts are shared (Exchange), and faces between parts are no surface.
Space make_space(const mesh::Mesh& mesh, int order, int components, Boundary boundary, Layout layout = Layout::soa);

/// Constrains the nodes for which held[node] is not zero, in addition to those that are constrained already. Operators
/// that exist know only the nodes of before. Errors: InputError where `held` has not one flag per node.
void hold(Space& space, const std::vector<char>& held);

/// All sides of cells without a neighbour, on this rank or another, ascending. Collective, where the mesh is
/// distributed.
std::vector<mesh::CellSide> surface_sides(const mesh::Mesh& mesh);

/// The nodes on sides as Space::element_to_node has them, ~node where constrained, side after side: those of a
/// hexahedron in the order of local_side_nodes(), of a simplex in that of its side's vertices, of a prism ascending in
/// the cell.
std::vector<Index> nodes_on_sides(const Space& space, const std::vector<mesh::CellSide>& sides);
/// The global nodes on sides, ascending, each once, constrained ones included: those of groups of sides among them.
std::vector<Index> side_nodes(const Space& space, const std::vector<mesh::CellSide>& sides);
/// Constrains the nodes on sides, and their copies on other ranks. Collective, where the mesh is distributed.
void hold_sides(Space& space, const std::vector<mesh::CellSide>& sides);
/// The local nodes of each side of a hexahedron of this order: those along the lower direction of the side fastest.
std::array<std::vector<int>, 6> local_side_nodes(int order);

/// Unknowns without a mesh, such as those of a matrix: nodes that belong to no element.
Space make_unknowns(Index num_nodes, int components = 1, Layout layout = Layout::soa);

/// Coordinates of the global nodes, (node) [m]; zero for vertices of no element. The elements at a node agree on them
/// up to rounding.
std::vector<mesh::Point> node_points(const mesh::Mesh& mesh, const Space& space);

/// Errors: InputError naming a curved element that has a node of a side elsewhere than its neighbour. For meshes that
/// are not distributed: neighbours on other ranks are not seen.
void require_matching_nodes(const mesh::Mesh& mesh);

/// The map with the numbers of constrained nodes instead of ~number.
SharedMap without_masks(const SharedMap& map);

/// Number of nodes that make_space() would find on a simply connected mesh of hexahedra with these numbers of entities.
std::int64_t count_nodes(std::int64_t vertices, std::int64_t edges, std::int64_t faces, std::int64_t elements,
                         int order);

}  // namespace miniapp::space
