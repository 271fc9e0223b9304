// SPDX-License-Identifier: BSD-3-Clause
/// Solves -div(kappa grad u) + u^3 = 2 on a square, u = 1 on its boundary, by Newton's method with conjugate gradients.
/// The form is all that depends on the equation.
#include <cmath>
#include <iostream>
#include <miniapp/core/error.hpp>
#include <miniapp/core/session.hpp>
#include <miniapp/mesh/generate.hpp>
#include <miniapp/mesh/generate_2d.hpp>
#include <miniapp/solver/cg.hpp>
#include <miniapp/weakform/jacobian.hpp>

using namespace miniapp;

struct Reaction {
  static constexpr int dim = 2, components = 1;  // of space; of u
  static constexpr int points = 3;               // of quadrature in a triangle
  static constexpr double flops = 6;             // of f0 and f1 together at a point, for rates only
  static constexpr bool symmetric = true;        // whether the Jacobian is
  template <class Real, class S>
  KOKKOS_FUNCTION void f0(const Real (&)[2], const S (&u)[1], const S (&)[1][2], Real, S (&f)[1]) const {
    f[0] = u[0] * u[0] * u[0] - S(Real(2));
  }
  template <class Real, class S>
  KOKKOS_FUNCTION void f1(const Real (&)[2], const S (&)[1], const S (&grad)[1][2], Real kappa, S (&f)[1][2]) const {
    for (int d = 0; d < 2; ++d) f[0][d] = kappa * grad[0][d];
  }
};

int main(int argc, char** argv) try {
  const Session session(argc, argv);  // initialises Kokkos, and finalises it at the end of this block
  const Instance instance;            // an execution instance: with CUDA, a stream
  mesh::Mesh square = mesh::make_rectangle(mesh::CellKind::triangle, 40, 40);
  mesh::perturb(square, 0.15, 1);
  const space::Space space = space::make_space(square, 1, 1, space::Boundary::dirichlet);
  std::vector<double> kappa;
  for (const mesh::Point& x : node_points(square, space)) kappa.push_back(1 + x[0] * x[1]);

  const auto residual = weakform::make_residual<double>(Reaction(), square, space, kappa);
  const std::size_t size = residual.num_entries();
  const Vector<double> u("u", size), r("r", size), step("step", size);
  Kokkos::deep_copy(u, 1);
  const weakform::Jacobian<Reaction, double> jacobian(residual, space, u);
  solver::CgWorkspace<double> workspace(size, false);
  double norm = INFINITY;
  for (int newton = 0; newton < 8 && norm > 1e-12; ++newton) {
    residual.require_finite(u);
    residual.apply(instance, u, r);
    norm = std::sqrt(streaming::dot<double>(instance, r, r));
    std::cout << "Newton " << newton << ": residual " << norm << '\n';
    solver::cg<double>(instance, jacobian, solver::Identity(), r, step, workspace, {});
    Kokkos::parallel_for(
        "update", size, KOKKOS_LAMBDA(std::size_t i) { u(i) -= step(i); });
  }
  return norm <= 1e-12 ? 0 : 1;
} catch (const Error& error) {  // such as an inverted cell, or a Jacobian that is not positive definite
  std::cerr << error.what() << '\n';
  return 2;
}
