// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "miniapp/basis/prism.hpp"

namespace miniapp::elasticity {

/// Lame's constants of an isotropic material [Pa].
struct Lame {
  double lambda, mu;
};

/// lambda = E nu / ((1 + nu)(1 - 2 nu)), mu = E / (2 (1 + nu)) from Young's modulus [Pa] and Poisson's ratio.
/// Errors: E <= 0, nu outside (-1, 1/2), either not a number (InputError).
Lame make_lame(double young, double poisson);

/// The index of A_ik(r, s) in an element matrix, component blocks outermost: (i, k, r, s).
constexpr std::size_t matrix_place(int num_functions, int i, int k, int r, int s) {
  return ((std::size_t(i) * 3 + k) * num_functions + r) * num_functions + s;
}

/// The element matrix of a prism by straightforward loops in double precision, for comparison with kernels: (i, k, r,
/// s) [N/m], A_ik(r, s) = sum_q w_q det J (lambda d_i phi_r d_k phi_s + mu d_k phi_r d_i phi_s
///                               + mu delta_ik grad phi_r . grad phi_s),
/// derivatives with respect to x [1/m]; vertices (vertex, d) [m], see geometry/prism.hpp, with det J > 0 (unchecked).
/// The energy of nodal displacements u is u^T A u / 2 [J].
std::vector<double> reference_matrix(const basis::PrismTables& tables, const double* vertices, const Lame& material);

}  // namespace miniapp::elasticity
