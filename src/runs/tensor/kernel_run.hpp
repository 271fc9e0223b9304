// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "miniapp/measure/bound.hpp"
#include "miniapp/measure/roofs.hpp"
#include "miniapp/measure/stopwatch.hpp"
#include "miniapp/solver/cg.hpp"
#include "miniapp/solver/hierarchy.hpp"
#include "miniapp/tensor/verification.hpp"
#include "runs/tensor/automatic.hpp"
#include "runs/tensor/settings.hpp"
#include "space/of_ranks.hpp"

/// A bake-off problem from its settings to the figures of its kernels.
namespace miniapp::tensor {

/// What limits the kernels of a run, and the times of its set-up.
struct CaseRoofs {
  measure::CopyRoof roof;  ///< measured before all else, so that its memory is free again; empty where not needed
  double fma_rate;         ///< multiply-adds of all ranks [1/s]; 0 where not needed
  std::map<double, double> memory_rates;  ///< rates of all ranks at bytes of one [bytes/s], for each size of a kernel
  measure::Phases phases;
};

/// What all kernels of a run share: roofs, the problem with its mesh, space and right-hand side, the reference.
struct Case : CaseRoofs, PreparedProblem {
  Reference reference;

  /// `variants` are the kernels that will run. Errors: InputError where the deformation inverts an element, and as
  /// prepare().
  Case(const CaseSettings& settings, const std::vector<Variant>& variants);
  Case(const Case&) = delete;  // the reference refers to the discretisation
  Case& operator=(const Case&) = delete;
};

using GivenUp = measure::GivenUp<Preconditioner>;

/// Times of an operator by which its geometry was chosen [s].
struct GeometryTimes {
  double stored, computed;
};

/// What a kernel's run gave. Steps that were not run leave their values as they are here.
struct KernelResult {
  Variant variant;         ///< the kernel and its geometry, which is what was asked for, or the faster one of a trial
  measure::Phases phases;  ///< phases of the set-up of the case and of the kernel
  std::optional<GeometryTimes> geometry_times{};  ///< times of both sources of geometry, after a trial
  space::OfRanks of_ranks{};
  Verification verification{};
  std::optional<solver::Hierarchy> hierarchy{};  ///< levels of lor-amg, where it was set up
  std::optional<Preconditioner> chosen{};        ///< the preconditioner that `automatic` came to
  std::vector<Attempt> predicted{};              ///< what it went by
  std::vector<Preconditioner> without_room{};    ///< what it left out, as the free memory does not hold it
  std::vector<GivenUp> given_up{};               ///< what it tried before
  std::optional<solver::CgResult> cg{};          ///< nothing where CG was not run, or broke down
  std::string breakdown{};                       ///< why CG broke down
  std::string single_breakdown{};                ///< why it did with multigrid in single precision, before this solve
  std::string fallback{};                        ///< what preconditioned CG in its place
  double preconditioner_s = 0;                   ///< its set-up, and all that `automatic` did before
  int smoother_degree = 0;                       ///< degree of chebyshev and p-multigrid, as chosen
  std::vector<double> level_s{};                 ///< parts of a cycle's time of p-multigrid, one per level [s]
  std::optional<solver::CgResult> jacobi{};      ///< the result of CG with Jacobi, to compare
  std::string jacobi_breakdown{};                ///< why CG with Jacobi broke down
  measure::Sample jacobi_iteration{};            ///< time of an iteration of CG with Jacobi [s]
  /// Applications of the problem's operator, by CG and by its preconditioner.
  int applications_per_iteration() const {
    return !levels.empty() ? 2 * smoother_degree + 1 : std::max(1, smoother_degree);
  }
  Vector<double> solution{};  ///< (component, node), with prescribed values; empty where it is not kept
  Vector<double> residual{};  ///< b - A x of that, (component, node), where CaseSettings::keeps_solution
  /// With verify_only of a user's problem: the relative error of a product of sines, solved on its mesh with k = 1.
  std::optional<double> known_l2_error{};
  std::optional<double> h1_error{};  ///< relative, of the gradient, where a user gives the exact solution
  std::optional<double> l2_error{};  ///< relative to the exact solution, where it is known
  measure::Sample
      plain_iteration{};  ///< time of an iteration of CG without a preconditioner, where `automatic` chose one [s]
  measure::Sample iteration{}, full{},
      kernel{};  ///< times of an iteration of CG, of the operator, of the kernel without gather and scatter [s]
  double bytes = 0, scratch_bytes = 0;  ///< that the operator moves at least; that the kernel moves in scratch
  measure::Cost cost{};                 ///< cost of the kernel by the paper's model
  measure::Work work{};                 ///< least work of the operator, of all ranks
  measure::Limits limits{};             ///< limits of the device at that size, of all ranks
  TeamResources resources{};            ///< what the device reports about the kernel
  std::vector<int> levels{};            ///< orders of the levels of p-multigrid
  std::optional<multigrid::LowestWork> lowest{};  ///< on several ranks, of p-multigrid: how they do order 1
  double factors = 0;                             ///< memory of chebyshev, lor-ilu, p-multigrid [bytes]
  double vectors = 0;                             ///< memory of the vectors of CG [bytes]
  ElementOperator<double>::Memory arrays{};       ///< memory of the kernel, and of the element-to-node map in `indices`
  double memory() const {
    return vectors + factors + (hierarchy ? hierarchy->bytes : 0) +
           static_cast<double>(arrays.factors + arrays.local_vectors + arrays.indices);
  }
};

/// Sets a kernel up, verifies it, solves by CG with it and times it, in that order. Nothing is solved or timed where
/// the kernel is wrong. `progress`, if set, is called after every iteration of CG. Errors: InputError, as
/// make_operator() and AssembledOperator.
KernelResult run_kernel(const CaseSettings& settings, const Case& problem, const Variant& variant,
                        const std::function<void(int iteration, double relative_residual)>& progress);

/// A kernel, verified and timed as a whole operator.
struct Rival {
  Variant variant;
  Verification verification;
  measure::Sample time;  ///< [s]
};
struct Race {
  std::int64_t dofs;
  std::vector<Rival> rivals;  ///< the fastest first
};

/// Verifies kernels on a case, and times them. `next`, if set, is called before each. Errors: as Case, and ResultError
/// where a kernel is wrong.
Race race(const CaseSettings& settings, const std::vector<Variant>& variants,
          const std::function<void(const Variant&)>& next);

}  // namespace miniapp::tensor
