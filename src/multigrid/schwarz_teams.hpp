// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "miniapp/core/arithmetic.hpp"
#include "miniapp/linalg/vectors.hpp"
#include "multigrid/schwarz_base.hpp"
#include "tensor/element_group.hpp"

namespace miniapp::multigrid {

/// x += factor W P_e A_e^-1 R_e (f - y) with one team per element, one thread per line, the cube (k, j, i) and S in
/// scratch: to modes along r, s, t, divided, and back. A team waits for memory in few places, for all that it needs
/// there at once: for the numbers of nodes and S, for the values at nodes, and on the way back for numbers and weights,
/// which are on their way while lines are multiplied. Several lines per thread share what is loaded of S, but then too
/// few threads hide the latencies. Symmetric modes take half of S: they meet sums and differences of a line's ends.
/// Rows of the cube are padded to an odd number, so that threads do not meet in a bank, those of S to whole words of
/// `wide` numbers.
template <int order>
struct SchwarzInTeams {
  static constexpr int n = order + 1, m = n + 2, row = m | 1, plane = m * row, half = (m + 1) / 2;
  static constexpr int wide = m % 4 == 2 ? 2 : 4, words = (m + wide - 1) / wide, padded = words * wide;
  static constexpr int threads = (m * m + 31) / 32 * 32, registers = order <= 8 ? 40 : 80;
  static constexpr int teams_at_once = std::max(1, std::min(32, 65536 / (registers * threads)));
  static constexpr std::size_t scratch_bytes = (3 * m * padded + m * plane + 3 * m) * sizeof(float);
  static constexpr bool awaits = true;
  static constexpr int rows = n * n * m, others = 4 * n * n;  ///< nodes of rows along r, those beyond along s and t
  static constexpr int nodes = n * n * n, mode_numbers = 3 * m * padded;
  /// Loads that a thread waits for at once.
  static constexpr int own_at_once = std::min((nodes + threads - 1) / threads, 8),
                       nodes_at_once = std::min((rows + others + threads - 1) / threads, 8),
                       modes_at_once = std::min((mode_numbers + threads - 1) / threads, 4);
  struct alignas(4 * wide) Word {
    float x[wide];
  };

  const Index *map, *beyond;         ///< (element, k, j, i), (element, face, b, a)
  const float *modes, *eigenvalues;  ///< (element, direction, node, mode), (element, direction, mode)
  const unsigned char* symmetric;    ///< (element, direction)
  const float* weights;              ///< (node), W
  float shift, factor;
  const float *f, *y;  ///< no y: zero
  float* x;
  Index num_nodes;         ///< nodes from here on are beyond ranks:
  const float* of_others;  ///< f - y there

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const std::int64_t element = team.league_rank();
    const unsigned char* const flags = symmetric + 3 * element;
    const int is_symmetric = flags[0] | flags[1] << 1 | flags[2] << 2;  // a bit per direction
    Word* const S = static_cast<Word*>(team.scratch());                 // (direction, node, mode)
    float* const cube = reinterpret_cast<float*>(S + 3 * m * words);
    float* const lambda = cube + m * plane;
    load(team, element, is_symmetric, S, cube, lambda);
    for_each(team, m * m, [&](int c) { to_modes<0, 1>(is_symmetric, S, cube + c * row); });
    for_each(team, m * m, [&](int c) { to_modes<1, row>(is_symmetric, S, cube + c / m * plane + c % m); });
    for_each(team, m * m, [&](int c) {
      float* const line = cube + c / m * row + c % m;
      to_modes<2, plane>(is_symmetric, S, line);
      const float sum = lambda[c % m] + lambda[m + c / m] + shift;
      MINIAPP_UNROLL
      for (int k = 0; k < m; ++k) line[k * plane] *= reciprocal(sum + lambda[2 * m + k]);
      to_nodes<2, plane>(is_symmetric, S, line);
    });
    constexpr int at_once = own_at_once;
    Index own[at_once];
    float weight[at_once];
    const auto each = [&](int first, const auto& body) {
      MINIAPP_UNROLL
      for (int k = 0; k < at_once; ++k)
        if (const int c = team.team_rank() + (first + k) * team.team_size(); c < nodes) body(k, c);
    };
    const auto load_own = [&](int first) { each(first, [&](int k, int c) { own[k] = map[element * nodes + c]; }); };
    const auto load_weights = [&](int first) {
      each(first, [&](int k, int) { weight[k] = own[k] >= 0 ? weights[own[k]] : 0; });
    };
    const auto add = [&](int first) {
      each(first, [&](int k, int c) {
        if (own[k] >= 0) Kokkos::atomic_add(x + own[k], factor * weight[k] * cube[inner(c)]);
      });
    };
    load_own(0);
    for_each(team, n * m, [&](int c) { to_nodes<1, row>(is_symmetric, S, cube + (1 + c / m) * plane + c % m); });
    load_weights(0);
    for_each(team, n * n,
             [&](int c) { to_nodes<0, 1>(is_symmetric, S, cube + (1 + c / n) * plane + (1 + c % n) * row); });
    add(0);
    for (int first = at_once; first * threads < nodes; first += at_once) {
      load_own(first);
      load_weights(first);
      add(first);
    }
  }

  /// The place in the cube of an element's own node.
  KOKKOS_FORCEINLINE_FUNCTION static int inner(int c) {
    return (1 + c / (n * n)) * plane + (1 + c / n % n) * row + 1 + c % n;
  }

  /// A node of the box, mostly next to the one before in memory, and its place in the cube: rows with the nodes before
  /// and behind them, then those beyond the other faces.
  KOKKOS_FORCEINLINE_FUNCTION Index find(std::int64_t element, int c) const {
    const Index *const own = map + element * n * n * n, *const faces = beyond + element * 6 * n * n;
    if (c >= rows) return faces[2 * n * n + c - rows];
    const int i = c % m, line = c / m;
    return i == 0 ? faces[line] : i == m - 1 ? faces[n * n + line] : own[line * n + i - 1];
  }
  KOKKOS_FORCEINLINE_FUNCTION static int place(int c) {
    if (c < rows) return (1 + c / (n * m)) * plane + (1 + c / m % n) * row + c % m;
    c -= rows;
    const int a = 1 + c % n, b = 1 + c / n % n, end = c / (n * n) % 2 * (m - 1);
    return c < 2 * n * n ? b * plane + end * row + a : end * plane + b * row + a;
  }

  KOKKOS_FORCEINLINE_FUNCTION float residual(Index node) const {
    if (node < 0) return 0;
    if (node >= num_nodes) return of_others[node - num_nodes];
    return y ? f[node] - y[node] : f[node];
  }

  /// S, the residual at the element's nodes and beyond its faces, zeros beyond its edges.
  KOKKOS_FORCEINLINE_FUNCTION void load(const Team& team, std::int64_t element, int is_symmetric, Word* S, float* cube,
                                        float* lambda) const {
    const auto load_mode = [&](int i) {
      const int mode = i % padded, line = i / padded;
      const bool is_stored = mode < m && (line % m < half || (is_symmetric >> line / m & 1) == 0);
      return is_stored ? modes[(element * 3 * m + line) * m + mode] : 0;
    };
    const auto store_mode = [&](int i, float value) { S[i / wide].x[i % wide] = value; };
    const int rank = team.team_rank(), size = team.team_size();
    float mode_value[modes_at_once], eigenvalue = 0;
    MINIAPP_UNROLL
    for (int k = 0; k < modes_at_once; ++k)
      if (rank + k * size < mode_numbers) mode_value[k] = load_mode(rank + k * size);
    if (rank < 3 * m) eigenvalue = eigenvalues[element * 3 * m + rank];
    constexpr int at_once = nodes_at_once;
    Index node[at_once];
    const auto find_nodes = [&](int first) {
      MINIAPP_UNROLL
      for (int k = 0; k < at_once; ++k)
        if (first + k * size < rows + others) node[k] = find(element, first + k * size);
    };
    find_nodes(rank);
    team.await();
    for (int first = rank; first < rows + others; first += at_once * size) {
      float value[at_once];
      if (first > rank) find_nodes(first);
      MINIAPP_UNROLL
      for (int k = 0; k < at_once; ++k)
        if (first + k * size < rows + others) value[k] = residual(node[k]);
      MINIAPP_UNROLL
      for (int k = 0; k < at_once; ++k)
        if (first + k * size < rows + others) cube[place(first + k * size)] = value[k];
    }
    MINIAPP_UNROLL
    for (int k = 0; k < modes_at_once; ++k)
      if (rank + k * size < mode_numbers) store_mode(rank + k * size, mode_value[k]);
    for (int i = rank + modes_at_once * size; i < mode_numbers; i += size) store_mode(i, load_mode(i));
    if (rank < 3 * m) lambda[rank] = eigenvalue;
    for_each(team, 12 * m, [&](int c) {
      const int direction = c / (4 * m), end = c / m % 4, at = c % m;
      constexpr int stride[3] = {1, row, plane};
      const int u = (m - 1) * stride[direction == 0 ? 1 : 0], v = (m - 1) * stride[direction == 2 ? 1 : 2];
      cube[at * stride[direction] + end % 2 * u + end / 2 * v] = 0;
    });
  }

  /// S^T u of a line, in place.
  template <int direction, int stride>
  KOKKOS_FORCEINLINE_FUNCTION void to_modes(int is_symmetric, const Word* S, float* line) const {
    S += direction * m * words;
    float sum[m] = {};
    if (is_symmetric >> direction & 1) {
      MINIAPP_UNROLL
      for (int i = 0; i < half; ++i) {
        const float u = line[i * stride], v = 2 * i + 1 < m ? line[(m - 1 - i) * stride] : 0;
        for_row(S + i * words, [&](int a, float s) { sum[a] += s * (a < half ? u + v : u - v); });
      }
    } else {
      MINIAPP_UNROLL
      for (int i = 0; i < m; ++i) {
        const float u = line[i * stride];
        for_row(S + i * words, [&](int a, float s) { sum[a] += s * u; });
      }
    }
    MINIAPP_UNROLL
    for (int a = 0; a < m; ++a) line[a * stride] = sum[a];
  }

  /// The inner numbers of S u of a line, in place; those at the ends stay.
  template <int direction, int stride>
  KOKKOS_FORCEINLINE_FUNCTION void to_nodes(int is_symmetric, const Word* S, float* line) const {
    S += direction * m * words;
    float u[m];
    MINIAPP_UNROLL
    for (int a = 0; a < m; ++a) u[a] = line[a * stride];
    if (is_symmetric >> direction & 1) {
      MINIAPP_UNROLL
      for (int i = 1; i < half; ++i) {
        float even = 0, odd = 0;
        for_row(S + i * words, [&](int a, float s) { (a < half ? even : odd) += s * u[a]; });
        line[i * stride] = even + odd;
        if (2 * i + 1 < m) line[(m - 1 - i) * stride] = even - odd;
      }
    } else {
      MINIAPP_UNROLL
      for (int i = 1; i <= n; ++i) {
        float sum = 0;
        for_row(S + i * words, [&](int a, float s) { sum += s * u[a]; });
        line[i * stride] = sum;
      }
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

/// On several ranks each adds what its elements add to x, which is zero before at nodes that others own; then ranks add
/// theirs.
template <int order>
class SchwarzTeams : public SchwarzBase {
 public:
  explicit SchwarzTeams(const Discretisation& d)
      : SchwarzBase(d, every_element(d)),
        of_others_(make_zeros<float>("multigrid/schwarz/others", d.space.components * halo_.num_values())) {}

  void step(const Instance& instance, const Vector<const float>& f, const Vector<float>& y, float factor,
            const Vector<float>& x, bool from_zero, const Vector<float>& unsummed) const override {
    const space::Exchange& exchange = discretisation_.space.exchange;
    const Vector<const float> product = from_zero ? Vector<const float>() : Vector<const float>(y);
    halo_.fetch(instance, f, product, of_others_.data(), halo_.num_values(), unsummed);
    if (from_zero)
      linalg::set_zero(instance, x);
    else
      exchange.zero_others(instance, x);
    run(instance, f, product, factor, x);
    exchange.sum(instance, x);
  }
  bool makes_copies_equal() const override { return true; }  // the last sum is in the order of ranks
  double bytes() const override { return SchwarzBase::bytes() + 4. * double(of_others_.extent(0)); }

 private:
  /// x += factor B (f - y); no y: zero.
  void run(const Instance& instance, const Vector<const float>& f, const Vector<const float>& y, float factor,
           const Vector<float>& x) const {
    const Vector<const Index> map = discretisation_.space.element_to_node.device();
    for (int c = 0; c < discretisation_.space.components; ++c) {
      const std::size_t at = std::size_t(c) * discretisation_.space.num_nodes;
      for_teams(instance, "multigrid/schwarz", static_cast<int>(discretisation_.mesh->num_elements()),
                SchwarzInTeams<order>{map.data(), beyond_.data(), lines_.modes.data(), lines_.eigenvalues.data(),
                                      lines_.symmetric.data(), weights_.data(), shift_, factor, f.data() + at,
                                      y.extent(0) > 0 ? y.data() + at : nullptr, x.data() + at,
                                      discretisation_.space.num_nodes, of_others_.data() + c * halo_.num_values()});
    }
  }

  Vector<float> of_others_;  ///< (component, value): of FaceHalo
};

}  // namespace miniapp::multigrid
