// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/solver/amg.hpp"

#include "miniapp/linalg/matrix_operator.hpp"
#include "miniapp/solver/cg.hpp"
#include "support/sparse.hpp"

using solver::AmgOptions;
using solver::Smoother;

namespace {

/// A second difference in one dimension.
linalg::CsrMatrix<double> make_line(Index n) {
  Rows rows(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) {
    rows[i][i] = 2;
    if (i > 0) rows[i][i - 1] = -1;
    if (i + 1 < n) rows[i][i + 1] = -1;
  }
  return to_csr(rows, n);
}
linalg::CsrMatrix<double> make_poisson(int dim, int n) {
  return dim == 1 ? make_line(n) : linalg::make_poisson(dim, n);
}

template <class Real>
Vector<double> run_cycle(const solver::Amg<Real>& amg, const std::vector<double>& r, double* product = nullptr) {
  const Vector<double> z = make_vector<double>("z", r.size());
  const double r_z = amg.template apply<double>(Instance(), space::make_unknowns(static_cast<Index>(r.size())),
                                                test::to_device<double>(r), z, 0);
  if (product) *product = r_z;
  return z;
}

/// Checks (s, M r) = (M s, r) and (s, M s) > 0 on pseudo-random vectors, M of at least two levels, and the sum that a
/// cycle returns.
template <class Real>
void check_symmetric_positive(const solver::Amg<Real>& amg, Index num_rows) {
  const auto size = static_cast<std::size_t>(num_rows);
  const std::vector<double> r = random_numbers(size, 1), s = random_numbers(size, 2);
  double r_Mr = 0;
  const Values Mr = values(run_cycle(amg, r, &r_Mr)), Ms = values(run_cycle(amg, s));

  CHECK(amg.levels().size() >= 2);
  const double s_Mr = exact_dot(values(s), Mr), r_Ms = exact_dot(values(r), Ms);
  const double scale = std::sqrt(exact_dot(values(r), Mr) * exact_dot(values(s), Ms));
  CHECK(std::abs(s_Mr - r_Ms) <= 10 * tolerance<Real>(double(size), scale));
  CHECK(exact_dot(values(s), Ms) > 0);
  CHECK(r_Mr > 0);
  CHECK(std::abs(r_Mr - exact_dot(values(r), Mr)) <= tolerance<double>(double(size), scale));
}

/// A Poisson problem on n x n points with three coupled unknowns each, and six modes (unknown, mode): three constants,
/// and three that change along the rows of points.
struct Blocks {
  linalg::CsrMatrix<double> matrix;
  Vector<double> modes;
};
Blocks make_blocks(int n) {
  const double coupling[3][3] = {{3, 1, 0.5}, {1, 2, -0.3}, {0.5, -0.3, 1}};  // positive definite
  const Rows points = to_rows(linalg::make_poisson(2, n));
  Rows rows(3 * points.size());
  std::vector<double> modes(6 * rows.size(), 0);
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t c = 0; c < 3; ++c) {
      for (const auto& [j, value] : points[i])
        for (Index k = 0; k < 3; ++k) rows[3 * i + c][3 * j + k] = coupling[c][k] * value;
      modes[6 * (3 * i + c) + c] = 1;
      modes[6 * (3 * i + c) + 3 + c] = double(i % n) - 0.5 * n;
    }
  return {to_csr(rows, static_cast<Index>(rows.size())), test::to_device<double>(modes)};
}

template <class M>
solver::CgResult solve(const linalg::CsrMatrix<double>& A, const M& m, double tolerance = 1e-8) {
  const linalg::MatrixOperator<double> op(A);
  const auto size = static_cast<std::size_t>(A.num_rows);
  const Vector<double> b = test::to_device<double>(std::vector<double>(size, 1)), x = make_vector<double>("x", size);
  solver::CgWorkspace<double> work(size, true);
  return solver::cg<double>(Instance(), op, m, b, x, work, {tolerance, 2000, {}});
}

/// The largest |e_k+1|_A / |e_k|_A of x += M (b - A x), by iterations on a random error.
double convergence_factor(const linalg::CsrMatrix<double>& A, const solver::Amg<double>& amg) {
  const Rows rows = to_rows(A);
  std::vector<double> e = random_numbers(rows.size(), 5);
  const auto energy = [&] {
    const std::vector<double> Ae = multiply(rows, e);
    double sum = 0;
    for (std::size_t i = 0; i < e.size(); ++i) sum += e[i] * Ae[i];
    return std::sqrt(sum);
  };
  double before = energy(), factor = 0;
  for (int k = 0; k < 30; ++k) {
    const std::vector<double> z = to_std(run_cycle(amg, multiply(rows, e)));
    for (std::size_t i = 0; i < e.size(); ++i) e[i] -= z[i];
    const double after = energy();
    factor = after / before;
    for (double& value : e) value /= after;
    before = 1;
  }
  return factor;
}

}  // namespace

TEMPLATE_TEST_CASE("A cycle is symmetric and positive definite", "[solver][amg]", double, float) {
  AmgOptions options;
  options.smoother = GENERATE(from_range(members<Smoother>()));
  options.aggregation = GENERATE(from_range(members<solver::Aggregation>()));
  options.sweeps = GENERATE(1, 2, 3);
  options.cycle = GENERATE(from_range(members<solver::Cycle>()));
  options.coarsest = 30;
  const Rows rows = random_spd(900, 4, 3);
  const auto A = GENERATE_COPY(to_csr(rows, 900), linalg::make_poisson(2, 37), linalg::make_poisson(3, 9));

  check_symmetric_positive(solver::Amg<TestType>(A, options), A.num_rows);
}

TEMPLATE_TEST_CASE("Two cycles are one, and another on what is left", "[solver][amg]", double, float) {
  AmgOptions options;
  options.cycle = GENERATE(from_range(members<solver::Cycle>()));
  options.coarsest = 30;
  const auto A = GENERATE(linalg::make_poisson(2, 37), linalg::make_poisson(3, 9));
  const solver::Amg<TestType> one(A, options);
  options.cycles = 2;
  const solver::Amg<TestType> two(A, options);
  const auto run = [](const solver::Amg<TestType>& amg, const std::vector<double>& r) {
    const Vector<TestType> z = make_vector<TestType>("z", r.size());
    amg.run(Instance(), convert<TestType>(test::to_device<double>(r)), z);
    return to_std(convert<double>(z));
  };

  const std::vector<double> r = random_numbers(static_cast<std::size_t>(A.num_rows), 1);
  std::vector<double> rest = r, expected = run(one, r);
  const std::vector<double> product = multiply(to_rows(A), expected);
  for (std::size_t i = 0; i < r.size(); ++i) rest[i] -= product[i];
  const std::vector<double> correction = run(one, rest), found = run(two, r), applied = to_std(run_cycle(two, r));
  double largest = 0;
  for (std::size_t i = 0; i < r.size(); ++i) {
    expected[i] += correction[i];
    largest = std::max(largest, std::abs(expected[i]));
  }
  for (std::size_t i = 0; i < r.size(); ++i) {
    CHECK(std::abs(found[i] - expected[i]) <= 10 * tolerance<TestType>(double(r.size()), largest));
    CHECK(found[i] == Approx(applied[i]).epsilon(1e-5));
  }
  check_symmetric_positive(two, A.num_rows);
}

TEMPLATE_TEST_CASE("A cycle on blocks with modes of their own is symmetric and positive definite", "[solver][amg]",
                   double, float) {
  AmgOptions options;
  options.smoother = GENERATE(from_range(members<Smoother>()));
  options.cycle = GENERATE(from_range(members<solver::Cycle>()));
  options.block = 3;
  options.strength = 0;
  options.coarsest = 30;
  const auto [A, modes] = make_blocks(14);

  check_symmetric_positive(solver::Amg<TestType>(A, options, modes), A.num_rows);
}

TEST_CASE("Two levels reduce the error by a factor that does not depend on the size", "[solver][amg]") {
  const int dim = GENERATE(1, 2, 3);
  const int n = dim == 1 ? GENERATE(100, 800) : dim == 2 ? GENERATE(12, 30) : GENERATE(6, 10);
  AmgOptions options;
  options.max_levels = 2;
  options.coarsest = 2;
  const auto A = make_poisson(dim, n);
  options.smoother = GENERATE(from_range(members<Smoother>()));
  options.aggregation = GENERATE(from_range(members<solver::Aggregation>()));
  const bool regular = dim == 1 && options.aggregation == solver::Aggregation::greedy;  // three nodes each

  // the second level is solved directly
  options.coarsest = A.num_rows - 1;
  const solver::Amg<double> amg(A, options);

  REQUIRE(amg.levels().size() == 2);
  const bool damped_more = options.smoother == Smoother::l1_jacobi;  // by 2 instead of 3 / 2
  CHECK(convergence_factor(A, amg) < (regular ? 0.35 : damped_more ? 0.7 : 0.65));
}

TEST_CASE("CG with a cycle needs hardly more iterations for a larger system", "[solver][amg]") {
  const int dim = GENERATE(2, 3);
  AmgOptions options;
  options.aggregation = GENERATE(from_range(members<solver::Aggregation>()));
  const auto small = make_poisson(dim, dim == 2 ? 40 : 12), large = make_poisson(dim, dim == 2 ? 160 : 34);

  const auto few = solve(small, solver::Amg<float>(small, options)),
             many = solve(large, solver::Amg<float>(large, options));

  CHECK(few.verdict == solver::Verdict::converged);
  CHECK(many.verdict == solver::Verdict::converged);
  CHECK(few.iterations <= 13);
  CHECK(many.iterations <= 1.6 * few.iterations);
  CHECK(many.iterations * 4 < solve(large, solver::Identity()).iterations);
}

TEST_CASE("Figures of the hierarchy are those of its levels", "[solver][amg]") {
  const auto A = linalg::make_poisson(2, 50);
  AmgOptions options;
  options.coarsest = 50;
  std::vector<std::string> phases;
  options.phase = [&](const char* phase) { phases.emplace_back(phase); };

  const solver::Amg<double> amg(A, options);

  REQUIRE(amg.levels().size() >= 3);
  CHECK(amg.levels().front().unknowns == 2500);
  CHECK(amg.levels().front().entries == A.num_entries());
  CHECK(amg.levels().front().largest_eigenvalue == 2);
  CHECK(amg.levels().back().unknowns <= 50);
  double unknowns = 0, entries = 0;
  for (const auto& level : amg.levels()) {
    unknowns += level.unknowns;
    entries += double(level.entries);
  }
  CHECK(amg.hierarchy().grid_complexity == unknowns / 2500);
  CHECK(amg.hierarchy().operator_complexity == entries / double(A.num_entries()));
  CHECK(amg.hierarchy().remark.empty());
  CHECK(phases.front() == "smoother");  // slices come when the rows of P and R have gone
  CHECK(std::count(phases.begin(), phases.end(), "slices") > 0);
  CHECK(phases.back().empty());
}

TEST_CASE("Estimated eigenvalues are close to those of a line", "[solver][amg]") {
  // a Galerkin matrix has row sums beyond 2: its largest eigenvalue is estimated
  AmgOptions options;
  options.coarsest = 20;

  const solver::Amg<double> amg(linalg::make_poisson(2, 40), options);

  REQUIRE(amg.levels().size() >= 3);
  CHECK(amg.levels()[1].largest_eigenvalue > 1);
  CHECK(amg.levels()[1].largest_eigenvalue < 2);
}

TEST_CASE("A diagonal matrix is inverted", "[solver][amg]") {
  std::vector<double> diagonal = random_numbers(700, 1);
  Rows rows(700);
  for (Index i = 0; i < 700; ++i) rows[i][i] = diagonal[i] = 2 + diagonal[i];
  const auto A = to_csr(rows, 700);

  CHECK(solve(A, solver::Amg<double>(A)).iterations == 1);
}

TEST_CASE("A small matrix is solved directly", "[solver][amg]") {
  const auto A = linalg::make_poisson(2, 12);

  const solver::Amg<double> amg(A);

  CHECK(amg.levels().size() == 1);
  CHECK(solve(A, amg, 1e-12).iterations == 1);
}

TEST_CASE("A singular matrix is solved where the right-hand side allows it", "[solver][amg]") {
  Rows rows = to_rows(linalg::make_poisson(2, 30));  // row sums become zero: a Neumann problem
  std::vector<double> b(900, 0);
  for (std::size_t i = 0; i < 900; ++i) {
    double sum = 0;
    for (const auto& [j, value] : rows[i]) sum += j == Index(i) ? 0 : value;
    rows[i][static_cast<Index>(i)] = -sum;
  }
  b[3] = 1;
  b[897] = -1;
  AmgOptions options;
  options.coarsest = GENERATE(40, 1000);  // singular on the coarsest level, and at once
  const auto A = to_csr(rows, 900);
  const solver::Amg<double> amg(A, options);
  const linalg::MatrixOperator<double> op(A);
  const Vector<double> x = make_vector<double>("x", 900);
  solver::CgWorkspace<double> work(900, true);

  const auto cg = solver::cg<double>(Instance(), op, amg, test::to_device<double>(b), x, work, {1e-8, 200, {}});

  CHECK(cg.verdict == solver::Verdict::converged);
  CHECK(cg.iterations <= 30);
}

TEST_CASE("Matrices that are not positive definite are refused", "[solver][amg]") {
  Rows rows = random_spd(600, 4, 3);
  rows[100][100] = 0;
  CHECK_THROWS_WITH(solver::Amg<double>(to_csr(rows, 600)), contains("row 101 of 600"));
  rows = random_spd(60, 4, 3);
  for (auto& row : rows)
    for (auto& entry : row) entry.second = -entry.second;
  CHECK_THROWS_WITH(solver::Amg<double>(to_csr(rows, 60)), contains("not positive definite"));
}

TEST_CASE("A matrix that is not positive definite on a coarser level breaks down", "[solver][amg]") {
  Rows rows = to_rows(linalg::make_poisson(2, 60));
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i][static_cast<Index>(i)] -= 1;

  CHECK_THROWS_AS(solver::Amg<double>(to_csr(rows, 3600)), ResultError);
  CHECK_THROWS_WITH(solver::Amg<double>(to_csr(rows, 3600)),
                    contains("not positive definite, since on level 1, coarser"));
}

TEST_CASE("A power of two times a matrix changes no digit of a cycle", "[solver][amg]") {
  const int exponent = GENERATE(-900, -300, -130, -40, 40, 130, 300, 900);
  const bool graded = GENERATE(false, true);  // entries of four rows are far from the others
  const int own = graded ? -20 : 0;
  const double power = std::ldexp(1, exponent);
  CAPTURE(exponent, graded);
  Rows rows = to_rows(linalg::make_poisson(2, 30)), scaled = rows;
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (auto& [j, value] : rows[i]) {
      if (i % 250 == 0) value = std::ldexp(value, own);
      if (j % 250 == 0) value = std::ldexp(value, own);
      scaled[i][j] = power * value;
    }
  AmgOptions options;
  options.coarsest = 40;
  const std::vector<double> r = random_numbers(900, 1);

  const solver::Amg<float> amg(to_csr(rows, 900), options), of_scaled(to_csr(scaled, 900), options);

  std::vector<double> z = to_std(run_cycle(amg, r)), z_scaled = to_std(run_cycle(of_scaled, r));
  for (double& value : z_scaled) value *= power;
  CHECK(z == z_scaled);
  const Vector<float> r_float = test::to_device<float>(std::vector<double>(900, 1)),
                      z_float = make_vector<float>("z", 900);
  of_scaled.run(Instance(), r_float, z_float);
  const std::vector<double> expected = to_std(run_cycle(of_scaled, std::vector<double>(900, 1)));
  const std::vector<float> found = to_std(Vector<const float>(z_float));
  if (std::abs(exponent) <= 100)
    for (std::size_t i = 0; i < 900; ++i) CHECK(found[i] == static_cast<float>(expected[i]));
}

TEST_CASE("A level that does not coarsen is solved where it is small, else smoothed, which is said", "[solver][amg]") {
  const Index size = GENERATE(400, 3000);
  const auto A = make_line(size);
  AmgOptions options;
  options.coarsest = 50;
  const Vector<double> modes = test::to_device<double>(random_numbers(6 * static_cast<std::size_t>(size), 1));

  const solver::Amg<double> amg(A, options, modes);  // six modes for each aggregate of three unknowns

  CHECK(amg.levels().size() == 1);
  CHECK(amg.hierarchy().remark.empty() == (size == 400));
  const int iterations = solve(A, amg).iterations;
  if (size == 400)
    CHECK(iterations == 1);
  else
    CHECK(iterations > 100);
}

TEST_CASE("A near-null space of several modes is interpolated exactly", "[solver][amg]") {
  // two uncoupled Neumann problems, unknowns interleaved: any constant in each is mapped to zero
  const auto one = to_rows(linalg::make_poisson(2, 30));
  Rows rows(1800);
  std::vector<double> modes(3600, 0);
  for (Index i = 0; i < 900; ++i)
    for (int c = 0; c < 2; ++c) {
      double sum = 0;
      for (const auto& [j, value] : one[i]) {
        rows[2 * i + c][2 * j + c] = value;
        rows[2 * i + c][2 * j + 1 - c] = 0;  // blocks have all their entries
        if (j != i) sum -= value;
      }
      rows[2 * i + c][2 * i + c] = sum + 1e-6;
      modes[4 * i + 3 * c] = 1;
    }
  AmgOptions options;
  options.block = 2;
  options.coarsest = 60;
  const auto A = to_csr(rows, 1800);

  const solver::Amg<double> amg(A, options, test::to_device<double>(modes));

  CHECK(amg.levels().size() >= 3);
  CHECK(solve(A, amg).iterations <= 20);
}

TEST_CASE("Multigrid of nodes refuses a matrix without whole blocks, and names the row", "[solver][amg]") {
  AmgOptions options;
  options.block = 2;
  Rows rows(600);
  for (Index i = 0; i < 600; ++i)
    for (const Index node : {i / 2 - 1, i / 2, i / 2 + 1})
      for (Index j = 2 * node; j < 2 * node + 2; ++j)
        if (j >= 0 && j < 600) rows[i][j] = i == j ? 5 : -1;
  CHECK_NOTHROW(solver::Amg<double>(to_csr(rows, 600), options));

  Rows one_entry_less = rows;
  one_entry_less[101].erase(103);
  CHECK_THROWS_AS(solver::Amg<double>(to_csr(one_entry_less, 600), options), InputError);
  CHECK_THROWS_WITH(solver::Amg<double>(to_csr(one_entry_less, 600), options),
                    contains("block 2") && contains("row 102 of 600"));

  Rows another_column = rows;  // as many entries
  another_column[41].erase(38);
  another_column[41][500] = -1;
  CHECK_THROWS_WITH(solver::Amg<double>(to_csr(another_column, 600), options), contains("row 42 of 600"));

  Rows half_blocks = rows;  // the same columns in both rows
  for (const Index row : {8, 9}) {
    half_blocks[row].erase(6);
    half_blocks[row].erase(11);
  }
  CHECK_THROWS_WITH(solver::Amg<double>(to_csr(half_blocks, 600), options), contains("row 9 of 600"));
  Rows moved_blocks = rows;  // an even number of columns, each block across two nodes
  for (const Index row : {8, 9}) {
    moved_blocks[row].erase(6);
    moved_blocks[row][12] = -1;
  }
  CHECK_THROWS_WITH(solver::Amg<double>(to_csr(moved_blocks, 600), options), contains("row 9 of 600"));
}

TEST_CASE("Multigrid refuses blocks and modes that do not fit the matrix", "[solver][amg]") {
  const auto A = linalg::make_poisson(2, 9);
  const auto make = [&](int block, std::size_t modes) {
    AmgOptions options;
    options.block = block;
    solver::Amg<double>(A, options, test::to_device<double>(std::vector<double>(modes, 1)));
  };
  CHECK_THROWS_WITH(make(0, 0), contains("block 0"));
  CHECK_THROWS_WITH(make(2, 0), contains("81 rows"));
  CHECK_THROWS_WITH(make(1, 100), contains("100 numbers") && contains("multiples of 81"));
}
