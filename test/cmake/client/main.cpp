// SPDX-License-Identifier: BSD-3-Clause
/// Uses the installed library as a stranger would: numbers a mesh, computes on the device, writes a record.
#include <iostream>
#include <miniapp/core/build_info.hpp>
#include <miniapp/core/session.hpp>
#include <miniapp/mesh/generate.hpp>
#include <miniapp/report/record.hpp>
#include <miniapp/space/space.hpp>
#include <miniapp/tensor/element_operator.hpp>

int main(int argc, char** argv) {
  using namespace miniapp;
  const Session session(argc, argv);
  const int order = tensor::built_orders().front();
  const tensor::Discretisation problem(mesh::make_box(2, 2, 2), tensor::Problem::bp1_0, order, space::Boundary::neumann,
                                       1);
  const auto mass = tensor::make_operator<double>({tensor::Kernel::rung8, tensor::Geometry::stored}, problem);

  const Vector<double> ones("ones", problem.space.num_nodes), weights("weights", ones.extent(0));
  Kokkos::deep_copy(ones, 1);
  mass->apply(ones, weights);
  const auto on_host = to_host(weights);
  double volume = 0;
  for (std::size_t i = 0; i < on_host.extent(0); ++i) volume += on_host(i);

  report::Json record = report::make_record("client", argv[0]);
  record["case"] = {{"order", order}, {"dofs", problem.space.num_dofs()}, {"volume", volume}};
  std::cout << record.dump() << '\n';
  return volume > 0 ? 0 : 1;
}
