// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <functional>

#include "miniapp/tensor/element_operator.hpp"
#include "tensor/ladder/rung.hpp"

namespace miniapp::tensor {

/// What the rungs of the ladders share: tables, stored factors, gather and scatter around the kernel. One component.
class LadderBase : public ElementOperator<double> {
 public:
  /// `intermediate_words`: per element.
  LadderBase(const Discretisation& problem, int intermediate_words);

  Vector<const Index> local_nodes() const override { return map_; }
  Memory memory() const override;

 protected:
  int elements_;
  double lambda_;
  Vector<const double> interpolation_, derivative_, factors_;
  Vector<double> intermediate_;

 private:
  void update_factors(bool varies) override;
  void compute(const Instance& instance, const Vector<const double>& x, const Vector<double>& y) const override;

  streaming::NodeMap map_;
  std::size_t map_bytes_;
  streaming::Scatter scatter_;
  streaming::Gather gather_;
  Vector<double> u_, v_;
};

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

/// Runs rung(team) for all elements on a host. All rungs share this one Kokkos kernel, which shortens compilation.
void for_elements_on_host(const Instance& instance, const std::string& label, int elements, std::size_t scratch_bytes,
                          const std::function<void(const Team&)>& rung);

/// A rung as an operator.
template <class Rung>
class LadderOperator : public LadderBase {
 public:
  LadderOperator(const Discretisation& problem, std::string label)
      : LadderBase(problem, Rung::intermediate_words), label_(std::move(label)) {}

  void apply_local(const Instance& instance, const Vector<const double>& u, const Vector<double>& v) const override {
    Rung rung;
    rung.g = {interpolation_, derivative_, factors_, u, v, intermediate_, lambda_};
    if constexpr (runs_on_host)
      for_elements_on_host(instance, label_, elements_, Rung::scratch_bytes, rung);
    else
      for_teams(instance, label_.c_str(), elements_, RungTeams<Rung>{rung});
  }

  TeamResources resources() const override { return team_resources<RungTeams<Rung>>(); }
  std::size_t scratch_traffic() const override { return Rung::scratch_traffic; }

 private:
  std::string label_;
};

}  // namespace miniapp::tensor
