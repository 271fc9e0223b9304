// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "miniapp/elasticity/body.hpp"
#include "runs/elasticity/system_run.hpp"

namespace miniapp::elasticity {

/// Fields of a solution, for a file.
struct BodyFields {
  space::Space space;
  std::vector<double> u;         ///< (node, component) [m]
  std::vector<double> residual;  ///< what is missing to equilibrium where u is free (node, component) [N]
  std::vector<double> support;   ///< the support's forces where u is held (node, component) [N]
  std::vector<double> stress;    ///< von Mises', mean of each element [Pa]
};

/// Results for a user's body of one order.
struct BodyResult : SystemResult {
  int order = 0;
  BodyErrors errors;        ///< error / tolerance of the loops over elements
  mesh::Point loads{};      ///< sum of all loads [N]
  mesh::Point support{};    ///< sum of the support's forces [N]
  double imbalance = 0;     ///< |loads + support| / sum of the nodal forces' absolute values
  double residual = 0;      ///< |b - f(u)| / |b|, f by internal_forces(), free entries
  double displacement = 0;  ///< largest |u| of all nodes [m]
  mesh::Point place{};      ///< where that is [m]
  double stress = 0;        ///< largest of BodyFields::stress [Pa]
  BodyFields fields;        ///< the fields of this rank

  bool verified() const { return matrices_right() && errors.patch <= 1 && errors.matrix <= 1; }
};

/// Assembles the body on a mesh, or a rank's part of one, verifies matrices, loops and the sum of matrices, solves it
/// and times the solver; stops where a step is wrong. Collective. Errors: InputError, as prepare().
BodyResult run_body(const SolveSettings& settings, const Body& body, const mesh::Mesh& mesh, int order, Method method);

}  // namespace miniapp::elasticity
