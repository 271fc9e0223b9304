// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/multigrid/low_order_preconditioner.hpp"

#include "miniapp/solver/jacobi.hpp"
#include "miniapp/tensor/reference.hpp"
#include "support/preconditioned.hpp"

namespace {

multigrid::LowOrderAmg make_amg(const Discretisation& d) {
  measure::Phases phases;
  return multigrid::make_low_order_amg(d, phases);
}

multigrid::LowOrderIlu make_ilu(const Discretisation& d) {
  measure::Phases phases;
  return multigrid::make_low_order_ilu(d, phases);
}

template <class Real, class M>
std::vector<double> apply(const multigrid::LowOrderPreconditioner<M>& m, const Discretisation& d,
                          const std::vector<double>& r, double* r_z = nullptr) {
  const Vector<Real> from = test::to_device<Real>(r), z = make_vector<Real>("z", r.size());
  const double product = m.apply(Instance(), d.space, Vector<const Real>(from), z, 0);
  if (r_z) *r_z = product;
  return to_std(convert<double>(z));
}

}  // namespace

TEST_CASE("Multigrid on the low-order matrix takes far fewer iterations than Jacobi for a stiffness",
          "[multigrid][low_order_preconditioner]") {
  const Problem problem = GENERATE(Problem::bp3_0, Problem::bp3_5);
  const int order = GENERATE(1, 2, 3), n = 24 / order;
  const Boundary boundary = any_boundary();
  CAPTURE(problem, order, boundary);
  const Discretisation d(make_turned_box(n, n, n), problem, order, boundary, 0.01);

  const int few = count_iterations(d, make_amg(d)), between = count_iterations(d, make_ilu(d)),
            many = count_iterations(d, solver::Jacobi<double>(tensor::Reference(d).diagonal()));

  CAPTURE(few, between, many);
  CHECK(few <= 38);
  CHECK(1.8 * few < many);
  CHECK(between < 0.65 * many);
}

TEST_CASE("The low-order matrix of a mass is inverted in one step", "[multigrid][low_order_preconditioner]") {
  const int order = GENERATE(1, 2, 3);
  const Boundary boundary = any_boundary();
  const Discretisation d(make_turned_box(4, 3, 4), Problem::bp1_0, order, boundary, 0);
  const auto m = make_amg(d);

  const auto A = multigrid::make_low_order_matrix(d);
  const std::vector<double> diagonal = to_std(linalg::diagonal(A)), r = make_residual(d, 1);
  Values expected;
  for (std::size_t i = 0; i < r.size(); ++i) expected.entries.push_back(r[i] / diagonal[i]);

  CHECK(m.one().levels().size() == 1);
  CHECK_THAT(values(apply<double>(m, d, r)), all_close<float>(expected, 4));
  CHECK_THAT(values(apply<double>(make_ilu(d), d, r)), all_close<float>(expected, 4));
  CHECK(count_iterations(d, m) <= 70);
}

namespace {

/// Whether M does with each component of a vector what it does with that component alone.
template <class Real, class Make>
void check_components(const Make& make) {
  const int components = GENERATE(2, 3);
  const mesh::Mesh mesh = make_turned_box(3, 4, 3);
  const Discretisation d(mesh, any_problem(), 2, any_boundary(), 1, components),
      one(mesh, d.problem, 2, d.space.masked.empty() ? Boundary::neumann : Boundary::dirichlet, 1);
  const auto m = make(d);
  const std::vector<double> r = to_std(convert<double>(test::to_device<Real>(make_residual(d, 1))));
  const auto size = static_cast<std::size_t>(d.space.num_nodes);

  double r_z = 0;
  const std::vector<double> z = apply<Real>(m, d, r, &r_z);

  for (int c = 0; c < components; ++c) {
    const auto from = r.begin() + static_cast<std::ptrdiff_t>(c * size), at = z.begin() + (from - r.begin());
    const std::vector<double> alone = apply<Real>(m, one, {from, from + static_cast<std::ptrdiff_t>(size)});
    CHECK(std::equal(alone.begin(), alone.end(), at));
  }
  CHECK(r_z == close<Real>(exact_dot(values(r), values(z)), double(r.size())));
  const Vector<double> residual("r", 1), result("z", 1);
  CHECK(m.result(Vector<const double>(residual), result).data() == result.data());
}

}  // namespace

TEMPLATE_TEST_CASE("Every component gets the same cycle, and r . z is the sum over all",
                   "[multigrid][low_order_preconditioner]", double, float) {
  check_components<TestType>(make_amg);
}

TEMPLATE_TEST_CASE("Every component gets the same factors, and r . z is the sum over all",
                   "[multigrid][low_order_preconditioner]", double, float) {
  check_components<TestType>(make_ilu);
}

TEST_CASE("Masked entries stay zero", "[multigrid][low_order_preconditioner]") {
  const Discretisation d(make_turned_box(3, 3, 3), any_problem(), 2, Boundary::dirichlet, 1, 2);

  for (const auto& z :
       {apply<double>(make_amg(d), d, make_residual(d, 1)), apply<double>(make_ilu(d), d, make_residual(d, 1))}) {
    double largest = 0;
    for (const Index node : d.space.masked)
      for (int c = 0; c < 2; ++c) largest = std::max(largest, std::fabs(z[d.space.entry(node, c)]));
    CHECK(largest == 0);
  }
}

TEST_CASE("Entries of the low-order matrix of a box are known before it is assembled",
          "[multigrid][low_order_preconditioner]") {
  const int order = GENERATE(1, 2, 3);
  const std::array<int, 3> box = GENERATE(std::array{1, 1, 2}, std::array{3, 2, 4});
  const Problem problem = any_problem();
  const Boundary boundary = any_boundary();
  const Discretisation d(mesh::make_box(box[0], box[1], box[2]), problem, order, boundary, 1);
  std::array<double, 3> nodes;
  for (int i = 0; i < 3; ++i) nodes[i] = box[i] * order + 1;

  CHECK(double(multigrid::make_low_order_matrix(d).num_entries()) ==
        multigrid::num_low_order_entries(nodes, has_stiffness(problem), boundary == Boundary::dirichlet));
}
