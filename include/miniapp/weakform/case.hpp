// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "miniapp/core/instance.hpp"
#include "miniapp/core/teams.hpp"
#include "miniapp/space/space.hpp"
#include "miniapp/weakform/bounded.hpp"
#include "miniapp/weakform/errors.hpp"
#include "miniapp/weakform/intensity.hpp"
#include "miniapp/weakform/newton_result.hpp"
#include "miniapp/weakform/strategy.hpp"
#include "miniapp/weakform/user_problem.hpp"

/// The forms of forms.hpp behind one interface, for programs that choose form, dimension and precision at run time.
namespace miniapp::weakform {

/// The forms that the library brings, each in 2 and 3 dimensions.
enum class FormKind {
  poisson,            ///< -div grad u = f
  variable_poisson,   ///< -div(kappa grad u) = f, kappa at the vertices
  helmholtz,          ///< -div grad u - k^2 u = f
  nonlinear_poisson,  ///< -div((1 + u^2) grad u) = f
  neo_hookean,        ///< compressible neo-Hookean elasticity, a component per dimension
};
constexpr auto names(FormKind) {
  return std::array{"poisson", "variable-poisson", "helmholtz", "nonlinear-poisson", "neo-hookean"};
}

/// What they solve, for help and pages.
constexpr auto descriptions(FormKind) {
  return std::array{"-div grad u = f", "-div(kappa grad u) = f", "-div grad u - k^2 u = f",
                    "-div((1 + u^2) grad u) = f", "-div P(F) = f, compressible neo-Hookean"};
}

/// What is known of a form without a mesh.
struct FormFacts {
  int components, points;
  bool symmetric;       ///< whether the Jacobian is symmetric
  bool displaces;       ///< whether u displaces points of the mesh
  bool takes_kappa;     ///< whether the equation has a kappa
  double cell_flops;    ///< flops of a cell by the plain algorithm
  Intensity intensity;  ///< the paper's model
};
FormFacts facts(FormKind kind, int dim);

/// The exact solution of a form (component) and its kappa at a point.
std::vector<double> exact_solution(FormKind kind, int dim, const mesh::Point& x);
double exact_coefficient(FormKind kind, int dim, const mesh::Point& x);

/// A form on a mesh with its vectors on the device, in either precision. Vectors are given and returned as (node,
/// component) in double precision. Where the mesh is distributed they are the values of all ranks' cells in every copy
/// of a node; run(), run_jacobian(), reference(), solve() and errors() are collective, the other figures those of this
/// rank's part.
class BoundForm {
 public:
  virtual ~BoundForm() = default;
  virtual void set_state(const std::vector<double>& u) = 0;
  virtual void set_direction(const std::vector<double>& w) = 0;
  virtual void run(const Instance& instance) = 0;           ///< residual of the state, without waiting
  virtual void run_jacobian(const Instance& instance) = 0;  ///< Jacobian at the state times the direction
  /// Residual::apply_to_e_vectors(), after a run().
  virtual void run_on_e_vectors(const Instance& instance) = 0;
  virtual std::vector<double> result() const = 0;     ///< what the last run computed
  virtual std::vector<double> reference() const = 0;  ///< reference_residual() of the state
  virtual void require_finite() const = 0;            ///< Residual::require_finite() for the state
  virtual std::vector<double> state() const = 0;
  /// Newton::solve() from the state, zeros unless it was set, with the exact solution or the user's data as the
  /// prescribed values. The state becomes the last iterate.
  virtual NewtonResult solve(const Instance& instance, const NewtonOptions& options) = 0;
  /// solution_errors() of the state. Errors: a user's problem without an exact solution (InputError).
  virtual SolutionErrors errors() const = 0;
  virtual const Options& options() const = 0;  ///< Residual's
  virtual double flops() const = 0;            ///< Residual's, of one run()
  virtual double bytes() const = 0;
  virtual double least_bytes() const = 0;
  virtual std::size_t num_entries() const = 0;
  virtual indirect::PlanFigures figures() const = 0;
  virtual TeamResources resources() const = 0;
};

/// What rounding may make of the residual and of the Jacobian's action, of this rank's cells (reference.hpp); kappa is
/// the exact coefficient, or all data are a user's.
ReferenceBounds reference_bounds(FormKind kind, const mesh::Mesh& mesh, const space::Space& space,
                                 const std::vector<double>& u, const std::vector<double>& w, bool rounds_input);
ReferenceBounds reference_bounds(FormKind kind, const mesh::Mesh& mesh, const PreparedForm& problem,
                                 const std::vector<double>& u, const std::vector<double>& w);

/// Binds a form to a mesh, which the caller keeps and whose kind gives the dimension. kappa (node) is the exact
/// coefficient where it is empty. Errors: those of Residual; a mesh that is not of simplices (InputError).
std::unique_ptr<BoundForm> bind(FormKind kind, Precision precision, const mesh::Mesh& mesh, const space::Space& space,
                                const Options& options, const std::vector<double>& kappa = {});
/// A form with a user's data, in double precision, by reference, cells, tiles or owner; keeps a copy of the problem.
std::unique_ptr<BoundForm> bind(FormKind kind, const mesh::Mesh& mesh, const PreparedForm& problem,
                                const Options& options);

}  // namespace miniapp::weakform
