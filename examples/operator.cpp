// SPDX-License-Identifier: BSD-3-Clause
/// Applies -lap + 1 to u = 1 on a deformed cube: the entries of the result sum to the volume of the cube, 1.
#include <cmath>
#include <iostream>
#include <miniapp/core/error.hpp>
#include <miniapp/core/session.hpp>
#include <miniapp/mesh/generate.hpp>
#include <miniapp/streaming/vector_kernels.hpp>
#include <miniapp/tensor/element_operator.hpp>
#include <miniapp/tensor/tuning.hpp>
#include <string>

using namespace miniapp;

int main(int argc, char** argv) try {
  const Session session(argc, argv);  // initialises Kokkos, and finalises it at the end of this block
  const Instance instance;            // an execution instance: with CUDA, a stream
  const int order = argc > 1 ? std::stoi(argv[1]) : tensor::built_orders().back();
  const tensor::Variant fastest = tensor::fastest(tensor::Problem::bp3_0, order);
  mesh::Mesh cube = mesh::make_box(4, 4, 4);
  mesh::deform(cube, 0.08);
  const tensor::Discretisation problem(cube, tensor::Problem::bp3_0, order, space::Boundary::neumann, 1.0);
  const auto op = tensor::make_operator<double>(fastest, problem);

  const std::size_t nodes = problem.space.num_nodes;
  const Vector<double> u("u", nodes), v("v", nodes);
  Kokkos::deep_copy(u, 1);
  op->apply(instance, u, v);  // v = Z^T A_L Z u
  const double volume = streaming::dot<double>(instance, u, v);
  std::cout << nodes << " nodes of order " << order << ", volume " << volume << '\n';
  return std::fabs(volume - 1) < 1e-12 ? 0 : 1;
} catch (const InputError& error) {  // such as an order that was not built
  std::cerr << argv[0] << ": " << error.what() << '\n';
  return 2;
} catch (const ResultError& error) {  // such as a missing device
  std::cerr << argv[0] << ": " << error.what() << '\n';
  return 1;
}
