// SPDX-License-Identifier: BSD-3-Clause
/// -div(k grad u) = f on tetrahedra, u given on two groups, a file for ParaView: the shortest program, whose lines
/// docs/library.md counts.
#include <cmath>
#include <fstream>
#include <iostream>
#include <miniapp/core/session.hpp>
#include <miniapp/mesh/read.hpp>
#include <miniapp/space/vtu.hpp>
#include <miniapp/weakform/case.hpp>

using namespace miniapp;

int main(int argc, char** argv) {
  const Session session(argc, argv);
  const mesh::Mesh mesh = mesh::read_gmsh(argv[1]);
  weakform::UserProblem problem;
  problem.coefficient = {{"", {[](auto, const mesh::Point& x) { return 1 + x[0] * x[1]; }}}};
  problem.source = {[](auto, const mesh::Point& x) { return std::sin(x[0]); }};
  problem.dirichlet = {{"ground", {[](auto, const mesh::Point&) { return 1.; }}},
                       {"edge", {[](auto, const mesh::Point&) { return 0.; }}}};
  const auto ready = weakform::prepare(problem, mesh, 1);
  const auto form = weakform::bind(weakform::FormKind::variable_poisson, mesh, ready, {});
  const auto newton = form->solve(Instance(), {});
  std::ofstream("tetrahedra.vtu") << space::vtu(mesh, ready.space, {{"u", form->state()}}, {});
  std::cout << name(newton.verdict) << " after " << newton.linear_iterations() << " iterations\n";
}
