// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "miniapp/tensor/element_operator.hpp"
#include "tensor/rung.hpp"

namespace miniapp::tensor {

/// What the rungs of the ladders share: tables, stored factors, gather and scatter around the kernel.
class LadderBase : public ElementOperator<double> {
 public:
  /// `intermediate_words` an element.
  LadderBase(const Discretisation& problem, int intermediate_words);

  void apply(const Vector<const double>& x, const Vector<double>& y) const override;
  Vector<const mesh::Index> local_nodes() const override { return map_; }
  Memory memory() const override;

 protected:
  int elements_;
  double lambda_;
  Vector<const double> interpolation_, derivative_, factors_;
  Vector<double> intermediate_;

 private:
  streaming::NodeMap map_;
  std::size_t map_bytes_;
  streaming::NodeRows rows_;
  Vector<double> u_, v_;
};

/// A rung as an operator: a team an element.
template <class Rung>
class LadderOperator : public LadderBase {
  static constexpr int team_size = TeamThreads<Nothing, Rung::threads>::team_size;
  static_assert(team_size <= max_threads);
  /// What the registers of a GPU's multiprocessor allow.
  static constexpr int teams_at_once = std::max(1, 65536 / (Rung::registers * team_size));
  using Policy = std::conditional_t<runs_on_host, TeamPolicy,  // where launch bounds mean nothing
                                    Kokkos::TeamPolicy<ExecutionSpace, Kokkos::LaunchBounds<team_size, teams_at_once>>>;

 public:
  LadderOperator(const Discretisation& problem, std::string label)
      : LadderBase(problem, Rung::intermediate_words), label_(std::move(label)) {}

  void apply_local(const Vector<const double>& u, const Vector<double>& v) const override {
    Policy policy(elements_, team_size);
    policy.set_scratch_size(scratch_level(Rung::scratch_bytes), Kokkos::PerTeam(Rung::scratch_bytes + 64));
    Kokkos::parallel_for(label_, policy, Rung{{interpolation_, derivative_, factors_, u, v, intermediate_, lambda_}});
  }

  TeamCost team_cost() const override { return {Rung::threads, Rung::scratch_bytes, Rung::scratch_traffic}; }

 private:
  std::string label_;
};

}  // namespace miniapp::tensor
