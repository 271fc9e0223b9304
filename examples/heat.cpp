// SPDX-License-Identifier: BSD-3-Clause
/// du/dt - div(k grad u) = 0 by implicit Euler: (K + M / dt) u_new = M u_old / dt. The operator, its factors and
/// multigrid are made once; a step takes other boundary values, a product with M and a few iterations of CG.
#include <algorithm>
#include <iostream>
#include <miniapp/core/session.hpp>
#include <miniapp/mesh/generate.hpp>
#include <miniapp/multigrid/p_multigrid.hpp>
#include <miniapp/solver/cg.hpp>
#include <miniapp/tensor/tuning.hpp>
#include <miniapp/tensor/user_problem.hpp>
#include <string>

using namespace miniapp;
using tensor::function;

int main(int argc, char** argv) try {
  const Session session(argc, argv);
  const Instance instance;
  const int order = argc > 1 ? std::stoi(argv[1]) : tensor::built_orders().back();
  const double dt = 0.01, lambda = 1 / dt;
  mesh::Mesh bar = mesh::make_box(8, 2, 2);
  tensor::name_box_sides(bar, 8, 2, 2);
  double time = 0;
  tensor::UserProblem problem;  // from 0 everywhere, one end heated to 1 in 0.1 s, and the other held at 0
  problem.coefficient = {{"", function([](double, double y, double) { return 1 + y; })}};
  problem.dirichlet = {{"x0", function([&time](double, double, double) { return std::min(1., 10 * time); })},
                       {"x1", function([](double, double, double) { return 0.; })}};
  tensor::PreparedProblem ready = tensor::prepare(
      problem, tensor::Discretisation(bar, tensor::Problem::bp3_0, order, space::Boundary::neumann, lambda));
  const tensor::Discretisation& d = ready.discretisation;
  const tensor::Discretisation mass(bar, tensor::Problem::bp1_0, order, space::Boundary::neumann, 0);
  const auto A = tensor::make_operator<double>(tensor::fastest(d), d);
  const auto M = tensor::make_operator<double>(tensor::fastest(mass), mass);
  const multigrid::PMultigrid B(d);

  const Vector<double> u("u", ready.rhs.extent(0)), b("b", u.extent(0)), free("free", u.extent(0));
  const Vector<const Index> held = to_device<Index>("held", d.space.masked);
  int iterations = 0;
  for (int step = 0; step < 100; ++step) {
    time += dt;
    tensor::update(ready, problem);  // O(n): b and the prescribed values of this time
    M->apply(instance, u, b);
    streaming::axpby<double>(instance, 1, ready.rhs, lambda, b);
    Kokkos::parallel_for(
        "held", held.extent(0), KOKKOS_LAMBDA(std::size_t i) { b(held(i)) = 0; });
    iterations += solver::cg<double>(instance, *A, B, b, free, {1e-10}).iterations;
    Kokkos::deep_copy(u, ready.prescribed);
    streaming::axpby<double>(instance, 1, free, 1, u);
  }
  double error = 0;  // the steady state is 1 - x
  const auto points = space::node_points(*d.mesh, d.space);
  const auto values = to_vector(u);
  for (std::size_t i = 0; i < points.size(); ++i) error = std::max(error, std::abs(values[i] - (1 - points[i][0])));
  std::cout << "100 steps, " << iterations << " iterations, " << error << " from the steady state\n";
  return error < 1e-4 ? 0 : 1;
} catch (const Error& error) {
  std::cerr << error.what() << '\n';
  return 2;
}
