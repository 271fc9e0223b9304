// SPDX-License-Identifier: BSD-3-Clause
/// -div(k grad u) = f on hexahedra of any order, u given on two groups, a file for ParaView: the shortest program,
/// whose lines docs/library.md counts.
#include <cmath>
#include <fstream>
#include <iostream>
#include <miniapp/core/session.hpp>
#include <miniapp/mesh/read.hpp>
#include <miniapp/multigrid/p_multigrid.hpp>
#include <miniapp/solver/cg.hpp>
#include <miniapp/space/vtu.hpp>
#include <miniapp/tensor/tuning.hpp>
#include <miniapp/tensor/user_problem.hpp>

using namespace miniapp;

int main(int argc, char** argv) {
  const Session session(argc, argv);
  tensor::UserProblem problem;
  problem.coefficient = {{"", tensor::function([](double x, double y, double) { return 1 + x * y; })}};
  problem.source = tensor::function([](double x, double, double) { return std::sin(x); });
  problem.dirichlet = {{"bottom", tensor::function([](double, double, double) { return 1.; })},
                       {"top", tensor::function([](double, double, double) { return 0.; })}};
  const auto ready = tensor::prepare(problem, mesh::read_gmsh(argv[1]), std::atoi(argv[2]));
  const tensor::Discretisation& d = ready.discretisation;
  const auto A = tensor::make_operator<double>(tensor::fastest(d), d);
  const Vector<double> u("u", ready.rhs.extent(0));
  const auto cg = solver::cg<double>(Instance(), *A, multigrid::PMultigrid(d), ready.rhs, u, {1e-10});
  streaming::axpby<double>(Instance(), 1, ready.prescribed, 1, u);
  std::ofstream("hexahedra.vtu") << space::vtu(*d.mesh, d.space, {{"u", to_vector(u)}}, {});
  std::cout << name(cg.verdict) << " after " << cg.iterations << " iterations\n";
}
