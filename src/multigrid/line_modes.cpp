// SPDX-License-Identifier: BSD-3-Clause
#include "multigrid/line_modes.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/offsets.hpp"
#include "miniapp/basis/lagrange.hpp"
#include "miniapp/basis/quadrature.hpp"
#include "miniapp/geometry/hexahedron.hpp"
#include "tensor/element_group.hpp"

namespace miniapp::multigrid {
namespace {

/// Neighbours whose lengths differ by less from their mean, relatively, are taken as equally long.
constexpr double nearly_equal = 0.2;

using PerElement = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;

/// Numbers of a thread: those of a team's threads lie beside each other.
template <class Number>
struct ThreadNumbers {
  Number* first;
  int stride;  ///< threads of the team
  KOKKOS_FORCEINLINE_FUNCTION Number& operator[](int i) const { return first[runs_on_host ? i : i * stride]; }
  KOKKOS_FORCEINLINE_FUNCTION ThreadNumbers from(int i) const { return {&(*this)[i], stride}; }
};

/// K s = lambda M s of `size` rows, one problem per thread and lane: K becomes diagonal, M its factor L, and S are the
/// modes, (node, mode).
struct Eigenproblem {
  using Number = GroupNumber<double>;
  using Numbers = ThreadNumbers<Number>;
  static constexpr int most_sweeps = 12;
  Numbers K, M, S;
  int size;

  static std::size_t numbers(int size) { return 3 * static_cast<std::size_t>(size) * static_cast<std::size_t>(size); }
  KOKKOS_FUNCTION Eigenproblem(const Numbers& all, int rows)
      : K(all), M(all.from(rows * rows)), S(all.from(2 * rows * rows)), size(rows) {}

  KOKKOS_FUNCTION void solve() const {
    factorise();
    reduce();
    diagonalise();
    for (int a = 0; a < size; ++a) back_substitute(S.from(a));
  }

 private:
  /// M = L L^T in place.
  KOKKOS_FUNCTION void factorise() const {
    for (int j = 0; j < size; ++j) {
      const Number pivot = square_root(M[j * size + j]);
      for (int row = j; row < size; ++row) M[row * size + j] /= pivot;
      for (int row = j + 1; row < size; ++row)
        for (int k = j + 1; k <= row; ++k) M[row * size + k] -= M[row * size + j] * M[k * size + j];
    }
  }

  /// K = L^-1 K L^-T.
  KOKKOS_FUNCTION void reduce() const {
    for (int column = 0; column < size; ++column) substitute(K.from(column), size);
    for (int row = 0; row < size; ++row) substitute(K.from(row * size), 1);
  }
  /// x = L^-1 x.
  KOKKOS_FUNCTION void substitute(const Numbers& x, int step) const {
    for (int i = 0; i < size; ++i) {
      Number sum = x[i * step];
      for (int k = 0; k < i; ++k) sum -= M[i * size + k] * x[k * step];
      x[i * step] = sum / M[i * size + i];
    }
  }
  /// L^-T x of a column.
  KOKKOS_FUNCTION void back_substitute(const Numbers& x) const {
    for (int i = size - 1; i >= 0; --i) {
      Number sum = x[i * size];
      for (int k = i + 1; k < size; ++k) sum -= M[k * size + i] * x[k * size];
      x[i * size] = sum / M[i * size + i];
    }
  }

  /// Eigenvalues onto the diagonal of K, eigenvectors into columns of S, by cyclic rotations. Of K only the diagonal
  /// and what is above are used.
  KOKKOS_FUNCTION void diagonalise() const {
    for (int i = 0; i < size; ++i)
      for (int j = 0; j < size; ++j) S[i * size + j] = Number{} + (i == j ? 1. : 0.);
    for (int sweep = 0; sweep < most_sweeps && !is_diagonal(); ++sweep)
      for (int p = 0; p < size; ++p)
        for (int q = p + 1; q < size; ++q) rotate(p, q);
  }
  KOKKOS_FUNCTION bool is_diagonal() const {
    Number beside{}, trace{};
    for (int i = 0; i < size; ++i) {
      trace += K[i * size + i];
      for (int j = i + 1; j < size; ++j) beside += K[i * size + j] * K[i * size + j];
    }
    for (int l = 0; l < group_size<double>; ++l)
      if (lane<double>(beside, l) > 1e-20 * lane<double>(trace, l) * lane<double>(trace, l)) return false;
    return true;
  }
  KOKKOS_FUNCTION void rotate(int p, int q) const {
    Number &k_pp = K[p * size + p], &k_qq = K[q * size + q], &k_pq = K[p * size + q];
    const Number beside = 2 * k_pq, difference = k_qq - k_pp;
    const Number root = square_root(difference * difference + beside * beside);
    // the smaller rotation; the last term guards 0 / 0
    const Number t = beside * sign(difference) / (sign(difference) * difference + root + 1e-300);
    const Number c = 1 / square_root(1 + t * t), s = t * c;
    const auto turn = [=](Number& at_p, Number& at_q) {
      const Number x = at_p, y = at_q;
      at_p = c * x - s * y;
      at_q = s * x + c * y;
    };
    for (int i = 0; i < size; ++i) turn(S[i * size + p], S[i * size + q]);
    k_pp -= t * beside / 2;
    k_qq += t * beside / 2;
    k_pq = Number{};
    for (int i = 0; i < p; ++i) turn(K[i * size + p], K[i * size + q]);
    for (int i = p + 1; i < q; ++i) turn(K[p * size + i], K[i * size + q]);
    for (int i = q + 1; i < size; ++i) turn(K[p * size + i], K[q * size + i]);
  }
};

/// A thread's part of its team's scratch.
KOKKOS_FORCEINLINE_FUNCTION Eigenproblem::Numbers thread_numbers(const Team& team) {
  return {static_cast<Eigenproblem::Number*>(team.scratch()) + team.team_rank(), team.team_size()};
}

/// Lines of elements, line = 3 slot + direction, and where their modes go.
struct Lines {
  using Number = Eigenproblem::Number;
  using Numbers = Eigenproblem::Numbers;

  const double *stiffness, *mass;  ///< (node, node) of an element of length 2
  const double* lengths;           ///< (element, direction)
  const double* coefficients;      ///< (element); null: 1
  const Index *map, *neighbours, *slots;
  float *modes, *eigenvalues;
  float *without_lambda, *inverse_coefficients;  ///< null: there is no coefficient
  int n;
  bool has_stiffness;

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
  KOKKOS_FORCEINLINE_FUNCTION static bool differ_little(double a, double b) {
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

  /// Row i of K and M, in lane l; node i - 1 of the element. On a symmetric line both neighbours have the mean of their
  /// lengths.
  KOKKOS_FUNCTION void assemble(std::int64_t line, int i, int l, bool is_symmetric, const Numbers& K,
                                const Numbers& M) const {
    const int m = n + 2, direction = static_cast<int>(line % 3);
    const std::int64_t element = slots[line / 3];
    const auto set = [&](int j, double k_ij, double m_ij) {
      lane<double>(K[j], l) = k_ij;
      lane<double>(M[j], l) = m_ij;
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
    lane<double>(K[i], l) = (inside ? lane<double>(K[i], l) : 0) + term(stiffness, stiff, own, own);
    lane<double>(M[i], l) = (inside ? lane<double>(M[i], l) : 0) + term(mass, other / 2, own, own);
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

  /// Node i of `count` modes and eigenvalue i, to places from `from` on; a middle node has no odd mode.
  KOKKOS_FUNCTION void store(std::int64_t line, int i, int l, int from, int count, const Numbers& K,
                             const Numbers& S) const {
    constexpr int width = group_size<float>;
    const int m = n + 2;
    const std::int64_t slot = line / 3, first = slot / width * 3 + line % 3, to = slot % width;
    const double k = coefficients && slots[slot] >= 0 ? coefficients[slots[slot]] : 1;
    if (i < count) {
      const auto eigenvalue = static_cast<float>(has_stiffness ? lane<double>(K[i * count + i], l) / k : 1. / 3);
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

/// Modes of any lines, those in the lanes of a group, on a GPU one.
struct ModesOfLines {
  static constexpr int threads = 32, teams_at_once = 1;
  Lines lines;
  const Index* chosen;  ///< numbers of lines; null: all
  std::int64_t count;

  static std::size_t numbers(int n) { return Eigenproblem::numbers(n + 2); }

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    constexpr int size = group_size<double>;
    const std::int64_t first = (std::int64_t(team.league_rank()) * team.team_size() + team.team_rank()) * size;
    if (first >= count) return;
    const int m = lines.n + 2, in_group = count - first < size ? static_cast<int>(count - first) : size;
    const auto line = [&](int l) { return chosen ? chosen[first + l] : first + l; };
    const Eigenproblem problem(thread_numbers(team), m);
    for (int i = 0; i < m; ++i)
      for (int l = 0; l < size; ++l)
        lines.assemble(line(l < in_group ? l : in_group - 1), i, l, false, problem.K.from(i * m),
                       problem.M.from(i * m));
    problem.solve();
    for (int i = 0; i < m; ++i)
      for (int l = 0; l < in_group; ++l) lines.store(line(l), i, l, 0, m, problem.K, problem.S);
  }
};

/// Runs the body for `count` threads, in teams as large as scratch allows.
template <class Body>
void for_problems(const Instance& instance, const char* label, std::int64_t count, const Body& body) {
  const std::size_t each = Body::numbers(body.lines.n) * sizeof(Eigenproblem::Number);
  const auto threads =
      runs_on_host ? 1 : static_cast<int>(std::clamp<std::size_t>(most_scratch_bytes() / each, 1, Body::threads));
  for_teams(instance, label, static_cast<int>((count + threads - 1) / threads), TeamShape{threads, threads * each},
            body);
}

#ifndef MINIAPP_RUNS_ON_HOST
/// Even modes of symmetric lines by even threads, odd ones by odd threads: of half as many rows.
struct ModesOfHalves {
  static constexpr int threads = 32, teams_at_once = 1;
  Lines lines;
  const unsigned char* symmetric;  ///< (line): the others are left out
  std::int64_t count;              ///< lines

  static int half(int n) { return (n + 3) / 2; }
  static std::size_t numbers(int n) { return Eigenproblem::numbers(half(n)) + 2 * (std::size_t(n) + 2); }

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const std::int64_t thread = std::int64_t(team.league_rank()) * team.team_size() + team.team_rank(),
                       line = thread / 2;
    if (line >= count || !symmetric[line]) return;
    const int m = lines.n + 2, half = (m + 1) / 2;
    const bool odd = thread % 2 == 1;
    const int rows = odd ? m / 2 : half;
    const auto numbers = thread_numbers(team);
    const Eigenproblem problem(numbers, rows);
    const auto K = numbers.from(3 * half * half), M = K.from(m);  // a row
    for (int i = 0; i < rows; ++i) {
      lines.assemble(line, i, 0, true, K, M);
      for (int j = 0; j < rows; ++j) {
        // a middle node stands for itself, the others for two
        const double scale = (2 * i + 1 == m ? 1. : 2.) / (2 * j + 1 == m ? 2. : 1.), opposite = odd ? -scale : scale;
        problem.K[i * rows + j] = scale * K[j] + opposite * K[m - 1 - j];
        problem.M[i * rows + j] = scale * M[j] + opposite * M[m - 1 - j];
      }
    }
    problem.solve();
    for (int i = 0; i < half; ++i) lines.store(line, i, 0, odd ? half : 0, rows, problem.K, problem.S);
  }
};

/// Which lines are symmetric, and the numbers of the others.
struct LineKinds {
  Vector<unsigned char> symmetric;
  Vector<const Index> others;
};
LineKinds find_kinds(const Lines& lines, std::int64_t count) {
  const auto symmetric = make_vector<unsigned char>("multigrid/modes/symmetric", static_cast<std::size_t>(count));
  const auto is_other = make_vector<char>("multigrid/modes/is other", static_cast<std::size_t>(count));
  Kokkos::parallel_for(
      "multigrid/modes/symmetric", PerElement(0, count), KOKKOS_LAMBDA(const std::int64_t line) {
        symmetric(line) = lines.has_equal_ends(line);
        is_other(line) = !symmetric(line);
      });
  const Vector<Index> places = offsets_of(is_other);
  const auto others = make_vector<Index>("multigrid/modes/others", static_cast<std::size_t>(last_of(places)));
  Kokkos::parallel_for(
      "multigrid/modes/others", PerElement(0, count), KOKKOS_LAMBDA(const std::int64_t line) {
        if (is_other(line)) others(places(line)) = static_cast<Index>(line);
      });
  ExecutionSpace().fence();
  return {symmetric, others};
}
#endif

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
  LineModes found{make_vector<float>("multigrid/modes", lines * m * m),
                  make_vector<float>("multigrid/modes/eigenvalues", lines * m),
                  {},
                  make_vector<float>("multigrid/modes/without lambda", with_lambda * std::size_t(m)),
                  make_vector<float>("multigrid/modes/coefficients", with_lambda)};
  const Lines all{stiffness.data(),
                  mass.data(),
                  lengths.data(),
                  coefficients.data(),
                  map.data(),
                  neighbours.data(),
                  slots.data(),
                  found.modes.data(),
                  found.eigenvalues.data(),
                  with_lambda > 0 ? found.without_lambda.data() : nullptr,
                  found.inverse_coefficients.data(),
                  n,
                  has_stiffness(d.problem)};
  const Instance instance;
#ifdef MINIAPP_RUNS_ON_HOST
  constexpr std::int64_t width = group_size<double>;
  for_problems(instance, "multigrid/modes", (lines + width - 1) / width, ModesOfLines{all, nullptr, lines});
#else
  const LineKinds kinds = find_kinds(all, lines);
  found.symmetric = kinds.symmetric;
  for_problems(instance, "multigrid/modes/halves", 2 * lines, ModesOfHalves{all, kinds.symmetric.data(), lines});
  const auto others = static_cast<std::int64_t>(kinds.others.extent(0));
  for_problems(instance, "multigrid/modes/others", others, ModesOfLines{all, kinds.others.data(), others});
#endif
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
