// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/linalg/sliced_matrix.hpp"

#include "miniapp/linalg/matrix_operator.hpp"
#include "miniapp/solver/jacobi.hpp"
#include "support/sparse.hpp"

namespace {

template <class Real>
std::vector<Real> product(const linalg::SlicedMatrix<Real>& matrix, const std::vector<double>& x) {
  const Vector<Real> y = make_vector<Real>("y", static_cast<std::size_t>(matrix.num_rows()));
  Kokkos::deep_copy(y, static_cast<Real>(NAN));
  const Vector<Real> x_device = test::to_device<Real>(x);
  linalg::for_rows<Real>(Instance(), "test", matrix, x_device, linalg::StoreProduct<Real>{y.data()});
  Instance().fence();
  return to_std(y);
}

}  // namespace

TEMPLATE_TEST_CASE("Slices multiply like the rows that they are made of", "[linalg][sliced_matrix]", double, float) {
  const Index num_rows = GENERATE(1, 7, 32, 33, 1500), num_columns = GENERATE(1, 40, 3000);
  const int most = GENERATE(0, 3, 90, 400);
  const Rows rows = random_rows(num_rows, num_columns, most, 3);
  const std::vector<double> x = random_numbers(static_cast<std::size_t>(num_columns), 4);

  const linalg::SlicedMatrix<TestType> matrix(linalg::convert<TestType>(to_csr(rows, num_columns)));

  CHECK(matrix.num_rows() == num_rows);
  CHECK(matrix.num_columns() == num_columns);
  CHECK_THAT(values(product(matrix, x)), all_close<TestType>(values(multiply(rows, x)), most + 1));
}

TEMPLATE_TEST_CASE("Diagonals are recognised, also where rows lack entries", "[linalg][sliced_matrix]", double, float) {
  const int dim = GENERATE(2, 3), n = GENERATE(3, 10, 37);
  const linalg::CsrMatrix<double> poisson = linalg::make_poisson(dim, n);
  const std::vector<double> x = random_numbers(static_cast<std::size_t>(poisson.num_rows), 4);

  const linalg::SlicedMatrix<TestType> matrix(linalg::convert<TestType>(poisson));

  CHECK_THAT(values(product(matrix, x)), all_close<TestType>(values(multiply(to_rows(poisson), x)), 7));
  if (n == 37) {
    CHECK(matrix.diagonal_part() > 0.9);
    CHECK(matrix.bytes() < 0.85 * linalg::convert<TestType>(poisson).bytes());
  }
}

TEST_CASE("A matrix of diagonals and scattered entries is cut into both", "[linalg][sliced_matrix]") {
  Rows rows(333);
  for (Index r = 0; r < 333; ++r) {
    for (const Index d : {-40, -1, 0, 1, 40})
      if (r + d >= 0 && r + d < 333) rows[r][r + d] = 1 + 0.01 * r + d;
    rows[r][(r * r + 7) % 333] += 0.5;
  }
  const std::vector<double> x = random_numbers(333, 4);

  const linalg::SlicedMatrix<double> matrix(to_csr(rows, 333));

  CHECK(matrix.diagonal_part() > 0.5);
  CHECK(matrix.diagonal_part() < 1);
  CHECK_THAT(values(product(matrix, x)), all_close<double>(values(multiply(rows, x)), 7));
}

TEST_CASE("Diagonals beside other entries are stored as such where that takes fewer bytes", "[linalg][sliced_matrix]") {
  const Index diagonals = GENERATE(3, 7);
  Rows rows(400);
  for (Index r = 0; r < 400; ++r)
    for (Index d = 0; d < diagonals; ++d) {
      const bool elsewhere = r % 4 == 3 && d == diagonals - 1;
      const Index column = r + 3 * d + (elsewhere ? 50 : 0);
      if (column < 400) rows[r][column] = 1 + r;
    }
  const std::vector<double> x = random_numbers(400, 4);

  const linalg::SlicedMatrix<double> matrix(to_csr(rows, 400));

  CHECK_THAT(values(product(matrix, x)), all_close<double>(values(multiply(rows, x)), 10));
  // bytes of a slice of L rows: d (8 L + 4) + 12 L with d diagonals and a group of others, 12 d L without diagonals
  CHECK(matrix.diagonal_part() > (diagonals == 7 ? 0.7 : -1));
  CHECK(matrix.diagonal_part() < (diagonals == 3 ? 0.3 : 1));
}

TEMPLATE_TEST_CASE("A matrix is a linear operator that sums products on the way", "[linalg][matrix_operator]", double,
                   float) {
  static_assert(linalg::LinearOperator<linalg::MatrixOperator<TestType>, TestType>);
  const Index size = GENERATE(5, 2100);
  const Rows rows = random_rows(size, size, 9, 5);
  const std::vector<double> x = random_numbers(static_cast<std::size_t>(size), 6), expected = multiply(rows, x);
  const linalg::MatrixOperator<TestType> A(linalg::convert<TestType>(to_csr(rows, size)));
  const Vector<TestType> y = make_zeros<TestType>("y", x.size());
  const Vector<double> sums = make_zeros<double>("sums", 3);
  const Instance instance;
  const Vector<TestType> x_device = test::to_device<TestType>(x);

  A.apply_to_zero(instance, x_device, y, sums.data());
  instance.fence();
  CHECK_THAT(values(y), all_close<TestType>(values(expected), 10));
  Kokkos::deep_copy(y, TestType(0));
  const solver::Jacobi<TestType> half(test::to_device<double>(std::vector<double>(x.size(), 2)));
  A.apply_with_sums(instance, half, x_device, y, sums.data() + 1);
  instance.fence();

  CHECK_THAT(values(y), all_close<TestType>(values(expected), 10));
  const std::vector<double> found = to_std(sums);
  double energy = 0, square = 0, scale = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    energy += x[i] * expected[i];
    square += expected[i] * expected[i] / 2;
    scale += std::abs(x[i] * expected[i]);
  }
  CHECK(std::abs(found[0] - energy) <= tolerance<TestType>(size, scale));
  CHECK(std::abs(found[1] - energy) <= tolerance<TestType>(size, scale));
  CHECK(std::abs(found[2] - square) <= tolerance<TestType>(size, square));
}
