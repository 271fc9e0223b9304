// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/solver/near_null.hpp"

#include <cmath>
#include <set>

#include "miniapp/linalg/matrix_operator.hpp"
#include "miniapp/solver/amg.hpp"
#include "miniapp/solver/cg.hpp"
#include "solver/dense_inverse.hpp"
#include "support/sparse.hpp"

namespace {

/// Springs between the nodes of a distorted grid that are at most a diagonal apart: a linear elastic body, whose energy
/// is sum (d . (u_i - u_j))^2 / 2 with d the direction from i to j.
struct Body {
  int dim;
  std::vector<double> coordinates;  // (node, dimension)
  Rows rows;
  Index num_rows() const { return static_cast<Index>(rows.size()); }
};

Body make_body(int dim, int length, int width) {
  Body body{dim, {}, {}};
  std::vector<std::array<int, 3>> places;
  for (int i = 0; i < length; ++i)
    for (int j = 0; j < width; ++j)
      for (int k = 0; k < (dim == 3 ? width : 1); ++k) places.push_back({i, j, k});
  const std::vector<double> shifts = random_numbers(3 * places.size(), 5);
  for (std::size_t node = 0; node < places.size(); ++node)
    for (int d = 0; d < dim; ++d) body.coordinates.push_back(places[node][d] + 0.1 * shifts[3 * node + d]);
  body.rows.resize(dim * places.size());
  const Index layer = dim == 3 ? width * width : width;
  for (Index i = 0; i < Index(places.size()); ++i)
    for (Index j = std::max<Index>(0, i - 2 * layer); j < i; ++j) {
      int apart = 0;
      for (int d = 0; d < 3; ++d) apart = std::max(apart, std::abs(places[i][d] - places[j][d]));
      if (apart > 1) continue;
      double length2 = 0;
      const auto along = [&](int d) { return body.coordinates[i * dim + d] - body.coordinates[j * dim + d]; };
      for (int d = 0; d < dim; ++d) length2 += along(d) * along(d);
      for (int c = 0; c < dim; ++c)
        for (int d = 0; d < dim; ++d) {
          const double stiffness = along(c) * along(d) / length2;
          body.rows[i * dim + c][i * dim + d] += stiffness;
          body.rows[j * dim + c][j * dim + d] += stiffness;
          body.rows[i * dim + c][j * dim + d] -= stiffness;
          body.rows[j * dim + c][i * dim + d] -= stiffness;
        }
    }
  return body;
}

/// Holds the nodes at the end of a body: their rows are those of the identity.
void clamp(Body& body, int nodes) {
  const Index held = nodes * body.dim;
  for (Index row = 0; row < body.num_rows(); ++row)
    for (auto& [column, value] : body.rows[row])
      if (row < held || column < held) value = row == column ? 1 : 0;
}

int iterations(const linalg::CsrMatrix<double>& A, const std::vector<double>& b, int block,
               const Vector<const double>& near_null) {
  solver::AmgOptions options;
  options.block = block;
  options.strength = 0;
  options.coarsest = 30;
  const solver::Amg<double> amg(A, options, near_null);
  CHECK(amg.levels().size() >= 3);
  const linalg::MatrixOperator<double> op(A);
  const Vector<double> x = make_vector<double>("x", b.size());
  solver::CgWorkspace<double> work(b.size(), true);
  const auto cg = solver::cg<double>(Instance(), op, amg, test::to_device<double>(b), x, work, {1e-8, 500, {}});
  CHECK(cg.verdict == solver::Verdict::converged);
  return cg.iterations;
}

std::vector<double> take_mode(const Vector<const double>& modes, int count, int m) {
  const std::vector<double> all = to_std(modes);
  std::vector<double> mode;
  for (std::size_t i = m; i < all.size(); i += count) mode.push_back(all[i]);
  return mode;
}

}  // namespace

TEST_CASE("A body that nothing holds maps rigid motions about its middle to zero", "[solver][near_null]") {
  const int dim = GENERATE(2, 3), count = dim * (dim + 1) / 2;
  const Body body = make_body(dim, 7, 3);

  const Vector<double> modes = solver::make_rigid_modes(body.coordinates, dim);

  REQUIRE(modes.extent(0) == body.rows.size() * count);
  for (int m = 0; m < count; ++m) {
    const std::vector<double> mode = take_mode(modes, count, m), product = multiply(body.rows, mode);
    double largest = 0, error = 0;
    for (std::size_t i = 0; i < mode.size(); ++i) {
      largest = std::max(largest, std::fabs(mode[i]));
      error = std::max(error, std::fabs(product[i]));
    }
    CHECK(largest >= 1);
    CHECK(error <= 1e-12 * largest);
    double sum = 0;  // rotations about the mean have none
    for (const double value : mode) sum += value;
    if (m >= dim) CHECK(std::fabs(sum) <= 1e-10);
  }
  CHECK_NOTHROW(solver::require_independent(to_std(modes), body.num_rows()));
  CHECK(solver::find_null_modes(to_csr(body.rows, body.num_rows()), modes).size() == std::size_t(count));
}

TEST_CASE("Rotations are about x, y and z in this order, by the right hand", "[solver][near_null]") {
  const std::vector<double> modes = to_std(solver::make_rigid_modes({1, 2, 3, -1, -2, -3}, 3));
  // e_m x (1, 2, 3)
  const double expected[3][3] = {{0, -3, 2}, {3, 0, -1}, {-2, 1, 0}};
  for (int m = 0; m < 3; ++m)
    for (int c = 0; c < 3; ++c) {
      CHECK(modes[6 * c + 3 + m] == expected[m][c]);
      CHECK(modes[6 * c + m] == (c == m));
    }
  const std::vector<double> in_a_plane = to_std(solver::make_rigid_modes({1, 2, -1, -2}, 2));
  CHECK(std::vector<double>(in_a_plane.begin(), in_a_plane.begin() + 6) == std::vector<double>{1, 0, -2, 0, 1, 1});
}

TEST_CASE("Multigrid with rigid motions takes fewer iterations than with constants", "[solver][near_null]") {
  const int dim = GENERATE(2, 3);
  Body body = make_body(dim, dim == 2 ? 60 : 20, dim == 2 ? 8 : 4);
  clamp(body, dim == 2 ? 8 : 16);
  const auto A = to_csr(body.rows, body.num_rows());
  std::vector<double> b(body.rows.size(), 0);
  b[b.size() - 1] = -1;
  const Vector<double> rigid = solver::make_rigid_modes(body.coordinates, dim),
                       constant = solver::make_constant_modes(body.num_rows(), dim);
  solver::clear_uncoupled(A, rigid);
  solver::clear_uncoupled(A, constant);

  const int with_rigid = iterations(A, b, dim, rigid), with_constants = iterations(A, b, dim, constant);

  CAPTURE(with_rigid, with_constants);
  CHECK(3 * with_rigid <= 2 * with_constants);
  CHECK(solver::find_null_modes(A, rigid).empty());
}

TEST_CASE("Multigrid solves a body that nothing holds where its load is in equilibrium", "[solver][near_null]") {
  const Body body = make_body(2, 150, 15);
  const auto A = to_csr(body.rows, body.num_rows());
  const std::vector<double> b = multiply(body.rows, random_numbers(body.rows.size(), 3));

  CHECK(iterations(A, b, 2, solver::make_rigid_modes(body.coordinates, 2)) <= 40);
}

TEST_CASE("A singular matrix that is solved at once is solved by its pseudo-inverse", "[solver][near_null]") {
  const Body body = make_body(2, 6, 4);
  const auto A = to_csr(body.rows, body.num_rows());
  const Vector<double> modes = solver::make_rigid_modes(body.coordinates, 2);
  const std::size_t size = body.rows.size();
  const solver::Amg<double> amg(A, {}, modes);
  REQUIRE(amg.levels().size() == 1);
  const Vector<double> z = make_vector<double>("z", size);
  const std::vector<double> r = random_numbers(size, 9);
  amg.apply<double>(Instance(), space::make_unknowns(body.num_rows()), test::to_device<double>(r), z, 0);

  const std::vector<double> found = to_std(z), product = multiply(body.rows, found);
  std::vector<double> rest(size);  // r - A z: what r has of the modes, which z has nothing of
  for (std::size_t i = 0; i < size; ++i) rest[i] = r[i] - product[i];
  const std::vector<double> zero = multiply(body.rows, rest);
  for (std::size_t i = 0; i < size; ++i) CHECK(std::fabs(zero[i]) <= 1e-11);
  for (int m = 0; m < 3; ++m) {
    const std::vector<double> mode = take_mode(modes, 3, m);
    double part = 0;
    for (std::size_t i = 0; i < size; ++i) part += mode[i] * found[i];
    CHECK(std::fabs(part) <= 1e-10);
  }
}

TEST_CASE("A pseudo-inverse is not spoilt by what rounding leaves of null modes", "[solver][near_null]") {
  constexpr std::size_t n = 30;
  const std::vector<double> noise = random_numbers(n * n, 4);
  std::vector<double> A(n * n, 0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const bool beside = i + 1 == j || j + 1 == i;
      A[i * n + j] = (i == j   ? (i == 0 || i + 1 == n ? 1 : 2)
                      : beside ? -1
                               : 0) +
                     1e-9 * (noise[i * n + j] + noise[j * n + i]);
    }
  const std::vector<double> inverse = solver::invert_semidefinite(A, n, {std::vector<double>(n, 3)});
  double largest = 0, sums = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < n; ++j) {
      sum += inverse[i * n + j];
      largest = std::max(largest, std::fabs(inverse[i * n + j]));
    }
    sums = std::max(sums, std::fabs(sum));
  }
  CHECK(largest < n);  // of the exact one n / 3
  CHECK(sums < 1e-5);
}

TEST_CASE("Modes are zero where a row is coupled to no other", "[solver][near_null]") {
  Body body = make_body(2, 4, 3);
  clamp(body, 3);
  const Vector<double> modes = solver::make_rigid_modes(body.coordinates, 2);
  const std::vector<double> before = to_std(modes);
  solver::clear_uncoupled(to_csr(body.rows, body.num_rows()), modes);
  const std::vector<double> after = to_std(modes);
  for (std::size_t i = 0; i < after.size(); ++i) CHECK(after[i] == (i < 18 ? 0 : before[i]));
}

TEST_CASE("A near-null space has independent modes of finite numbers", "[solver][near_null]") {
  const auto refuse = [](std::vector<double> modes, const std::string& says) {
    CHECK_THROWS_WITH(solver::require_independent(modes, 3), contains(says));
  };
  CHECK_NOTHROW(solver::require_independent({1, 2, 1, 2, 1, 4}, 3));
  CHECK_NOTHROW(solver::require_independent({1e-200, 1e200, 1e-200, 0, 1e-200, 0}, 3));
  refuse({1, 2, 1, 2, 1, 2}, "mode 2 is a sum of those before it");
  refuse({1, 0, 1, 0, 1, 0}, "mode 2 is zero");
  refuse({1, 2, 1, std::nan(""), 1, 2}, "row 2 of mode 2 is nan");
  refuse({1, 2, 1, 2}, "4: numbers; accepted are multiples of 3");
  CHECK_THROWS_WITH(solver::make_rigid_modes({1, 2, 3, 4}, 4), contains("dim 4"));
  CHECK_THROWS_WITH(solver::make_rigid_modes({1, 2, 3, 4}, 3), contains("4 coordinates"));
  CHECK_THROWS_WITH(solver::make_constant_modes(7, 2), contains("block 2"));
}

TEST_CASE("Blocks are filled up with zeros", "[solver][near_null]") {
  const int block = GENERATE(2, 3);
  const Index size = 12 * block;
  const Rows rows = random_spd(size, 3, 7);
  const Rows filled = to_rows(solver::fill_blocks(to_csr(rows, size), block));
  CHECK_NOTHROW(solver::require_blocks(to_csr(filled, size), block));
  for (Index row = 0; row < size; ++row) {
    std::set<Index> expected;  // columns of the nodes that any row of this one's node has
    for (Index other = row / block * block; other < (row / block + 1) * block; ++other)
      for (const auto& [column, value] : rows[other])
        for (int c = 0; c < block; ++c) expected.insert(column / block * block + c);
    CHECK(filled[row].size() == expected.size());
    for (const Index column : expected) {
      const auto own = rows[row].find(column);
      CHECK(filled[row].at(column) == (own == rows[row].end() ? 0 : own->second));
    }
  }
  CHECK_THROWS_WITH(solver::fill_blocks(to_csr(rows, size), 5), contains("block 5"));
}
