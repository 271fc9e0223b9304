// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "miniapp/measure/roofs.hpp"
#include "miniapp/measure/stopwatch.hpp"
#include "miniapp/solver/hierarchy.hpp"
#include "runs/elasticity/settings.hpp"
#include "space/of_ranks.hpp"

/// What a cantilever and a user's body have in common: a matrix, assembled of verified element matrices, and CG.
namespace miniapp::elasticity {

/// Results of a system of one order, whose element matrices one method computed; of all ranks together.
struct SystemResult {
  Method method;
  std::int64_t elements = 0, dofs = 0, blocks = 0;  ///< blocks between ranks count on each of them
  double matrix_error = 0;                          ///< error / tolerance of element matrices
  double matrix_tolerance = 0;                 ///< error allowed in element matrices, relative to their largest entry
  std::optional<solver::Hierarchy> hierarchy;  ///< levels of amg
  std::optional<solver::CgResult> cg;          ///< nothing where it was not asked for, or broke down
  std::string breakdown;                       ///< why CG broke down
  std::string single_breakdown;                ///< why it did with cycles in single precision, before this solve
  measure::Phases phases;
  space::OfRanks of_ranks;
  measure::Sample apply, iteration;  ///< times of y = A x, of an iteration of CG [s]
  double model_bytes = 0;            ///< bytes that y = A x moves at least
  measure::MemoryRoof roof;

  bool matrices_right() const { return matrix_error <= 1; }
};

/// Assembles the matrix of a space from verified element matrices; where these are wrong it is not complete. Measures
/// the memory's roof, unless verify_only. Collective.
template <class Real>
linalg::BlockMatrix<Real> assemble_system(const Instance& instance, const SolveSettings& settings, const Prisms& prisms,
                                          const space::Space& space, SystemResult& result);

/// Solves for u (node, component) [m], from the load (node, component) [N]. Multigrid in
/// single precision that breaks down is followed by one in double precision. Then, unless CG broke down, use() gets u,
/// and A x and iterations are timed. Collective.
template <class Real>
void solve_system(const Instance& instance, const SolveSettings& settings, const mesh::Mesh& mesh,
                  const linalg::BlockMatrix<Real>& matrix, const std::vector<double>& load,
                  const std::function<void(const std::vector<double>& u)>& use, SystemResult& result);

}  // namespace miniapp::elasticity
