// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/linalg/block_matrix.hpp"

#include "miniapp/elasticity/reference.hpp"
#include "miniapp/linalg/linear_operator.hpp"
#include "support/sparse.hpp"

using elasticity::matrix_place;

namespace {

constexpr int n = 25;  // nodes of an element
constexpr std::size_t elements = 7, nodes = 60;

/// Elements of arbitrary nodes; every seventh node is masked, node 5 belongs to no element.
Map make_map() {
  Map map(elements, n);
  for (std::size_t e = 0; e < elements; ++e)
    for (int r = 0; r < n; ++r) {
      Index node = static_cast<Index>((e * 11 + 7 * r) % (nodes - 1));
      if (node >= 5) ++node;
      map[e][r] = node % 7 == 0 ? ~node : node;
    }
  return map;
}

/// sum_e Z_e^T A_e Z_e x by straightforward loops.
std::vector<double> multiply(const Map& map, const std::vector<double>& A, const std::vector<double>& x) {
  std::vector<double> y(x.size(), 0);
  for (std::size_t e = 0; e < map.size(); ++e)
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k)
        for (int r = 0; r < n; ++r)
          for (int s = 0; s < n; ++s)
            if (map[e][r] >= 0 && map[e][s] >= 0)
              y[3 * map[e][r] + i] += A[e * 9 * n * n + matrix_place(n, i, k, r, s)] * x[3 * map[e][s] + k];
  return y;
}

template <class Real>
linalg::BlockMatrix<Real> assemble(const Map& map, const std::vector<double>& A) {
  space::Space space = space::make_unknowns(nodes, 3, Layout::aos);
  space.element_to_node = SharedMap(map);
  linalg::BlockMatrix<Real> matrix(space, linalg::make_block_pattern(map, nodes));
  const Vector<Real> all = test::to_device<Real>(A);
  const std::size_t one = 9 * n * n;
  matrix.add(Instance(), slice(all, 0, 4 * one), 0, 4);
  matrix.add(Instance(), slice(all, 4 * one, 3 * one), 4, 3);
  ExecutionSpace().fence();
  return matrix;
}

}  // namespace

TEMPLATE_TEST_CASE("A matrix of blocks multiplies like its element matrices, without masked nodes",
                   "[linalg][block_matrix]", double, float) {
  static_assert(linalg::LinearOperator<linalg::BlockMatrix<TestType>, TestType>);
  const Map map = make_map();
  const std::vector<double> A = random_numbers(elements * 9 * n * n, 1), x = random_numbers(3 * nodes, 2);
  const auto matrix = assemble<TestType>(map, A);
  const Vector<TestType> y = make_vector<TestType>("y", 3 * nodes);
  Kokkos::deep_copy(y, static_cast<TestType>(NAN));

  matrix.apply(Instance(), test::to_device<TestType>(x), y);
  const double words = sizeof(TestType), blocks = static_cast<double>(matrix.num_blocks());
  CHECK(matrix.bytes() == blocks * (9 * words + 4) + nodes * (8 + 6 * words));

  CHECK_THAT(values(y), all_close<TestType>(values(multiply(map, A, x)), 3 * nodes));
}

TEMPLATE_TEST_CASE("A matrix of blocks by entries multiplies like it, with unit blocks in empty rows",
                   "[linalg][block_matrix]", double, float) {
  const linalg::BlockMatrix<TestType> matrix = assemble<TestType>(make_map(), random_numbers(elements * 9 * n * n, 1));
  const std::vector<double> x = random_numbers(3 * nodes, 2);
  const Vector<TestType> y = make_vector<TestType>("y", x.size());
  matrix.apply(Instance(), test::to_device<TestType>(x), y);

  const linalg::CsrMatrix<double> entries = matrix.to_csr();

  const Rows rows = to_rows(entries);
  std::vector<double> product = test::multiply(rows, x);
  std::size_t empty = 0, wrong = 0;
  for (Index row = 0; row < 3 * static_cast<Index>(nodes); ++row) {
    const Index node = row / 3;
    wrong += rows[row].size() % 3 != 0 || rows[row].begin()->first % 3 != 0;
    if (node % 7 != 0 && node != 5) continue;
    ++empty;
    product[row] -= x[row];
    const std::map<Index, double> unit{
        {3 * node, row == 3 * node}, {3 * node + 1, row == 3 * node + 1}, {3 * node + 2, row == 3 * node + 2}};
    wrong += rows[row] != unit;
  }
  CHECK(wrong == 0);
  CHECK(empty == 3 * 10);
  CHECK(entries.num_entries() == 9 * matrix.num_blocks() + 9 * 10);
  CHECK_THAT(values(y), all_close<TestType>(values(product), 3 * nodes));
}

TEST_CASE("The diagonal and its blocks are those of the sum, and one at masked nodes", "[linalg][block_matrix]") {
  const Map map = make_map();
  const std::vector<double> A = random_numbers(elements * 9 * n * n, 3);
  const auto matrix = assemble<double>(map, A);
  std::vector<double> blocks(9 * nodes, 0), diagonal(3 * nodes, 0);
  for (std::size_t node = 0; node < nodes; ++node)
    for (int k = 0; k < 3; ++k) {
      std::vector<double> unit(3 * nodes, 0);
      unit[3 * node + k] = 1;
      const std::vector<double> column = multiply(map, A, unit);
      const bool empty = node == 5 || node % 7 == 0;
      for (int i = 0; i < 3; ++i) blocks[9 * node + 3 * i + k] = empty ? i == k : column[3 * node + i];
      diagonal[3 * node + k] = blocks[9 * node + 4 * k];
    }

  CHECK_THAT(values(matrix.diagonal_blocks()), all_close<double>(values(blocks), n));
  CHECK_THAT(values(matrix.diagonal()), all_close<double>(values(diagonal), n));
}

TEST_CASE("A pattern has each block once, and none of masked nodes", "[linalg][block_matrix]") {
  Map map(2, 2);
  map.entries = {0, 2, 2, ~Index(1)};

  const Csr<> pattern = linalg::make_block_pattern(map, 4);

  CHECK(pattern.offsets == std::vector<std::int64_t>{0, 2, 2, 4, 4});
  CHECK(pattern.entries == std::vector<Index>{0, 2, 0, 2});
}

TEST_CASE("Rows and columns of held components are those of the identity", "[linalg][block_matrix]") {
  const Map map = make_map();
  const std::vector<double> A = random_numbers(elements * 9 * n * n, 1);
  std::vector<double> x = random_numbers(3 * nodes, 2);
  auto matrix = assemble<double>(map, A);
  std::vector<char> held(3 * nodes, 0);
  for (std::size_t i = 0; i < held.size(); i += 4) held[i] = 1;
  matrix.hold(Instance(), held);

  std::vector<double> free = x;
  for (std::size_t i = 0; i < held.size(); ++i)
    if (held[i]) free[i] = 0;
  std::vector<double> expected = multiply(map, A, free);
  for (std::size_t i = 0; i < held.size(); ++i)
    if (held[i]) expected[i] = i / 3 % 7 == 0 || i / 3 == 5 ? 0 : x[i];  // masked nodes have no row
  const Vector<double> y = make_vector<double>("y", x.size());
  matrix.apply(Instance(), test::to_device<double>(x), y);
  ExecutionSpace().fence();
  const std::vector<double> found = to_std(y);
  for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i] == Approx(expected[i]).margin(1e-12));
  CHECK_THROWS_AS(matrix.hold(Instance(), {1, 0}), InputError);
}
