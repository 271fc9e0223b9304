// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "miniapp/measure/stopwatch.hpp"
#include "weakform/settings.hpp"

/// A form from its mesh to its figures: an order of the cells, a space, what the residual and the Jacobian's action
/// have to be, and both by a strategy, verified and timed.
namespace miniapp::weakform {

/// About `elements` triangles of the unit square or tetrahedra of the unit cube, each inner vertex moved at random by
/// up to 0.12 of the mesh size.
mesh::Mesh make_mesh(int dim, std::int64_t elements);

/// Refuses what no mesh of this kind makes possible, such as blocks that do not fit in scratch, before a large mesh is
/// made. Errors: InputError.
void require_able(FormKind kind, const FormSettings& settings, const Options& options);

/// A form on a mesh whose cells stand in the order of a way, with what is right there.
struct OrderedForm {
  mesh::Mesh mesh;
  space::Space space;
  std::vector<Index> first_cell;         ///< of the blocks that the order has
  std::vector<double> state, direction;  ///< (node, component), numbers of the precision
  std::vector<double> residual, action;  ///< by the reference; action: by its central differences
  double residual_tolerance = 0, action_tolerance = 0;
  measure::Phases phases;
};

/// Makes ordered forms of one mesh. Keeps the last, since strategies share it.
class FormProblem {
 public:
  /// `mesh`: a mesh of the dimension of the settings, kept by the caller; `phases`: in which it was made.
  FormProblem(FormKind kind, const FormSettings& settings, const mesh::Mesh& mesh, measure::Phases phases)
      : kind_(kind), settings_(settings), mesh_(mesh), phases_(std::move(phases)) {}
  FormKind kind() const { return kind_; }
  const FormSettings& settings() const { return settings_; }
  const mesh::Mesh& mesh() const { return mesh_; }
  /// Errors: InputError, an order that this build cannot make; a state where the form is not a number.
  std::shared_ptr<const OrderedForm> ordered(const Way& way);

 private:
  FormKind kind_;
  FormSettings settings_;
  const mesh::Mesh& mesh_;
  measure::Phases phases_;
  std::tuple<graph::Reorder, int, bool> key_;  ///< of last_
  std::shared_ptr<const OrderedForm> last_;
};

/// What was measured and found of a form by a way.
struct Measured {
  Way way;
  measure::Phases phases;                       ///< of the set-up
  measure::Sample residual, jacobian;           ///< times; none with verify_only and of a wrong one
  std::optional<measure::Sample> on_e_vectors;  ///< transposed: the kernel alone
  double residual_error = 0, action_error = 0;  ///< largest difference from what is right
  double residual_tolerance = 0, action_tolerance = 0, residual_norm = 0;
  double flops = 0, bytes = 0, least_bytes = 0;  ///< of one residual
  std::size_t num_entries = 0;
  indirect::PlanFigures figures;
  TeamResources resources;

  /// The larger error, relative to its tolerance.
  double error() const;
  /// What the strategy's own bytes take: its kernel on E-vectors, or the residual.
  const measure::Sample& kernel() const { return on_e_vectors ? *on_e_vectors : residual; }
};

/// What was found of a form's solution by Newton's method.
struct Solved {
  Way way;
  measure::Phases phases;  ///< of the set-up
  double seconds = 0;      ///< of Newton's method, with its matrices and multigrid
  std::size_t num_entries = 0;
  NewtonResult newton;
  SolutionErrors errors;
};

/// Solves the form from zero, on the surface with the exact solution, and compares with that. Errors: InputError as
/// bind().
Solved solve_form(FormProblem& problem, const Way& way);

/// Binds the form to the device, verifies the residual and the Jacobian's action, and times both. Errors: InputError as
/// bind().
Measured measure_form(FormProblem& problem, const Way& way);

}  // namespace miniapp::weakform
