// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "miniapp/weakform/coefficients.hpp"

/// What a user gives of one of the library's equations (case.hpp), beside its mesh: kappa, f, and conditions on groups.
namespace miniapp::weakform {

/// A number at x [m]. `cell` is the number of the cell in the whole mesh (mesh::Mesh::number()) for factors of kappa
/// and on sides; at vertices, which belong to several cells, it is 0. Several threads may call an exact solution at
/// once.
using Function = std::function<double(std::int64_t cell, const mesh::Point& x)>;

/// A function per component on a group of cells or of sides.
struct Condition {
  std::string group;             ///< a group of the mesh; empty, for kappa alone: all cells
  std::vector<Function> values;  ///< (component), of kappa one; of dirichlet null: this component is free
  Function alpha{};              ///< alpha in f1 . n + alpha u = values; from 0 on
  bool per_cell = false;         ///< whether kappa is a factor of cells, also where no group is named
};

/// Without a condition f1 . n is zero on a side. Of neo-hookean f1 . n is the traction on the undeformed side.
struct UserProblem {
  /// kappa: everywhere, where it is taken at the vertices and linear between them; times a factor of groups of cells,
  /// or of cells, that is taken at the centroids. Of several factors for a cell the last holds.
  std::vector<Condition> coefficient;
  std::vector<Function> source;      ///< f (component), taken at the vertices; empty: 0
  std::vector<Condition> dirichlet;  ///< u = values at the vertices of sides
  std::vector<Condition> neumann;    ///< f1 . n = values
  std::vector<Condition> robin;      ///< f1 . n + alpha u = values
  std::vector<Function> exact;       ///< u (component); empty: not known

  bool has_data() const {
    return !coefficient.empty() || !source.empty() || !dirichlet.empty() || !neumann.empty() || !robin.empty() ||
           !exact.empty();
  }
};

/// A problem on a mesh: what WithData (forms.hpp) reads.
struct PreparedForm {
  space::Space space;              ///< a space of layout aos, with the nodes that dirichlet holds in all components
  std::vector<char> held;          ///< (node, component): whether dirichlet holds it
  Coefficients data;               ///< nodal (kappa, f), of cells (factor), of sides (alpha, g)
  std::vector<double> prescribed;  ///< u (node, component) where it is held, else zero
  std::vector<Function> exact;     ///< the exact solution, as it was given
  std::string natural;             ///< groups of sides, and sides without a group, that have no condition; empty: none
};

/// Errors: InputError naming the group or the point: a group that the mesh has not, or of another dimension, two
/// conditions on one side, one between cells, values that are not finite, a kappa that is not positive, another number
/// of values than components, two prescribed values at one node, an alpha below 0, or 0 everywhere without a Dirichlet
/// condition. Collective.
PreparedForm prepare(const UserProblem& problem, const mesh::Mesh& mesh, int components);

}  // namespace miniapp::weakform
