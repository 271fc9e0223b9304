// SPDX-License-Identifier: BSD-3-Clause
// What a client hands to the library is checked: sizes of vectors and workspaces, meshes, flags, shapes of matrices.
#include "miniapp/linalg/matrix_operator.hpp"
#include "miniapp/mesh/generate.hpp"
#include "miniapp/solver/amg.hpp"
#include "miniapp/solver/cg.hpp"
#include "miniapp/solver/fused_cg.hpp"
#include "miniapp/solver/gmres.hpp"
#include "miniapp/solver/jacobi.hpp"
#include "miniapp/solver/pipelined_cg.hpp"
#include "support/variants.hpp"

namespace {

constexpr auto no_vector = "10: entries are no vector of the operator's space; accepted are 64";

Discretisation make_problem() { return {mesh::make_box(3, 3, 3), Problem::bp3_0, 1, Boundary::neumann, 1}; }

linalg::CsrMatrix<double> make_matrix(Index rows, Index columns) {
  Csr<> lists;
  lists.offsets = {0};
  std::vector<double> values;
  for (Index i = 0; i < rows; ++i) {
    lists.entries.push_back(i);
    lists.offsets.push_back(i + 1);
    values.push_back(2);
  }
  return linalg::make_csr_matrix(lists, columns, values);
}

}  // namespace

TEST_CASE("Operators refuse what is no vector of their space", "[solver][client]") {
  if (tensor::built_orders().front() != 1) MINIAPP_SKIP("this build lacks the order");
  const Discretisation d = make_problem();
  const Vector<double> right = make_zeros<double>("x", 64), wrong = make_zeros<double>("x", 10);
  for (const Variant& variant : variants<double>(d)) {
    const auto op = tensor::make_operator<double>(variant, d);
    CAPTURE(tensor::name(variant));
    CHECK_THROWS_WITH(op->apply(Instance(), wrong, right), contains("x ") && contains(no_vector));
    CHECK_THROWS_WITH(op->apply(Instance(), right, wrong), contains("y ") && contains(no_vector));
    CHECK_THROWS_WITH(op->apply_to_zero(Instance(), right, wrong), contains(no_vector));
    CHECK_THROWS_WITH(linalg::apply<double>(Instance(), *op, wrong, right), contains(no_vector));
    CHECK_NOTHROW(op->apply(Instance(), right, right));
  }
}

TEST_CASE("Operators refuse nodes that were constrained after they were made", "[solver][client]") {
  if (tensor::built_orders().front() != 1) MINIAPP_SKIP("this build lacks the order");
  Discretisation d = make_problem();
  const auto op = tensor::make_operator<double>(tensor::fastest(d.problem, d.order), d);
  const Vector<double> x = make_zeros<double>("x", 64);
  std::vector<char> held(64, 0);
  held[5] = 1;

  space::hold(d.space, held);

  CHECK_THROWS_WITH(op->apply(Instance(), x, x),
                    contains("1: nodes are constrained, but 0 were when the operator was"));
  CHECK_THROWS_WITH(space::hold(d.space, {1, 0, 1, 0, 1}),
                    contains("held 5: flags; accepted is one for each of the 64"));
  CHECK(d.space.masked == std::vector<Index>{5});
}

TEST_CASE("Solvers refuse right-hand sides, solutions and workspaces of other sizes", "[solver][client]") {
  const linalg::MatrixOperator<double> A(make_matrix(64, 64));
  const Vector<double> right = make_zeros<double>("x", 64), wrong = make_zeros<double>("x", 10);
  const auto solve = [&](const Vector<double>& b, const Vector<double>& x, std::size_t size) {
    solver::CgWorkspace<double> work(size, false);
    solver::cg<double>(Instance(), A, solver::Identity(), Vector<const double>(b), x, work, {1e-8, 10, {}});
  };
  const auto fused = [&](std::size_t size) {
    solver::DeviceCgWorkspace<double> work(size);
    solver::fused_cg<double>(Instance(), A, solver::Identity(), Vector<const double>(right), right, work,
                             {1e-8, 10, {}});
  };
  const auto gmres = [&](std::size_t size) {
    solver::GmresWorkspace<double> work(size);
    solver::gmres<double>(Instance(), A, solver::Identity(), Vector<const double>(right), right, work, {});
  };

  CHECK_NOTHROW(solve(right, right, 64));
  CHECK_THROWS_WITH(solve(wrong, right, 64), contains("b ") && contains(no_vector));
  CHECK_THROWS_WITH(solve(right, wrong, 64), contains("x ") && contains(no_vector));
  CHECK_THROWS_WITH(solve(right, right, 10), contains("work ") && contains(no_vector));
  CHECK_THROWS_WITH(fused(10), contains("work ") && contains(no_vector));
  CHECK_THROWS_WITH(gmres(10), contains("work ") && contains(no_vector));
  solver::CgWorkspace<double> without_z(64, false);
  const solver::Amg<double> amg(make_matrix(64, 64), {});
  CHECK_THROWS_WITH(
      solver::cg<double>(Instance(), A, amg, Vector<const double>(right), right, without_z, {1e-8, 10, {}}),
      contains("work.z 0: entries are no vector"));
}

TEST_CASE("Operators and multigrid refuse matrices that are not square", "[solver][client]") {
  CHECK_THROWS_WITH(linalg::MatrixOperator<double>(make_matrix(4, 5)),
                    contains("matrix 5: columns; accepted are as many as rows, 4"));
  CHECK_THROWS_WITH(solver::Amg<double>(make_matrix(4, 5), {}),
                    contains("a matrix of 5 columns: accepted are as many as rows, 4"));
}

TEST_CASE("Meshes with vertices that do not exist are refused", "[solver][client]") {
  mesh::Mesh mesh = mesh::make_box(3, 3, 3);
  const auto complaint = contains("999: is no vertex, in cell 26 of 27 (from 0); accepted are 0 to 63");
  mesh.element_to_vertex[26][3] = 999;

  CHECK_THROWS_WITH(Discretisation(mesh, Problem::bp3_0, 1, Boundary::neumann, 1), complaint);
  CHECK_THROWS_WITH(space::make_space(mesh, 1, 1, Boundary::neumann), complaint);
  mesh.element_to_vertex.arity = 4;
  CHECK_THROWS_WITH(space::make_space(mesh, 1, 1, Boundary::neumann), contains("vertices per cell; accepted are 8"));
}
