// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/basis/tensor_basis.hpp"

#include "support/all_close.hpp"

namespace {

/// The matrix with its rows and its columns reversed, times `sign`.
Values mirrored(const basis::Matrix& A, double sign) {
  Values entries;
  for (int r = 0; r < A.rows; ++r)
    for (int c = 0; c < A.columns; ++c) entries.entries.push_back(sign * A(A.rows - 1 - r, A.columns - 1 - c));
  return entries;
}

double row_scale(const basis::Matrix& A) { return A.columns * largest(values(A.entries)); }

}  // namespace

TEST_CASE("Tables have order + 1 nodes and order + 2 Gauss points", "[basis][tensor_basis]") {
  const int order = GENERATE(range(1, 16));

  const basis::TensorBasis basis(order);

  CHECK(basis.nodes.points == basis::gauss_lobatto(order + 1).points);
  CHECK(basis.points.points == basis::gauss(order + 2).points);
  CHECK((basis.interpolation.rows == order + 2 && basis.interpolation.columns == order + 1));
  CHECK((basis.derivative.rows == order + 1 && basis.derivative.columns == order + 1));
  CHECK((basis.point_derivative.rows == order + 2 && basis.point_derivative.columns == order + 2));
}

TEST_CASE("Values are symmetric, derivatives antisymmetric when rows and columns are reversed",
          "[basis][tensor_basis]") {
  const int order = GENERATE(range(1, 16));
  const basis::TensorBasis basis(order);

  CHECK_THAT(values(basis.interpolation.entries), all_close<double>(mirrored(basis.interpolation, 1), order));
  CHECK_THAT(values(basis.derivative.entries), all_close<double>(mirrored(basis.derivative, -1), order * order));
  CHECK_THAT(values(basis.point_derivative.entries),
             all_close<double>(mirrored(basis.point_derivative, -1), order * order));
}

TEST_CASE("Interpolation to the points followed by differentiation there equals differentiation of the nodal basis",
          "[basis][tensor_basis]") {
  const int order = GENERATE(range(1, 16)), n = order + 1, m = order + 2;
  const basis::TensorBasis basis(order);
  const basis::Matrix expected = basis::lagrange_derivatives(basis.nodes.points, basis.points.points);
  Values product;

  for (int a = 0; a < m; ++a) {
    for (int i = 0; i < n; ++i) {
      double sum = 0;
      for (int b = 0; b < m; ++b) sum += basis.point_derivative(a, b) * basis.interpolation(b, i);
      product.entries.push_back(sum);
    }
  }

  CHECK_THAT(product, all_close<double>(values(expected.entries), m * m, row_scale(basis.point_derivative)));
}
