// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/linalg/local_rows.hpp"
#include "miniapp/solver/aggregation.hpp"

/// The parts of an interpolation by smoothed aggregation (Amg).
namespace miniapp::solver {

/// P = (I - omega D^-1 A_F) T, and the modes of the coarser level. T: the modes of the near-null space cut to
/// aggregates, orthonormal there. A_F: the matrix without weak couplings, which are added to its diagonal where block
/// is 1.
struct Interpolation {
  linalg::LocalRows P;    ///< this rank's rows
  Vector<double> coarse;  ///< (coarse unknown, mode): the factors R of T R = near_null
};

/// `near_null` (unknown, mode); the unknown of aggregate a and mode m is a modes + m. Modes that depend on others in an
/// aggregate, as of a single node, become zero. On one rank, where modes and block are 1, rows of P keep their `most`
/// largest entries, 0 means all, scaled so that P coarse stays. Aggregates are those of this rank's nodes. Collective.
Interpolation make_interpolation(const linalg::GhostedMatrix& matrix, const Couplings& couplings,
                                 const Aggregates& aggregates, const Vector<const double>& near_null, int modes,
                                 int block, double omega, int most = 0);

/// Sets diagonal entries that are zero, of modes that vanish, to one.
void fill_empty_diagonal(const linalg::CsrMatrix<double>& matrix);

}  // namespace miniapp::solver
