// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <vector>

#include "miniapp/core/execution.hpp"

/// What is chosen of multigrid over orders (p_multigrid.hpp), without its kernels.
namespace miniapp::tensor {}

namespace miniapp::multigrid {

using namespace tensor;  // its operators are those of the levels

enum class Smoother { schwarz, jacobi };
constexpr auto names(Smoother) { return std::array{"schwarz", "jacobi"}; }
constexpr auto descriptions(Smoother) {
  return std::array{"inverses of elements as boxes that overlap their neighbours, with flexible CG", "the diagonal"};
}

/// How several ranks do the lowest order (lowest_order.hpp).
enum class LowestWork {
  automatic,    ///< usual_lowest_work()
  redundant,    ///< each of them all of it
  distributed,  ///< each its part
};
constexpr auto names(LowestWork) { return std::array{"auto", "redundant", "distributed"}; }
constexpr auto descriptions(LowestWork) {
  return std::array{
      "distributed where elements x (ranks - 1) are more than 64000 on hosts, 256000 on GPUs, else redundant",
      "each rank does all of it", "each rank does its part"};
}

/// A part of the work and its messages take less time than all of it (docs/scaling.md) where the whole mesh has more
/// elements than `least_distributed`, and all ranks together are spared more than `least_saved`.
inline constexpr double least_distributed = 8e3, least_saved = runs_on_host ? 64e3 : 256e3;
/// What is faster for so many elements of the whole mesh on so many ranks.
LowestWork usual_lowest_work(double elements, int ranks);

struct MultigridOptions {
  Smoother smoother = Smoother::schwarz;
  int degree = 0;  ///< Chebyshev's degree before and after the lower order; 0: usual_degree() of the mesh
  LowestWork lowest = LowestWork::automatic;  ///< how several ranks do the lowest order
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

/// The degree of Chebyshev's polynomial as a preconditioner, unless another is asked for.
constexpr int usual_polynomial_degree = 4;

/// The orders of a hierarchy, from `order` down to 1: each is at most half of the one before. Those between are among
/// `built`, the orders that have kernels. Order 1 needs none.
std::vector<int> multigrid_orders(int order, const std::vector<int>& built);

}  // namespace miniapp::multigrid
