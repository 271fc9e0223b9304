// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tensor/element_group.hpp"
#include "tensor/schwarz.hpp"
#include "tensor/schwarz_lines.hpp"

namespace miniapp::tensor {

/// A_e^-1 with one team per element, one thread per line, the cube (k, j, i) and S in scratch: to modes along r, s, t,
/// divided, and back. Rows are padded to an odd number, so that threads do not meet in a bank.
template <int order>
struct SchwarzInTeams {
  static constexpr int n = order + 1, m = n + 2, row = m | 1, plane = m * row;
  static constexpr int threads = (m * m + 31) / 32 * 32, teams_at_once = 1;
  static constexpr std::size_t scratch_bytes = (m * plane + 3 * m * m + 3 * m) * sizeof(float);
  using Lines = SchwarzLines<n, float>;

  const Index *map, *beyond;         ///< (element, k, j, i), (element, face, b, a)
  const float *modes, *eigenvalues;  ///< (element, direction, node, mode), (element, direction, mode)
  float shift;
  const float* r;
  float* z;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const std::int64_t element = team.league_rank();
    float* const cube = static_cast<float*>(team.scratch());
    float* const S = cube + m * plane;
    float* const lambda = S + 3 * m * m;
    for (int i = team.team_rank(); i < 3 * m * m; i += team.team_size()) S[i] = modes[element * 3 * m * m + i];
    for (int i = team.team_rank(); i < 3 * m; i += team.team_size()) lambda[i] = eigenvalues[element * 3 * m + i];
    for_each(team, m * m * m, [&](int c) { cube[c / m * row + c % m] = take(element, c); });
    for_each(team, m * m, [&](int c) { Lines::template to_modes<1, 1>(S, cube + c * row); });
    for_each(team, m * m, [&](int c) { Lines::template to_modes<row, 1>(S + m * m, cube + c / m * plane + c % m); });
    for_each(team, m * m, [&](int c) {
      float* const line = cube + c / m * row + c % m;
      Lines::template to_modes<plane, 1>(S + 2 * m * m, line);
      const float sum = lambda[c % m] + lambda[m + c / m] + shift;
      MINIAPP_UNROLL
      for (int k = 0; k < m; ++k) line[k * plane] /= sum + lambda[2 * m + k];
      Lines::template to_nodes<plane, 1>(S + 2 * m * m, line);
    });
    for_each(team, n * m,
             [&](int c) { Lines::template to_nodes<row, 1>(S + m * m, cube + (1 + c / m) * plane + c % m); });
    for_each(team, n * n,
             [&](int c) { Lines::template to_nodes<1, 1>(S, cube + (1 + c / n) * plane + (1 + c % n) * row); });
    for_each(team, n * n * n, [&](int c) {
      const Index node = map[element * n * n * n + c];
      if (node >= 0) Kokkos::atomic_add(z + node, cube[(1 + c / (n * n)) * plane + (1 + c / n % n) * row + 1 + c % n]);
    });
  }

  /// r at entry c of the cube, zero beyond the element's edges.
  KOKKOS_FORCEINLINE_FUNCTION float take(std::int64_t element, int c) const {
    const int i = c % m - 1, j = c / m % m - 1, k = c / (m * m) - 1;
    const bool in_r = unsigned(i) < unsigned(n), in_s = unsigned(j) < unsigned(n), in_t = unsigned(k) < unsigned(n);
    Index node = -1;
    const Index* const faces = beyond + element * 6 * n * n;
    if (in_r && in_s && in_t)
      node = map[((element * n + k) * n + j) * n + i];
    else if (in_s && in_t)
      node = faces[((i < 0 ? 0 : 1) * n + k) * n + j];
    else if (in_r && in_t)
      node = faces[((j < 0 ? 2 : 3) * n + k) * n + i];
    else if (in_r && in_s)
      node = faces[((k < 0 ? 4 : 5) * n + j) * n + i];
    return node >= 0 ? r[node] : 0;
  }
};

template <int order>
class SchwarzTeams : public Schwarz {
 public:
  explicit SchwarzTeams(const Discretisation& d) : Schwarz(d, every_element(d)) {}

  void apply(const Instance& instance, const Vector<const float>& r, const Vector<float>& z) const override {
    const Vector<const Index> map = discretisation_.space.element_to_node.device();
    Kokkos::deep_copy(instance.space(), z, 0.f);
    for (int c = 0; c < discretisation_.space.components; ++c) {
      const std::size_t from = std::size_t(c) * discretisation_.space.num_nodes;
      for_teams(instance, "tensor/schwarz", static_cast<int>(discretisation_.mesh.num_elements()),
                SchwarzInTeams<order>{map.data(), beyond_.data(), lines_.modes.data(), lines_.eigenvalues.data(),
                                      shift_, r.data() + from, z.data() + from});
    }
  }
};

}  // namespace miniapp::tensor
