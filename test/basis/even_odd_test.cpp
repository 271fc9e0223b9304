// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/basis/even_odd.hpp"

#include "miniapp/basis/quadrature.hpp"
#include "support/vectors.hpp"
#ifdef MINIAPP_RUNS_ON_HOST
#include "miniapp/core/lanes.hpp"
#endif

using basis::Parity;

namespace {

/// Values or derivatives of the polynomials of `columns` Gauss-Lobatto nodes at `rows` Gauss points; at the nodes where
/// the matrix is square.
basis::Matrix make_matrix(int rows, int columns, Parity parity) {
  const std::vector<double> nodes = basis::gauss_lobatto(columns).points,
                            points = rows == columns ? nodes : basis::gauss(rows).points;
  return parity == Parity::values ? basis::lagrange_values(nodes, points) : basis::lagrange_derivatives(nodes, points);
}

double entry_scale(const basis::Matrix& matrix) { return largest(values(matrix.entries)); }

/// A x and A^T x by even-odd products against plain sums over the same matrix.
template <class Real, int rows, int columns, Parity parity>
void check_products() {
  const basis::Matrix A = make_matrix(rows, columns, parity);
  const auto split = basis::make_even_odd<Real, rows, columns, parity>(A);
  const std::vector<double> x = random_numbers(columns, 1), z = random_numbers(rows, 2);
  Values Ax{std::vector<double>(rows)}, Atz{std::vector<double>(columns)};
  Real x_real[columns], z_real[rows], y[rows], w[columns];
  for (int c = 0; c < columns; ++c) x_real[c] = static_cast<Real>(x[c]);
  for (int r = 0; r < rows; ++r) z_real[r] = static_cast<Real>(z[r]);
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) {
      Ax.entries[r] += A(r, c) * x_real[c];
      Atz.entries[c] += A(r, c) * z_real[r];
    }
  }

  basis::apply(split, x_real, y);
  basis::apply_transposed(split, z_real, w);

  CAPTURE(rows, columns);
  CHECK_THAT(values(std::vector<Real>(y, y + rows)), all_close<Real>(Ax, columns, entry_scale(A)));
  CHECK_THAT(values(std::vector<Real>(w, w + columns)), all_close<Real>(Atz, rows, entry_scale(A)));
}

}  // namespace

TEMPLATE_TEST_CASE("Even-odd products of value matrices equal dense ones, straight and transposed", "[basis][even_odd]",
                   double, float) {
  check_products<TestType, 3, 2, Parity::values>();
  check_products<TestType, 4, 3, Parity::values>();
  check_products<TestType, 5, 4, Parity::values>();
  check_products<TestType, 9, 8, Parity::values>();
  check_products<TestType, 10, 9, Parity::values>();
  check_products<TestType, 17, 16, Parity::values>();
  check_products<TestType, 6, 4, Parity::values>();  // both even
  check_products<TestType, 7, 5, Parity::values>();  // both odd
  check_products<TestType, 4, 9, Parity::values>();  // wide
}

TEMPLATE_TEST_CASE("Even-odd products of derivative matrices equal dense ones, straight and transposed",
                   "[basis][even_odd]", double, float) {
  check_products<TestType, 2, 2, Parity::derivatives>();
  check_products<TestType, 3, 3, Parity::derivatives>();
  check_products<TestType, 8, 8, Parity::derivatives>();
  check_products<TestType, 9, 9, Parity::derivatives>();
  check_products<TestType, 16, 16, Parity::derivatives>();
  check_products<TestType, 17, 17, Parity::derivatives>();
  check_products<TestType, 17, 16, Parity::derivatives>();  // not square: odd and even
  check_products<TestType, 8, 7, Parity::derivatives>();
}

#ifdef MINIAPP_RUNS_ON_HOST
TEMPLATE_TEST_CASE("Even-odd products of lanes equal those of each lane alone", "[basis][even_odd][lanes]", double,
                   float) {
  using T = Lanes<TestType>;
  constexpr int rows = 9, columns = 8, width = lane_width<TestType>;
  const auto split =
      basis::make_even_odd<TestType, rows, columns, Parity::values>(make_matrix(rows, columns, Parity::values));
  const std::vector<double> x = random_numbers(columns * width, 3);
  T x_lanes[columns], y_lanes[rows];
  for (int c = 0; c < columns; ++c)
    for (int l = 0; l < width; ++l) x_lanes[c][l] = static_cast<TestType>(x[c * width + l]);

  basis::apply(split, x_lanes, y_lanes);

  for (int l = 0; l < width; ++l) {
    TestType x_one[columns], y_one[rows];
    std::vector<double> expected, actual;
    for (int c = 0; c < columns; ++c) x_one[c] = x_lanes[c][l];
    basis::apply(split, x_one, y_one);
    for (int r = 0; r < rows; ++r) {
      expected.push_back(y_one[r]);
      actual.push_back(y_lanes[r][l]);
    }
    CHECK_THAT(values(actual), all_close<TestType>(values(expected), columns, 1));
  }
}
#endif
