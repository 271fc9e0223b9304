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
  int degree = 0;  ///< of Chebyshev's iteration before and after the lower order; 0: usual_degree()
};

/// What is fastest on meshes of mild deformation.
constexpr int usual_degree(Smoother smoother) { return smoother == Smoother::schwarz ? 1 : 3; }

/// The same of Chebyshev's polynomial as a preconditioner.
constexpr int usual_polynomial_degree = 4;

/// The orders of a hierarchy, from `order` down to 1: each is at most half of the one before. Those between are among
/// `built`, the orders that have kernels. Order 1 needs none.
std::vector<int> multigrid_orders(int order, const std::vector<int>& built);

}  // namespace miniapp::tensor
