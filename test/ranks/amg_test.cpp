// SPDX-License-Identifier: BSD-3-Clause
// Rows of all ranks as libraries take them, and multigrid on them.
#include <algorithm>
#include <limits>

#include "miniapp/linalg/global_rows.hpp"
#include "miniapp/linalg/matrix_operator.hpp"
#include "miniapp/solver/distributed_amg.hpp"
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
  const GlobalRows rows = linalg::make_global_rows(linalg::make_csr_matrix(diagonal, space.num_nodes, ones), space);
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
}

TEST_CASE("Multigrid over ranks is symmetric and positive definite", "[ranks][solver][amg]") {
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
  if (world.is_alone() || !solver::has_hypre()) return;
  const mesh::Mesh part = take_part(make_simplices(2, 6), world, GENERATE(1, 2));
  const space::Space space = make_space(part, 1, 2, space::Boundary::dirichlet, Layout::aos);
  const auto residual = weakform::make_residual<double>(weakform::NeoHookean<2>(), part, space,
                                                        std::vector<double>(space.num_nodes, 1.0));
  weakform::AssembledJacobian jacobian(residual, space);
  jacobian.assemble(Instance(), make_zeros<double>("u", space.num_entries()));
  solver::AmgOptions options;
  options.block = 2;
  check_symmetric_positive(solver::DistributedAmg(jacobian.matrix(), space, options), space);
}

TEST_CASE("Multigrid over ranks is exact where one level is", "[ranks][solver][amg]") {
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
  if (world.is_alone() || !solver::has_hypre()) return;
  solver::SolveSettings settings;
  settings.preconditioner = solver::PreconditionerKind::amg;
  const auto iterations = [&](int n, solver::PreconditionerKind kind) {
    settings.preconditioner = kind;
    const linalg::DistributedMatrix part = linalg::make_poisson(3, n, world);
    const linalg::DistributedOperator<double> A(part);
    solver::ChosenSolver<double> solver(part, A, settings, [](const char*) {});
    const Vector<double> b = test::to_device<double>(std::vector<double>(A.space().num_entries(), 1)),
                         x = make_vector<double>("x", b.extent(0));
    return solver.solve(Instance(), b, x, settings.cg).iterations;
  };
  const int few = iterations(10, solver::PreconditionerKind::amg),
            many = iterations(20, solver::PreconditionerKind::amg);
  CHECK(few >= 3);
  CHECK(many <= few + 3);
  CHECK(2 * many < iterations(20, solver::PreconditionerKind::block_amg) + 4);
}

TEST_CASE("Multigrid over ranks is refused on all of them without hypre", "[ranks][solver][amg]") {
  const Communicator world = Communicator::world();
  if (world.is_alone() || solver::has_hypre()) return;
  const linalg::DistributedMatrix part = linalg::make_poisson(2, 7, world);
  CHECK_THROWS_AS(solver::BoomerAmg(linalg::make_global_rows(part)), InputError);
  CHECK(why_not(solver::PreconditionerKind::amg, world.size()).find("hypre") != std::string::npos);
  CHECK(why_not(solver::PreconditionerKind::amg).empty());
}
