// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/tensor/element_operator.hpp"
#include "miniapp/tensor/manufactured.hpp"

/// Functions of space on a discretisation, by sum factorisation: on hosts in the lanes of vector registers, on GPUs one
/// team per element. All wait. Reference does the same slowly. `in_fixed_order`: the values of a node are added up in
/// the order of its elements, which takes 24 bytes per local node more.
namespace miniapp::tensor {

/// b = Z^T I^T W f, the load of f = factor * u, by the Gauss rule (m = order + 2 points per direction); constrained
/// entries are zero. Per element m^3 evaluations and n m^3 + n^2 m^2 + n^3 m multiplications.
Vector<double> make_load(const Discretisation& d, const Manufactured& u, double factor, bool in_fixed_order = false);

/// The load b = Z^T I^T W f of one component, of an f with `values` (element, point) at the tensor points of
/// d.basis.points, as values_at() has them.
Vector<double> make_load(const Discretisation& d, const Vector<const double>& values);

/// b += the integral of g v over sides, by the Gauss rule of order + 2 points per direction; constrained entries are
/// left as they are. One component; on the host.
void add_side_load(const Discretisation& d, const SideFunction& g, const Vector<double>& b);

/// b = Z^T f, f = 3 pi^2 sin(pi (x - 1/2)) sin(pi (y - 1/2)) sin(pi (z - 1/2)) at the nodes of elements: the
/// right-hand side of BPS5 in examples/kershaw of nekRS, for each component; constrained entries are zero.
Vector<double> make_nodal_load(const Discretisation& d, bool in_fixed_order = false);

/// ||u_h - u|| / ||u|| in L2 over the mesh, by the Gauss rule; x (component, node) are the nodal values of u_h.
double relative_l2_error(const Discretisation& d, const Vector<const double>& x, const Manufactured& u);
/// ||u_h - u|| / ||u|| in L2 over the mesh, of one component, for a u with `values` (element, point) at the tensor
/// points of d.basis.points; x (node) has the values of u_h at constrained nodes too. Where u is zero the error is
/// absolute.
double relative_l2_error(const Discretisation& d, const Vector<const double>& x, const Vector<const double>& values);

/// ||grad (u_h - u)|| / ||grad u|| in L2 over the mesh, of one component, by the Gauss rule; x (node) has values at
/// constrained nodes too. The gradient of u is taken by central differences, so that errors below about 1e-10 are not
/// seen. On the host. Where grad u is zero the error is absolute.
double relative_h1_error(const Discretisation& d, const Vector<const double>& x, const ElementFunction& u);

}  // namespace miniapp::tensor
