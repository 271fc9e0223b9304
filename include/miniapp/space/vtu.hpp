// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "miniapp/space/space.hpp"

/// Fields for VTK and ParaView.
namespace miniapp::space {

/// A field of numbers at points.
struct PointField {
  std::string name;
  /// (node, component): its values at the Gauss-Lobatto nodes of the space, constrained ones too.
  std::vector<double> values;
  int components = 1;
};
/// Numbers of elements.
struct CellField {
  std::string name;
  std::vector<double> values;  ///< (element, component)
  int components = 1;
};

/// How the arrays of a file are stored.
enum class Compress { none, zlib };
constexpr auto names(Compress) { return std::array{"none", "zlib"}; }
/// Why this build cannot, with what is accepted; empty where it can.
std::string why_not(Compress compress);

/// The contents of a file of VTK's XML format, version 2.2, unstructured grid, with appended raw data: hexahedra
/// and prisms as Lagrange cells of the order of the space, triangles and tetrahedra of order 1. VTK's nodes are
/// equidistant, so that the fields are evaluated there: the polynomials are the same. Nodes are shared as in the space.
/// Fields of two components get a third, 0, since VTK's vectors have three. `function`, if set, adds a field `error` on
/// hexahedra: the first field, of one component, minus function(element, x, y, z). O(nodes order). Errors: InputError
/// for other cells, where a field has another number of values, and for a compression that this build does not have.
std::string vtu(const mesh::Mesh& mesh, const Space& space, const std::vector<PointField>& fields,
                const std::vector<CellField>& cells,
                const std::function<void(std::int64_t element, int count, const double* x, const double* y,
                                         const double* z, double* values)>& function = {},
                Compress compress = Compress::none);

/// The file for cells of a mesh with straight sides, but for prisms, and numbers at its vertices: both keep their
/// order; the format is 1.0. mesh::parse_vtu() reads it without change. O(cells). Errors: as above.
std::string vtu(const mesh::Mesh& mesh, const std::vector<PointField>& vertices, const std::vector<CellField>& cells,
                Compress compress = Compress::none);

/// Where VTK has node (i, j, k) of a Lagrange hexahedron of this order.
int vtk_node(int order, int i, int j, int k);
/// Where VTK has node (i, j, k) of a Lagrange wedge of this order, i and j along the edges 0 1 and 0 2 of the triangle,
/// k along the line. Source: VTK, vtkHigherOrderWedge::PointIndexFromIJK().
int vtk_prism_node(int order, int i, int j, int k);

/// The list of the files of all ranks, in VTK's format of parallel unstructured grids, from the file of one of them,
/// or what it begins with: all have the same arrays by the same names.
std::string pvtu(const std::string& piece, const std::vector<std::string>& files);

}  // namespace miniapp::space
