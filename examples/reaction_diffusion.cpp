// SPDX-License-Identifier: BSD-3-Clause
/// Schnakenberg's two substances, whose reaction and diffusion make a pattern of spots:
///   du/dt - lap u = g (a - u + u^2 v),   dv/dt - D lap v = g (b - u^2 v)
/// by implicit Euler and Newton's method. The state of the step before is a pair of coefficients at the nodes.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <miniapp/core/session.hpp>
#include <miniapp/mesh/distribute.hpp>
#include <miniapp/mesh/generate_2d.hpp>
#include <miniapp/space/vtu.hpp>
#include <miniapp/weakform/newton.hpp>
#include <string>

using namespace miniapp;

struct Schnakenberg {
  static constexpr int dim = 2, components = 2, points = 3, coefficients = 2;
  static constexpr double flops = 20, g = 300, a = 0.1, b = 0.9, D = 40, dt = 0.002;
  static constexpr bool symmetric = false, displaces = false, all_strategies = false;
  template <class Real, class S>
  KOKKOS_FUNCTION void f0(const Real (&)[2], const S (&u)[2], const S (&)[2][2], const Real (&u0)[2], S (&f)[2]) const {
    const S made = u[0] * u[0] * u[1];
    f[0] = (u[0] - S(u0[0])) / Real(dt) - Real(g) * (S(Real(a)) - u[0] + made);
    f[1] = (u[1] - S(u0[1])) / Real(dt) - Real(g) * (S(Real(b)) - made);
  }
  template <class Real, class S>
  KOKKOS_FUNCTION void f1(const Real (&)[2], const S (&)[2], const S (&grad)[2][2], const Real (&)[2],
                          S (&f)[2][2]) const {
    for (int i = 0; i < 4; ++i) f[i / 2][i % 2] = Real(i < 2 ? 1 : D) * grad[i / 2][i % 2];
  }
};

int main(int argc, char** argv) try {
  const Session session(argc, argv);
  const auto ranks = Communicator::world();
  const int steps = argc > 1 ? std::stoi(argv[1]) : 100;
  const auto mesh = mesh::read_parts(ranks, [] { return mesh::make_rectangle(mesh::CellKind::triangle, 40, 40); });
  const space::Space space = space::make_space(mesh, 1, 2, space::Boundary::neumann, Layout::aos);
  const std::vector<double> start = weakform::at_nodes(mesh, space, [](const mesh::Point& x) {
    return std::array{1 + 0.05 * std::cos(17 * x[0]) * std::cos(23 * x[1]), 0.9};  // near the steady state
  });
  auto residual = weakform::make_residual<double>(Schnakenberg(), mesh, space, start);
  weakform::Newton solver(residual, mesh, space);  // the pattern of the matrix, once
  const Vector<double> u = to_device("u", start), none = make_zeros<double>("none", u.extent(0));
  const weakform::NewtonOptions options{.tolerance = 1e-6, .preconditioner = weakform::LinearPreconditioner::jacobi};
  for (int step = 0; step < steps; ++step) {
    residual.set_coefficients(Instance(), u);
    if (!solver.solve(Instance(), none, u, options).converged()) return 1;
  }
  const std::vector<double> values = to_vector(u);
  std::ofstream("spots_" + std::to_string(ranks.rank()) + ".vtu") << space::vtu(mesh, space, {{"u", values, 2}}, {});
  const double most = ranks.of_all(Reduction::max, *std::max_element(values.begin(), values.end()));
  if (ranks.rank() == 0) std::cout << "the largest value is " << std::round(most * 1e3) / 1e3 << '\n';
  return 0;
} catch (const Error& error) {
  std::cerr << error.what() << '\n';
  return 2;
}
