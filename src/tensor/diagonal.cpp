// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/tensor/diagonal.hpp"

#include <vector>

#include "miniapp/geometry/hexahedron.hpp"
#include "miniapp/linalg/vectors.hpp"
#include "tensor/element_group.hpp"
#include "tensor/node_sums.hpp"

namespace miniapp::tensor {
namespace {

/// Products of two basis functions of one direction at a point.
struct Squares {
  double values, mixed, slopes;  ///< I I, I G, G G
};

/// A group of elements: `rows` (row, j, i) are sums along r of a plane of points, `sums` (k, j, i) the result.
struct DiagonalOfGroup {
  using Number = GroupNumber<double>;
  static constexpr int threads = 256, teams_at_once = 1;

  /// What is left to do for a sum over points along r is told by two letters, along s and t: v for I I, m for I G, s
  /// for G G.
  enum Row { vv, mv, vm, sv, mm, vs, num_rows };

  const double* trilinear;         ///< (element, 24)
  const double* coefficient;       ///< (element, point); null: 1
  const double* stored;            ///< (element, component, point): factors with the coefficient; null: of `trilinear`
  const Squares* squares;          ///< (node, point)
  const double *points, *weights;  ///< points and weights of the rule
  const Index* map;                ///< (element, node)
  double* diagonal;
  double lambda;
  int n, q;
  std::int64_t elements;
  bool stiffness;

  static std::size_t numbers(int n, int q) {
    return 24 + std::size_t(q) * (geometry::num_factors * q + num_rows * n) + std::size_t(n) * n * n;
  }

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const ElementRange group = group_of<double>(team, elements);
    Number* const coefficients = static_cast<Number*>(team.scratch());
    Number* const factors = coefficients + 24;
    Number* const rows = factors + geometry::num_factors * q * q;
    Number* const sums = rows + num_rows * q * n;
    load_maps<double>(team, group, trilinear, coefficients);
    for_each(team, n * n * n, [&](int node) { sums[node] = Number{}; });
    for (int k = 0; k < q; ++k) {
      for_each(team, q * q, [&](int point) {
        Number f[geometry::num_factors];
        find_factors(group, coefficients, k, point, f);
        for (int c = 0; c < 6; ++c) factors[c * q * q + point] = c == 1 || c == 2 || c == 4 ? 2 * f[c] : f[c];
        factors[6 * q * q + point] = stiffness ? lambda * f[6] : f[6];
      });
      for_each(team, q * n, [&](int row) { sum_along_r(factors + row / n * q, row % n, rows + row); });
      for_each(team, n * n, [&](int column) { sum_along_s_and_t(rows + column % n, column / n, k, sums + column); });
    }
    add_to_nodes<double>(team, group, n * n * n, map, sums, diagonal);
  }

  /// The factors of the elements of a group at a point of plane k, with the coefficient.
  KOKKOS_FORCEINLINE_FUNCTION void find_factors(const ElementRange& group, const Number* coefficients, int k, int point,
                                                Number (&f)[geometry::num_factors]) const {
    const int size = q * q * q, of_element = k * q * q + point, i = point % q, j = point / q;
    if (stored) {
      for (int c = 0; c < geometry::num_factors; ++c) {
        f[c] = Number{};
        for (int l = 0; l < group.count; ++l)
          lane<double>(f[c], l) = stored[((group.first + l) * geometry::num_factors + c) * size + of_element];
      }
      return;
    }
    const Number zero{};
    geometry::factors(coefficients, zero + points[i], zero + points[j], zero + points[k],
                      zero + weights[i] * weights[j] * weights[k], f);
    if (!coefficient) return;
    Number scale = zero + 1.;
    for (int l = 0; l < group.count; ++l) lane<double>(scale, l) = coefficient[(group.first + l) * size + of_element];
    for (int c = 0; c < 6; ++c) f[c] *= scale;
  }

  /// `line`: factors of a line of points; `row`: the rows of one node there.
  KOKKOS_FORCEINLINE_FUNCTION void sum_along_r(const Number* line, int node, Number* row) const {
    const Squares* const s = squares + node * q;
    Number sum[num_rows] = {};
    if (!stiffness) {
      for (int i = 0; i < q; ++i) sum[vv] += s[i].values * line[6 * q * q + i];
      row[0] = sum[vv];
      return;
    }
    for (int i = 0; i < q; ++i) {
      const Number* const f = line + i;
      sum[vv] += s[i].slopes * f[0] + s[i].values * f[6 * q * q];
      sum[mv] += s[i].mixed * f[q * q];
      sum[vm] += s[i].mixed * f[2 * q * q];
      sum[sv] += s[i].values * f[3 * q * q];
      sum[mm] += s[i].values * f[4 * q * q];
      sum[vs] += s[i].values * f[5 * q * q];
    }
    for (int r = 0; r < num_rows; ++r) row[r * q * n] = sum[r];
  }

  /// Adds plane k to the sums of a column of nodes; `rows` (row, point) with stride n.
  KOKKOS_FORCEINLINE_FUNCTION void sum_along_s_and_t(const Number* rows, int node, int k, Number* sums) const {
    const Squares* const s = squares + node * q;
    Number value{}, mixed{}, slope{};  // by what is left to do along t
    for (int j = 0; j < q; ++j) {
      const Number* const row = rows + j * n;
      value += s[j].values * row[0];
      if (!stiffness) continue;
      value += s[j].mixed * row[mv * q * n] + s[j].slopes * row[sv * q * n];
      mixed += s[j].values * row[vm * q * n] + s[j].mixed * row[mm * q * n];
      slope += s[j].values * row[vs * q * n];
    }
    for (int t = 0; t < n; ++t) {
      const Squares& at = squares[t * q + k];
      sums[t * n * n] += at.values * value + at.mixed * mixed + at.slopes * slope;
    }
  }
};

/// squares (node, point).
std::vector<Squares> make_squares(const Discretisation& d) {
  const bool gauss = !is_collocated(d.problem);
  const int n = d.order + 1, q = d.rule().size();
  const basis::Matrix &I = d.basis.interpolation, &D = gauss ? d.basis.point_derivative : d.basis.derivative;
  std::vector<Squares> squares;
  for (int node = 0; node < n; ++node) {
    for (int point = 0; point < q; ++point) {
      double value = gauss ? I(point, node) : point == node, slope = 0;
      for (int other = 0; other < q; ++other)
        slope += D(point, other) * (gauss ? I(other, node) : double(other == node));
      squares.push_back({value * value, value * slope, slope * slope});
    }
  }
  return squares;
}

}  // namespace

Vector<double> make_diagonal(const Discretisation& d, bool in_fixed_order) {
  const int n = d.order + 1, q = d.rule().size();
  const auto elements = static_cast<std::int64_t>(d.mesh->num_elements());
  const auto num_nodes = static_cast<std::size_t>(d.space.num_nodes);
  const auto squares = to_device<Squares>("tensor/squares", make_squares(d));
  const auto points = to_device<double>("tensor/points", d.rule().points),
             weights = to_device<double>("tensor/weights", d.rule().weights);
  const NodeSums sums(d, in_fixed_order);
  const Vector<const Index> masked = to_device<Index>("tensor/masked", d.space.masked);
  const Vector<double> diagonal = make_zeros<double>("tensor/diagonal", d.space.num_entries());
  const Vector<const double> stored = d.curved.empty() ? Vector<const double>() : d.make_factors<double>();
  const Instance instance;
  const DiagonalOfGroup body{d.trilinear.data(),
                             d.coefficient.data(),
                             stored.data(),
                             squares.data(),
                             points.data(),
                             weights.data(),
                             sums.map().data(),
                             sums.target(instance, diagonal.data()),
                             d.lambda,
                             n,
                             q,
                             elements,
                             has_stiffness(d.problem)};
  for_groups_of_elements<double>(instance, "tensor/diagonal", elements, q * n, DiagonalOfGroup::numbers(n, q), body);
  sums.finish(instance, diagonal.data());
  instance.space().fence();
  const Vector<const unsigned char> owned = d.space.exchange.owned();  // empty on one rank
  Kokkos::parallel_for(
      "tensor/diagonal of masked nodes", Kokkos::RangePolicy<ExecutionSpace>(0, masked.extent(0)),
      KOKKOS_LAMBDA(const std::size_t i) {
        diagonal(masked(i)) =
            owned.extent(0) > 0 ? owned(masked(i)) : 1;  // 0 in copies that others own: they are summed
      });
  for (int c = 1; c < d.space.components; ++c)
    copy_entries(slice(diagonal, c * num_nodes, num_nodes), slice(diagonal, 0, num_nodes));
  const SurfaceMass surface = d.surface;
  Kokkos::parallel_for(
      "tensor/diagonal of surface", Kokkos::RangePolicy<ExecutionSpace>(0, surface.entries.extent(0)),
      KOKKOS_LAMBDA(const std::size_t i) { diagonal(surface.entries(i)) += surface.values(i); });
  d.space.exchange.sum(instance, diagonal);
  return diagonal;
}

}  // namespace miniapp::tensor
