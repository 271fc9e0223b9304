// SPDX-License-Identifier: BSD-3-Clause
/// -div(k grad u) = f on a mesh of Gmsh, on any number of ranks: k in a group of elements, u and fluxes on groups of
/// sides, CG with multigrid over orders, u to files for ParaView.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <miniapp/core/session.hpp>
#include <miniapp/mesh/distribute.hpp>
#include <miniapp/mesh/read.hpp>
#include <miniapp/multigrid/p_multigrid.hpp>
#include <miniapp/solver/cg.hpp>
#include <miniapp/space/vtu.hpp>
#include <miniapp/tensor/tuning.hpp>
#include <miniapp/tensor/user_problem.hpp>
#include <string>

using namespace miniapp;
using tensor::function;

int main(int argc, char** argv) try {
  const Session session(argc, argv);
  const Communicator ranks = Communicator::world();
  const std::string file = argc > 1 ? argv[1] : "layers.msh";
  const int order = argc > 2 ? std::stoi(argv[2]) : tensor::built_orders().back();
  const mesh::Mesh mesh = mesh::read_parts(ranks, [&] { return mesh::read_gmsh(file); });

  tensor::UserProblem problem;  // k is 1 where it is not given, and k du/dn 0
  problem.coefficient = {{"sand", function([](double x, double y, double) { return 1 + x * y; })}};
  problem.source = function([](double x, double, double) { return std::sin(x); });
  problem.dirichlet = {{"bottom", function([](double, double, double) { return 1.; })}};
  problem.neumann = {{"top", function([](double, double y, double) { return y; })}};

  const tensor::PreparedProblem ready = tensor::prepare(problem, mesh, order);
  const tensor::Discretisation& d = ready.discretisation;
  const auto A = tensor::make_operator<double>(tensor::fastest(d), d);
  const multigrid::PMultigrid M(d);
  const Vector<double> u = make_vector<double>("u", ready.rhs.extent(0));
  const solver::CgResult cg = solver::cg<double>(Instance(), *A, M, ready.rhs, u, {1e-10});
  streaming::axpby<double>(Instance(), 1, ready.prescribed, 1, u);

  const std::vector<double> values = to_vector(u);
  std::ofstream("u_" + std::to_string(ranks.rank()) + ".vtu") << space::vtu(*d.mesh, d.space, {{"u", values}}, {});
  const double least = ranks.of_all(Reduction::min, *std::min_element(values.begin(), values.end())),
               most = ranks.of_all(Reduction::max, *std::max_element(values.begin(), values.end()));
  if (ranks.rank() == 0) {
    std::cerr << name(cg.verdict) << " after " << cg.iterations << " iterations\n";
    std::cout << "u from " << std::round(least * 1e6) / 1e6 << " to " << std::round(most * 1e6) / 1e6 << '\n';
  }
  return cg.converged() ? 0 : 1;
} catch (const Error& error) {  // names the argument, its value and what is accepted
  std::cerr << error.what() << '\n';
  return 2;
}
