// SPDX-License-Identifier: BSD-3-Clause
/// Uses the installed library like any client: numbers a mesh, computes on the device.
#include <iostream>
#include <miniapp/core/build_info.hpp>
#include <miniapp/core/device.hpp>
#include <miniapp/core/session.hpp>
#include <miniapp/mesh/generate.hpp>
#include <miniapp/space/space.hpp>
#include <miniapp/tensor/element_operator.hpp>
#ifdef MINIAPP_RUNS_ON_HOST
#include <miniapp/core/lanes.hpp>
#endif

int main(int argc, char** argv) {
  using namespace miniapp;
  const Session session(argc, argv);
  const int order = tensor::built_orders().front();
  const tensor::Discretisation problem(mesh::make_box(2, 2, 2), tensor::Problem::bp1_0, order, space::Boundary::neumann,
                                       1);
  const auto mass = tensor::make_operator<double>({tensor::rung(8), tensor::Geometry::stored}, problem);

  const Vector<double> ones("ones", problem.space.num_nodes), weights("weights", ones.extent(0));
  Kokkos::deep_copy(ones, 1);
  mass->apply(Instance(), ones, weights);
  const auto on_host = to_host(weights);
  double volume = 0;
  for (std::size_t i = 0; i < on_host.extent(0); ++i) volume += on_host(i);

  std::cout << "order " << order << ", " << problem.space.num_dofs() << " dofs, volume " << volume << '\n';
#ifdef MINIAPP_RUNS_ON_HOST
  if (device_class() != "host" + std::to_string(8 * register_bytes)) {
    std::cerr << "registers of " << register_bytes << " bytes here, a library for " << device_class() << '\n';
    return 1;
  }
#endif
  return volume > 0 ? 0 : 1;
}
