// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/solver/distributed_amg.hpp"

namespace miniapp::solver {

/// What records and pages say of a preconditioner by multigrid.
struct Hierarchy {
  std::vector<AmgLevel> levels;  ///< levels from the finest to the coarsest
  double grid_complexity = 1, operator_complexity = 1;
  double bytes = 0;    ///< memory of all levels [bytes]
  std::string remark;  ///< what Amg::remark() says
};

template <class Real>
Hierarchy describe(const Amg<Real>& amg) {
  return {amg.levels(), amg.grid_complexity(), amg.operator_complexity(), amg.bytes(), amg.remark()};
}

inline Hierarchy describe(const BoomerAmg& amg) {
  return {amg.levels(), amg.grid_complexity(), amg.operator_complexity(), amg.bytes(), ""};
}

inline Hierarchy describe(const DistributedAmg& amg) {
  return amg.own() ? describe(*amg.own()) : describe(*amg.of_all());
}

}  // namespace miniapp::solver
