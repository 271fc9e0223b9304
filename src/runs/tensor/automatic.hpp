// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <vector>

#include "runs/attempt.hpp"
#include "runs/tensor/settings.hpp"

/// What --preconditioner auto stands for: the preconditioners of a problem in the order of what they will probably
/// cost. Time is counted in iterations of CG with Jacobi, which every machine has its own seconds for.
namespace miniapp::tensor {

/// What elements look like, by their maps from [0, 1]^3 with the Jacobian J at the centre.
struct ElementShapes {
  double condition = 1;  ///< mean of |J| |J^-1| / 3 by Frobenius' norm: 1 of cubes, about half the aspect of others (P.
                         ///< Knupp, Algebraic mesh quality metrics, SIAM J. Sci. Comput. 23 (2001) 193-218)
  double skew = 1;       ///< mean of |J_r| |J_s| |J_t| / det J, columns of J: 1 of boxes
  double gradients = 0;  ///< mean over the volume of |J^-1|^2 [1/m^2]
  double coefficient = 1;                ///< mean of the elements' mean k
  std::array<double, 3> sides{1, 1, 1};  ///< lengths of the sides of the mesh's bounding box [m]
  bool are_boxes() const { return skew <= 1.25; }
};
/// The shapes of a problem's elements, in one pass over them. Collective.
ElementShapes measure_shapes(const Discretisation& d);

using Attempt = measure::Attempt<Preconditioner>;
/// Whether CG had better be given up for what costs `other` in all: a quarter of that is spent, and half as much
/// again is still to come at the rate of all iterations and at that of their last half. `residuals` are |r| / |b|
/// from 1 on.
bool is_hopeless(const Attempt& attempt, const std::vector<double>& residuals, double tolerance, double other);

/// What CG with each of the preconditioners that run on this case's ranks will cost, the least first. The figures are
/// fits to measurements (docs/multigrid.md).
std::vector<Attempt> predict_costs(const CaseSettings& settings, const basis::TensorBasis& basis,
                                   const ElementShapes& shapes);
/// Removes those for which a rank has not enough free memory, and returns them. Jacobi, which needs least, stays.
/// Collective.
std::vector<Preconditioner> remove_without_room(const CaseSettings& settings, std::vector<Attempt>& costs);

/// The preconditioners in the order in which they are tried. On slender boxes Jacobi comes first where the right-hand
/// side is smooth: it is many times faster than predicted where the solution varies little along the short sides.
std::vector<Attempt> order_attempts(std::vector<Attempt> costs, const ElementShapes& shapes, bool smooth);

}  // namespace miniapp::tensor
