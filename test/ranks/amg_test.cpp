// SPDX-License-Identifier: BSD-3-Clause
// Rows of all ranks as libraries take them, and multigrid on them.
#include <algorithm>
#include <limits>

#include "miniapp/linalg/global_rows.hpp"
#include "miniapp/linalg/matrix_operator.hpp"
#include "miniapp/solver/distributed_amg.hpp"
#include "miniapp/solver/near_null.hpp"
#include "miniapp/weakform/forms.hpp"
#include "miniapp/weakform/newton.hpp"
#include "runs/solver/chosen_solver.hpp"
#include "support/parts.hpp"
#include "support/simplex_meshes.hpp"
#include "support/sparse.hpp"

using linalg::GlobalRows;

namespace {

/// -div grad u + 20 du/dx - 10 du/dy on a plane, two components that are coupled: rows differ from columns.
struct Skewed {
  static constexpr int dim = 2, components = 2, points = 1;
  static constexpr double flops = 8;
  static constexpr bool symmetric = false;
  template <class Real, class S>
  KOKKOS_FUNCTION void f0(const Real (&)[2], const S (&u)[2], const S (&grad)[2][2], Real, S (&f)[2]) const {
    f[0] = Real(20) * grad[0][0] - Real(10) * grad[0][1] + Real(3) * u[1];
    f[1] = Real(5) * grad[1][1] - Real(2) * u[0];
  }
  template <class Real, class S>
  KOKKOS_FUNCTION void f1(const Real (&)[2], const S (&)[2], const S (&grad)[2][2], Real, S (&f)[2][2]) const {
    for (int c = 0; c < 2; ++c)
      for (int d = 0; d < 2; ++d) f[c][d] = grad[c][d];
  }
};

/// What all ranks have of a vector of own rows, by number.
std::vector<double> gather(const GlobalRows& rows, const std::vector<double>& own) {
  std::vector<double> all(static_cast<std::size_t>(rows.offsets.back()));
  rows.ranks.gather(own.data(), all.data(), rows.offsets, sizeof(double));
  return all;
}

/// (own row): entries of a vector.
std::vector<double> of_rows(const GlobalRows& rows, const std::vector<double>& vector) {
  std::vector<double> own;
  for (const Index entry : rows.entries) own.push_back(vector[entry]);
  return own;
}

/// A x by own rows.
std::vector<double> multiply(const GlobalRows& rows, const std::vector<double>& x) {
  const std::vector<double> all = gather(rows, of_rows(rows, x));
  std::vector<double> y;
  for (Index row = 0; row < rows.num_rows(); ++row) {
    double sum = 0;
    for (std::int64_t e = rows.starts[row]; e < rows.starts[row + 1]; ++e) sum += rows.values[e] * all[rows.columns[e]];
    y.push_back(sum);
  }
  return y;
}

/// Rows on the device are those on the host, and their ghosts whole nodes.
void check_same(const linalg::SpaceRows& found, const GlobalRows& expected, int block) {
  CHECK(to_std(found.entries) == expected.entries);
  const auto& ghosts = found.matrix.ghosts;
  const Rows rows = to_rows(found.matrix.rows);
  REQUIRE(rows.size() == expected.entries.size());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    std::map<std::int64_t, double> of_row, of_expected;
    for (const auto& [column, value] : rows[row]) {
      const Index ghost = column - expected.num_rows();
      const linalg::Place place = ghost < 0 ? linalg::Place{expected.ranks.rank(), column} : ghosts[ghost];
      of_row[expected.offsets[place.rank] + place.row] = value;
    }
    for (std::int64_t e = expected.starts[row]; e < expected.starts[row + 1]; ++e)
      of_expected[expected.columns[e]] = expected.values[e];
    CHECK(of_row == of_expected);
  }
  for (std::size_t i = 0; i < ghosts.size(); ++i)
    if (ghosts[i].rank >= 0 && ghosts[i].row % block == 0)
      for (int b = 1; b < block; ++b) CHECK(ghosts.at(i + b) == linalg::Place{ghosts[i].rank, ghosts[i].row + b});
}

/// Vectors with the same value in all copies of an entry.
std::vector<double> random_vector(const space::Space& space, unsigned seed) {
  const Vector<double> vector = test::to_device<double>(random_numbers(space.num_entries(), seed));
  space.exchange.copy_from_owners(Instance(), vector);
  return to_std(vector);
}

/// z = M^-1 r, and r . z.
template <class M>
std::pair<std::vector<double>, double> precondition(const M& m, const space::Space& space,
                                                    const std::vector<double>& r) {
  const Vector<double> z = make_vector<double>("z", r.size());
  const double r_z = m.template apply<double>(Instance(), space, test::to_device<double>(r), z, 0);
  return {to_std(z), r_z};
}

double dot(const space::Space& space, const std::vector<double>& a, const std::vector<double>& b) {
  return linalg::dot<double>(Instance(), space, test::to_device<double>(a), test::to_device<double>(b));
}

template <class M>
void check_symmetric_positive(const M& m, const space::Space& space) {
  const std::vector<double> r = random_vector(space, 3), s = random_vector(space, 4);
  const auto [m_r, r_m_r] = precondition(m, space, r);
  const auto [m_s, s_m_s] = precondition(m, space, s);
  const double scale = std::sqrt(r_m_r * s_m_s);
  CHECK(r_m_r > 0);
  CHECK(s_m_s > 0);
  CHECK(r_m_r == Approx(dot(space, r, m_r)));
  CHECK(std::abs(dot(space, s, m_r) - dot(space, r, m_s)) <= 1e-10 * scale);
  const Vector<double> copied = test::to_device<double>(m_r);
  space.exchange.copy_from_owners(Instance(), copied);
  CHECK(to_std(copied) == m_r);
}

/// Levels of more unknowns are distributed; several are.
solver::AmgOptions distributed_down_to(Index replicated) {
  solver::AmgOptions options;
  options.replicated = replicated;
  options.coarsest = 30;
  return options;
}

struct Counted {
  int iterations;
  double sum;  ///< of x, for A x = 1
};

/// CG with multigrid.
Counted count_iterations(const linalg::DistributedMatrix& part, Index replicated, int block = 1,
                         const Vector<const double>& near_null = {}) {
  solver::SolveSettings settings;
  settings.preconditioner = solver::PreconditionerKind::amg;
  settings.amg = distributed_down_to(replicated);
  settings.amg.block = block;
  settings.near_null = near_null;
  if (block > 1) settings.amg.strength = 0;
  const linalg::DistributedOperator<double> A(part);
  solver::ChosenSolver<double> solver(part, A, settings, [](const char*) {});
  const Vector<double> b = test::to_device<double>(std::vector<double>(A.space().num_entries(), 1)),
                       x = make_vector<double>("x", b.extent(0));
  const solver::CgResult cg = solver.solve(Instance(), b, x, {1e-9, 500, {}});
  CHECK(cg.verdict == solver::Verdict::converged);
  return {cg.iterations, linalg::dot<double>(Instance(), A.space(), b, x)};
}

/// n x n nodes in a plane, with springs to neighbours along axes and diagonals, those of one side clamped softly.
linalg::CsrMatrix<double> make_springs(Index n) {
  Rows rows(static_cast<std::size_t>(2 * n * n));
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i)
      for (const auto& [dx, dy] : {std::pair(1, 0), std::pair(0, 1), std::pair(1, 1), std::pair(1, -1)}) {
        if (i + dx >= n || j + dy >= n || j + dy < 0) continue;
        const Index a = j * n + i, b = (j + dy) * n + i + dx;
        const double d[2] = {dx / std::hypot(dx, dy), dy / std::hypot(dx, dy)};
        for (int r = 0; r < 2; ++r)
          for (int c = 0; c < 2; ++c) {
            rows[2 * a + r][2 * a + c] += d[r] * d[c];
            rows[2 * b + r][2 * b + c] += d[r] * d[c];
            rows[2 * a + r][2 * b + c] -= d[r] * d[c];
            rows[2 * b + r][2 * a + c] -= d[r] * d[c];
          }
      }
  for (Index j = 0; j < n; ++j)
    for (int c = 0; c < 2; ++c) rows[2 * j * n + c][2 * j * n + c] += 1;
  return to_csr(rows, 2 * n * n);
}

}  // namespace

TEST_CASE("Global rows of a distributed matrix are those of the whole one", "[ranks][linalg]") {
  const int dim = GENERATE(2, 3);
  const Communicator world = Communicator::world();
  const int n = 21 - 5 * dim;
  const linalg::DistributedMatrix part = linalg::make_poisson(dim, n, world);
  const GlobalRows rows = linalg::make_global_rows(part);
  const Rows whole = to_rows(linalg::make_poisson(dim, n));
  REQUIRE(rows.num_rows() == part.own.num_rows);
  CHECK(rows.offsets.back() == std::int64_t(whole.size()));
  std::vector<double> numbers;
  for (Index row = 0; row < rows.num_rows(); ++row) numbers.push_back(double(part.part.number(row)));
  numbers = gather(rows, numbers);
  for (Index row = 0; row < rows.num_rows(); ++row) {
    std::map<Index, double> found;
    for (std::int64_t e = rows.starts[row]; e < rows.starts[row + 1]; ++e)
      CHECK(found.emplace(static_cast<Index>(numbers[rows.columns[e]]), rows.values[e]).second);
    CHECK(Rows{{found.begin(), found.end()}} == Rows{whole[part.part.number(row)]});
  }
}

TEST_CASE("Rows of elements are completed at their owners, each column once", "[ranks][linalg]") {
  const mesh::Mesh part = take_part(make_simplices(2, 6), Communicator::world(), GENERATE(1, 2));
  const space::Space space = make_space(part, 1, 2, space::Boundary::dirichlet, Layout::aos);
  const auto residual =
      weakform::make_residual<double>(Skewed(), part, space, std::vector<double>(space.num_nodes, 1.0));
  weakform::AssembledJacobian jacobian(residual, space);
  const Instance instance;
  jacobian.assemble(instance, make_zeros<double>("u", space.num_entries()));
  const GlobalRows rows = linalg::make_global_rows(jacobian.matrix(), space);
  CHECK(rows.offsets.back() == space.num_dofs() + 2 * space.num_masked());
  check_same(linalg::make_ghosted(jacobian.matrix(), space, 2), rows, 2);
  for (Index row = 0; row < rows.num_rows(); ++row) {
    std::map<std::int64_t, int> times;
    for (std::int64_t e = rows.starts[row]; e < rows.starts[row + 1]; ++e) CHECK(++times[rows.columns[e]] == 1);
  }
  const std::vector<double> x = random_vector(space, 7);
  const Vector<double> y = make_vector<double>("y", x.size());
  linalg::apply<double>(instance, linalg::MatrixOperator<double>(jacobian.matrix(), space.exchange),
                        test::to_device<double>(x), y);
  const std::vector<double> expected = of_rows(rows, to_std(y)), found = multiply(rows, x);
  for (std::size_t row = 0; row < found.size(); ++row) CHECK(std::abs(found[row] - expected[row]) <= 1e-13);
}

TEST_CASE("Rows of masked nodes are the owner's alone", "[ranks][linalg]") {
  const mesh::Mesh part = take_part(make_simplices(2, 5), Communicator::world(), 3);
  const space::Space space = make_space(part, 1, 1, space::Boundary::dirichlet);
  Csr<> diagonal;
  for (Index node = 0; node < space.num_nodes; ++node) {
    diagonal.entries.push_back(node);
    diagonal.end_row();
  }
  const std::vector<double> ones(static_cast<std::size_t>(space.num_nodes), 1);
  const linalg::CsrMatrix<double> matrix = linalg::make_csr_matrix(diagonal, space.num_nodes, ones);
  const GlobalRows rows = linalg::make_global_rows(matrix, space);
  check_same(linalg::make_ghosted(matrix, space), rows, 1);
  const std::vector<double> copies = to_std([&] {
    const Vector<double> sum = test::to_device<double>(ones);
    space.exchange.sum(Instance(), sum);
    return sum;
  }());
  for (Index row = 0; row < rows.num_rows(); ++row) {
    const Index node = rows.entries[row];
    const bool masked = std::binary_search(space.masked.begin(), space.masked.end(), node);
    CHECK(rows.starts[row + 1] - rows.starts[row] == 1);
    CHECK(rows.values[rows.starts[row]] == (masked ? 1 : copies[node]));
  }
  CHECK_THROWS_AS(linalg::make_global_rows(linalg::make_poisson(2, 1), space), InputError);
  CHECK_THROWS_AS(linalg::make_ghosted(linalg::make_poisson(2, 1), space), InputError);
}

TEST_CASE("Multigrid of ranks has levels of all of them", "[ranks][solver][amg]") {
  const Communicator world = by_way(Communicator::world(), GENERATE(0, 1));
  const linalg::DistributedMatrix part = linalg::make_poisson(3, 14, world);
  const linalg::DistributedOperator<double> A(part);
  const solver::Amg<double> amg(linalg::make_ghosted(part), distributed_down_to(GENERATE(0, 300, 4000)));
  check_symmetric_positive(amg, A.space());
  REQUIRE(amg.levels().size() > 2);
  CHECK(amg.levels()[0].unknowns == 14 * 14 * 14);
  CHECK(amg.levels()[0].entries == world.sum(part.num_entries()));
  CHECK(amg.levels()[1].unknowns < 14 * 14 * 14 / 4);
  CHECK(amg.levels().back().unknowns <= 30);
  CHECK(amg.hierarchy().remark.empty());
  CHECK(world.sum(amg.bytes()) > 12. * double(amg.levels()[0].entries) * amg.hierarchy().operator_complexity);
}

TEST_CASE("Multigrid of ranks takes as many iterations as that of one", "[ranks][solver][amg]") {
  const Communicator world = Communicator::world();
  const auto [dim, n, replicated] =
      GENERATE(table<int, int, Index>({{2, 40, 0}, {2, 40, 400}, {3, 13, 0}, {3, 13, 4000}, {2, 3, 0}}));
  const Counted one = count_iterations(linalg::make_undivided(linalg::make_poisson(dim, n)), replicated),
                all = count_iterations(linalg::make_poisson(dim, n, world), replicated);
  CAPTURE(dim, n, replicated);
  CHECK(all.iterations >= one.iterations - 3);
  CHECK(all.iterations <= one.iterations + 3);
  CHECK(all.sum == Approx(one.sum).epsilon(1e-7));
}

TEST_CASE("Multigrid of ranks takes matrices of any pattern", "[ranks][solver][amg]") {
  const Communicator world = Communicator::world();
  const linalg::CsrMatrix<double> whole = to_csr(random_spd(431, 3, 5), 431);
  const Counted one = count_iterations(linalg::make_undivided(whole), 0),
                all = count_iterations(
                    linalg::distribute(world.rank() == 0 ? whole : linalg::CsrMatrix<double>(), world), 0);
  CHECK(all.iterations <= one.iterations + 3);
  CHECK(all.sum == Approx(one.sum).epsilon(1e-7));
}

TEST_CASE("A rank may have no rows of a level", "[ranks][solver][amg]") {
  const Communicator world = Communicator::world();
  const Index size = 30, half = size * size, rows = 2 * half;  // a plane, and rows without couplings
  Rows whole = to_rows(linalg::make_poisson(2, size));
  for (Index row = half; row < rows; ++row) whole.push_back({{row, 3.}});
  const linalg::CsrMatrix<double> matrix = to_csr(whole, rows);
  const linalg::DistributedMatrix part =
      linalg::distribute(world.rank() == 0 ? matrix : linalg::CsrMatrix<double>(), world);
  const Counted one = count_iterations(linalg::make_undivided(matrix), 0), all = count_iterations(part, 0);
  CHECK(all.iterations <= one.iterations + 3);
  CHECK(all.sum == Approx(one.sum).epsilon(1e-7));
}

TEST_CASE("A rank may have no rows at all", "[ranks][solver][amg]") {
  const Communicator world = Communicator::world();
  const int last = world.size() - 1;
  const linalg::CsrMatrix<double> whole = linalg::make_poisson(2, 20);
  linalg::GhostedMatrix rows =
      linalg::make_ghosted(world.rank() < last ? linalg::make_csr_matrix(Csr<>(), 0, {}) : whole);
  rows.ranks = world;
  const Index replicated = GENERATE(0, 4000);
  const solver::Amg<double> amg(rows, distributed_down_to(replicated)), alone(whole, distributed_down_to(replicated));
  space::Space space = space::make_unknowns(rows.rows.num_rows);
  space.exchange = space::Exchange(world, {}, space.num_entries());
  const std::vector<double> r = random_numbers(whole.num_rows, 3);
  const auto [expected, r_m_r] = precondition(alone, space::make_unknowns(whole.num_rows), r);
  const auto [found, of_all] = precondition(amg, space, world.rank() < last ? std::vector<double>() : r);
  CHECK(of_all == Approx(r_m_r));
  for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i] == Approx(expected[i]).margin(1e-12));
}

TEST_CASE("Multigrid of ranks interpolates the modes that it is given", "[ranks][solver][amg]") {
  const Communicator world = Communicator::world();
  const Index nodes = 14 * 14;
  const linalg::CsrMatrix<double> whole = make_springs(14);
  std::vector<double> points;
  for (Index node = 0; node < nodes; ++node) points.insert(points.end(), {double(node % 14), double(node / 14)});
  const Vector<double> modes = solver::make_rigid_modes(points, 2);
  const linalg::DistributedMatrix part =
      linalg::distribute(world.rank() == 0 ? whole : linalg::CsrMatrix<double>(), world, 2);
  const std::vector<double> all_modes = to_std(modes);
  std::vector<double> own;
  for (Index row = 0; row < part.own.num_rows; ++row)
    for (int m = 0; m < 3; ++m) own.push_back(all_modes[part.part.number(row) * 3 + m]);
  const auto with_modes = [&](const linalg::DistributedMatrix& matrix, const std::vector<double>& near_null) {
    return count_iterations(matrix, 0, 2, test::to_device<double>(near_null));
  };
  const Counted one = with_modes(linalg::make_undivided(whole), all_modes), found = with_modes(part, own),
                without = count_iterations(part, 0);
  CHECK(found.iterations <= one.iterations + 3);
  CHECK(found.iterations < without.iterations);
  CHECK(found.sum == Approx(one.sum).epsilon(1e-6));
}

TEST_CASE("What one rank's rows cannot be solved with, all ranks refuse", "[ranks][solver][amg]") {
  const Communicator world = Communicator::world();
  linalg::GhostedMatrix matrix = linalg::make_ghosted(linalg::make_poisson(2, 9, world));
  CHECK_THROWS_WITH(solver::Amg<double>(matrix, {}, make_zeros<double>("modes", matrix.rows.num_rows + 1)),
                    contains("near-null space"));
  solver::AmgOptions options = distributed_down_to(0);
  options.coarsest = 2;
  if (world.rank() == world.size() - 1) Kokkos::deep_copy(matrix.rows.values, -1.0);
  CHECK_THROWS_WITH(solver::Amg<double>(matrix, options), contains("no positive diagonal entry"));
}

TEST_CASE("BoomerAMG is symmetric and positive definite", "[ranks][solver][amg]") {
  const Communicator world = Communicator::world();
  if (world.is_alone() || !solver::has_hypre()) return;
  const linalg::DistributedMatrix part = linalg::make_poisson(3, 14, world);
  const solver::BoomerAmg amg(linalg::make_global_rows(part));
  const linalg::DistributedOperator<double> A(part);
  check_symmetric_positive(amg, A.space());
  CHECK(amg.levels().size() > 2);
  CHECK(amg.levels()[0].unknowns == 14 * 14 * 14);
  CHECK(amg.levels()[0].entries == world.sum(part.num_entries()));
  CHECK(amg.hierarchy().grid_complexity > 1);
  CHECK(amg.hierarchy().operator_complexity > 1);
  CHECK(world.sum(amg.bytes()) > 12. * double(amg.levels()[0].entries) * amg.hierarchy().operator_complexity);
}

TEST_CASE("Multigrid on rows of elements is symmetric, and alike in all copies of a node", "[ranks][solver][amg]") {
  const Communicator world = Communicator::world();
  const mesh::Mesh part = take_part(make_simplices(2, 6), world, GENERATE(1, 2));
  const space::Space space = make_space(part, 1, 2, space::Boundary::dirichlet, Layout::aos);
  const auto residual = weakform::make_residual<double>(weakform::NeoHookean<2>(), part, space,
                                                        std::vector<double>(space.num_nodes, 1.0));
  weakform::AssembledJacobian jacobian(residual, space);
  jacobian.assemble(Instance(), make_zeros<double>("u", space.num_entries()));
  solver::AmgOptions options = distributed_down_to(GENERATE(0, 4000));
  options.block = 2;
  check_symmetric_positive(solver::DistributedAmg(jacobian.matrix(), space, options, {}, Precision::fp64), space);
}

TEST_CASE("BoomerAMG is exact where one level is", "[ranks][solver][amg]") {
  const Communicator world = Communicator::world();
  if (world.is_alone() || !solver::has_hypre()) return;
  Rows diagonal(static_cast<std::size_t>(3 * world.size()));
  for (Index row = 0; row < Index(diagonal.size()); ++row) diagonal[row][row] = 2 + row;
  const linalg::DistributedMatrix part = linalg::distribute(
      world.rank() == 0 ? to_csr(diagonal, Index(diagonal.size())) : linalg::CsrMatrix<double>(), world);
  const solver::BoomerAmg amg(linalg::make_global_rows(part));
  const linalg::DistributedOperator<double> A(part);
  const auto [z, r_z] = precondition(amg, A.space(), std::vector<double>(A.space().num_entries(), 1));
  for (Index row = 0; row < part.own.num_rows; ++row) CHECK(z[row] == Approx(1 / (2. + double(part.part.number(row)))));
}

TEST_CASE("A row of zeros is refused on all ranks, which name the one that has it", "[ranks][solver][amg]") {
  const Communicator world = Communicator::world();
  if (world.is_alone() || !solver::has_hypre()) return;
  GlobalRows rows = linalg::make_global_rows(linalg::make_poisson(3, 8, world));
  if (world.rank() == 1) std::fill(rows.values.begin() + rows.starts[2], rows.values.begin() + rows.starts[3], 0.0);
  try {
    const solver::BoomerAmg amg(rows);
    FAIL("accepted");
  } catch (const ResultError& error) {
    const std::string text = error.what();
    CAPTURE(text);
    CHECK(text.find("failed on rank 1") != std::string::npos);
    CHECK((text.find("argument 1") != std::string::npos) == (world.rank() == 1));
  }
  CHECK_NOTHROW(solver::BoomerAmg(linalg::make_global_rows(linalg::make_poisson(3, 8, world))));
}

TEST_CASE("More entries of one rank than hypre numbers are refused on all", "[ranks][solver][amg]") {
  const Communicator world = Communicator::world();
  if (world.is_alone() || !solver::has_hypre()) return;
  GlobalRows rows = linalg::make_global_rows(linalg::make_poisson(3, 8, world));
  if (world.rank() == 1) rows.starts.back() = std::numeric_limits<std::int64_t>::max();
  CHECK_THROWS_AS(solver::BoomerAmg(rows), InputError);
  CHECK_THROWS_WITH(solver::BoomerAmg(rows), contains("9223372036854775807 entries of a rank"));
}

TEST_CASE("Iterations with multigrid over ranks hardly grow with the matrix", "[ranks][solver][amg]") {
  const Communicator world = Communicator::world();
  const auto kind_of_all = GENERATE(solver::PreconditionerKind::amg, solver::PreconditionerKind::boomer_amg);
  if (world.is_alone() || !why_not(kind_of_all, world.size()).empty()) return;
  solver::SolveSettings settings;
  const auto iterations = [&](int n, solver::PreconditionerKind kind) {
    settings.preconditioner = kind;
    const linalg::DistributedMatrix part = linalg::make_poisson(3, n, world);
    const linalg::DistributedOperator<double> A(part);
    solver::ChosenSolver<double> solver(part, A, settings, [](const char*) {});
    const Vector<double> b = test::to_device<double>(std::vector<double>(A.space().num_entries(), 1)),
                         x = make_vector<double>("x", b.extent(0));
    return solver.solve(Instance(), b, x, settings.cg).iterations;
  };
  const int few = iterations(10, kind_of_all), many = iterations(20, kind_of_all);
  CHECK(few >= 3);
  CHECK(many <= few + 3);
  CHECK(2 * many < iterations(20, solver::PreconditionerKind::block_amg) + 4);
}

TEST_CASE("BoomerAMG is refused on all ranks without hypre", "[ranks][solver][amg]") {
  const Communicator world = Communicator::world();
  if (world.is_alone() || solver::has_hypre()) return;
  const linalg::DistributedMatrix part = linalg::make_poisson(2, 7, world);
  CHECK_THROWS_AS(solver::BoomerAmg(linalg::make_global_rows(part)), InputError);
  CHECK(why_not(solver::PreconditionerKind::boomer_amg, world.size()).find("hypre") != std::string::npos);
}
