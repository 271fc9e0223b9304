// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "miniapp/multigrid/options.hpp"
#include "miniapp/tensor/element_operator.hpp"

namespace miniapp::multigrid {

/// B = W sum_e P_e A_e^-1 R_e, restricted additive Schwarz: R_e takes the nodes of element e and the next ones beyond
/// its faces, A_e is the operator there of a box with the element's mean metric, P_e keeps the element's own nodes, and
/// W divides by the number of elements that have a node. With a coefficient k, A_e has the means of k in the element
/// and in its neighbours, and W weighs an element's part by its mean: with equal weights CG takes 135 iterations
/// instead of 11 where k jumps by 10^4 between blocks of elements (docs/problems.md). A_e is inverted by fast
/// diagonalisation (src/multigrid/line_modes.hpp):
///
///   A_e^-1 = (S x S x S) (Lambda_t + Lambda_s + Lambda_r + lambda)^-1 (S x S x S)^T
///
/// B is not symmetric. It serves any conforming mesh of hexahedra, turned in any way; every component has the same B.
/// Per element with n = order + 1 and m = n + 2: 3 m^4 + m^3 n + m^2 n^2 + m n^3 multiplications; reads n^3 + 6 n^2
/// values and the nodes' numbers, 3 m^2 + 3 m words of S and Lambda, and adds n^3 values. Sources: J. W. Lottes and P.
/// F. Fischer, Hybrid multigrid/Schwarz algorithms for the spectral element method, J. Sci. Comput. 24 (2005) 45-78;
/// X.-C. Cai and M. Sarkis, A restricted additive Schwarz preconditioner, SIAM J. Sci. Comput. 21 (1999) 792-797.
class Schwarz {
 public:
  virtual ~Schwarz() = default;
  /// x += factor B (f - y), or x = factor B f with `from_zero`; y may be overwritten. Constrained nodes of f and y
  /// count as zero, those of x stay, or become zero. `unsummed` is f, y or empty: it is summed over ranks first.
  virtual void step(const Instance& instance, const Vector<const float>& f, const Vector<float>& y, float factor,
                    const Vector<float>& x, bool from_zero, const Vector<float>& unsummed = {}) const = 0;
  /// z = B r.
  void apply(const Instance& instance, const Vector<const float>& r, const Vector<float>& z) const {
    step(instance, r, {}, 1, z, true);
  }
  /// Takes lambda and the coefficient anew from the discretisation, where they have changed. Nodes beyond faces stay;
  /// so do the modes unless the coefficient has changed. O(nodes). Collective.
  virtual void update() = 0;
  /// Whether step() leaves the same bits in all copies of an unknown on several ranks, even where copies of x differed.
  virtual bool makes_copies_equal() const { return false; }
  /// Whether step() waits for the instance.
  virtual bool waits() const = 0;
  /// Memory [bytes].
  virtual double bytes() const = 0;
};

/// `d` must outlive it. Errors: InputError where the order is 1 or has no kernels in this build.
std::unique_ptr<Schwarz> make_schwarz(const Discretisation& d);

}  // namespace miniapp::multigrid
