// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/kokkos.hpp"
#include "miniapp/mesh/mesh.hpp"

/// Straight triangles and tetrahedra given by their vertices: x(xi) = x_0 + sum_a xi_a (x_a - x_0), a = 1 .. dim, with
/// xi in the reference simplex {xi_a >= 0, sum xi_a <= 1}. Vertices are (vertex, d) [m].
namespace miniapp::geometry {

/// The volume of the reference simplex: 1/2 or 1/6.
template <int dim>
inline constexpr double reference_volume = dim == 2 ? 0.5 : 1 / 6.0;

/// Returns det J [m^dim], J (d, a) = d x_d / d xi_a, and writes adjugate (a, d) = det J d xi_a / d x_d [m^(dim - 1)],
/// which is defined for every simplex.
template <int dim, class Real>
KOKKOS_FORCEINLINE_FUNCTION Real adjugate_simplex(const Real (&x)[dim + 1][dim], Real (&adjugate)[dim][dim]) {
  static_assert(dim == 2 || dim == 3, "simplices of 2 and 3 dimensions");
  Real J[dim][dim];  // (a, d): the edges from vertex 0
  MINIAPP_UNROLL
  for (int a = 0; a < dim; ++a) {
    MINIAPP_UNROLL
    for (int d = 0; d < dim; ++d) J[a][d] = x[a + 1][d] - x[0][d];
  }
  if constexpr (dim == 2) {
    adjugate[0][0] = J[1][1];
    adjugate[0][1] = -J[1][0];
    adjugate[1][0] = -J[0][1];
    adjugate[1][1] = J[0][0];
    return J[0][0] * J[1][1] - J[0][1] * J[1][0];
  } else {
    MINIAPP_UNROLL
    for (int a = 0; a < 3; ++a) {
      const int b = (a + 1) % 3, c = (a + 2) % 3;
      MINIAPP_UNROLL
      for (int d = 0; d < 3; ++d) {
        const int e = (d + 1) % 3, f = (d + 2) % 3;
        adjugate[a][d] = J[b][e] * J[c][f] - J[b][f] * J[c][e];
      }
    }
    return J[0][0] * adjugate[0][0] + J[0][1] * adjugate[0][1] + J[0][2] * adjugate[0][2];
  }
}

/// Returns det J [m^dim] and writes inverse (a, d) = d xi_a / d x_d [1/m]. The gradient of the linear basis function of
/// vertex a + 1 is row a; that of vertex 0 is minus their sum. The inverse is undefined where det J is zero.
/// inverse_flops below.
template <int dim, class Real>
KOKKOS_FORCEINLINE_FUNCTION Real invert_simplex(const Real (&x)[dim + 1][dim], Real (&inverse)[dim][dim]) {
  const Real det = adjugate_simplex<dim>(x, inverse), scale = 1 / det;
  MINIAPP_UNROLL
  for (int a = 0; a < dim; ++a) {
    MINIAPP_UNROLL
    for (int d = 0; d < dim; ++d) inverse[a][d] *= scale;
  }
  return det;
}

/// Flops of invert_simplex().
template <int dim>
inline constexpr int inverse_flops = dim == 2 ? 4 + 3 + 1 + 4 + 2 : 9 + 27 + 5 + 1 + 9;

/// Checks that det J > 0 in each cell of a mesh of triangles or tetrahedra, by more than rounding: more than
/// tolerance<double>(dim^2, product of the lengths of the edges from vertex 0). Runs on the device. Errors: another
/// kind of mesh; the first cell that is inverted or has no volume, with its number (InputError).
void require_positive_simplices(const mesh::Mesh& mesh);

}  // namespace miniapp::geometry
