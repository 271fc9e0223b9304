// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "miniapp/core/names.hpp"
#include "miniapp/solver/amg.hpp"

namespace miniapp::solver {

/// Algebraic multigrid on the matrix of a space, z = M^-1 r: a cycle of Amg in the precision that is chosen at run
/// time.
class DistributedAmg : public StoresResult {
 public:
  /// `part`: what this rank's elements add to the matrix, a row per entry of the space (linalg::make_ghosted()).
  /// `near_null` (entry, mode): as of Amg. `precision`: of the cycle. Collective. Errors: as Amg.
  DistributedAmg(const linalg::CsrMatrix<double>& part, const space::Space& space, const AmgOptions& options,
                 const Vector<const double>& near_null = {}, Precision precision = Precision::fp32);

  /// z = M^-1 r; returns r . z. Collective.
  template <class Real>
  double apply(const Instance& instance, const space::Space& space, const Vector<const Real>& r, const Vector<Real>& z,
               double r_r) const {
    return single_ ? single_->apply<Real>(instance, space, r, z, r_r)
                   : double_->apply<Real>(instance, space, r, z, r_r);
  }

  /// The levels of the one that it is.
  Hierarchy hierarchy() const { return single_ ? single_->hierarchy() : double_->hierarchy(); }
  /// Memory of this rank [bytes].
  double bytes() const { return single_ ? single_->bytes() : double_->bytes(); }

 private:
  std::unique_ptr<Amg<float>> single_;  // one of the two is there
  std::unique_ptr<Amg<double>> double_;
};

}  // namespace miniapp::solver
