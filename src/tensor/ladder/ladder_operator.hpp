// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "miniapp/tensor/element_operator.hpp"
#include "tensor/ladder/rung.hpp"

namespace miniapp::tensor {

/// A rung as for_teams() expects it: one team of whole warps per element.
template <class Rung>
struct RungTeams {
  static constexpr int threads = (Rung::threads + 31) / 32 * 32;
  static_assert(threads <= max_threads);
  static constexpr int teams_at_once = std::max(1, 65536 / (Rung::registers * threads));
  static constexpr std::size_t scratch_bytes = Rung::scratch_bytes;
  Rung rung;
  KOKKOS_FUNCTION void operator()(const Team& team) const { rung(team); }
};

/// The arrays of a rung, as RungArrays names them.
struct LadderArrays {
  Vector<const double> interpolation, derivative, factors, u;
  Vector<double> v, intermediate;
  double lambda;
};

/// What an operator knows of its rung.
struct RungKernel {
  int intermediate_words;  ///< per element
  std::size_t scratch_traffic;
  TeamResources (*resources)();
  void (*run)(const Instance& instance, const char* label, int elements, const LadderArrays& arrays);
};

template <class Rung>
void run_rung(const Instance& instance, const char* label, int elements, const LadderArrays& a) {
  RungTeams<Rung> teams;
  teams.rung.g = {a.interpolation, a.derivative, a.factors, a.u, a.v, a.intermediate, a.lambda};
  for_teams(instance, label, elements, teams);
}

template <class Rung>
constexpr RungKernel rung_kernel() {
  return {Rung::intermediate_words, Rung::scratch_traffic, team_resources<RungTeams<Rung>>, run_rung<Rung>};
}

/// A rung as an operator: tables, stored factors, gather and scatter around the kernel. One component.
class LadderOperator : public ElementOperator<double> {
 public:
  LadderOperator(const Discretisation& problem, std::string label, const RungKernel& kernel);

  Vector<const Index> local_nodes() const override { return map_; }
  Memory memory() const override;
  void apply_local(const Instance& instance, const Vector<const double>& u, const Vector<double>& v) const override;
  TeamResources resources() const override { return kernel_.resources(); }
  std::size_t scratch_traffic() const override { return kernel_.scratch_traffic; }

 private:
  void update_factors(bool varies) override;
  void compute(const Instance& instance, const Vector<const double>& x, const Vector<double>& y) const override;

  std::string label_;
  RungKernel kernel_;
  int elements_;
  double lambda_;
  Vector<const double> interpolation_, derivative_, factors_;
  Vector<double> intermediate_;
  streaming::NodeMap map_;
  std::size_t map_bytes_;
  streaming::Scatter scatter_;
  streaming::Gather gather_;
  Vector<double> u_, v_;
};

}  // namespace miniapp::tensor
