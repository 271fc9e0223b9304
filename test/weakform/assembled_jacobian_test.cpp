// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/weakform/assembled_jacobian.hpp"

#include "miniapp/linalg/matrix_operator.hpp"
#include "miniapp/weakform/forms.hpp"
#include "support/all_close.hpp"
#include "support/simplex_meshes.hpp"

using namespace miniapp::weakform;

namespace {

space::Space make_nodes(const mesh::Mesh& mesh, int components) {
  return space::make_space(mesh, 1, components, space::Boundary::dirichlet, Layout::aos);
}

/// A form on a distorted and shuffled mesh, assembled at random values.
template <class F>
struct Assembled {
  mesh::Mesh mesh = make_simplices(F::dim, 4);
  space::Space space = make_nodes(mesh, F::components);
  Residual<F, double> residual{F(), mesh, space, coefficient(), {}};
  Vector<double> u = to_device("u", random_numbers(residual.num_entries(), 1, 0.02));
  AssembledJacobian<F> jacobian{residual, space};

  Assembled() { jacobian.assemble(Instance(), u); }
  std::vector<double> coefficient() const {
    std::vector<double> kappa;
    for (const mesh::Point& x : node_points(mesh, space)) kappa.push_back(1 + x[0] * x[1]);
    return kappa;
  }
  /// Zero at constrained nodes.
  std::vector<double> direction() const {
    std::vector<double> w = random_numbers(residual.num_entries(), 2);
    for (const Index node : space.masked)
      for (int c = 0; c < F::components; ++c) w[space.entry(node, c)] = 0;
    return w;
  }
  std::vector<double> action(const std::vector<double>& w) const {
    const Vector<double> y = make_zeros<double>("y", w.size());
    residual.apply_jacobian(Instance(), u, to_device("w", w), y);
    const auto host = to_host(y);
    return {host.data(), host.data() + w.size()};
  }
  std::vector<double> product(const std::vector<double>& w) const {
    const Vector<double> y = make_zeros<double>("y", w.size());
    linalg::MatrixOperator<double>(jacobian.matrix()).apply(Instance(), to_device("w", w), y);
    const auto host = to_host(y);
    return {host.data(), host.data() + w.size()};
  }
};

template <class F>
void check_product() {
  Assembled<F> assembled;
  const std::vector<double> w = assembled.direction(), y = assembled.action(w);
  CHECK(largest(values(y)) > 0.1);
  CHECK_THAT(values(assembled.product(w)), all_close<double>(values(y), 256, largest(values(y))));
}

template <class F>
void check_symmetry() {
  const Index row = linalg::find_asymmetry(Assembled<F>().jacobian.matrix(), 1e-13);
  CHECK((row < 0) == F::symmetric);
}

}  // namespace

TEST_CASE("The assembled Jacobian times a vector is the Jacobian's action, for every form",
          "[weakform][assembled_jacobian]") {
  check_product<Poisson<2>>();
  check_product<Poisson<3>>();
  check_product<VariablePoisson<2>>();
  check_product<VariablePoisson<3>>();
  check_product<Helmholtz<2>>();
  check_product<Helmholtz<3>>();
  check_product<NonlinearPoisson<2>>();
  check_product<NonlinearPoisson<3>>();
  check_product<NeoHookean<2>>();
  check_product<NeoHookean<3>>();
}

TEST_CASE("Forms that say so, and no others, have a symmetric matrix", "[weakform][assembled_jacobian]") {
  check_symmetry<VariablePoisson<3>>();
  check_symmetry<Helmholtz<2>>();
  check_symmetry<NonlinearPoisson<2>>();
  check_symmetry<NonlinearPoisson<3>>();
  check_symmetry<NeoHookean<2>>();
  check_symmetry<NeoHookean<3>>();
}

TEST_CASE("Rows and columns of masked nodes are those of the identity", "[weakform][assembled_jacobian]") {
  const Assembled<NeoHookean<2>> assembled;
  std::vector<double> w(assembled.residual.num_entries(), 0);
  for (const Index node : assembled.space.masked) w[assembled.space.entry(node, 1)] = 3;

  CHECK(assembled.product(w) == w);
}

TEST_CASE("Assembling again replaces the numbers and keeps the pattern", "[weakform][assembled_jacobian]") {
  Assembled<NonlinearPoisson<2>> assembled;
  const Vector<Index> columns = assembled.jacobian.matrix().columns;
  assembled.u = to_device("u", random_numbers(assembled.residual.num_entries(), 5, 3));
  const std::vector<double> w = assembled.direction(), before = assembled.product(w);

  assembled.jacobian.assemble(Instance(), assembled.u);

  const std::vector<double> y = assembled.action(w);
  CHECK_THAT(values(assembled.product(w)), all_close<double>(values(y), 256, largest(values(y))));
  CHECK(assembled.product(w) != before);
  CHECK(assembled.jacobian.matrix().columns.data() == columns.data());
}

TEST_CASE("A mesh of one cell, all of whose nodes are free, has a full matrix", "[weakform][assembled_jacobian]") {
  mesh::Mesh mesh = mesh::make_rectangle(mesh::CellKind::triangle, 1, 1);
  mesh.element_to_vertex.entries.resize(3);
  const space::Space space = space::make_space(mesh, 1, 2, space::Boundary::neumann, Layout::aos);
  const linalg::CsrMatrix<double> matrix = make_zero_matrix(space);

  CHECK(matrix.num_rows == 6);
  CHECK(matrix.num_entries() == 36);
}

TEST_CASE("Spaces and vectors of other sizes are refused", "[weakform][assembled_jacobian]") {
  Assembled<NeoHookean<2>> assembled;
  const space::Space other = make_nodes(make_simplices(2, 5), 2);
  const space::Space soa = space::make_space(assembled.mesh, 1, 2, space::Boundary::dirichlet, Layout::soa);

  CHECK_THROWS_WITH(AssembledJacobian(assembled.residual, other), contains("accepted is the residual's, of"));
  CHECK_THROWS_WITH(AssembledJacobian(assembled.residual, soa),
                    contains("a space of layout soa: accepted is layout aos"));
  CHECK_THROWS_WITH(assembled.jacobian.assemble(Instance(), make_zeros<double>("u", 3)),
                    contains("a vector of 3 entries: accepted are"));
}
