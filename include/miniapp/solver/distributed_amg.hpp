// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "miniapp/core/names.hpp"
#include "miniapp/solver/amg.hpp"
#include "miniapp/solver/boomer_amg.hpp"

namespace miniapp::solver {

/// Algebraic multigrid on the matrix of a space, z = M^-1 r: on one rank a cycle of Amg, on several one of
/// BoomerAmg, whose levels are those of all ranks.
class DistributedAmg : public StoresResult {
 public:
  /// `part`: what this rank's elements add to the matrix, a row per entry of the space (linalg::make_global_rows()).
  /// `near_null` (entry, mode): as of Amg; on several ranks the first `options.block` modes are constants of each
  /// unknown of a node, and of `options` only `block` counts. `precision`: of the cycle of Amg; BoomerAmg's is double.
  /// Collective. Errors: as Amg, BoomerAmg.
  DistributedAmg(linalg::CsrMatrix<double> part, const space::Space& space, const AmgOptions& options,
                 const Vector<const double>& near_null = {}, Precision precision = Precision::fp32);

  /// z = M^-1 r; returns r . z. Collective.
  template <class Real>
  double apply(const Instance& instance, const space::Space& space, const Vector<const Real>& r, const Vector<Real>& z,
               double r_r) const {
    if (single_) return single_->apply<Real>(instance, space, r, z, r_r);
    return double_ ? double_->apply<Real>(instance, space, r, z, r_r)
                   : of_all_->apply<Real>(instance, space, r, z, r_r);
  }

  /// The levels of the one that it is.
  Hierarchy hierarchy() const {
    return single_ ? single_->hierarchy() : double_ ? double_->hierarchy() : of_all_->hierarchy();
  }
  /// Memory of this rank [bytes].
  double bytes() const { return single_ ? single_->bytes() : double_ ? double_->bytes() : of_all_->bytes(); }

 private:
  std::unique_ptr<Amg<float>> single_;  // one of the three is there, the others are null
  std::unique_ptr<Amg<double>> double_;
  std::unique_ptr<BoomerAmg> of_all_;
};

}  // namespace miniapp::solver
