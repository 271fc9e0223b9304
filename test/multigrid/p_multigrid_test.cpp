// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/multigrid/p_multigrid.hpp"

#include <utility>

#include "miniapp/multigrid/options.hpp"
#include "miniapp/multigrid/schwarz.hpp"
#include "miniapp/tensor/diagonal.hpp"
#include "support/preconditioned.hpp"

using multigrid::PMultigrid;
using multigrid::Smoother;

namespace {

/// An order above 1 that has kernels; 0 where there is none.
int any_order() {
  int order = 0;
  for (const int built : tensor::built_orders())
    if (built > 1 && (order == 0 || built <= 7)) order = built;
  return order;
}

PMultigrid make(const Discretisation& d, const multigrid::MultigridOptions& options = {}) {
  measure::Phases phases;
  return {d, options, phases};
}

}  // namespace

TEST_CASE("Orders of a hierarchy are halved, those between have kernels", "[multigrid][p_multigrid]") {
  using Orders = std::vector<int>;
  const Orders all{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  CHECK(multigrid::multigrid_orders(7, all) == Orders{7, 3, 1});
  CHECK(multigrid::multigrid_orders(15, all) == Orders{15, 7, 3, 1});
  CHECK(multigrid::multigrid_orders(10, all) == Orders{10, 5, 2, 1});
  CHECK(multigrid::multigrid_orders(2, all) == Orders{2, 1});
  CHECK(multigrid::multigrid_orders(1, all) == Orders{1});
  CHECK(multigrid::multigrid_orders(7, {2, 7}) == Orders{7, 2, 1});
  CHECK(multigrid::multigrid_orders(7, {7}) == Orders{7, 1});
}

TEST_CASE("A cycle over orders by the diagonal is symmetric and positive definite", "[multigrid][p_multigrid]") {
  const int order = any_order();
  if (order == 0) MINIAPP_SKIP("this build lacks the order");
  const Problem problem = any_problem();
  const Boundary boundary = GENERATE(Boundary::dirichlet, Boundary::neumann);
  const int components = GENERATE(1, 2), degree = GENERATE(1, 3);
  CAPTURE(problem, boundary, components, degree);
  const Discretisation d(make_turned_box(3, 2, 3), problem, order, boundary, 1, components);
  const PMultigrid m = make(d, {Smoother::jacobi, degree});
  CHECK(m.is_symmetric());
  check_symmetric_positive(m, d);
}

TEST_CASE("A cycle over orders by Schwarz is positive, and tells that it is not symmetric",
          "[multigrid][p_multigrid]") {
  const int order = any_order();
  if (order == 0) MINIAPP_SKIP("this build lacks the order");
  const Problem problem = any_problem();
  const Boundary boundary = GENERATE(Boundary::dirichlet, Boundary::neumann);
  const int components = GENERATE(1, 2), degree = GENERATE(1, 2, 7);
  CAPTURE(problem, boundary, components, degree);
  const Discretisation d(make_turned_box(3, 2, 3), problem, order, boundary, 1, components);
  const PMultigrid m = make(d, {Smoother::schwarz, degree});
  const std::vector<double> r = make_residual(d, 1);

  double r_Mr = 0;
  const std::vector<double> Mr = apply(m, d, r, &r_Mr);

  CHECK_FALSE(m.is_symmetric());
  CHECK(r_Mr > 0);
  const std::vector<double> again = apply(m, d, r);  // vectors of the levels keep nothing
  CHECK_THAT(values(again), AllClose(values(Mr), 1e-5 * largest(values(Mr))));
  for (const Index node : d.space.masked)
    for (int c = 0; c < components; ++c) CHECK(Mr[d.space.entry(node, c)] == 0);
}

TEST_CASE("CG with a cycle over orders needs few iterations, on finer meshes hardly more", "[multigrid][p_multigrid]") {
  const int order = any_order();
  if (order == 0) MINIAPP_SKIP("this build lacks the order");
  const Problem problem = GENERATE(Problem::bp3_0, Problem::bp3_5);
  const Boundary boundary = GENERATE(Boundary::dirichlet, Boundary::neumann);
  const Smoother smoother = GENERATE(Smoother::schwarz, Smoother::jacobi);
  CAPTURE(order, problem, boundary, smoother);
  const Discretisation coarse(make_turned_box(4, 4, 4), problem, order, boundary, 0.1),
      fine(make_turned_box(8, 8, 8), problem, order, boundary, 0.1);

  const int few = count_iterations(coarse, make(coarse, {smoother})),
            many = count_iterations(fine, make(fine, {smoother})),
            smoothed = count_iterations(fine, make(fine, {smoother, 6}));

  CAPTURE(few, many, smoothed);
  CHECK(many <= (smoother == Smoother::schwarz ? 17 : 22));
  CHECK(many <= few + 4);
  CHECK(smoothed < many);
}

TEST_CASE("The largest eigenvalues of a hierarchy are hardly underestimated", "[multigrid][p_multigrid]") {
  const int order = any_order();
  if (order == 0) MINIAPP_SKIP("this build lacks the order");
  const Smoother smoother = GENERATE(Smoother::schwarz, Smoother::jacobi);
  const Discretisation d(make_turned_box(4, 4, 4), Problem::bp3_0, order, Boundary::dirichlet, 1);
  const PMultigrid m = make(d, {smoother, 2});
  const auto A = tensor::make_operator<double>(tensor::fastest(d.problem, order), d);
  const auto schwarz = multigrid::make_schwarz(d);
  const std::vector<double> diagonal = to_std(tensor::make_diagonal(d));
  std::vector<double> v = make_residual(d, 3);
  double largest = 0;
  for (int i = 0; i < 200; ++i) {  // powers of B A
    const Vector<double> y = make_vector<double>("y", v.size());
    A->apply(Instance(), test::to_device<double>(v), y);
    std::vector<double> next = to_std(y);
    if (smoother == Smoother::schwarz) {
      const Vector<float> z = make_vector<float>("z", v.size());
      schwarz->apply(Instance(), convert<float>(y), z);
      next = to_std(convert<double>(z));
    }
    if (smoother == Smoother::jacobi)
      for (std::size_t k = 0; k < v.size(); ++k) next[k] /= diagonal[k];
    largest = std::sqrt(exact_dot(values(next), values(next)) / exact_dot(values(v), values(v)));
    v = next;
    const double scale = 1 / std::sqrt(exact_dot(values(v), values(v)));
    for (double& entry : v) entry *= scale;
  }

  CHECK(m.largest_eigenvalues().size() == m.orders().size() - 1);
  CHECK(m.largest_eigenvalues().front() >= 0.95 * largest);
  CHECK(m.largest_eigenvalues().front() <= 1.2 * largest);
}

TEST_CASE("A hierarchy whose smoother has no largest eigenvalue is refused", "[multigrid][p_multigrid]") {
  const int order = any_order();
  if (order == 0) MINIAPP_SKIP("this build lacks the order");
  const Smoother smoother = GENERATE(Smoother::schwarz, Smoother::jacobi);
  // not a number, beyond single precision; factors of elements that vanish there, that are beyond it
  const auto at =
      GENERATE(std::pair(std::nan(""), 1.), std::pair(1e300, 1.), std::pair(1., 1e-20), std::pair(1., 1e20));
  const double lambda = at.first, scale = at.second;
  CAPTURE(smoother, lambda, scale);
  mesh::Mesh mesh = make_turned_box(2, 2, 3);
  for (mesh::Point& vertex : mesh.vertices)
    for (double& x : vertex) x *= scale;
  const Discretisation d(mesh, Problem::bp3_0, order, Boundary::dirichlet, lambda);

  CHECK_THROWS_AS(make(d, {smoother}), ResultError);
}

TEST_CASE("Levels are those orders, and their memory is counted", "[multigrid][p_multigrid]") {
  const int order = any_order();
  if (order == 0) MINIAPP_SKIP("this build lacks the order");
  const Discretisation d(make_turned_box(2, 2, 2), Problem::bp3_5, order, Boundary::dirichlet, 1);
  const PMultigrid m = make(d);

  CHECK(m.orders() == multigrid::multigrid_orders(order, tensor::built_orders()));
  CHECK(m.lowest_levels().front().unknowns == 27);
  CHECK(m.bytes() > 20. * double(d.space.num_entries()));
}

TEST_CASE("Order 1 has no hierarchy", "[multigrid][p_multigrid]") {
  const Discretisation d(make_turned_box(2, 2, 2), Problem::bp3_5, 1, Boundary::neumann, 1);
  CHECK_THROWS_AS(make(d), InputError);
}
