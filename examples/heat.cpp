// SPDX-License-Identifier: BSD-3-Clause
/// du/dt - div(k grad u) = 0 by implicit Euler, on any number of ranks: (K + M / dt) u_new = M u_old / dt. Operator and
/// multigrid are made once; each step takes other boundary values, and a longer step another factor of M.
#include <cmath>
#include <fstream>
#include <iostream>
#include <miniapp/core/session.hpp>
#include <miniapp/mesh/distribute.hpp>
#include <miniapp/multigrid/p_multigrid.hpp>
#include <miniapp/solver/cg.hpp>
#include <miniapp/space/values.hpp>
#include <miniapp/space/vtu.hpp>
#include <miniapp/tensor/tuning.hpp>
#include <miniapp/tensor/user_problem.hpp>
#include <string>

using namespace miniapp;

int main(int argc, char** argv) try {
  const Session session(argc, argv);
  const Communicator ranks = Communicator::world();
  const Instance instance;
  const int order = argc > 1 ? std::stoi(argv[1]) : tensor::built_orders().back();
  const mesh::Mesh cube = mesh::read_parts(ranks, [] { return tensor::make_named_box(8, 2, 2); });
  double time = 0, dt = 0.002;
  tensor::UserProblem problem;  // from 0 everywhere, one end heated to 1 in 0.1 s, and the other held at 0
  problem.coefficient = {{"", tensor::function([](double, double y, double) { return 1 + y; })}};
  problem.dirichlet = {{"x0", tensor::function([&time](double, double, double) { return std::min(1., 10 * time); })},
                       {"x1", tensor::function([](double, double, double) { return 0.; })}};
  tensor::PreparedProblem ready = tensor::prepare(problem, cube, order, 1 / dt);
  const tensor::Discretisation &d = ready.discretisation, mass(cube, tensor::Problem::bp1_0, order);
  const auto A = tensor::make_operator<double>(tensor::fastest(d), d);
  const auto M = tensor::make_operator<double>(tensor::fastest(mass), mass);
  multigrid::PMultigrid B(d);
  const Vector<double> u("u", ready.rhs.extent(0)), b("b", u.extent(0));
  for (int step = 0; step < 100; ++step) {
    if (step == 50) {  // the end is hot: a picture, and from here on longer steps
      std::ofstream("heat_" + std::to_string(ranks.rank()) + ".vtu")
          << space::vtu(*d.mesh, d.space, {{"u", to_vector(u)}}, {});
      dt = 0.02;
      tensor::update_lambda(ready, 1 / dt);
      A->update();
      B.update();
    }
    time += dt;
    tensor::update(ready, problem);  // O(n): b and the prescribed values of this time
    linalg::apply<double>(instance, *M, u, b);
    space::set_to_zero(d.space, b);  // at nodes with prescribed values
    streaming::axpby<double>(instance, 1, ready.rhs, 1 / dt, b);
    if (!solver::cg<double>(instance, *A, B, b, u, {1e-10}).converged()) return 1;
    streaming::axpby<double>(instance, 1, ready.prescribed, 1, u);
  }
  linalg::apply<double>(instance, *M, u, b);
  const double square = linalg::dot<double>(instance, d.space, u, b);  // in the steady state, 1 - x, it is 1 / 3
  if (ranks.rank() == 0) std::cout << "the integral of u^2 is " << std::round(square * 1e8) / 1e8 << '\n';
  return std::abs(square - 1. / 3) < 1e-4 ? 0 : 1;
} catch (const Error& error) {
  std::cerr << error.what() << '\n';
  return 2;
}
