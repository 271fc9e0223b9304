// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "miniapp/core/arithmetic.hpp"
#include "tensor/element_group.hpp"
#include "tensor/schwarz.hpp"

namespace miniapp::tensor {

/// A_e^-1 with one team per element, one thread per line, the cube (k, j, i) and S in scratch: to modes along r, s, t,
/// divided, and back. Rows of S are padded to whole words of four numbers, so that a load serves four multiplications;
/// rows of the cube to an odd number, so that threads do not meet in a bank.
template <int order>
struct SchwarzInTeams {
  static constexpr int n = order + 1, m = n + 2, row = m | 1, plane = m * row, fours = (m + 3) / 4;
  static constexpr int threads = (m * m + 31) / 32 * 32, registers = order <= 8 ? 48 : 80;
  static constexpr int teams_at_once = std::max(1, 65536 / (registers * threads));
  static constexpr std::size_t scratch_bytes = (3 * m * 4 * fours + m * plane + 3 * m) * sizeof(float);
  struct alignas(16) Four {
    float x[4];
  };

  const Index *map, *beyond;         ///< (element, k, j, i), (element, face, b, a)
  const float *modes, *eigenvalues;  ///< (element, direction, node, mode), (element, direction, mode)
  float shift;
  const float* r;
  float* z;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const std::int64_t element = team.league_rank();
    Four* const S = static_cast<Four*>(team.scratch());  // (direction, node, mode)
    float* const cube = reinterpret_cast<float*>(S + 3 * m * fours);
    float* const lambda = cube + m * plane;
    for (int i = team.team_rank(); i < 3 * m * 4 * fours; i += team.team_size()) {
      const int mode = i % (4 * fours);
      S[i / 4].x[i % 4] = mode < m ? modes[(element * 3 * m + i / (4 * fours)) * m + mode] : 0;
    }
    for (int i = team.team_rank(); i < 3 * m; i += team.team_size()) lambda[i] = eigenvalues[element * 3 * m + i];
    for_each(team, m * plane, [&](int c) { cube[c] = 0; });
    load(team, element, cube);
    for_each(team, m * m, [&](int c) { to_modes<1>(S, cube + c * row); });
    for_each(team, m * m, [&](int c) { to_modes<row>(S + m * fours, cube + c / m * plane + c % m); });
    for_each(team, m * m, [&](int c) {
      float* const line = cube + c / m * row + c % m;
      to_modes<plane>(S + 2 * m * fours, line);
      const float sum = lambda[c % m] + lambda[m + c / m] + shift;
      MINIAPP_UNROLL
      for (int k = 0; k < m; ++k) line[k * plane] *= reciprocal(sum + lambda[2 * m + k]);
      to_nodes<plane>(S + 2 * m * fours, line);
    });
    for_each(team, n * m, [&](int c) { to_nodes<row>(S + m * fours, cube + (1 + c / m) * plane + c % m); });
    for_each(team, n * n, [&](int c) { to_nodes<1>(S, cube + (1 + c / n) * plane + (1 + c % n) * row); });
    for_each(team, n * n * n, [&](int c) {
      const Index node = map[element * n * n * n + c];
      if (node >= 0) Kokkos::atomic_add(z + node, cube[(1 + c / (n * n)) * plane + (1 + c / n % n) * row + 1 + c % n]);
    });
  }

  /// r at the element's nodes and beyond its faces.
  KOKKOS_FORCEINLINE_FUNCTION void load(const Team& team, std::int64_t element, float* cube) const {
    for (int c = team.team_rank(); c < n * n * n; c += team.team_size()) {
      const Index node = map[element * n * n * n + c];
      if (node >= 0) cube[(1 + c / (n * n)) * plane + (1 + c / n % n) * row + 1 + c % n] = r[node];
    }
    constexpr int step[3] = {1, row, plane};
    for_each(team, 6 * n * n, [&](int c) {
      const Index node = beyond[element * 6 * n * n + c];
      const int face = c / (n * n), a = 1 + c % n, b = 1 + c / n % n;
      const int at = face < 2 ? b * plane + a * row : face < 4 ? b * plane + a : b * row + a;
      const int across = face < 2 ? step[0] : face < 4 ? step[1] : step[2];
      if (node >= 0) cube[at + (face % 2 ? (m - 1) * across : 0)] = r[node];
    });
  }

  /// S^T u of a line, in place.
  template <int stride>
  KOKKOS_FORCEINLINE_FUNCTION static void to_modes(const Four* S, float* line) {
    float sum[4 * fours] = {};
    MINIAPP_UNROLL
    for (int i = 0; i < m; ++i) {
      const float u = line[i * stride];
      MINIAPP_UNROLL
      for (int q = 0; q < fours; ++q) {
        const Four s = S[i * fours + q];
        MINIAPP_UNROLL
        for (int c = 0; c < 4; ++c) sum[4 * q + c] += s.x[c] * u;
      }
    }
    MINIAPP_UNROLL
    for (int a = 0; a < m; ++a) line[a * stride] = sum[a];
  }

  /// The inner numbers of S u of a line, in place; those at the ends stay.
  template <int stride>
  KOKKOS_FORCEINLINE_FUNCTION static void to_nodes(const Four* S, float* line) {
    float u[4 * fours] = {};
    MINIAPP_UNROLL
    for (int a = 0; a < m; ++a) u[a] = line[a * stride];
    MINIAPP_UNROLL
    for (int i = 1; i <= n; ++i) {
      float sum = 0;
      MINIAPP_UNROLL
      for (int q = 0; q < fours; ++q) {
        const Four s = S[i * fours + q];
        MINIAPP_UNROLL
        for (int c = 0; c < 4; ++c) sum += s.x[c] * u[4 * q + c];
      }
      line[i * stride] = sum;
    }
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
