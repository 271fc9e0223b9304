// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <limits>

#include "miniapp/basis/lagrange.hpp"
#include "miniapp/multigrid/p_transfer.hpp"
#include "tensor/element_group.hpp"

namespace miniapp::multigrid {

/// first (node): the lowest position in the map that has the node.
struct FindFirst {
  const Index* map;
  std::int64_t* first;
  KOKKOS_FUNCTION void operator()(const std::int64_t position) const {
    if (map[position] >= 0) Kokkos::atomic_fetch_min(first + map[position], position);
  }
};

/// own (element, local node): the node if this is its first position, else -1.
struct TakeFirst {
  const Index* map;
  const std::int64_t* first;
  Index* own;
  KOKKOS_FUNCTION void operator()(const std::int64_t position) const {
    const Index node = map[position];
    own[position] = node >= 0 && first[node] == position ? node : -1;
  }
};

/// Transfer by teams of several elements, one thread per number between two barriers, and per line along t at the nodes
/// of the higher order, so that it waits for a line's loads at once; J (fine node, coarse node), the basis of the lower
/// order, and the numbers of a direction and the next are in scratch.
template <int order, int lower>
struct TransferInTeams {
  static constexpr int m = order + 1, n = lower + 1, coarse_nodes = n * n * n, fine_nodes = m * m * m;
  static constexpr int elements_per_team = std::max(1, 128 / (m * m));
  static constexpr int threads = (elements_per_team * m * m + 31) / 32 * 32;
  static constexpr int numbers = coarse_nodes + n * m * m + n * n * m;
  static constexpr std::size_t scratch_bytes = (elements_per_team * numbers + m * n) * sizeof(float);
  static constexpr int registers = order <= 8 ? 48 : 64;
  static constexpr int teams_at_once =
      std::max(1, std::min(65536 / (registers * threads), 200 * 1024 / (int(scratch_bytes) + 1024)));

  static constexpr bool awaits = true;
  const Index *coarse_map, *own;  ///< (element, node); own: of the higher order
  const float* basis;             ///< J
  std::int64_t elements;
  const float *from, *minus;  ///< minus: of restriction
  float* to;

  /// body(scratch of an element, its number, i) for i < count and each element of the team.
  template <class Body>
  KOKKOS_FORCEINLINE_FUNCTION void for_all(const Team& team, int count, const Body& body) const {
    const std::int64_t first = std::int64_t(team.league_rank()) * elements_per_team;
    for_each(team, elements_per_team * count, [&](int all) {
      const int e = all / count;
      if (first + e < elements) body(static_cast<float*>(team.scratch()) + m * n + e * numbers, first + e, all % count);
    });
  }
  /// J, and what no kernel changes is on its way. Awaits the kernels before.
  KOKKOS_FORCEINLINE_FUNCTION const float* load_basis(const Team& team) const {
    float* const J = static_cast<float*>(team.scratch());
    for_each(team, m * n, [&](int i) { J[i] = basis[i]; });
    const std::int64_t first = std::int64_t(team.league_rank()) * elements_per_team,
                       count = Kokkos::min<std::int64_t>(elements_per_team, elements - first);
    prefetch(team, coarse_map + first * coarse_nodes, count * coarse_nodes);
    prefetch(team, own + first * fine_nodes, count * fine_nodes);
    team.await();
    return J;
  }
  KOKKOS_FORCEINLINE_FUNCTION static void prefetch(const Team& team, const Index* from, std::int64_t count) {
    constexpr int line = 128 / sizeof(Index);
    for (std::int64_t i = std::int64_t(team.team_rank()) * line; i < count; i += std::int64_t(team.team_size()) * line)
      team.prefetch(from + i);
  }
  /// sum_i matrix[i * step] * line[i * stride].
  template <int length, int step, int stride>
  KOKKOS_FORCEINLINE_FUNCTION static float dot(const float* matrix, const float* line) {
    float sum = 0;
    MINIAPP_UNROLL
    for (int i = 0; i < length; ++i) sum += matrix[i * step] * line[i * stride];
    return sum;
  }
};

template <int order, int lower>
struct ProlongInTeams : TransferInTeams<order, lower> {
  using Base = TransferInTeams<order, lower>;
  static constexpr int m = Base::m, n = Base::n, mm = m * m;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const float* const J = this->load_basis(team);
    constexpr int b = Base::coarse_nodes, c = b + n * n * m;  // (k, j, fine i), (k, fine j, fine i)
    this->for_all(team, Base::coarse_nodes, [&](float* s, std::int64_t e, int i) {
      const Index node = this->coarse_map[e * Base::coarse_nodes + i];
      s[i] = node >= 0 ? this->from[node] : 0;
    });
    this->for_all(team, n * n * m, [&](float* s, std::int64_t, int i) {
      s[b + i] = Base::template dot<n, 1, 1>(J + i % m * n, s + i / m * n);
    });
    this->for_all(team, n * mm, [&](float* s, std::int64_t, int i) {
      s[c + i] = Base::template dot<n, 1, m>(J + i / m % m * n, s + b + i / mm * n * m + i % m);
    });
    this->for_all(team, mm, [&](float* s, std::int64_t e, int i) {
      Index node[m];
      float line[n], value[m];
      MINIAPP_UNROLL
      for (int k = 0; k < m; ++k) node[k] = this->own[e * Base::fine_nodes + k * mm + i];
      MINIAPP_UNROLL
      for (int k = 0; k < m; ++k) value[k] = node[k] >= 0 ? this->to[node[k]] : 0;
      MINIAPP_UNROLL
      for (int l = 0; l < n; ++l) line[l] = s[c + l * mm + i];
      MINIAPP_UNROLL
      for (int k = 0; k < m; ++k)
        if (node[k] >= 0) this->to[node[k]] = value[k] + Base::template dot<n, 1, 1>(J + k * n, line);
    });
  }
};

template <int order, int lower>
struct RestrictInTeams : TransferInTeams<order, lower> {
  using Base = TransferInTeams<order, lower>;
  static constexpr int m = Base::m, n = Base::n, mm = m * m;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const float* const J = this->load_basis(team);
    constexpr int b = 0, c = n * mm;  // (coarse k, j, i), (coarse k, coarse j, i)
    this->for_all(team, mm, [&](float* s, std::int64_t e, int i) {
      Index node[m];
      float line[m];
      MINIAPP_UNROLL
      for (int k = 0; k < m; ++k) node[k] = this->own[e * Base::fine_nodes + k * mm + i];
      MINIAPP_UNROLL
      for (int k = 0; k < m; ++k) line[k] = node[k] >= 0 ? this->from[node[k]] - this->minus[node[k]] : 0;
      MINIAPP_UNROLL
      for (int l = 0; l < n; ++l) s[b + l * mm + i] = Base::template dot<m, n, 1>(J + l, line);
    });
    this->for_all(team, n * n * m, [&](float* s, std::int64_t, int i) {
      s[c + i] = Base::template dot<m, n, m>(J + i / m % n, s + b + i / (m * n) * mm + i % m);
    });
    this->for_all(team, Base::coarse_nodes, [&](float* s, std::int64_t e, int i) {
      const Index node = this->coarse_map[e * Base::coarse_nodes + i];
      if (node >= 0) Kokkos::atomic_add(this->to + node, Base::template dot<m, n, 1>(J + i % n, s + c + i / n * m));
    });
  }
};

template <int order, int lower>
class TransferTeams : public PTransfer {
 public:
  TransferTeams(const Discretisation& coarse, const Discretisation& fine) : coarse_(coarse), fine_(fine) {
    const Vector<const Index> map = fine.space.element_to_node.device();
    const Vector<std::int64_t> first =
        make_vector<std::int64_t>("multigrid/transfer/first", std::size_t(fine.space.num_nodes));
    fill(first, std::numeric_limits<std::int64_t>::max());
    const Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>> positions(
        0, static_cast<std::int64_t>(map.extent(0)));
    own_ = make_vector<Index>("multigrid/transfer/own", map.extent(0));
    Kokkos::parallel_for("multigrid/transfer/first", positions, FindFirst{map.data(), first.data()});
    Kokkos::parallel_for("multigrid/transfer/own", positions, TakeFirst{map.data(), first.data(), own_.data()});
    basis_ = to_device<float>("multigrid/transfer/basis",
                              basis::lagrange_values(coarse.basis.nodes.points, fine.basis.nodes.points).entries);
    ExecutionSpace().fence();  // `first` is freed
  }

  void prolong(const Instance& instance, const Vector<const float>& x, const Vector<float>& y) const override {
    for (int c = 0; c < fine_.space.components; ++c)
      run<ProlongInTeams<order, lower>>(instance, "multigrid/prolong", x.data() + c * coarse_nodes(), nullptr,
                                        y.data() + c * fine_nodes());
  }
  void restrict_to(const Instance& instance, const Vector<const float>& f, const Vector<const float>& y,
                   const Vector<float>& to) const override {
    linalg::set_zero(instance, to);
    for (int c = 0; c < fine_.space.components; ++c)
      run<RestrictInTeams<order, lower>>(instance, "multigrid/restrict", f.data() + c * fine_nodes(),
                                         y.data() + c * fine_nodes(), to.data() + c * coarse_nodes());
  }
  double bytes() const override { return 4. * double(own_.extent(0)); }

 private:
  std::size_t coarse_nodes() const { return std::size_t(coarse_.space.num_nodes); }
  std::size_t fine_nodes() const { return std::size_t(fine_.space.num_nodes); }

  template <class Body>
  void run(const Instance& instance, const char* label, const float* from, const float* minus, float* to) const {
    const auto elements = static_cast<std::int64_t>(fine_.mesh->num_elements());
    const auto teams = static_cast<int>((elements + Body::elements_per_team - 1) / Body::elements_per_team);
    const Vector<const Index> coarse_map = coarse_.space.element_to_node.device();
    for_teams(instance, label, teams, Body{{coarse_map.data(), own_.data(), basis_.data(), elements, from, minus, to}});
  }

  const Discretisation &coarse_, &fine_;
  Vector<Index> own_;
  Vector<float> basis_;
};

}  // namespace miniapp::multigrid
