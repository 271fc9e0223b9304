// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "miniapp/core/arithmetic.hpp"
#include "tensor/element_group.hpp"
#include "tensor/schwarz.hpp"

namespace miniapp::tensor {

/// x += factor W P_e A_e^-1 R_e (f - y) with one team per element, one thread per line, the cube (k, j, i) and S in
/// scratch: to modes along r, s, t, divided, and back. Time goes into loads of S, whose words come at the same pace
/// whether threads read the same or not; two or four lines per thread share them, but then too few threads hide the
/// latencies. Rows of the cube are padded to an odd number, so that threads do not meet in a bank, those of S to whole
/// words of `wide` numbers.
template <int order>
struct SchwarzInTeams {
  static constexpr int n = order + 1, m = n + 2, row = m | 1, plane = m * row;
  static constexpr int wide = m % 4 == 2 ? 2 : 4, words = (m + wide - 1) / wide, padded = words * wide;
  static constexpr int threads = (m * m + 31) / 32 * 32, registers = order < 6 ? 48 : order <= 8 ? 40 : 80;
  static constexpr int teams_at_once = std::max(1, std::min(32, 65536 / (registers * threads)));
  static constexpr std::size_t scratch_bytes = (3 * m * padded + m * plane + 3 * m) * sizeof(float);
  struct alignas(4 * wide) Word {
    float x[wide];
  };

  const Index *map, *beyond;         ///< (element, k, j, i), (element, face, b, a)
  const float *modes, *eigenvalues;  ///< (element, direction, node, mode), (element, direction, mode)
  const float* weights;              ///< (node), W
  float shift, factor;
  const float *f, *y;  ///< no y: zero
  float* x;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const std::int64_t element = team.league_rank();
    Word* const S = static_cast<Word*>(team.scratch());  // (direction, node, mode)
    float* const cube = reinterpret_cast<float*>(S + 3 * m * words);
    float* const lambda = cube + m * plane;
    load(team, element, S, cube, lambda);
    for_each(team, m * m, [&](int c) { to_modes<1>(S, cube + c * row); });
    for_each(team, m * m, [&](int c) { to_modes<row>(S + m * words, cube + c / m * plane + c % m); });
    for_each(team, m * m, [&](int c) {
      float* const line = cube + c / m * row + c % m;
      to_modes<plane>(S + 2 * m * words, line);
      const float sum = lambda[c % m] + lambda[m + c / m] + shift;
      MINIAPP_UNROLL
      for (int k = 0; k < m; ++k) line[k * plane] *= reciprocal(sum + lambda[2 * m + k]);
      to_nodes<plane>(S + 2 * m * words, line);
    });
    for_each(team, n * m, [&](int c) { to_nodes<row>(S + m * words, cube + (1 + c / m) * plane + c % m); });
    for_each(team, n * n, [&](int c) { to_nodes<1>(S, cube + (1 + c / n) * plane + (1 + c % n) * row); });
    many<n * n * n>(
        team,
        [&](int c) {
          const Index node = map[element * n * n * n + c];
          return Part{node, node >= 0 ? factor * weights[node] : 0};
        },
        [&](int c, const Part& part) {
          if (part.node >= 0) Kokkos::atomic_add(x + part.node, part.weight * cube[inner(c)]);
        });
  }

  struct Part {
    Index node;
    float weight;
  };
  /// store(c, load(c)) for c < count; a thread waits for eight loads at once.
  template <int count, class Load, class Store>
  KOKKOS_FORCEINLINE_FUNCTION static void many(const Team& team, const Load& load, const Store& store) {
    constexpr int at_once = 8;
    const int size = team.team_size();
    for (int first = team.team_rank(); first < count; first += at_once * size) {
      decltype(load(0)) values[at_once];
      MINIAPP_UNROLL
      for (int k = 0; k < at_once; ++k)
        if (first + k * size < count) values[k] = load(first + k * size);
      MINIAPP_UNROLL
      for (int k = 0; k < at_once; ++k)
        if (first + k * size < count) store(first + k * size, values[k]);
    }
  }

  /// The place in the cube of an element's own node.
  KOKKOS_FORCEINLINE_FUNCTION static int inner(int c) {
    return (1 + c / (n * n)) * plane + (1 + c / n % n) * row + 1 + c % n;
  }
  KOKKOS_FORCEINLINE_FUNCTION float residual(Index node) const {
    if (node < 0) return 0;
    return y ? f[node] - y[node] : f[node];
  }

  /// S, the residual at the element's nodes and beyond its faces, zeros beyond its edges.
  KOKKOS_FORCEINLINE_FUNCTION void load(const Team& team, std::int64_t element, Word* S, float* cube,
                                        float* lambda) const {
    const Index *const own = map + element * n * n * n, *const others = beyond + element * 6 * n * n;
    many<n * n * m>(  // rows with the nodes before and behind them, which are mostly next to them in memory
        team,
        [&](int c) {
          const int i = c % m, line = c / m;
          return residual(i == 0 ? others[line] : i == m - 1 ? others[n * n + line] : own[line * n + i - 1]);
        },
        [&](int c, float value) { cube[(1 + c / (n * m)) * plane + (1 + c / m % n) * row + c % m] = value; });
    many<4 * n * n>(
        team, [&](int c) { return residual(others[2 * n * n + c]); },
        [&](int c, float value) {
          const int a = 1 + c % n, b = 1 + c / n % n, end = c / (n * n) % 2 * (m - 1);
          cube[c < 2 * n * n ? b * plane + end * row + a : end * plane + b * row + a] = value;
        });
    many<3 * m * padded>(
        team,
        [&](int i) {
          const int mode = i % padded;
          return mode < m ? modes[(element * 3 * m + i / padded) * m + mode] : 0;
        },
        [&](int i, float value) { S[i / wide].x[i % wide] = value; });
    many<3 * m>(
        team, [&](int i) { return eigenvalues[element * 3 * m + i]; }, [&](int i, float value) { lambda[i] = value; });
    for_each(team, 12 * m, [&](int c) {
      const int direction = c / (4 * m), end = c / m % 4, at = c % m;
      constexpr int stride[3] = {1, row, plane};
      const int u = (m - 1) * stride[direction == 0 ? 1 : 0], v = (m - 1) * stride[direction == 2 ? 1 : 2];
      cube[at * stride[direction] + end % 2 * u + end / 2 * v] = 0;
    });
  }

  /// S^T u of a line, in place.
  template <int stride>
  KOKKOS_FORCEINLINE_FUNCTION static void to_modes(const Word* S, float* line) {
    float sum[m] = {};
    MINIAPP_UNROLL
    for (int i = 0; i < m; ++i) {
      const float u = line[i * stride];
      for_row(S + i * words, [&](int a, float s) { sum[a] += s * u; });
    }
    MINIAPP_UNROLL
    for (int a = 0; a < m; ++a) line[a * stride] = sum[a];
  }

  /// The inner numbers of S u of a line, in place; those at the ends stay.
  template <int stride>
  KOKKOS_FORCEINLINE_FUNCTION static void to_nodes(const Word* S, float* line) {
    float u[m];
    MINIAPP_UNROLL
    for (int a = 0; a < m; ++a) u[a] = line[a * stride];
    MINIAPP_UNROLL
    for (int i = 1; i <= n; ++i) {
      float sum = 0;
      for_row(S + i * words, [&](int a, float s) { sum += s * u[a]; });
      line[i * stride] = sum;
    }
  }

  /// body(mode, S (node, mode)) for a row of S.
  template <class Body>
  KOKKOS_FORCEINLINE_FUNCTION static void for_row(const Word* S, const Body& body) {
    MINIAPP_UNROLL
    for (int q = 0; q < words; ++q) {
      const Word s = S[q];
      MINIAPP_UNROLL
      for (int c = 0; c < wide; ++c)
        if (q * wide + c < m) body(q * wide + c, s.x[c]);
    }
  }
};

template <int order>
class SchwarzTeams : public Schwarz {
 public:
  explicit SchwarzTeams(const Discretisation& d) : Schwarz(d, every_element(d)) {}

  void step(const Instance& instance, const Vector<const float>& f, const Vector<float>& y, float factor,
            const Vector<float>& x, bool from_zero) const override {
    const Vector<const Index> map = discretisation_.space.element_to_node.device();
    if (from_zero) Kokkos::deep_copy(instance.space(), x, 0.f);
    for (int c = 0; c < discretisation_.space.components; ++c) {
      const std::size_t at = std::size_t(c) * discretisation_.space.num_nodes;
      for_teams(instance, "tensor/schwarz", static_cast<int>(discretisation_.mesh.num_elements()),
                SchwarzInTeams<order>{map.data(), beyond_.data(), lines_.modes.data(), lines_.eigenvalues.data(),
                                      weights_.data(), shift_, factor, f.data() + at,
                                      from_zero ? nullptr : y.data() + at, x.data() + at});
    }
  }
};

}  // namespace miniapp::tensor
