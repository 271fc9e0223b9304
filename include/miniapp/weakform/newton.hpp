// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "miniapp/weakform/assembled_jacobian.hpp"
#include "miniapp/weakform/newton_result.hpp"

namespace miniapp::weakform {

/// What the Jacobian nearly maps to zero, (unknown, mode), zero at constrained nodes: the motions of a rigid body where
/// u displaces it, translations first; otherwise a constant per component; of one nothing. `held` (unknown): zero where
/// it is not 0; empty: nowhere else. Collective.
Vector<double> make_near_null(const mesh::Mesh& mesh, const space::Space& space, bool displaces,
                              const std::vector<char>& held = {});

template <class Real>
class LinearSystem;

namespace detail {

/// What Newton's method calls, so that it is compiled once for all forms of a precision. All of it is of this rank's
/// cells alone; Newton's method adds up ranks.
template <class Real>
struct NewtonProblem {
  std::function<void(const Instance&, const Vector<const Real>& u, const Vector<Real>& r)> residual;
  std::function<void(const Instance&, const Vector<const Real>& u, const Vector<const Real>& w, const Vector<Real>& y)>
      action;
  std::function<const linalg::CsrMatrix<double>&(const Instance&, const Vector<const Real>& u)> assemble;
  Vector<const Index> held;  ///< the unknowns whose value is prescribed
  Vector<const double> near_null;
  Vector<const Real> places;  ///< coordinates (node, component) [m], where the form displaces points; else empty
  space::Space unknowns;      ///< (node, component), of no mesh
  bool symmetric;
  std::shared_ptr<LinearSystem<Real>> system{};  ///< keeps multigrid from run to run; null: each run has its own
};

/// The unknowns of constrained nodes, and those that flags hold, ascending.
std::vector<Index> held_unknowns(const space::Space& space, const std::vector<char>& held);

/// What `system` of a problem is to be.
template <class Real>
std::shared_ptr<LinearSystem<Real>> make_system(const NewtonProblem<Real>& problem);

/// Newton's method on a problem in this precision; compiled for float and double.
template <class Real>
NewtonResult run_newton(const Instance& instance, const NewtonProblem<Real>& problem,
                        const Vector<const Real>& prescribed, const Vector<Real>& u, const NewtonOptions& options);

}  // namespace detail

/// Solves r(u) = 0 by Newton's method: J(u) d = -r(u) by conjugate gradients with the assembled Jacobian, by GMRES
/// (solver/gmres.hpp) where the form's is not symmetric; then u += t d with the first t of 1, 1/2, 1/4, .. for which
/// |r(u + t d)| <= (1 - t / 10000) |r(u)|. Source: J. E. Dennis, R. B. Schnabel, Numerical methods for unconstrained
/// optimization and nonlinear equations, SIAM 1996, sections 6.3 and 6.5.
///
/// The first step carries prescribed values inward: d = g - u at constrained nodes, and |r| counts them as J does,
/// |r(u) + J(u) (g - u)|. So a linear form takes one step, and an elastic body whose surface is moved does not turn
/// border cells inside out. If a shorter part of that step is taken because |r| is not finite, the rest follows with
/// the next ones.
///
///   const Newton solver(residual, mesh, space);  // the pattern and the modes
///   const NewtonResult result = solver.solve(instance, prescribed, u);
///
/// Multigrid is set up for the first step and kept for the next ones, of this solve() and of later ones, as long as
/// these take at most half as many iterations again as the step that it was set up for. So steps in time share it; a
/// copy of a Newton shares it too. The solution, residuals and linear solves are in Real, the sums
/// of the matrix, norms and multigrid's set-up in double precision. In single precision give a tolerance that it
/// reaches: usual_newton<float>(). Keeps a reference to the residual, which must outlive it.
///
/// Where the mesh is distributed, solve() is collective: |r| and all sums are those of all ranks, so that every rank
/// takes the same steps, and u has the same value in all copies of a node; multigrid is solver::DistributedAmg.
template <Form F, class Real = double>
class Newton {
 public:
  /// `held` (node, component): 1 where u is prescribed in addition to the constrained nodes, in single components of a
  /// node (space/held.hpp); empty: nowhere. Errors: as AssembledJacobian.
  Newton(const Residual<F, Real>& residual, const mesh::Mesh& mesh, const space::Space& space,
         const std::vector<char>& held = {})
      : residual_(residual), jacobian_(residual, space, held) {
    problem_ = {{},
                {},
                {},
                to_device("weakform/held", detail::held_unknowns(space, held)),
                make_near_null(mesh, space, displaces<F>(), held),
                displaces<F>() ? to_device("weakform/places", detail::make_vertices<Real>(F::dim, mesh, space, {}))
                               : Vector<const Real>(),
                space::make_unknowns(space.num_nodes, F::components, Layout::aos),
                F::symmetric};
    problem_.unknowns.exchange = space.exchange;
    problem_.system = detail::make_system(problem_);
  }

  /// u (node, component): overwrites a first guess by the solution, or by the last iterate. `prescribed` (node,
  /// component): the solution at constrained nodes and held components; the others are not read. Never throws for what
  /// the form does; the verdict says it. Errors: vectors of other sizes, options that are not positive (InputError).
  NewtonResult solve(const Instance& instance, const Vector<const Real>& prescribed, const Vector<Real>& u,
                     const NewtonOptions& options = usual_newton<Real>()) {
    detail::NewtonProblem<Real> problem = problem_;
    problem.residual = [this](const Instance& on, const Vector<const Real>& at, const Vector<Real>& r) {
      residual_.apply(on, at, r);
    };
    problem.action = [this](const Instance& on, const Vector<const Real>& at, const Vector<const Real>& w,
                            const Vector<Real>& y) { residual_.apply_jacobian(on, at, w, y); };
    problem.assemble = [this](const Instance& on, const Vector<const Real>& at) -> const linalg::CsrMatrix<double>& {
      jacobian_.assemble(on, at);
      return jacobian_.matrix();
    };
    return detail::run_newton(instance, problem, prescribed, u, options);
  }

  const AssembledJacobian<F, Real>& jacobian() const { return jacobian_; }

 private:
  const Residual<F, Real>& residual_;
  AssembledJacobian<F, Real> jacobian_;
  detail::NewtonProblem<Real> problem_;
};

}  // namespace miniapp::weakform
