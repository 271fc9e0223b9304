// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/linalg/csr_matrix.hpp"
#include "miniapp/multigrid/options.hpp"
#include "miniapp/tensor/element_operator.hpp"

namespace miniapp::multigrid {

/// The low-order refined matrix of a problem, which is spectrally equivalent to it for every order: trilinear elements
/// on the p^3 sub-cells between the Gauss-Lobatto nodes of each element, with quadrature at the vertices of the
/// sub-cells. A row is a node and serves all components; that of a constrained node has a single 1, on the diagonal,
/// and no other row has an entry there. So A is symmetric to the last bit, and positive definite where the problem is.
///
/// BP1.0: the mass, which is diagonal. BP3.0 and BP3.5: stiffness + lambda mass, which couples a node with those of the
/// same sub-cells but the opposite corners: 19 entries per row inside a box. Entries are the same in every run.
///
/// Quadrature at the vertices does better than by Gauss: with AMG on this matrix CG takes 24 iterations for BP3.0 of
/// order 7, on that by 2 x 2 x 2 points, which has 27 entries per row, 41. Source: Pazner, Kolev, Camier, arXiv
/// 2210.12253.
///
/// Memory while it runs, beside the matrix: 60 bytes per local node (BP1.0: 12), 8 per node. O(nodes); runs on the
/// device and waits. On several ranks it is the sum over this rank's elements. Errors: too many entries (InputError);
/// an element whose det J is not positive at some node (InvertedElement).
linalg::CsrMatrix<double> make_low_order_matrix(const Discretisation& d);

/// The matrix of the problem of order 1 with a stiffness by 2 x 2 x 2 Gauss points, which is what P^T A P is for the
/// operator A of a higher order on parallelepipeds: 27 entries per row inside a box, columns ascending. Rows of masked
/// nodes and components are as above. As the lowest level of multigrid over orders it takes fewer iterations than the
/// low-order refined one, whose energy of functions that oscillate from node to node is too large: BP3.0 on 32^3
/// elements to 1e-8, orders 3 and 4, 6 instead of 8.
///
/// Memory while it runs, beside the matrix: 544 bytes per element, 8 per node. O(nodes); runs on the device and waits.
/// On several ranks it is the sum over this rank's elements. Errors: another order, no stiffness, too many entries
/// (InputError); an element whose det J is not positive at some point (InvertedElement).
linalg::CsrMatrix<double> make_trilinear_matrix(const Discretisation& d);
/// The matrix of trilinear elements with `nodes` (element, 8), ~node where it is constrained, and maps by
/// geometry::make_trilinear(), with a coefficient of each element, unless that is empty.
linalg::CsrMatrix<double> make_trilinear_matrix(const Vector<const Index>& nodes, Index num_nodes,
                                                const Vector<const double>& trilinear,
                                                const Vector<const double>& coefficient, double lambda,
                                                const tensor::SurfaceMass& surface = {});

}  // namespace miniapp::multigrid
