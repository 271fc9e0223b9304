// SPDX-License-Identifier: BSD-3-Clause
/// Applies -lap + 1 to u = 1 on a deformed cube, on any number of ranks: the entries of the result sum to the volume of
/// the cube, 1.
#include <cmath>
#include <iostream>
#include <miniapp/core/session.hpp>
#include <miniapp/linalg/linear_operator.hpp>
#include <miniapp/linalg/vectors.hpp>
#include <miniapp/mesh/distribute.hpp>
#include <miniapp/mesh/generate.hpp>
#include <miniapp/tensor/element_operator.hpp>
#include <miniapp/tensor/tuning.hpp>
#include <string>

using namespace miniapp;

int main(int argc, char** argv) try {
  const Session session(argc, argv);  // initialises Kokkos and MPI, and finalises them at the end of this block
  const Communicator ranks = Communicator::world();
  const Instance instance;  // an execution instance: with CUDA, a stream
  const int order = argc > 1 ? std::stoi(argv[1]) : tensor::built_orders().back();
  const mesh::Mesh cube = mesh::read_parts(ranks, [] {
    mesh::Mesh box = mesh::make_box(4, 4, 4);
    mesh::deform(box, 0.08);
    return box;
  });
  const tensor::Discretisation problem(cube, tensor::Problem::bp3_0, order, space::Boundary::neumann, 1.0);
  const auto op = tensor::make_operator<double>(tensor::fastest(problem), problem);

  const Vector<double> u("u", problem.space.num_entries()), v("v", u.extent(0));
  Kokkos::deep_copy(u, 1);
  linalg::apply<double>(instance, *op, u, v);  // v = Z^T A_L Z u, summed over ranks
  const double volume = linalg::dot<double>(instance, problem.space, u, v);
  const std::int64_t nodes = problem.space.num_dofs();  // of all ranks
  if (ranks.rank() == 0) std::cout << nodes << " nodes of order " << order << ", volume " << volume << '\n';
  return std::fabs(volume - 1) < 1e-12 ? 0 : 1;
} catch (const Error& error) {  // such as an order that was not built
  std::cerr << error.what() << '\n';
  return 2;
}
