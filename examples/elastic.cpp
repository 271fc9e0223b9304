// SPDX-License-Identifier: BSD-3-Clause
/// Linear elasticity on tetrahedra of a Gmsh file, held on one group and drawn by a traction on another, on any number
/// of ranks: a form with an integral over sides, Newton's method in one step, files for ParaView, u of all in one.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <miniapp/core/session.hpp>
#include <miniapp/linalg/matrix_market.hpp>
#include <miniapp/mesh/distribute.hpp>
#include <miniapp/mesh/read.hpp>
#include <miniapp/space/values.hpp>
#include <miniapp/space/vtu.hpp>
#include <miniapp/weakform/newton.hpp>
#include <string>

using namespace miniapp;

struct Elastic {  // -div sigma = 0, sigma = lambda (div u) 1 + mu (grad u + grad u^T), sigma n = t on sides
  static constexpr int dim = 3, components = 3, points = 1, side_coefficients = 3;
  static constexpr double flops = 30, lambda = 1.15e11, mu = 7.7e10;  // [Pa]
  static constexpr bool symmetric = true, all_strategies = false;
  template <class Real, class S>
  KOKKOS_FUNCTION void f1(const Real (&)[3], const S (&)[3], const S (&grad)[3][3], const Real (&)[1],
                          S (&f)[3][3]) const {
    const S trace = Real(lambda) * (grad[0][0] + grad[1][1] + grad[2][2]);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) f[i][j] = Real(mu) * (grad[i][j] + grad[j][i]) + (i == j ? trace : S(Real(0)));
  }
  template <class Real, class S>
  KOKKOS_FUNCTION void b0(const Real (&)[3], const S (&)[3], const Real (&)[3], const Real (&t)[3], S (&f)[3]) const {
    for (int i = 0; i < 3; ++i) f[i] = S(-t[i]);
  }
};

int main(int argc, char** argv) try {
  const Session session(argc, argv);
  const Communicator ranks = Communicator::world();
  const std::string file = argc > 1 ? argv[1] : "bracket.msh";
  const mesh::Mesh mesh = mesh::read_parts(ranks, [&] { return mesh::read_gmsh(file); });
  space::Space space = space::make_space(mesh, 1, 3, space::Boundary::neumann, Layout::aos);
  space::hold_sides(space, weakform::sides_of(mesh, "ground"));
  weakform::Coefficients data;
  weakform::add_sides(data, mesh, "edge", [](const mesh::Point&) { return std::array{0., 0., -1e6}; });
  const auto residual = weakform::make_residual<double>(Elastic(), mesh, space, data);
  const Vector<double> u = make_zeros<double>("u", space.num_entries()), held = make_zeros<double>("held", u.extent(0));
  const weakform::NewtonResult newton = weakform::Newton(residual, mesh, space).solve(Instance(), held, u);

  std::ofstream("elastic_" + std::to_string(ranks.rank()) + ".vtu")
      << space::vtu(mesh, space, {{"u", to_vector(u), 3}}, {});
  const std::vector<double> all = space::WholeNodes(mesh, space).gather(u);  // of all ranks, as one numbers them
  if (ranks.rank() == 0) {
    std::ofstream("elastic.mtx") << linalg::print_vector(all);
    std::cout << "moves down by " << std::round(-*std::min_element(all.begin(), all.end()) * 1e10) / 1e4 << " um\n";
  }
  return newton.converged() ? 0 : 1;
} catch (const Error& error) {  // names the argument, its value and what is accepted
  std::cerr << error.what() << '\n';
  return 2;
}
