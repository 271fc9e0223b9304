// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "miniapp/measure/stopwatch.hpp"
#include "miniapp/mesh/generate.hpp"
#include "miniapp/tensor/element_operator.hpp"

/// What a user gives of the problem -div(k grad u) + lambda u = f, beside mesh, order and lambda.
namespace miniapp::tensor {

/// A function on a group of elements or of sides.
struct Term {
  std::string group;  ///< a group of the mesh; empty: all elements
  FunctionPointer value;
  FunctionPointer alpha{};  ///< alpha in k du/dn + alpha u = value
};

struct UserProblem {
  std::vector<Term> coefficient;  ///< k; of several for an element the last holds
  FunctionPointer source;         ///< f; null: 0
  FunctionPointer exact;          ///< u; null: not known
  std::vector<Term> dirichlet;    ///< u = value
  std::vector<Term> neumann;      ///< k du/dn = value
  std::vector<Term> robin;        ///< k du/dn + alpha u = value

  /// Whether anything of the problem itself is given: else it is the one of a known solution on the mesh.
  bool has_data() const {
    return !coefficient.empty() || source || exact || !dirichlet.empty() || !neumann.empty() || !robin.empty();
  }
};

/// The names of the sides of the box, of which every mesh that is made for a user's problem has groups: r = -1, r = +1,
/// s = -1, ..
inline const std::vector<std::string>& names_of_box_sides() {
  static const std::vector<std::string> names{"x0", "x1", "y0", "y1", "z0", "z1"};
  return names;
}
/// Adds groups of these names to mesh::make_box(nx, ny, nz), or a part of it.
void name_box_sides(mesh::Mesh& box, int nx, int ny, int nz);
/// mesh::make_box(nx, ny, nz) with these groups.
inline mesh::Mesh make_named_box(int nx, int ny, int nz) {
  mesh::Mesh box = mesh::make_box(nx, ny, nz);
  name_box_sides(box, nx, ny, nz);
  return box;
}

/// The sides of the conditions of a problem, each as the problem lists them.
struct ConditionSides {
  std::vector<std::vector<mesh::CellSide>> dirichlet, neumann, robin;
  std::vector<std::string> groups{};  ///< the groups of all three, one after the other
};

/// A problem that is ready to be solved: A u = b at free nodes.
struct PreparedProblem {
  Discretisation discretisation;
  Vector<double> rhs;         ///< b (node), with what prescribed values make of it; zero at constrained nodes
  Vector<double> prescribed;  ///< u (node) at constrained nodes, else zero
  std::optional<Vector<const double>> exact;  ///< u (element, point) at the points of basis.points
  std::string natural;         ///< groups of sides, and sides without a group, where nothing is prescribed; empty: none
  double scaled_jacobian = 0;  ///< the smallest of the elements
  ConditionSides sides{};
  std::shared_ptr<class FreeOperator> free_operator{};  ///< A of all nodes; made by the first update()
};

/// `d` has no constrained nodes, the groups of the problem, and one component. Without data u is the product of sines
/// of the coordinates relative to the mesh's box, given on the whole surface. Errors: InputError naming the group or
/// the point: an unknown group, one of cells where sides are needed or the other way round, two conditions on one side,
/// values that are not finite, or not positive where they must be, two prescribed values at one node. Collective.
PreparedProblem prepare(const UserProblem& problem, Discretisation d, measure::Phases& phases);
PreparedProblem prepare(const UserProblem& problem, Discretisation d);
/// Prepares -div(k grad u) + lambda u = f on a mesh of hexahedra, by elements of this order (BP3.0). Errors: those
/// above.
PreparedProblem prepare(const UserProblem& problem, mesh::Mesh mesh, int order, double lambda = 0);

/// Gives a prepared problem other values of source, dirichlet, neumann and of robin's `value`, on the same groups, as a
/// step in time does: b and `prescribed` become those of prepare(), while the discretisation stays as it is, and with
/// it every operator and preconditioner. O(nodes); the first call makes an operator, which the next ones keep.
/// coefficient, alpha and exact are not read: update_lambda() and update_coefficients() take what is in the operators.
/// Collective. Errors: InputError, as prepare(); other groups, or in another order; a problem that was prepared without
/// data.
void update(PreparedProblem& prepared, const UserProblem& problem);

/// Gives a prepared problem another lambda [1/m^2], as another time step does. Then update() of its operators
/// (ElementOperator, multigrid::PMultigrid, multigrid::ChebyshevPreconditioner) takes it too, and update() above makes
/// b for it; other preconditioners are made again. O(nodes). Errors: InputError where lambda is below 0 or not finite.
void update_lambda(PreparedProblem& prepared, double lambda);

/// Gives a prepared problem other values of coefficient and of robin's `alpha`, on the same groups. As after
/// update_lambda(), update() of its operators takes them. Collective. Errors: InputError, as prepare(); other groups; a
/// coefficient where prepare() had none, or the other way round.
void update_coefficients(PreparedProblem& prepared, const UserProblem& problem);

}  // namespace miniapp::tensor
