// SPDX-License-Identifier: BSD-3-Clause
#include "multigrid/line_modes.hpp"

#include <cmath>
#include <utility>

#include "miniapp/basis/lagrange.hpp"
#include "miniapp/basis/quadrature.hpp"
#include "miniapp/geometry/hexahedron.hpp"
#include "tensor/element_group.hpp"

namespace miniapp::multigrid {
namespace {

/// Neighbours whose lengths differ by less from their mean, relatively, are taken as equally long.
constexpr double nearly_equal = 0.2;

using PerElement = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;

/// One direction of an element per lane: line = 3 slot + direction.
struct ModesOfGroup {
  using Number = GroupNumber<double>;
  static constexpr int size = group_size<double>, threads = 32, teams_at_once = 1, most_sweeps = 12;

  const double *stiffness, *mass;  ///< (node, node) of an element of length 2
  const double* lengths;           ///< (element, direction)
  const double* coefficients;      ///< (element); null: 1
  const Index *map, *neighbours, *slots;
  float *modes, *eigenvalues;
  float *without_lambda, *inverse_coefficients;  ///< null: there is no coefficient
  unsigned char* symmetric;                      ///< (line), on a GPU
  int n;
  std::int64_t lines;
  bool has_stiffness;
  double nearly_equal;  ///< half the difference of lengths to their mean

  static std::size_t numbers(int n) {
    const std::size_t m = n + 2, half = size == 1 ? (m + 1) / 2 : 0;
    return 3 * m * m + 3 * half * half + 3;
  }

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const int m = n + 2;
    const ElementRange group = group_of<double>(team, lines);
    Number* const K = static_cast<Number*>(team.scratch());
    Number* const L = K + m * m;
    Number* const Q = L + m * m;
    const bool is_symmetric = size == 1 && has_equal_ends(group.first);
    for_each(team, m, [&](int i) {
      for (int l = 0; l < size; ++l)
        assemble(group.first + (l < group.count ? l : group.count - 1), i, l, is_symmetric, K, L);
    });
    if constexpr (size == 1) {
      if (team.team_rank() == 0) symmetric[group.first] = is_symmetric;
      if (is_symmetric) {
        Number* const K_half = Q + m * m;
        const int half = (m + 1) / 2;
        for (const bool odd : {false, true}) {
          const int count = odd ? m / 2 : half;
          fold(team, K, L, odd, count, K_half);
          solve(team, count, K_half, K_half + half * half, K_half + 2 * half * half);
          for_each(team, half,
                   [&](int i) { store(group.first, i, 0, odd ? half : 0, count, K_half, K_half + 2 * half * half); });
        }
        return;
      }
    }
    solve(team, m, K, L, Q);
    for_each(team, m, [&](int i) {
      for (int l = 0; l < group.count; ++l) store(group.first + l, i, l, 0, m, K, Q);
    });
  }

  /// Eigenvalues onto the diagonal of K, modes into columns of Q, of matrices of m rows; L holds M.
  KOKKOS_FUNCTION void solve(const Team& team, int m, Number* K, Number* L, Number* Q) const {
    factorise(team, m, L);
    reduce(team, m, L, K);
    diagonalise(team, m, K, Q);
    for_each(team, m, [&](int a) { back_substitute(m, L, Q + a); });
  }

  /// K and M of even or odd lines, which `count` values of the first half stand for.
  KOKKOS_FUNCTION void fold(const Team& team, const Number* K, const Number* M, bool odd, int count,
                            Number* folded) const {
    const int m = n + 2, half = (m + 1) / 2;
    for_each(team, count * count, [&](int at) {
      const int i = at / count, j = at % count;
      const double scale = (2 * i + 1 == m ? 1. : 2.) / (2 * j + 1 == m ? 2. : 1.);
      const auto both = [&](const Number* A) {
        return scale * (A[i * m + j] + (odd ? -1. : 1.) * A[i * m + m - 1 - j]);
      };
      folded[at] = both(K);
      folded[half * half + at] = both(M);
    });
  }

  /// Whether both neighbours are there, their nodes are free, and their lengths nearly the same.
  KOKKOS_FUNCTION bool has_equal_ends(std::int64_t line) const {
    const int direction = static_cast<int>(line % 3);
    const std::int64_t element = slots[line / 3];
    double lengths_beyond[2];
    for (int side = 0; side < 2; ++side) {
      const Index position = element < 0 ? -1 : neighbours[6 * element + 2 * direction + side];
      if (position < 0 || is_masked(element, direction, side)) return false;
      lengths_beyond[side] = length_at(position);
    }
    const Index* const beyond = neighbours + 6 * element + 2 * direction;
    return differ_little(lengths_beyond[0], lengths_beyond[1]) &&
           differ_little(coefficient_at(beyond[0]), coefficient_at(beyond[1]));
  }
  KOKKOS_FORCEINLINE_FUNCTION bool differ_little(double a, double b) const {
    return (a < b ? b - a : a - b) < nearly_equal * (a + b);
  }
  /// The coefficient of the element across face `position`.
  KOKKOS_FORCEINLINE_FUNCTION double coefficient_at(Index position) const {
    return coefficients ? coefficients[position / 6] : 1;
  }
  /// The length of the element across face `position`.
  KOKKOS_FORCEINLINE_FUNCTION double length_at(Index position) const {
    return lengths[3 * (position / 6) + position % 6 / 2];
  }

  /// Row i of K and M; node i - 1 of the element. On a symmetric line both neighbours have the mean of their lengths.
  KOKKOS_FUNCTION void assemble(std::int64_t line, int i, int l, bool is_symmetric, Number* K, Number* M) const {
    const int m = n + 2, direction = static_cast<int>(line % 3);
    const std::int64_t element = slots[line / 3];
    const auto set = [&](int j, double k_ij, double m_ij) {
      lane<double>(K[i * m + j], l) = k_ij;
      lane<double>(M[i * m + j], l) = m_ij;
    };
    const auto fixed = [&](int node) {
      return (node == 0 || node == n - 1) && is_masked(element, direction, node > 0);
    };
    for (int j = 0; j < m; ++j) set(j, 0, 0);
    if (element < 0) return set(i, 1, 1);
    const double length = lengths[3 * element + direction], k = coefficients ? coefficients[element] : 1;
    const int node = i - 1, side = i > m / 2;
    const bool inside = node >= 0 && node < n;
    if (inside) {
      for (int j = 0; j < n; ++j)
        if (j == node || !(fixed(node) || fixed(j)))
          set(j + 1, 2 * k / length * stiffness[node * n + j], length / 2 * mass[node * n + j]);
    } else {
      set(i, 2 * k / length * stiffness[0], length / 2 * mass[0]);
    }
    if (inside && node != 0 && node != n - 1) return;
    const Index position = neighbours[6 * element + 2 * direction + side];
    if (position < 0) return;  // of the surface
    double other = length_at(position), k_other = coefficient_at(position);
    if (is_symmetric) {
      const Index opposite = neighbours[6 * element + 2 * direction + 1 - side];
      other = (other + length_at(opposite)) / 2;
      k_other = (k_other + coefficient_at(opposite)) / 2;
    }
    const double stiff = 2 * k_other / other;
    const auto term = [&](const double* matrix, double scale, int a, int b) { return scale * matrix[a * n + b]; };
    const int end = side ? 0 : n - 1, next = side ? 1 : n - 2;  // in a neighbour of the same direction
    const int between = side ? i + (inside ? 1 : -1) : i + (inside ? -1 : 1);
    const int own = inside ? end : next;
    lane<double>(K[i * m + i], l) = (inside ? lane<double>(K[i * m + i], l) : 0) + term(stiffness, stiff, own, own);
    lane<double>(M[i * m + i], l) = (inside ? lane<double>(M[i * m + i], l) : 0) + term(mass, other / 2, own, own);
    if (!fixed(side ? n - 1 : 0)) set(between, term(stiffness, stiff, end, next), term(mass, other / 2, end, next));
  }

  /// Whether the inner nodes of a face are masked.
  KOKKOS_FORCEINLINE_FUNCTION bool is_masked(std::int64_t element, int direction, int side) const {
    const int stride[3] = {1, n, n * n};
    int node = side * (n - 1) * stride[direction];
    for (int d = 0; d < 3; ++d)
      if (d != direction) node += stride[d];
    return map[element * n * n * n + node] < 0;
  }

  /// M = L L^T in place.
  KOKKOS_FUNCTION void factorise(const Team& team, int m, Number* L) const {
    for (int j = 0; j < m; ++j) {
      const Number pivot = square_root(L[j * m + j]);
      team.team_barrier();
      for_each(team, m - j, [&](int i) { L[(j + i) * m + j] /= pivot; });
      for_each(team, m - j - 1, [&](int i) {
        const int row = j + 1 + i;
        for (int k = j + 1; k <= row; ++k) L[row * m + k] -= L[row * m + j] * L[k * m + j];
      });
    }
  }

  /// K = L^-1 K L^-T.
  KOKKOS_FUNCTION void reduce(const Team& team, int m, const Number* L, Number* K) const {
    for_each(team, m, [&](int column) {
      for (int i = 0; i < m; ++i) {
        Number sum = K[i * m + column];
        for (int k = 0; k < i; ++k) sum -= L[i * m + k] * K[k * m + column];
        K[i * m + column] = sum / L[i * m + i];
      }
    });
    for_each(team, m, [&](int row) {
      for (int i = 0; i < m; ++i) {
        Number sum = K[row * m + i];
        for (int k = 0; k < i; ++k) sum -= L[i * m + k] * K[row * m + k];
        K[row * m + i] = sum / L[i * m + i];
      }
    });
  }

  /// Eigenvalues onto the diagonal of A, eigenvectors into columns of Q, by cyclic rotations. Of A, which is symmetric,
  /// only the diagonal and what is above are used.
  KOKKOS_FUNCTION void diagonalise(const Team& team, int m, Number* A, Number* Q) const {
    for_each(team, m, [&](int i) {
      for (int j = 0; j < m; ++j) Q[i * m + j] = Number{} + (i == j ? 1. : 0.);
    });
    for (int sweep = 0; sweep < most_sweeps && !is_diagonal(m, A); ++sweep) {
      team.team_barrier();
      for (int p = 0; p < m; ++p) {
        for (int q = p + 1; q < m; ++q) rotate(team, m, p, q, A, Q);
      }
    }
  }
  KOKKOS_FUNCTION bool is_diagonal(int m, const Number* A) const {
    Number beside{}, trace{};
    for (int i = 0; i < m; ++i) {
      trace += A[i * m + i];
      for (int j = i + 1; j < m; ++j) beside += A[i * m + j] * A[i * m + j];
    }
    for (int l = 0; l < size; ++l)
      if (lane<double>(beside, l) > 1e-20 * lane<double>(trace, l) * lane<double>(trace, l)) return false;
    return true;
  }
  KOKKOS_FUNCTION void rotate(const Team& team, int m, int p, int q, Number* A, Number* Q) const {
    const Number beside = 2 * A[p * m + q], difference = A[q * m + q] - A[p * m + p];
    const Number root = square_root(difference * difference + beside * beside);
    // the smaller rotation; the last term guards 0 / 0
    const Number t = beside * sign(difference) / (sign(difference) * difference + root + 1e-300);
    const Number c = 1 / square_root(1 + t * t), s = t * c;
    const auto above = [=](int i, int j) { return A + (i < j ? i * m + j : j * m + i); };
    team.team_barrier();
    for_each(team, m, [&](int i) {
      const Number q_p = Q[i * m + p], q_q = Q[i * m + q];
      Q[i * m + p] = c * q_p - s * q_q;
      Q[i * m + q] = s * q_p + c * q_q;
      if (i == q) return;
      if (i == p) {
        A[p * m + p] -= t * beside / 2;
        A[q * m + q] += t * beside / 2;
        A[p * m + q] = Number{};
        return;
      }
      Number *const with_p = above(i, p), *const with_q = above(i, q);
      const Number a_p = *with_p, a_q = *with_q;
      *with_p = c * a_p - s * a_q;
      *with_q = s * a_p + c * a_q;
    });
  }

  /// A column of L^-T Q.
  KOKKOS_FUNCTION void back_substitute(int m, const Number* L, Number* column) const {
    for (int i = m - 1; i >= 0; --i) {
      Number sum = column[i * m];
      for (int k = i + 1; k < m; ++k) sum -= L[k * m + i] * column[k * m];
      column[i * m] = sum / L[i * m + i];
    }
  }

  /// Node i of `count` modes and eigenvalue i, to places from `from` on; a middle node has no odd mode.
  KOKKOS_FUNCTION void store(std::int64_t line, int i, int l, int from, int count, Number* A, Number* S) const {
    constexpr int width = group_size<float>;
    const int m = n + 2;
    const std::int64_t slot = line / 3, first = slot / width * 3 + line % 3, to = slot % width;
    const double k = coefficients && slots[slot] >= 0 ? coefficients[slots[slot]] : 1;
    if (i < count) {
      const auto eigenvalue = static_cast<float>(has_stiffness ? lane<double>(A[i * count + i], l) / k : 1. / 3);
      eigenvalues[(first * m + from + i) * width + to] = eigenvalue;
      if (without_lambda && line % 3 == 2) {
        without_lambda[(slot / width * m + from + i) * width + to] = eigenvalue;
        inverse_coefficients[slot] = static_cast<float>(1 / k);
      }
    }
    for (int a = 0; a < count; ++a)
      modes[((first * m + i) * m + from + a) * width + to] =
          i < count ? static_cast<float>(lane<double>(S[i * count + a], l)) : 0;
  }
};

/// The inner product of two bases with `weights` at points: sum_q w_q a(q, i) a(q, j).
basis::Matrix make_gram(const basis::Matrix& a, const std::vector<double>& weights) {
  basis::Matrix gram(a.columns, a.columns);
  for (int i = 0; i < a.columns; ++i)
    for (int j = 0; j < a.columns; ++j)
      for (int q = 0; q < a.rows; ++q) gram(i, j) += weights[q] * a(q, i) * a(q, j);
  return gram;
}

/// values (first + stride f) = what the rank that has shared face f too has at its own place `at` (f). Collective.
void fetch_shared(const Discretisation& d, const std::vector<space::SharedFace>& shared, const std::vector<Index>& at,
                  const Vector<double>& values, std::int64_t first, int stride) {
  std::vector<int> ranks;
  std::vector<std::size_t> offsets = {0};
  for (const space::SharedFace& face : shared) {
    if (ranks.empty() || ranks.back() != face.rank) {
      ranks.push_back(face.rank);
      offsets.push_back(offsets.back());
    }
    ++offsets.back();
  }
  const auto faces = static_cast<std::int64_t>(shared.size());
  const Vector<const Index> places = to_device("multigrid/modes/faces", at);
  const Vector<double> own = make_vector<double>("multigrid/modes/own", shared.size());
  Kokkos::parallel_for(
      "multigrid/modes/own", PerElement(0, faces), KOKKOS_LAMBDA(const std::int64_t f) { own(f) = values(places(f)); });
  const std::vector<double> send = to_vector(own);
  std::vector<double> receive(shared.size());
  const Communicator::Messages messages(d.space.exchange.ranks(), std::move(ranks), offsets);
  messages.start(send.data(), receive.data(), sizeof(double));
  messages.finish();
  const Vector<const double> received = to_device("multigrid/modes/received", receive);
  Kokkos::parallel_for(
      "multigrid/modes/received", PerElement(0, faces),
      KOKKOS_LAMBDA(const std::int64_t f) { values(first + stride * f) = received(f); });
  ExecutionSpace().fence();
}

/// The mean coefficient (element; shared face: of the other rank's element); empty: 1.
Vector<const double> find_coefficients(const Discretisation& d, const std::vector<space::SharedFace>& shared) {
  const Vector<const double> own = d.mean_coefficient();
  if (own.extent(0) == 0 || shared.empty()) return own;
  const Vector<double> all = make_vector<double>("multigrid/modes/coefficients", own.extent(0) + shared.size());
  copy_entries(slice(all, 0, own.extent(0)), own);
  std::vector<Index> cells;
  for (const space::SharedFace& face : shared) cells.push_back(face.cell);
  fetch_shared(d, shared, cells, all, static_cast<std::int64_t>(own.extent(0)), 1);
  return all;
}

/// (element, direction) [m]: lengths of the box with the mean of G at 2^3 Gauss points; then (shared face, 0): the
/// lengths across it of the other ranks' elements.
Vector<double> find_lengths(const Discretisation& d, const std::vector<space::SharedFace>& shared) {
  const auto elements = static_cast<std::int64_t>(d.mesh->num_elements());
  const Vector<double> lengths =
      make_zeros<double>("multigrid/modes/lengths", 3 * (d.mesh->num_elements() + shared.size()));
  const Vector<const double> trilinear = d.trilinear;
  Kokkos::parallel_for(
      "multigrid/modes/lengths", PerElement(0, elements), KOKKOS_LAMBDA(const std::int64_t element) {
        const double at = 0.57735026918962576;
        double sum[3] = {};
        for (int q = 0; q < 8; ++q) {
          double f[geometry::num_factors];
          geometry::factors(trilinear.data() + 24 * element, q & 1 ? at : -at, q & 2 ? at : -at, q & 4 ? at : -at, 1.,
                            f);
          sum[0] += f[0] / 4;
          sum[1] += f[3] / 4;
          sum[2] += f[5] / 4;
        }
        for (int r = 0; r < 3; ++r) lengths(3 * element + r) = std::sqrt(sum[(r + 1) % 3] * sum[(r + 2) % 3]);
      });
  if (shared.empty()) return lengths;
  std::vector<Index> across;
  for (const space::SharedFace& face : shared) across.push_back(3 * face.cell + face.side / 2);
  fetch_shared(d, shared, across, lengths, 3 * elements, 3);
  return lengths;
}

}  // namespace

LineModes make_line_modes(const Discretisation& d, const Vector<const Index>& neighbours,
                          const std::vector<space::SharedFace>& shared, const Vector<const Index>& slots) {
  const int n = d.order + 1, m = n + 2;
  const Vector<double> lengths = find_lengths(d, shared);
  const Vector<const double> coefficients = find_coefficients(d, shared);
  const basis::Rule gauss = basis::gauss(n);
  const auto stiffness = to_device<double>(
      "multigrid/modes/stiffness",
      make_gram(basis::lagrange_derivatives(d.basis.nodes.points, gauss.points), gauss.weights).entries);
  const auto mass = to_device<double>(
      "multigrid/modes/mass",
      make_gram(basis::lagrange_values(d.basis.nodes.points, d.rule().points), d.rule().weights).entries);
  const Vector<const Index> map = d.space.element_to_node.device();
  const auto lines = 3 * static_cast<std::int64_t>(slots.extent(0));
  const std::size_t with_lambda = has_stiffness(d.problem) && coefficients.extent(0) > 0 ? slots.extent(0) : 0;
  const LineModes found{make_vector<float>("multigrid/modes", lines * m * m),
                        make_vector<float>("multigrid/modes/eigenvalues", lines * m),
                        make_vector<unsigned char>("multigrid/modes/symmetric", group_size<float> == 1 ? lines : 0),
                        make_vector<float>("multigrid/modes/without lambda", with_lambda * std::size_t(m)),
                        make_vector<float>("multigrid/modes/coefficients", with_lambda)};
  const Instance instance;
  for_groups_of_elements<double>(
      instance, "multigrid/modes", lines, m, ModesOfGroup::numbers(n),
      ModesOfGroup{stiffness.data(), mass.data(), lengths.data(), coefficients.data(), map.data(), neighbours.data(),
                   slots.data(), found.modes.data(), found.eigenvalues.data(),
                   with_lambda > 0 ? found.without_lambda.data() : nullptr, found.inverse_coefficients.data(),
                   found.symmetric.data(), n, lines, has_stiffness(d.problem), nearly_equal});
  set_lambda(found, d.lambda);
  instance.space().fence();
  return found;
}

void set_lambda(const LineModes& lines, double lambda) {
  const std::size_t slots = lines.inverse_coefficients.extent(0);
  if (slots == 0) return;
  constexpr std::int64_t width = group_size<float>;
  const auto m = static_cast<std::int64_t>(lines.without_lambda.extent(0) / slots);
  Kokkos::parallel_for(
      "multigrid/modes/lambda", PerElement(0, static_cast<std::int64_t>(lines.without_lambda.extent(0))),
      KOKKOS_LAMBDA(const std::int64_t i) {
        const std::int64_t lane = i % width, mode = i / width % m, group = i / width / m;
        lines.eigenvalues(((3 * group + 2) * m + mode) * width + lane) = static_cast<float>(
            lines.without_lambda(i) + lambda * double(lines.inverse_coefficients(group * width + lane)));
      });
  ExecutionSpace().fence();
}

}  // namespace miniapp::multigrid
