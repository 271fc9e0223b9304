// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "miniapp/space/space.hpp"

/// Fields for VTK and ParaView.
namespace miniapp::space {

/// A field of one number per point, for pictures.
struct PointField {
  std::string name;
  std::vector<double> values;  ///< (node): its values at the Gauss-Lobatto nodes of the space, constrained ones too
};
/// One number per element.
struct CellField {
  std::string name;
  std::vector<double> values;  ///< (element)
};

/// The contents of a file of VTK's XML format, version 2.2, unstructured grid, with appended raw data: hexahedra as
/// Lagrange cells of the order of the space. VTK's nodes are equidistant, so that the fields are evaluated there: the
/// polynomials are the same. Nodes are shared as in the space. `function`, if set, adds a field `error`: the first
/// field minus function(element, x, y, z). O(nodes order). Errors: InputError where cells are no hexahedra, or a field
/// has another number of values.
std::string vtu(const mesh::Mesh& mesh, const Space& space, const std::vector<PointField>& fields,
                const std::vector<CellField>& cells,
                const std::function<void(std::int64_t element, int count, const double* x, const double* y,
                                         const double* z, double* values)>& function = {});

/// Where VTK has node (i, j, k) of a Lagrange hexahedron of this order.
int vtk_node(int order, int i, int j, int k);

/// The list of the files of all ranks, in VTK's format of parallel unstructured grids: of the same fields by the same
/// names.
std::string pvtu(const std::vector<std::string>& point_fields, const std::vector<std::string>& cell_fields,
                 const std::vector<std::string>& files);

}  // namespace miniapp::space
