// SPDX-License-Identifier: BSD-3-Clause
/// A body of prisms from Gmsh, on any number of ranks: held on a group of sides, pulled on another, with its weight; CG
/// with blocks of the diagonal, the balance of forces, u to files for ParaView.
#include <fstream>
#include <iostream>
#include <miniapp/core/session.hpp>
#include <miniapp/elasticity/assembly.hpp>
#include <miniapp/elasticity/body.hpp>
#include <miniapp/elasticity/cantilever.hpp>
#include <miniapp/mesh/distribute.hpp>
#include <miniapp/mesh/read.hpp>
#include <miniapp/space/vtu.hpp>
#include <miniapp/tensor/tuning.hpp>
#include <string>

using namespace miniapp;

int main(int argc, char** argv) try {
  const Session session(argc, argv);
  const Communicator ranks = Communicator::world();
  const Instance instance;
  const std::string file = argc > 1 ? argv[1] : "inputs/meshes/wing.msh";
  const int order = argc > 2 ? std::stoi(argv[2]) : tensor::built_orders().front();
  const mesh::Mesh mesh = mesh::read_parts(ranks, [&] { return mesh::read_gmsh(file); });

  elasticity::Body body;
  body.material = {"", 70e9, 0.3, 2700};
  body.gravity = {0, 0, -9.81};
  body.held = {{"root"}};
  body.tractions = {{"tip", [](const mesh::Point& x, const mesh::Point&) { return mesh::Point{0, 0, 1e4 * x[0]}; }}};
  const elasticity::PreparedBody prepared = elasticity::prepare(body, mesh, order);

  const elasticity::AssemblyOptions options{elasticity::Method::products};
  auto A = elasticity::assemble<double>(instance, prepared.prisms, prepared.space, options);
  A.hold(instance, prepared.held);
  const auto B = elasticity::make_preconditioner(elasticity::ElasticPreconditioner::block_jacobi, mesh, A);
  const Vector<double> b = to_device<double>("b", prepared.load), u = make_vector<double>("u", b.extent(0));
  const solver::CgResult cg = elasticity::solve<double>(instance, A, *B, b, u, {1e-10, 20000, {}});

  const std::vector<double> values = to_vector(u), forces = elasticity::internal_forces(prepared, values);
  std::vector<double> support = forces;
  for (std::size_t i = 0; i < support.size(); ++i) support[i] -= prepared.force[i];
  const mesh::Point held = elasticity::sum_of(prepared, support, true);
  std::ofstream("body_" + std::to_string(ranks.rank()) + ".vtu", std::ios::binary)
      << space::vtu(mesh, prepared.space, {{"u", values, 3}}, {{"von_mises", von_mises(prepared, values)}});
  if (ranks.rank() == 0) {
    std::cerr << name(cg.verdict) << " after " << cg.iterations << " iterations\n";
    std::cout << "loads " << prepared.total[2] << " N, support " << held[2] << " N along z\n";
  }
  return cg.converged() ? 0 : 1;
} catch (const Error& error) {
  std::cerr << error.what() << '\n';
  return 2;
}
