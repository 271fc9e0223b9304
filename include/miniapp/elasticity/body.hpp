// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "miniapp/elasticity/integrator.hpp"
#include "miniapp/linalg/block_matrix.hpp"
#include "miniapp/space/space.hpp"

/// An elastic body that a user gives: a mesh of prisms with groups, materials, loads, and sides that are held.
///   -div sigma = rho g,  sigma = lambda (div u) 1 + mu (grad u + grad u^T),  sigma n = t on sides with a traction,
/// and sigma n = 0 on other sides that are free.
///
///   Body body;
///   body.material = {"", 70e9, 0.3, 2700};
///   body.held = {{"root"}};
///   body.tractions = {{"tip", [](const mesh::Point&, const mesh::Point&) { return mesh::Point{0, 0, 1e4}; }}};
///   body.gravity = {0, 0, -9.81};
///   const mesh::Mesh mesh = mesh::read_gmsh("wing.msh");
///   const PreparedBody prepared = prepare(body, mesh, 2);
///   auto matrix = assemble<double>(Instance(), prepared.prisms, prepared.space, {});  // assembly.hpp
///   matrix.hold(Instance(), prepared.held);
///   // make_preconditioner() and solve() with prepared.load (cantilever.hpp)
namespace miniapp::elasticity {

/// An isotropic material on a group of elements, or on all.
struct Material {
  std::string group;     ///< the group of elements; empty: all elements
  double young = 210e9;  ///< Young's modulus [Pa]
  double poisson = 0.3;  ///< Poisson's ratio
  double density = 0;    ///< [kg/m^3]
};

/// Sides on which components of u are zero.
struct Holding {
  std::string group;                                 ///< the group of sides
  std::array<bool, 3> components{true, true, true};  ///< x, y, z
};

/// A traction on sides of the surface. Several on one side add up.
struct Traction {
  std::string group;  ///< the group of sides
  /// t [Pa] at a point x [m] where n is the unit outward normal: a pressure p is -p n.
  std::function<mesh::Point(const mesh::Point& x, const mesh::Point& n)> value;
};

struct Body {
  Material material;                ///< the material of all elements; its group is empty
  std::vector<Material> of_groups;  ///< materials of groups of elements; where an element has several, the last holds
  std::vector<Holding> held;
  std::vector<Traction> tractions;
  mesh::Point gravity{};  ///< g [m/s^2]
};

/// Checks data against a mesh. Collective, where it is distributed: motions of its parts are not seen then, those of
/// the whole are. Errors, InputError of the argument "mesh", "material", "density", "held", "traction" or "gravity":
/// cells that are no prisms, or have det J <= 0 at some point; a group that the mesh has not, or of another dimension;
/// a traction on sides between elements; moduli that make_lame() refuses; a density below 0, or gravity without one;
/// held sides that leave a part of the mesh, whose elements are connected, a rigid motion.
void check(const Body& body, const mesh::Mesh& mesh);

/// What is solved: A u = b for three components per node.
struct PreparedBody {
  space::Space space;         ///< (node, component); nodes that are held in all components are constrained
  std::vector<char> held;     ///< (node, component): whether u is zero there
  Prisms prisms;              ///< with the material of each
  std::vector<double> force;  ///< nodal forces of all loads (node, component), in all copies of a node [N]
  std::vector<double> load;   ///< b: the same, zero where u is held [N]
  mesh::Point total{};        ///< the sum of all loads [N]
  std::int64_t dofs = 0;      ///< unknowns that are not held, of all ranks
};

/// Numbers the nodes of order 1 .. 7, finds those that are held, and integrates the loads: tractions as
/// integrate_sides(), gravity by the rule of basis::make_prism_tables(), which is exact. Collective. Errors:
/// InputError, those of check(); a traction that is not finite at some point; nothing that is free.
PreparedBody prepare(const Body& body, const mesh::Mesh& mesh, int order);

/// The forces of the stresses of u, (node, component) both [N]:
///   f_r = int sigma(u) grad phi_r dV,
/// by loops over elements and points of make_prism_tables(), independent of assembled matrices: A u before anything is
/// held. With b = `force` b - f is the residual where u is free, and f - b the force of the support where it is held.
/// Collective where the mesh is distributed: of all copies. O(elements points functions), on the host.
std::vector<double> internal_forces(const PreparedBody& body, const std::vector<double>& u);

/// Mean over each element of von Mises' stress sqrt(3 s : s / 2), s the deviator of sigma(u), (element) [Pa].
std::vector<double> von_mises(const PreparedBody& body, const std::vector<double>& u);

/// The sum over all ranks of nodal forces (node, component), each node counted once, where `held` is as given [N].
mesh::Point sum_of(const PreparedBody& body, const std::vector<double>& forces, bool held);

/// What the loops over elements do right, relative to what rounding allows: up to 1 is right.
struct BodyErrors {
  /// Patch test: the forces of a linear displacement with a rigid motion, against sigma n integrated over all sides of
  /// all elements. These agree on prisms of any shape.
  double patch = 0;
  double matrix = 0;  ///< A u for that displacement, zero where it is held, against internal_forces()
};
/// Collective. `matrix` is the assembled one, with what is held.
template <class Real>
BodyErrors verify(const PreparedBody& body, const mesh::Mesh& mesh, const linalg::BlockMatrix<Real>& matrix);

}  // namespace miniapp::elasticity
