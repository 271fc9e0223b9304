// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/linalg/sparse_products.hpp"

#include "support/sparse.hpp"

namespace {

/// A B by dense sums; entries of the pattern's structure only.
Rows multiply_densely(const Rows& A, const Rows& B) {
  Rows C(A.size());
  for (std::size_t i = 0; i < A.size(); ++i)
    for (const auto& [k, a] : A[i])
      for (const auto& [j, b] : B[static_cast<std::size_t>(k)]) C[i][j] += a * b;
  return C;
}

Rows transpose_densely(const Rows& A, Index num_columns) {
  Rows T(static_cast<std::size_t>(num_columns));
  for (std::size_t i = 0; i < A.size(); ++i)
    for (const auto& [j, a] : A[i]) T[static_cast<std::size_t>(j)][static_cast<Index>(i)] = a;
  return T;
}

void check_close(const Rows& found, const Rows& expected, double terms) {
  REQUIRE(found.size() == expected.size());
  double largest = 0, difference = 0;
  bool same_pattern = true;
  for (std::size_t i = 0; i < found.size(); ++i) {
    same_pattern = same_pattern && found[i].size() == expected[i].size();
    for (const auto& [j, value] : expected[i]) {
      const auto entry = found[i].find(j);
      same_pattern = same_pattern && entry != found[i].end();
      if (entry != found[i].end()) difference = std::max(difference, std::abs(entry->second - value));
      largest = std::max(largest, std::abs(value));
    }
  }
  CHECK(same_pattern);
  CHECK(difference <= tolerance<double>(terms, largest + 1));
}

bool ascends(const linalg::CsrMatrix<double>& matrix) {
  const auto offsets = to_std(matrix.offsets), columns = to_std(matrix.columns);
  for (Index r = 0; r < matrix.num_rows; ++r)
    for (Index e = offsets[r] + 1; e < offsets[r + 1]; ++e)
      if (columns[e - 1] >= columns[e]) return false;
  return true;
}

}  // namespace

TEST_CASE("A transposed matrix has rows for columns, ascending", "[linalg][sparse_products]") {
  const Index num_rows = GENERATE(1, 50, 700), num_columns = GENERATE(1, 33, 900);
  const Rows A = random_rows(num_rows, num_columns, 12, 1);

  const auto T = linalg::transpose(to_csr(A, num_columns));

  CHECK(T.num_rows == num_columns);
  CHECK(T.num_columns == num_rows);
  CHECK(ascends(T));
  CHECK(to_rows(T) == transpose_densely(A, num_columns));
}

TEST_CASE("A product of sparse matrices is that of dense ones, rows ascending", "[linalg][sparse_products]") {
  const Index rows = GENERATE(1, 60), inner = GENERATE(40, 1000), columns = GENERATE(1, 5000);
  const int most = GENERATE(0, 3, 40, 200);  // on GPUs up to 40000 products per row: every class of rows
  const Rows A = random_rows(rows, inner, most, 1), B = random_rows(inner, columns, most, 2);

  const auto C = linalg::multiply(to_csr(A, inner), to_csr(B, columns));

  CHECK(C.num_columns == columns);
  CHECK(ascends(C));
  check_close(to_rows(C), multiply_densely(A, B), 1 + most * most);
}

TEST_CASE("First rows that are far longer than the others take no more memory than they need",
          "[linalg][sparse_products]") {
  const Index size = 200000;  // as many rows like the first two would have 4e10 entries
  Rows A(size), B(size);
  for (Index i = 0; i < size; ++i) {
    A[0][i] = A[1][i] = 1 + i % 3;
    A[static_cast<std::size_t>(i)][i] = 2;
    B[static_cast<std::size_t>(i)][i] = 3;
  }

  const auto C = linalg::multiply(to_csr(A, size), to_csr(B, size));

  check_close(to_rows(C), multiply_densely(A, B), 1);
}

TEST_CASE("The Galerkin product is R A P", "[linalg][sparse_products]") {
  const Index fine = GENERATE(7, 400), coarse = GENERATE(3, 30, 90);
  const int most = GENERATE(9, 60);  // on GPUs rows for small tables, large ones, and neither
  const Rows A = random_rows(fine, fine, most, 1), P = random_rows(fine, coarse, 4, 2);
  const Rows R = transpose_densely(P, coarse);

  const auto C = linalg::galerkin_product(to_csr(R, fine), to_csr(A, fine), to_csr(P, coarse));

  CHECK(ascends(C));
  check_close(to_rows(C), multiply_densely(R, multiply_densely(A, P)), 1000);
}

namespace {}  // namespace

TEST_CASE("Products of matrices of whole blocks are those of their entries", "[linalg][sparse_products]") {
  const auto [fine, coarse] = GENERATE(std::pair(3, 6), std::pair(2, 3), std::pair(6, 6), std::pair(1, 4),
                                       std::pair(4, 2));  // 4: without a kernel of its own
  const bool broken = GENERATE(false, true);              // an entry too few: multiplied entry by entry
  const Index nodes = GENERATE(1, 90), aggregates = GENERATE(1, 25);
  Rows A = make_blocks(random_rows(nodes, nodes, 12, 1), fine, fine);
  const Rows P = make_blocks(random_rows(nodes, aggregates, 4, 2), fine, coarse);
  const Rows R = transpose_densely(P, aggregates * coarse);
  if (broken && A.size() > 2 && !A[2].empty()) A[2].erase(A[2].begin());
  const auto a = to_csr(A, nodes * fine), p = to_csr(P, aggregates * coarse), r = to_csr(R, nodes * fine);

  const auto AP = linalg::multiply(a, p, {fine, fine, coarse});
  const auto RAP = linalg::galerkin_product(r, a, p, coarse, fine);

  CHECK(to_rows(linalg::transpose(a, fine, fine)) == transpose_densely(A, nodes * fine));
  CHECK(to_rows(linalg::transpose(p, fine, coarse)) == R);
  CHECK(ascends(linalg::transpose(p, fine, coarse)));
  CHECK(ascends(AP));
  CHECK(ascends(RAP));
  CHECK(AP.num_columns == aggregates * coarse);
  check_close(to_rows(AP), multiply_densely(A, P), 1000);
  check_close(to_rows(RAP), multiply_densely(R, multiply_densely(A, P)), 1000);
}

TEST_CASE("Matrices that do not fit are refused", "[linalg][sparse_products]") {
  const auto A = to_csr(random_rows(5, 6, 3, 1), 6), B = to_csr(random_rows(7, 5, 3, 1), 5);

  CHECK_THROWS_AS(linalg::multiply(A, B), InputError);
  CHECK_THROWS_AS(linalg::galerkin_product(A, B, A), InputError);
}
