// SPDX-License-Identifier: BSD-3-Clause
// A matrix whose rows are distributed multiplies, and is solved with, as the whole one.
#include <bit>
#include <set>

#include "miniapp/core/error.hpp"
#include "miniapp/linalg/local_rows.hpp"
#include "miniapp/linalg/sparse_products.hpp"
#include "miniapp/solver/jacobi.hpp"
#include "runs/solver/chosen_solver.hpp"
#include "support/parts.hpp"
#include "support/sparse.hpp"

using linalg::DistributedMatrix, linalg::DistributedOperator;
using solver::CgMethod, solver::PreconditionerKind;

namespace {

struct Case {
  linalg::CsrMatrix<double> whole;
  DistributedMatrix part;
};

/// Odd grids, and matrices of files, whose ranks want other numbers of rows than they are asked for; the last two with
/// nodes of three rows, the last of whole blocks.
Case make_case(int which, int way = 0) {
  const Communicator world = by_way(Communicator::world(), way);
  if (which < 2)
    return {linalg::make_poisson(2 + which, 23 - 12 * which), linalg::make_poisson(2 + which, 23 - 12 * which, world)};
  const Index rows = which == 2 ? 331 : 330;
  const linalg::CsrMatrix<double> whole =
      to_csr(which == 4 ? make_blocks(random_spd(rows / 3, 3, 5), 3, 3) : random_spd(rows, 3, 5), rows);
  return {whole,
          linalg::distribute(world.rank() == 0 ? whole : linalg::CsrMatrix<double>(), world, which == 2 ? 1 : 3)};
}

/// This rank's entries of a vector of the whole matrix.
std::vector<double> part_of(const std::vector<double>& whole, const DistributedMatrix& matrix) {
  std::vector<double> part;
  for (Index row = 0; row < matrix.own.num_rows; ++row) part.push_back(whole[matrix.part.number(row)]);
  return part;
}

/// A matrix of all ranks, rows and columns in the order of ranks, where this rank has these rows and so many columns.
Rows gather(const linalg::LocalRows& local, const Communicator& ranks) {
  const std::vector<std::int64_t> first = ranks.offsets(local.rows.num_rows),
                                  first_column = ranks.offsets(local.num_own_columns());
  const Rows own = to_rows(local.rows);
  std::vector<std::int64_t> words;
  for (std::size_t row = 0; row < own.size(); ++row)
    for (const auto& [column, value] : own[row]) {
      const Index ghost = column - local.num_own_columns();
      const linalg::Place place = ghost < 0 ? linalg::Place{ranks.rank(), column} : local.ghosts[ghost];
      words.insert(words.end(), {first[ranks.rank()] + std::int64_t(row), first_column[place.rank] + place.row,
                                 std::bit_cast<std::int64_t>(value)});
    }
  Rows all(static_cast<std::size_t>(first.back()));
  for (const auto& from : ranks.exchange(std::vector<std::vector<std::int64_t>>(ranks.size(), words)))
    for (std::size_t w = 0; w < from.size(); w += 3)
      CHECK(all[from[w]].emplace(static_cast<Index>(from[w + 1]), std::bit_cast<double>(from[w + 2])).second);
  return all;
}

/// Three consecutive nodes make a coarse one of their rank, and so do some of their neighbours, of any rank. Nodes have
/// `fine` rows, coarse ones `coarse`, and those of A and P are coupled by whole blocks.
linalg::LocalRows make_interpolation(const linalg::GhostedMatrix& A, Index fine = 1, Index coarse = 1) {
  const int rank = A.ranks.rank();
  const Rows own = to_rows(A.rows);
  std::vector<std::map<linalg::Place, double>> rows;
  std::set<linalg::Place> of_others;
  const Index nodes = A.rows.num_rows / fine;
  for (Index node = 0; node < nodes; ++node) {
    auto& to = rows.emplace_back();
    for (const auto& [column, value] : own[std::size_t(node * fine)]) {
      if (column % fine > 0) continue;
      const Index ghost = column - A.rows.num_rows;
      const linalg::Place place = ghost < 0 ? linalg::Place{rank, column} : A.ghosts[ghost];
      const Index at = place.row / fine;
      if ((at + node) % 3 == 0 || column == node * fine) to[{place.rank, at / 3}] += value;
      if (to.contains({place.rank, at / 3}) && place.rank != rank) of_others.insert({place.rank, at / 3});
    }
  }
  linalg::LocalRows P;
  for (const linalg::Place& place : of_others)
    for (Index c = 0; c < coarse; ++c) P.ghosts.push_back({place.rank, place.row * coarse + c});
  const Index own_coarse = (nodes + 2) / 3;
  Rows local(rows.size());
  for (std::size_t node = 0; node < rows.size(); ++node)
    for (const auto& [place, value] : rows[node])
      local[node][place.rank == rank
                      ? place.row
                      : own_coarse + static_cast<Index>(std::distance(of_others.begin(), of_others.find(place)))] =
          value;
  P.rows = to_csr(make_blocks(local, fine, coarse), own_coarse * coarse + static_cast<Index>(P.ghosts.size()));
  return P;
}

void check_equal(const Rows& found, const Rows& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t row = 0; row < found.size(); ++row) {
    REQUIRE(found[row].size() == expected[row].size());
    for (const auto& [column, value] : expected[row]) {
      REQUIRE(found[row].contains(column));
      CHECK(std::abs(found[row].at(column) - value) <= 1e-13 * (1 + std::abs(value)));
    }
  }
}

struct Solved {
  std::vector<double> x;
  solver::CgResult cg;
};

Solved solve(const DistributedMatrix& matrix, const std::vector<double>& b, const solver::SolveSettings& settings) {
  const DistributedOperator<double> A(matrix);
  solver::ChosenSolver<double> solver(matrix, A, settings, [](const char*) {});
  const Vector<double> x = make_vector<double>("x", b.size());
  solver::CgResult cg = solver.solve(Instance(), test::to_device<double>(b), x, settings.cg);
  return {to_std(x), std::move(cg)};
}

}  // namespace

TEST_CASE("Rows of several ranks are those of the whole matrix", "[ranks][linalg]") {
  const Case c = make_case(GENERATE(0, 1, 2, 3));
  const DistributedMatrix& part = c.part;
  const Communicator world = Communicator::world();
  CHECK(world.sum(part.num_entries()) == c.whole.num_entries());
  CHECK(world.sum(std::int64_t(part.own.num_rows)) == c.whole.num_rows);
  const Rows whole = to_rows(c.whole), own = to_rows(part.own), ghost_block = to_rows(part.ghost_block);
  const std::vector<Index> border = to_std(part.border);
  Rows expected, found(own.size());
  for (Index row = 0; row < part.own.num_rows; ++row) expected.push_back(whole[part.part.number(row)]);
  for (std::size_t row = 0; row < own.size(); ++row)
    for (const auto& [column, value] : own[row]) found[row][static_cast<Index>(part.part.number(column))] = value;
  for (std::size_t k = 0; k < border.size(); ++k)
    for (const auto& [item, value] : ghost_block[k])
      found[border[k]][static_cast<Index>(part.number(part.ghosts[item]))] = value;
  CHECK(found == expected);
}

TEMPLATE_TEST_CASE("The product of distributed rows is the whole matrix's, with sums over all ranks", "[ranks][linalg]",
                   double, float) {
  const Case c = make_case(GENERATE(0, 1, 2, 3), GENERATE(0, 1));
  const DistributedOperator<TestType> A(c.part);
  const std::vector<double> x = random_numbers(c.whole.num_rows, 6), product = multiply(to_rows(c.whole), x);
  const Vector<TestType> own = test::to_device<TestType>(part_of(x, c.part)),
                         y = make_vector<TestType>("y", own.extent(0));
  const solver::Jacobi<TestType> half(test::to_device<double>(std::vector<double>(own.extent(0), 2)));
  const Vector<double> sums = make_zeros<double>("sums", 3);
  const Instance instance;
  const auto check_product = [&] {
    instance.fence();
    CHECK_THAT(values(y), all_close<TestType>(values(part_of(product, c.part)), 30));
    Kokkos::deep_copy(y, static_cast<TestType>(NAN));
  };
  Kokkos::deep_copy(y, static_cast<TestType>(NAN));

  linalg::apply<TestType>(instance, A, own, y);
  check_product();
  linalg::apply_to_zero<TestType>(instance, A, own, y, sums.data());
  check_product();
  A.apply_with_sums(instance, half, own, y, sums.data() + 1);
  check_product();

  double energy = 0, square = 0, scale = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    energy += x[i] * product[i];
    square += product[i] * product[i] / 2;
    scale += std::abs(x[i] * product[i]);
  }
  const std::vector<double> found = to_std(sums);
  const Index size = c.whole.num_rows;
  CHECK(std::abs(found[0] - energy) <= tolerance<TestType>(size, scale));
  CHECK(std::abs(found[1] - energy) <= tolerance<TestType>(size, scale));
  CHECK(std::abs(found[2] - square) <= tolerance<TestType>(size, square));
}

TEST_CASE("Rows in one block, and all gathered, are those of the whole matrix", "[ranks][linalg]") {
  const Case c = make_case(GENERATE(0, 1, 2, 3));
  const linalg::GhostedMatrix A = linalg::make_ghosted(c.part);
  const Rows all = gather(A.local(), A.ranks), whole = to_rows(c.whole);
  std::vector<double> numbers(whole.size());
  std::vector<double> own;
  for (Index row = 0; row < c.part.own.num_rows; ++row) own.push_back(double(c.part.part.number(row)));
  A.ranks.gather(own.data(), numbers.data(), A.ranks.offsets(c.part.own.num_rows), sizeof(double));
  Rows expected(whole.size());
  for (std::size_t row = 0; row < whole.size(); ++row) {
    for (const auto& [column, value] : all[row]) expected[numbers[row]][static_cast<Index>(numbers[column])] = value;
  }
  CHECK(expected == whole);
  CHECK(to_rows(linalg::gather_rows(A)) == all);
}

TEST_CASE("Ghosts of matrices with several rows per node are whole nodes", "[ranks][linalg]") {
  const Case c = make_case(3);
  const linalg::GhostedMatrix A = linalg::make_ghosted(c.part, 3);
  REQUIRE(A.ghosts.size() % 3 == 0);
  for (std::size_t i = 0; i < A.ghosts.size(); i += 3)
    for (std::size_t b = 0; b < 3; ++b)
      if (A.ghosts[i].rank >= 0)
        CHECK(A.ghosts[i + b] == linalg::Place{A.ghosts[i].rank, A.ghosts[i].row / 3 * 3 + Index(b)});
  CHECK(gather(A.local(), A.ranks) == gather(linalg::make_ghosted(c.part).local(), A.ranks));
}

TEST_CASE("Products of matrices of several ranks are those of the whole ones", "[ranks][linalg]") {
  const int which = GENERATE(0, 1, 2, 3, 4);
  const Case c = make_case(which, GENERATE(0, 1));
  const int fine = which == 4 ? 3 : 1, coarse = which == 4 ? 2 : 1;
  const linalg::GhostedMatrix A = linalg::make_ghosted(c.part, fine);
  const linalg::LocalRows P = make_interpolation(A, fine, coarse);
  const auto size = static_cast<Index>(A.ranks.sum(std::int64_t(P.num_own_columns())));
  const linalg::CsrMatrix<double> whole = linalg::gather_rows(A), whole_P = to_csr(gather(P, A.ranks), size);
  const linalg::LocalRows AP = linalg::multiply(A, P);
  check_equal(gather(AP, A.ranks), to_rows(linalg::multiply(whole, whole_P)));

  const linalg::GalerkinProduct product = linalg::galerkin_product(A, P, coarse, fine);
  check_equal(to_rows(linalg::gather_rows(product.coarse)),
              to_rows(linalg::galerkin_product(linalg::transpose(whole_P), whole, whole_P)));
  check_equal(gather(product.P, A.ranks), to_rows(whole_P));
  check_equal(gather({product.R, A.ghosts}, A.ranks), to_rows(linalg::transpose(whole_P)));
}

TEST_CASE("Rows with one entry get those of ghosts below them as rows of any length do", "[ranks][linalg]") {
  const Case c = make_case(GENERATE(0, 1, 2, 3), GENERATE(0, 1));
  const linalg::GhostedMatrix A = linalg::make_ghosted(c.part);
  if (A.ranks.is_alone()) return;
  std::vector<Index> columns;
  std::vector<double> values, of_entries;
  Csr<> pattern;
  for (Index row = 0; row < A.rows.num_rows; ++row) {
    columns.push_back(row % 5 == 0 ? -1 : row / 3);
    values.push_back(row % 5 == 0 ? 0 : 1e4 * A.ranks.rank() + row);
    if (columns.back() >= 0) {
      pattern.entries.push_back(columns.back());
      of_entries.push_back(values.back());
    }
    pattern.end_row();
  }
  const Index num_columns = A.rows.num_rows / 3 + 1;
  const linalg::SingleRows found =
      linalg::append_rows({to_device("columns", columns), to_device("values", values), num_columns}, A);
  const linalg::LocalRows expected =
      linalg::append_rows({linalg::make_csr_matrix(pattern, num_columns, of_entries), {}}, {&A});

  CHECK(found.ghosts == expected.ghosts);
  CHECK(found.num_columns == expected.rows.num_columns);
  const std::vector<Index> found_columns = to_vector(found.columns);
  const std::vector<double> found_values = to_std(found.values);
  Rows rows(found_columns.size());
  for (std::size_t row = 0; row < rows.size(); ++row)
    if (found_columns[row] >= 0) rows[row][found_columns[row]] = found_values[row];
  CHECK(rows == to_rows(expected.rows));
}

TEST_CASE("Distributed rows have the solution of the whole matrix, after as many iterations", "[ranks][solver][cg]") {
  const Case c = make_case(GENERATE(0, 1, 2, 3), GENERATE(0, 1));
  solver::SolveSettings settings;
  settings.method = GENERATE(from_range(members<CgMethod>()));
  settings.preconditioner = GENERATE(PreconditionerKind::none, PreconditionerKind::jacobi);
  settings.cg.tolerance = 1e-12;
  const std::vector<double> b = random_numbers(c.whole.num_rows, 7);

  const Solved expected = solve(linalg::make_undivided(c.whole), b, settings),
               found = solve(c.part, part_of(b, c.part), settings);

  CHECK(found.cg.verdict == solver::Verdict::converged);
  CHECK(std::abs(found.cg.iterations - expected.cg.iterations) <= 1);
  CHECK(found.cg.true_relative_residual <= 2e-12);
  const std::vector<double> x = part_of(expected.x, c.part);
  double worst = 0;
  for (std::size_t row = 0; row < x.size(); ++row) worst = std::max(worst, std::abs(found.x[row] - x[row]));
  CHECK(worst <= 1e-11 * largest(values(expected.x)));
}

TEST_CASE("Preconditioners of each rank's own rows, and of all, lead to the same solution", "[ranks][solver]") {
  const Case c = make_case(GENERATE(0, 1, 2));
  solver::SolveSettings settings;
  settings.preconditioner = GENERATE(from_range(members<PreconditionerKind>()));
  if (is_pointwise(settings.preconditioner) || settings.preconditioner == PreconditionerKind::automatic ||
      !why_not(settings.preconditioner, Communicator::world().size()).empty())
    return;
  settings.amg.coarsest = 20;
  settings.cg.tolerance = 1e-12;
  CAPTURE(name(settings.preconditioner));
  const std::vector<double> b = random_numbers(c.whole.num_rows, 7);

  const Solved expected = solve(linalg::make_undivided(c.whole), b, settings),
               found = solve(c.part, part_of(b, c.part), settings);

  CHECK(found.cg.verdict == solver::Verdict::converged);
  CHECK(found.cg.iterations < solve(c.part, part_of(b, c.part), {}).cg.iterations);
  const std::vector<double> x = part_of(expected.x, c.part);
  double worst = 0;
  for (std::size_t row = 0; row < x.size(); ++row) worst = std::max(worst, std::abs(found.x[row] - x[row]));
  CHECK(worst <= 1e-11 * largest(values(expected.x)));
}

TEST_CASE("Rows without couplings to other ranks need no neighbours", "[ranks][linalg]") {
  const Communicator world = by_way(Communicator::world(), GENERATE(0, 1));
  Rows diagonal(static_cast<std::size_t>(3 * world.size()));
  for (Index row = 0; row < Index(diagonal.size()); ++row) diagonal[row][row] = 2 + row;
  const DistributedMatrix part = linalg::distribute(to_csr(diagonal, Index(diagonal.size())), world);
  CHECK(part.neighbours.empty());
  const solver::SolveSettings settings;
  const Solved solved = solve(part, std::vector<double>(static_cast<std::size_t>(part.own.num_rows), 1), settings);
  CHECK(solved.cg.verdict == solver::Verdict::converged);
  for (Index row = 0; row < part.own.num_rows; ++row)
    CHECK(solved.x[row] == Approx(1 / (2. + double(part.part.number(row)))));
}

TEST_CASE("Nodes of several rows are of one rank, or refused", "[ranks][linalg]") {
  const Communicator world = Communicator::world();
  CHECK(make_case(3).part.own.num_rows % 3 == 0);
  if (world.is_alone()) return;
  const linalg::CsrMatrix<double> matrix = to_csr(random_spd(12, 3, 5), 12);
  const auto distribute = [&](int block) {
    return linalg::distribute(world.rank() == 0 ? matrix : linalg::CsrMatrix<double>(), world, block);
  };
  CHECK_THROWS_WITH(distribute(5), contains("block 5: 12 rows are no whole number of nodes"));
  CHECK_THROWS_WITH(distribute(6), contains("block 6: 2 nodes on " + std::to_string(world.size()) + " ranks"));
}

TEST_CASE("More ranks than rows of a matrix are refused on all of them", "[ranks][linalg]") {
  const Communicator world = Communicator::world();
  if (world.size() < 2) return;
  CHECK_THROWS_AS(linalg::make_poisson(2, 1, world), InputError);
  CHECK_THROWS_AS(linalg::distribute(to_csr({{{0, 1}}}, 1), world), InputError);
}
