// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

/// What --preconditioner auto goes by, and what it tried, in the main job and in `miniapp solver`.
namespace miniapp::measure {

/// A preconditioner that may be tried, and what it will cost.
template <class Preconditioner>
struct Attempt {
  Preconditioner preconditioner;
  double set_up, iteration;  ///< [iterations of CG with Jacobi]
  double iterations;         ///< expected to the tolerance
  double total() const { return set_up + iterations * iteration; }
};

/// A preconditioner with which a solve was begun and not ended.
template <class Preconditioner>
struct GivenUp {
  Preconditioner preconditioner;
  int iterations;
  double residual;    ///< |r| / |b| when it was given up
  std::string error;  ///< or what broke down
  double seconds;     ///< its set-up and the iterations
};

}  // namespace miniapp::measure
