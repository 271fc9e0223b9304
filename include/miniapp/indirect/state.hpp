// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <string>
#include <vector>

#include "miniapp/core/names.hpp"
#include "miniapp/indirect/case.hpp"
#include "miniapp/mesh/vtu.hpp"

/// Fields of loops by their names: a user's own state, and what a loop makes of it.
namespace miniapp::indirect {

/// Fields with the values of a loop's state, of all cells or vertices of the whole mesh, in the order of
/// state_fields(). Of a distributed mesh, numbers of corners are right in this rank's cells only.
using State = std::vector<FieldValues>;

/// The fields that a loop reads as its state:
///   airfoil, euler-flux   cells: density [kg/m^3], momentum [kg/(m^2 s)], energy [J/m^3], all per volume
///   shallow-water         cells: depth [m], discharge [m^2/s], bottom [m]
///   hydro-stress          cells: stress xx, yy, zz [Pa]; vertices: position [m], where they have moved
///   corner-acceleration   corners of cells: corner_mass [kg/m], corner_force_x, corner_force_y [N/m]
std::vector<LoopField> state_fields(LoopKind kind);

/// The fields that it increments: density_residual, momentum_residual, energy_residual; depth_residual,
/// discharge_residual; force; mass and force, at vertices. Residuals are the outflow of a cell through its sides, but
/// for those of the boundary.
std::vector<LoopField> increment_fields(LoopKind kind);

/// The state that a file has for a mesh, which must be numbered as the file is: as many vertices and cells, each vertex
/// within 1e-6 of the longest side of the box around all, cells with the same vertices. In the plane vectors may have a
/// third component, zero. Collective, where the mesh is distributed; each rank has the whole file. Errors, InputError
/// on all ranks: the first vertex or cell, from 1, that is another; arrays that are missing, or have another number of
/// components, with those that there are; numbers that are not finite, densities, masses and pressures (of airfoil and
/// euler-flux) that are not positive, depths that are negative.
State find_state(LoopKind kind, const mesh::Mesh& mesh, const mesh::Vtu& file);

/// The state of a case that make_case() made on `mesh`, in this rank's cells and vertices.
State state_of(LoopKind kind, const Case& data, const mesh::Mesh& mesh);

/// The fields of a BoundLoop's result() in the order of such a case, in this rank's cells or vertices.
std::vector<FieldValues> increments_of(LoopKind kind, const std::vector<double>& result, const Case& data,
                                       const mesh::Mesh& mesh);

/// The fields of a BoundLoop's result() in the order of such a case, in all targets of this rank, copies included.
std::vector<FieldValues> increments_of(LoopKind kind, const std::vector<double>& result, const Case& data);

}  // namespace miniapp::indirect
