// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <vector>

/// What is chosen of multigrid over orders (p_multigrid.hpp), without its kernels.
namespace miniapp::tensor {

enum class Smoother { schwarz, jacobi };
constexpr auto names(Smoother) { return std::array{"schwarz", "jacobi"}; }
constexpr auto descriptions(Smoother) {
  return std::array{"inverses of elements as boxes that overlap their neighbours, with flexible CG", "the diagonal"};
}

struct MultigridOptions {
  Smoother smoother = Smoother::schwarz;
  int degree = 0;  ///< of Chebyshev's iteration before and after the lower order; 0: usual_degree() of the mesh
};

/// What is fastest where B A has that largest eigenvalue. Of Schwarz it says how far elements are from boxes: 1.4
/// to 1.7 on meshes of mild deformation, 2.7 on Kershaw's with eps 0.3.
constexpr int usual_degree(Smoother smoother, double largest_eigenvalue) {
  return smoother == Smoother::schwarz && largest_eigenvalue < 2 ? 1 : 3;
}

/// The next lower order: the largest of `built` that is at most half of it, or 1.
template <class Orders>
constexpr int lower_order(int order, const Orders& built) {
  int next = 1;
  for (const int lower : built)
    if (2 * lower <= order && lower > next) next = lower;
  return next;
}

/// Of Chebyshev's polynomial as a preconditioner.
constexpr int usual_polynomial_degree = 4;

/// The orders of a hierarchy, from `order` down to 1: each is at most half of the one before. Those between are among
/// `built`, the orders that have kernels. Order 1 needs none.
std::vector<int> multigrid_orders(int order, const std::vector<int>& built);

}  // namespace miniapp::tensor
