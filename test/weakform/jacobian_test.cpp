// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/weakform/jacobian.hpp"

#include "miniapp/solver/cg.hpp"
#include "miniapp/weakform/forms.hpp"
#include "support/all_close.hpp"
#include "support/simplex_meshes.hpp"

using namespace miniapp::weakform;

namespace {

struct Solved {
  double error;                 ///< root of the mean square of u - exact solution over nodes and components
  std::vector<double> updates;  ///< norms of the steps of Newton's method
};

/// Solves a form by Newton's method with CG, with the exact solution on the boundary and zero inside as the first
/// guess.
template <class F>
Solved solve(const F& form, const mesh::Mesh& mesh, const Options& options) {
  const space::Space space = space::make_space(mesh, 1, F::components, space::Boundary::dirichlet, Layout::aos);
  std::vector<double> kappa, exact, start;
  for (const mesh::Point& point : node_points(mesh, space)) {
    double x[F::dim], u[F::components];
    std::copy_n(point.begin(), F::dim, x);
    form.exact(x, u);
    kappa.push_back(form.coefficient(x));
    exact.insert(exact.end(), u, u + F::components);
    double bubble = 0.15;
    for (const double coordinate : x) bubble *= 4 * coordinate * (1 - coordinate);
    for (const double component : u) start.push_back(component + bubble);
  }
  const auto residual = make_residual<double>(form, mesh, space, kappa, options);
  const Vector<double> u = to_device("u", start), r = make_zeros<double>("r", start.size()),
                       step = make_zeros<double>("step", start.size());
  const Jacobian<F, double> jacobian(residual, space, u);
  solver::CgWorkspace<double> workspace(start.size(), false);
  Solved result{0, {}};
  while (result.updates.size() < 12 && (result.updates.empty() || result.updates.back() > 1e-9)) {
    residual.apply(Instance(), u, r);
    solver::cg<double>(Instance(), jacobian, solver::Identity(), r, step, workspace, {});
    const auto steps = to_host(step);
    const auto values = to_host(u);
    double sum = 0;
    for (std::size_t i = 0; i < start.size(); ++i) {
      values(i) -= steps(i);
      sum += steps(i) * steps(i);
    }
    Kokkos::deep_copy(u, values);
    result.updates.push_back(std::sqrt(sum / start.size()));
  }
  const auto values = to_host(u);
  for (std::size_t i = 0; i < exact.size(); ++i) result.error += (values(i) - exact[i]) * (values(i) - exact[i]);
  result.error = std::sqrt(result.error / exact.size());
  return result;
}

/// Distorted smoothly, so that meshes of all sizes are alike, and shuffled.
mesh::Mesh make_mesh(int dim, int n) {
  mesh::Mesh mesh = dim == 2 ? mesh::make_rectangle(mesh::CellKind::triangle, n, n) : make_tetrahedra(n, n, n);
  for (mesh::Point& x : mesh.vertices) x[0] += 0.3 * x[0] * (1 - x[0]) * x[1];
  return mesh::shuffle(mesh, 5);
}

}  // namespace

TEST_CASE("Solutions by the Jacobian converge with the square of the mesh size", "[weakform][jacobian]") {
  const Solved coarse = solve(VariablePoisson<3>(), make_mesh(3, 6), {}),
               fine = solve(VariablePoisson<3>(), make_mesh(3, 12), {});

  CAPTURE(coarse.error, fine.error);
  CHECK(coarse.error > 1e-6);
  CHECK(fine.error < coarse.error / 3.4);
  CHECK(fine.updates.size() == 2);  // linear: the second step finds nothing more
}

TEST_CASE("Newton's method on neo-Hookean elasticity converges quadratically, to a solution of second order",
          "[weakform][jacobian]") {
  const NeoHookean<2> form{{.a = 0.6}};
  const Solved coarse = solve(form, make_mesh(2, 8), {.strategy = Strategy::tiles}),
               fine = solve(form, make_mesh(2, 16), {.strategy = Strategy::transposed});

  CAPTURE(coarse.error, fine.error, coarse.updates);
  CHECK(coarse.error > 1e-7);
  CHECK(fine.error < coarse.error / 3.4);
  REQUIRE(coarse.updates.size() >= 4);
  REQUIRE(coarse.updates.size() <= 7);
  for (std::size_t i = 2; i + 1 < coarse.updates.size(); ++i)
    CHECK(coarse.updates[i] < 100 * coarse.updates[i - 1] * coarse.updates[i - 1] + 1e-11);
}

TEST_CASE("The Jacobian counts the bytes of its direction too", "[weakform][jacobian]") {
  const mesh::Mesh mesh = make_mesh(3, 3);
  const space::Space space = space::make_space(mesh, 1, 1, space::Boundary::dirichlet);
  const auto residual =
      make_residual<double>(VariablePoisson<3>(), mesh, space, std::vector<double>(space.num_nodes, 1.0));
  const Jacobian<VariablePoisson<3>, double> jacobian(residual, space, make_zeros<double>("u", space.num_nodes));

  CHECK(jacobian.bytes() == residual.bytes() + 8. * space.num_nodes);
  CHECK(&jacobian.space() == &space);
}
