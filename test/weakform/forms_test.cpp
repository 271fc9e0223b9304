// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/weakform/forms.hpp"

#include "miniapp/weakform/case.hpp"
#include "miniapp/weakform/reference.hpp"
#include "support/all_close.hpp"
#include "support/simplex_meshes.hpp"

using namespace miniapp::weakform;

namespace {

/// The strong form -div f1 + f0 of the exact solution at x, which is zero where the source belongs to the solution, by
/// differences in space of fluxes whose gradients are differences too.
template <class F>
double strong_residual(const F& form, const double (&x)[F::dim]) {
  constexpr int dim = F::dim, n = F::components;
  const double h = 1e-3;
  const auto at = [&](const double(&point)[dim], double(&f0)[n], double(&f1)[n][dim]) {
    double u[n], grad[n][dim];
    form.exact(point, u);
    for (int d = 0; d < dim; ++d) {
      double high[n], low[n], moved[dim];
      std::copy_n(point, dim, moved);
      moved[d] += h;
      form.exact(moved, high);
      moved[d] -= 2 * h;
      form.exact(moved, low);
      for (int c = 0; c < n; ++c) grad[c][d] = (high[c] - low[c]) / (2 * h);
    }
    const double kappa[1] = {form.coefficient(point)};
    call_f0(form, point, u, grad, kappa, f0);
    call_f1(form, point, u, grad, kappa, f1);
  };
  double f0[n], f1[n][dim], unused[n], worst = 0, divergence[n] = {};
  at(x, f0, f1);
  for (int d = 0; d < dim; ++d) {
    double high[n][dim], low[n][dim], moved[dim];
    std::copy_n(x, dim, moved);
    moved[d] += h;
    at(moved, unused, high);
    moved[d] -= 2 * h;
    at(moved, unused, low);
    for (int c = 0; c < n; ++c) divergence[c] += (high[c][d] - low[c][d]) / (2 * h);
  }
  for (int c = 0; c < n; ++c) worst = std::max(worst, std::fabs(f0[c] - divergence[c]));
  return worst;
}

template <class Plane, class Solid>
void check_source() {
  const double x[2] = {0.3, 0.8}, y[3] = {0.7, 0.2, 0.9};
  CHECK(strong_residual(Plane(), x) < 1e-4);
  CHECK(strong_residual(Solid(), y) < 1e-4);
}

/// div grad u = 0, by a user who leaves f0 out.
template <int dim_>
struct Laplace {
  static constexpr int dim = dim_, components = 1, points = 1;
  static constexpr double flops = 0;
  static constexpr bool symmetric = true;
  template <class Real, class S>
  void f1(const Real (&)[dim], const S (&)[1], const S (&grad)[1][dim], Real, S (&f)[1][dim]) const {
    for (int d = 0; d < dim; ++d) f[0][d] = grad[0][d];
  }
};

/// The integral of v f0 with f0 = x_0 + 2 kappa.
template <int dim_>
struct Load {
  static constexpr int dim = dim_, components = 1, points = dim + 1;
  static constexpr double flops = 2;
  static constexpr bool symmetric = true;
  template <class Real, class S>
  void f0(const Real (&x)[dim], const S (&)[1], const S (&)[1][dim], Real kappa, S (&f)[1]) const {
    f[0] = x[0] + 2 * kappa;
  }
  template <class Real, class S>
  void f1(const Real (&)[dim], const S (&)[1], const S (&)[1][dim], Real, S (&f)[1][dim]) const {
    for (int d = 0; d < dim; ++d) f[0][d] = 0;
  }
};

template <int dim>
void check_patch() {
  const mesh::Mesh mesh = make_simplices(dim, 5);
  const space::Space space = space::make_space(mesh, 1, 1, space::Boundary::dirichlet);
  std::vector<double> u;
  for (const mesh::Point& x : node_points(mesh, space)) u.push_back(1 + 2 * x[0] - 3 * x[1] + (dim == 3 ? x[2] : 0));
  const std::vector<double> r = reference_residual(Laplace<dim>(), mesh, space, std::vector<double>(u.size(), 1.0), u);

  CHECK_THAT(values(r), all_close<double>(values(std::vector<double>(u.size(), 0.0)), 64, 1));
}

template <int dim>
void check_load() {
  const mesh::Mesh mesh = make_simplices(dim, 3);
  const space::Space space = space::make_space(mesh, 1, 1, space::Boundary::neumann);
  std::vector<double> kappa;
  for (const mesh::Point& x : node_points(mesh, space)) kappa.push_back(x[0] - 4 * x[1]);
  const std::vector<double> r = reference_residual(Load<dim>(), mesh, space, kappa, std::vector<double>(kappa.size()));

  double sum = 0, moment = 0;  // sums of r v for v = 1 and v = y
  const std::vector<mesh::Point> points = node_points(mesh, space);
  for (std::size_t i = 0; i < r.size(); ++i) {
    sum += r[i];
    moment += r[i] * points[i][1];
  }
  CHECK(sum == close<double>(0.5 + 2 * (0.5 - 2), double(r.size()), 4));
  CHECK(moment == close<double>(3 * 0.25 - 8 / 3.0, double(r.size()), 4));  // of 3 x y - 8 y^2
}

}  // namespace

TEST_CASE("Sources belong to the exact solutions of the strong forms", "[weakform][forms]") {
  check_source<Poisson<2>, Poisson<3>>();
  check_source<VariablePoisson<2>, VariablePoisson<3>>();
  check_source<Helmholtz<2>, Helmholtz<3>>();
  check_source<NonlinearPoisson<2>, NonlinearPoisson<3>>();
  check_source<NeoHookean<2>, NeoHookean<3>>();
}

TEST_CASE("Linear functions have no Laplace residual at inner nodes of any mesh: the patch test", "[weakform][forms]") {
  check_patch<2>();
  check_patch<3>();
}

TEST_CASE("Loads are integrated exactly where f0 v is a polynomial of degree 2", "[weakform][forms]") {
  check_load<2>();
  check_load<3>();
}

TEST_CASE("Neo-Hookean stress is zero without deformation and under rotation of the whole body", "[weakform][forms]") {
  const double angle = GENERATE(0.0, 0.4, 2.5), c = std::cos(angle), s = std::sin(angle);
  const double x[3] = {}, u[3] = {}, grad[3][3] = {{c - 1, -s, 0}, {s, c - 1, 0}, {0, 0, 0}};
  double f[3][3];

  NeoHookean<3>().f1(x, u, grad, 1.0, f);

  for (const auto& row : f)
    for (const double entry : row) CHECK(entry == close<double>(0, 16, 1));
}

TEST_CASE("Small strains of neo-Hookean elasticity have the stress of Hooke's law", "[weakform][forms]") {
  const double h = 1e-6, x[2] = {}, u[2] = {}, strain[2][2] = {{0.3, 0.2}, {0.5, -0.7}};
  double grad[2][2], f[2][2];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) grad[i][j] = h * strain[i][j];
  const NeoHookean<2> form;

  form.f1(x, u, grad, 2.0, f);

  const double trace = strain[0][0] + strain[1][1];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      CHECK(f[i][j] / h == Approx(2 * (form.mu * (strain[i][j] + strain[j][i]) + (i == j) * form.lambda * trace))
                               .epsilon(0)
                               .margin(1e-4));
}

TEST_CASE("Facts of forms are those of their structs, for either dimension", "[weakform][forms]") {
  CHECK(facts(FormKind::neo_hookean, 3).components == 3);
  CHECK(facts(FormKind::neo_hookean, 2).components == 2);
  CHECK(facts(FormKind::helmholtz, 2).points == 3);
  CHECK(facts(FormKind::variable_poisson, 3).points == 1);
  CHECK_FALSE(facts(FormKind::nonlinear_poisson, 2).symmetric);
  CHECK(facts(FormKind::helmholtz, 3).cell_flops > facts(FormKind::poisson, 3).cell_flops);
  CHECK(exact_solution(FormKind::poisson, 2, {3, 4, 9}) == std::vector<double>{25});
  CHECK(exact_coefficient(FormKind::variable_poisson, 3, {1, 2, 3}) == 7);
  CHECK_THROWS_WITH(facts(FormKind::poisson, 4), contains("4 dimensions: accepted are 2 and 3"));
}
