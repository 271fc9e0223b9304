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
/// which are on their way while lines are multiplied. Symmetric modes take half of S: they meet sums and differences of
/// a line's ends. Accesses to scratch bound it (docs/results/solver.md): S is read in words of four numbers, lines
/// along t stay in registers, and rows of the cube are padded to an odd number, so that threads do not meet in a bank.
template <int order>
struct SchwarzInTeams {
  static constexpr int n = order + 1, m = n + 2, row = m | 1, plane = m * row, half = (m + 1) / 2;
  static constexpr int wide = 4, words = (m * m + wide - 1) / wide;  ///< words that S of one direction takes
  static constexpr int words_of_lambda = (m + wide - 1) / wide;      ///< along t
  static constexpr int threads = (m * m + 31) / 32 * 32, registers = order <= 8 ? 40 : 80;
  static constexpr int across = m * row <= threads ? row : m;  ///< threads of a row, if padding needs no more of them
  static constexpr int teams_at_once = std::max(1, std::min(32, 65536 / (registers * threads)));
  static constexpr std::size_t scratch_bytes =
      ((3 * words + words_of_lambda) * wide + m * plane + row + m) * sizeof(float);
  static constexpr bool awaits = true;
  static constexpr int nodes = n * n * n;                                           ///< nodes of an element
  static constexpr int own_at_once = std::min((nodes + threads - 1) / threads, 8);  ///< that a thread waits for
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
    Word* const lambda_t = S + 3 * words;
    float* const cube = reinterpret_cast<float*>(lambda_t + words_of_lambda);
    float *const lambda_r = cube + m * plane, *const lambda_s = lambda_r + row;
    load(team, element, is_symmetric, S, cube, lambda_r);
    for_each(team, m * m, [&](int c) { line_to_modes<0, 1>(is_symmetric, S, cube + c * row); });
    for_lines_along_s(team, m, [&](int at) { line_to_modes<1, row>(is_symmetric, S, cube + at); });
    for_each(team, m * across, [&](int c) {  // also lines of padding
      const int i = c % across, j = c / across;
      float* const line = cube + j * row + i;
      float u[m];
      to_modes<2, plane>(is_symmetric, S, line, u);
      const float sum = lambda_r[i] + lambda_s[j] + shift;
      MINIAPP_UNROLL
      for (int k = 0; k < m; ++k) u[k] *= reciprocal(sum + lambda_t[k / wide].x[k % wide]);
      to_nodes<2, plane>(is_symmetric, S, u, line);
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
    for_lines_along_s(team, n, [&](int at) { line_to_nodes<1, row>(is_symmetric, S, cube + plane + at); });
    load_weights(0);
    for_each(team, n * n,
             [&](int c) { line_to_nodes<0, 1>(is_symmetric, S, cube + (1 + c / n) * plane + (1 + c % n) * row); });
    add(0);
    for (int first = at_once; first * threads < nodes; first += at_once) {
      load_own(first);
      load_weights(first);
      add(first);
    }
  }

  /// body(place in the cube) for the lines along s of so many planes. Those of planes that follow each other share some
  /// banks; with ten lines per plane, a warp takes three planes that are three apart, which do not, the last warp one.
  template <class Body>
  KOKKOS_FORCEINLINE_FUNCTION static void for_lines_along_s(const Team& team, int planes, const Body& body) {
    if constexpr (m == 10) {
      const int warp = team.team_rank() / 32, lane = team.team_rank() % 32;
      const int k = warp < 3 ? warp + lane / m * 3 : 9 + lane / m;
      if (lane < 3 * m && k < planes) body(k * plane + lane % m);
      team.team_barrier();
    } else {
      for_each(team, planes * m, [&](int c) { body(c / m * plane + c % m); });
    }
  }

  /// The place in the cube of an element's own node.
  KOKKOS_FORCEINLINE_FUNCTION static int inner(int c) {
    return (1 + c / (n * n)) * plane + (1 + c / n % n) * row + 1 + c % n;
  }

  /// S, the eigenvalues, the residual at the element's nodes and beyond its faces, zeros beyond its edges.
  KOKKOS_FORCEINLINE_FUNCTION void load(const Team& team, std::int64_t element, int is_symmetric, Word* S, float* cube,
                                        float* lambda) const {
    const int rank = team.team_rank();
    static_assert(3 * words <= threads);
    const bool has_word =
        rank < 3 * words && (rank % words * wide < half * m || (is_symmetric >> rank / words & 1) == 0);
    const Word word = has_word ? load_word(element * 3 + rank / words, rank % words) : Word{};
    const float eigenvalue = rank < 3 * m ? eigenvalues[element * 3 * m + rank] : 0;
    // A thread has one place of all planes. `from`: where it finds the numbers of nodes of the inner ones, `step`
    // apart.
    const int i = rank % across, j = rank / across;
    const bool has_place = rank < m * across && i < m;
    const bool inside_r = i > 0 && i <= n;
    const bool inside_s = j > 0 && j <= n;
    const bool is_inside = has_place && inside_r && inside_s;
    const Index *const faces = beyond + element * 6 * n * n, *from = faces;
    int step = n;
    if (is_inside) {
      from = map + element * nodes + (j - 1) * n + i - 1;
      step = n * n;
    } else if (has_place && inside_s) {
      from += (i > 0 ? 1 : 0) * n * n + j - 1;
    } else if (has_place && inside_r) {
      from += (j > 0 ? 3 : 2) * n * n + i - 1;
    } else {
      step = 0;  // an edge of the box, or padding
    }
    Index node[m];
    MINIAPP_UNROLL
    for (int k = 0; k < n; ++k) node[1 + k] = step > 0 ? from[k * step] : -1;
    MINIAPP_UNROLL
    for (int end = 0; end < 2; ++end)
      node[end * (n + 1)] = is_inside ? faces[(4 + end) * n * n + (j - 1) * n + i - 1] : -1;
    team.await();
    float value[m];
    MINIAPP_UNROLL
    for (int k = 0; k < m; ++k)
      value[k] = node[k] < 0 ? 0 : node[k] < num_nodes ? f[node[k]] : of_others[node[k] - num_nodes];
    if (y) {
      float other[m];  // loads that follow each other: none waits for the one before
      MINIAPP_UNROLL
      for (int k = 0; k < m; ++k) other[k] = node[k] >= 0 && node[k] < num_nodes ? y[node[k]] : 0;
      MINIAPP_UNROLL
      for (int k = 0; k < m; ++k) value[k] -= other[k];
    }
    if (has_place) {
      MINIAPP_UNROLL
      for (int k = 0; k < m; ++k) cube[k * plane + j * row + i] = value[k];
    }
    if (has_word) S[rank] = word;
    if (rank < 2 * m)
      lambda[rank < m ? rank : row + rank - m] = eigenvalue;
    else if (rank < 3 * m)
      S[3 * words + (rank - 2 * m) / wide].x[(rank - 2 * m) % wide] = eigenvalue;
    team.team_barrier();
  }
  KOKKOS_FORCEINLINE_FUNCTION Word load_word(std::int64_t line, int number) const {
    const float* const from = modes + line * m * m + number * wide;
    if constexpr (m % 2 == 0) return *reinterpret_cast<const Word*>(from);
    Word word;
    MINIAPP_UNROLL
    for (int c = 0; c < wide; ++c) word.x[c] = number * wide + c < m * m ? from[c] : 0;
    return word;
  }

  /// sum = S^T u of a line.
  template <int direction, int stride>
  KOKKOS_FORCEINLINE_FUNCTION void to_modes(int is_symmetric, const Word* S, const float* line, float (&sum)[m]) const {
    MINIAPP_UNROLL
    for (int a = 0; a < m; ++a) sum[a] = 0;
    float u = 0, v = 0;
    if (is_symmetric >> direction & 1) {
      for_numbers<0, half>(S + direction * words, [&](int i, int a, float s) {
        if (a == 0) {
          const float first = line[i * stride], last = 2 * i + 1 < m ? line[(m - 1 - i) * stride] : 0;
          u = first + last;
          v = first - last;
        }
        sum[a] += s * (a < half ? u : v);
      });
    } else {
      for_numbers<0, m>(S + direction * words, [&](int i, int a, float s) {
        if (a == 0) u = line[i * stride];
        sum[a] += s * u;
      });
    }
  }

  /// The inner numbers of S u to a line, whose ends stay.
  template <int direction, int stride>
  KOKKOS_FORCEINLINE_FUNCTION void to_nodes(int is_symmetric, const Word* S, const float (&u)[m], float* line) const {
    float even = 0, odd = 0;
    if (is_symmetric >> direction & 1) {
      for_numbers<1, half>(S + direction * words, [&](int i, int a, float s) {
        if (a == 0) even = odd = 0;
        (a < half ? even : odd) += s * u[a];
        if (a < m - 1) return;
        line[i * stride] = even + odd;
        if (2 * i + 1 < m) line[(m - 1 - i) * stride] = even - odd;
      });
    } else {
      for_numbers<1, n + 1>(S + direction * words, [&](int i, int a, float s) {
        if (a == 0) even = 0;
        even += s * u[a];
        if (a == m - 1) line[i * stride] = even;
      });
    }
  }

  /// These of a line, in place.
  template <int direction, int stride>
  KOKKOS_FORCEINLINE_FUNCTION void line_to_modes(int is_symmetric, const Word* S, float* line) const {
    float sum[m];
    to_modes<direction, stride>(is_symmetric, S, line, sum);
    MINIAPP_UNROLL
    for (int a = 0; a < m; ++a) line[a * stride] = sum[a];
  }
  template <int direction, int stride>
  KOKKOS_FORCEINLINE_FUNCTION void line_to_nodes(int is_symmetric, const Word* S, float* line) const {
    float u[m];
    MINIAPP_UNROLL
    for (int a = 0; a < m; ++a) u[a] = line[a * stride];
    to_nodes<direction, stride>(is_symmetric, S, u, line);
  }

  /// body(node, mode, S (node, mode)) for nodes [begin, end).
  template <int begin, int end, class Body>
  KOKKOS_FORCEINLINE_FUNCTION static void for_numbers(const Word* S, const Body& body) {
    MINIAPP_UNROLL
    for (int q = begin * m / wide; q * wide < end * m; ++q) {
      const Word s = S[q];
      MINIAPP_UNROLL
      for (int c = 0; c < wide; ++c)
        if (const int at = q * wide + c; at >= begin * m && at < end * m) body(at / m, at % m, s.x[c]);
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
