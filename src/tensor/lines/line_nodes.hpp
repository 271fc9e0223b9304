// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/warp.hpp"
#include "miniapp/core/teams.hpp"
#include "miniapp/space/space.hpp"

/// Where kernels with one thread per line read their nodes and add their results.
namespace miniapp::tensor {

/// Partial sums of u . A u of all elements: many, since atomic additions to a single one would serialise.
struct EnergyParts {
  static constexpr int count = 512;
  double* parts;

  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void add(const Team& team, Real value) const {
    double sum = value;
    if (team.sum(sum)) Kokkos::atomic_add(parts + team.sum_rank() % count, sum);
  }
};

/// *result = the sum of the parts, which are reset to zero. Runs as one team.
struct CollectEnergy {
  static constexpr int threads = 256, teams_at_once = 1;
  static constexpr std::size_t scratch_bytes = threads / 4;
  double *parts, *result;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    double sum = 0;
    for (int part = team.team_rank(); part < EnergyParts::count; part += team.team_size()) {
      sum += parts[part];
      parts[part] = 0;
    }
    team.total(sum);
    if (team.team_rank() == 0) *result = sum;
  }
};

/// Nodes of elements in global vectors: gather and scatter fused into the kernel, which adds up u . A u on request.
template <int n, class Real, bool with_energy_>
struct GlobalNodes {
  static constexpr bool with_energy = with_energy_;
  const Index* map;  ///< (element, node), ~node where masked
  const Real* x;
  Real* y;
  EnergyParts energy = {};

  /// Calls work(nodes), once, since these vectors have one component.
  template <class Barrier, class Work>
  KOKKOS_FORCEINLINE_FUNCTION void for_components(const Barrier&, const Work& work) const {
    work(*this);
  }
  KOKKOS_FORCEINLINE_FUNCTION GlobalNodes moved_by(std::size_t entries) const {
    return {map, x + entries, y + entries, energy};
  }
  /// Where node's number is, and the number there: what load() looks up.
  using Place = Index;
  KOKKOS_FORCEINLINE_FUNCTION Place find(int e, int node) const { return map[std::size_t(e) * (n * n * n) + node]; }
  KOKKOS_FORCEINLINE_FUNCTION Real at(Place g) const { return g >= 0 ? x[g] : Real(0); }
  KOKKOS_FORCEINLINE_FUNCTION Real load(int e, int node) const { return at(find(e, node)); }
  /// Nodes `node`, which is even in elements of an even number of nodes, and node + 1.
  KOKKOS_FORCEINLINE_FUNCTION Pair<Real> load_pair(int e, int node) const {
    const auto g = miniapp::load_pair(map + std::size_t(e) * (n * n * n) + node);
    return {g.first >= 0 ? x[g.first] : Real(0), g.second >= 0 ? x[g.second] : Real(0)};
  }
  /// Atomic for all nodes: plain stores to nodes of a single element make warps diverge and were slower.
  KOKKOS_FORCEINLINE_FUNCTION void add(int e, int node, Real value) const {
    const Index g = map[std::size_t(e) * (n * n * n) + node];
    if (g >= 0) Kokkos::atomic_add(y + g, value);
  }
  KOKKOS_FORCEINLINE_FUNCTION void add_pair(int e, int node, const Pair<Real>& value) const {
    const auto g = miniapp::load_pair(map + std::size_t(e) * (n * n * n) + node);
    if (g.first >= 0) Kokkos::atomic_add(y + g.first, value.first);
    if (g.second >= 0) Kokkos::atomic_add(y + g.second, value.second);
  }
  KOKKOS_FORCEINLINE_FUNCTION void add_energy(const Team& team, Real value) const {
    if constexpr (with_energy) energy.add(team, value);
  }
};

/// Nodes of elements in E-vectors (element, node).
template <int n, class Real>
struct LocalNodes {
  static constexpr bool with_energy = false;
  const Real* x;
  Real* y;

  template <class Barrier, class Work>
  KOKKOS_FORCEINLINE_FUNCTION void for_components(const Barrier&, const Work& work) const {
    work(*this);
  }
  KOKKOS_FORCEINLINE_FUNCTION LocalNodes moved_by(std::size_t entries) const { return {x + entries, y + entries}; }
  using Place = std::size_t;
  KOKKOS_FORCEINLINE_FUNCTION Place find(int e, int node) const { return std::size_t(e) * (n * n * n) + node; }
  KOKKOS_FORCEINLINE_FUNCTION Real at(Place g) const { return x[g]; }
  KOKKOS_FORCEINLINE_FUNCTION Real load(int e, int node) const { return at(find(e, node)); }
  KOKKOS_FORCEINLINE_FUNCTION Pair<Real> load_pair(int e, int node) const {
    return miniapp::load_pair(x + std::size_t(e) * (n * n * n) + node);
  }
  KOKKOS_FORCEINLINE_FUNCTION void add(int e, int node, Real value) const {
    y[std::size_t(e) * (n * n * n) + node] = value;
  }
  KOKKOS_FORCEINLINE_FUNCTION void add_pair(int e, int node, const Pair<Real>& value) const {
    store_pair(y + std::size_t(e) * (n * n * n) + node, value.first, value.second);
  }
  KOKKOS_FORCEINLINE_FUNCTION void add_energy(const Team&, Real) const {}
};

/// Nodes of lines for vectors (component, ..). A team processes an element's components one after the other, so that it
/// reads map and geometry once.
template <class Nodes>
struct Components {
  static constexpr bool with_energy = Nodes::with_energy;
  Nodes first;
  int count;
  std::size_t size;  ///< entries of a component

  /// Calls work(nodes) for each component, with barrier() in between, since components share scratch.
  template <class Barrier, class Work>
  KOKKOS_FORCEINLINE_FUNCTION void for_components(const Barrier& barrier, const Work& work) const {
    for (int c = 0; c < count; ++c) {
      if (c > 0) barrier();
      work(first.moved_by(c * size));
    }
  }
};

}  // namespace miniapp::tensor
