// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/weakform/errors.hpp"

#include "miniapp/weakform/case.hpp"
#include "miniapp/weakform/forms.hpp"
#include "miniapp/weakform/reference.hpp"
#include "support/all_close.hpp"
#include "support/host_threads.hpp"
#include "support/simplex_meshes.hpp"

using namespace miniapp::weakform;

namespace {

/// Two components with a linear solution, which linear functions have exactly.
template <int dim_>
struct Linear {
  static constexpr int dim = dim_, components = 2, points = 1;
  static constexpr double flops = 0;
  static constexpr bool symmetric = true;
  template <class S>
  void exact(const S (&x)[dim], S (&u)[2]) const {
    u[0] = 1 + 2 * x[0] - 3 * x[1];
    u[1] = 5 * x[dim - 1];
  }
};

/// Distorted smoothly, so that meshes of all sizes are alike; shuffled or not.
mesh::Mesh make_smooth(int dim, int n, bool shuffled) {
  mesh::Mesh mesh = dim == 2 ? mesh::make_rectangle(mesh::CellKind::triangle, n, n) : make_tetrahedra(n, n, n);
  for (mesh::Point& x : mesh.vertices) x[0] += 0.3 * x[0] * (1 - x[0]) * x[1];
  return shuffled ? mesh::shuffle(mesh, 5) : mesh;
}

SolutionErrors solve(FormKind kind, int dim, int n, bool shuffled, Precision precision = Precision::fp64) {
  const mesh::Mesh mesh = make_smooth(dim, n, shuffled);
  const space::Space space =
      space::make_space(mesh, 1, facts(kind, dim).components, space::Boundary::dirichlet, Layout::aos);
  const auto form = bind(kind, precision, mesh, space, {});
  const NewtonResult result =
      form->solve(Instance(), precision == Precision::fp64 ? usual_newton<double>() : usual_newton<float>());
  CAPTURE(name(kind), dim, n, name(precision), result.residuals, result.remark, result.floor);
  CHECK(result.verdict == NewtonVerdict::converged);
  return form->errors();
}

/// Whether errors fall by a power of the mesh size, within 0.15, between each two of three meshes.
void check_orders(FormKind kind, int dim, bool shuffled) {
  const int n = dim == 2 ? 12 : 6;
  const SolutionErrors errors[] = {solve(kind, dim, n, shuffled), solve(kind, dim, 2 * n, shuffled),
                                   solve(kind, dim, dim == 2 ? 4 * n : 3 * n, shuffled)};
  const double ratios[] = {2, dim == 2 ? 2 : 1.5};
  for (int i = 0; i < 2; ++i) {
    const double l2 = std::log(errors[i].l2 / errors[i + 1].l2) / std::log(ratios[i]),
                 h1 = std::log(errors[i].h1 / errors[i + 1].h1) / std::log(ratios[i]);
    CAPTURE(name(kind), dim, shuffled, i, errors[i].l2, errors[i].h1);
    CHECK(l2 == Approx(2).epsilon(0).margin(0.15));
    CHECK(h1 == Approx(1).epsilon(0).margin(0.15));
  }
}

template <int dim>
void check_linear() {
  const mesh::Mesh mesh = make_simplices(dim, 4);
  const space::Space space = space::make_space(mesh, 1, 2, space::Boundary::dirichlet, Layout::aos);
  std::vector<double> u;
  for (const mesh::Point& x : node_points(mesh, space)) {
    double at[dim], exact[2];
    std::copy_n(x.begin(), dim, at);
    Linear<dim>().exact(at, exact);
    u.insert(u.end(), exact, exact + 2);
  }
  const SolutionErrors none = solution_errors(Linear<dim>(), mesh, space, u);
  CHECK(none.l2 == close<double>(0, 256, 5));
  CHECK(none.h1 == close<double>(0, 256, 5 * 20));

  for (std::size_t i = 1; i < u.size(); i += 2) u[i] += 0.5;
  CHECK(solution_errors(Linear<dim>(), mesh, space, u).l2 == Approx(0.5));  // of volume 1
  for (std::size_t i = 0; i < u.size(); i += 2) u[i] = 0;
  CHECK(solution_errors(Linear<dim>(), mesh, space, u).h1 == Approx(std::sqrt(13)));
}

}  // namespace

TEST_CASE("Errors are zero for linear solutions, and those of known differences", "[weakform][errors]") {
  check_linear<2>();
  check_linear<3>();
}

TEST_CASE("Errors of quadratic solutions are integrated exactly", "[weakform][errors]") {
  // of u = 0 on the unit square: the integral of (x^2 + y^2)^2 is 28 / 45, that of |2 (x, y)|^2 is 8 / 3; on the unit
  // cube those of (x^2 + y^2 + z^2)^2 and 4 |x|^2 are 19 / 15 and 4
  const mesh::Mesh square = make_simplices(2, 3), cube = make_simplices(3, 3);
  const space::Space plane = space::make_space(square, 1, 1, space::Boundary::dirichlet),
                     solid = space::make_space(cube, 1, 1, space::Boundary::dirichlet);
  const SolutionErrors in_plane = solution_errors(Poisson<2>(), square, plane, std::vector<double>(plane.num_nodes)),
                       in_solid = solution_errors(Poisson<3>(), cube, solid, std::vector<double>(solid.num_nodes));

  CHECK(in_plane.l2 == close<double>(std::sqrt(28 / 45.0), 256));
  CHECK(in_plane.h1 == close<double>(std::sqrt(8 / 3.0), 256));
  CHECK(in_solid.l2 == close<double>(std::sqrt(19 / 15.0), 256));
  CHECK(in_solid.h1 == close<double>(2, 256));
}

TEST_CASE("Threads of the host change no bit of the reference, and errors by rounding only", "[weakform][errors]") {
  const mesh::Mesh mesh = make_smooth(3, 18, true);  // cells for three threads, and for two chunks of bounds
  const space::Space space = space::make_space(mesh, 1, 3, space::Boundary::dirichlet, Layout::aos);
  const NeoHookean<3> form;
  std::vector<double> u;
  for (const mesh::Point& x : node_points(mesh, space)) {
    const double at[] = {x[0], x[1], x[2]};
    double exact[3];
    form.exact(at, exact);
    for (const double value : exact) u.push_back(value + 0.01 * std::sin(40 * x[0] + 30 * x[1]) / 18);
  }
  const std::vector<double> w(u.size(), 0.5), kappa(std::size_t(space.num_nodes), 1.0);
  const std::vector<double> residual = reference_residual(form, mesh, space, kappa, u);
  const ReferenceBounds bounds = reference_bounds(form, mesh, space, kappa, u, w, false);
  const SolutionErrors errors = solution_errors(form, mesh, space, u);

  const HostThreads three(3);
  const ReferenceBounds of_three = reference_bounds(form, mesh, space, kappa, u, w, false);
  const SolutionErrors errors_of_three = solution_errors(form, mesh, space, u);

  CHECK(reference_residual(form, mesh, space, kappa, u) == residual);
  CHECK(of_three.residual == bounds.residual);
  CHECK(of_three.action == bounds.action);
  CHECK(errors_of_three.l2 == Approx(errors.l2).epsilon(1e-12));
  CHECK(errors_of_three.h1 == Approx(errors.h1).epsilon(1e-12));
  CHECK(errors.l2 > 0);
}

TEST_CASE("Every form of two dimensions converges at order 2 in L2 and 1 in H1", "[weakform][errors]") {
  const FormKind kind = GENERATE(from_range(members<FormKind>()));
  check_orders(kind, 2, GENERATE(false, true));
}

TEST_CASE("Every form of three dimensions converges at order 2 in L2 and 1 in H1", "[weakform][errors]") {
  const FormKind kind = GENERATE(from_range(members<FormKind>()));
  check_orders(kind, 3, kind == FormKind::variable_poisson || kind == FormKind::neo_hookean);
}

TEST_CASE("Every form is solved in single precision as exactly as the mesh allows", "[weakform][errors]") {
  const FormKind kind = GENERATE(from_range(members<FormKind>()));
  const int dim = GENERATE(2, 3), n = dim == 2 ? 24 : 8;
  const SolutionErrors in_double = solve(kind, dim, n, true), in_single = solve(kind, dim, n, true, Precision::fp32);

  CHECK(in_single.l2 == Approx(in_double.l2).epsilon(0.01));
  CHECK(in_single.h1 == Approx(in_double.h1).epsilon(0.01));
  CHECK(in_single.l2 != in_double.l2);
}

TEST_CASE("Vectors of other sizes are refused", "[weakform][errors]") {
  const mesh::Mesh mesh = make_simplices(2, 3);
  const space::Space space = space::make_space(mesh, 1, 1, space::Boundary::dirichlet);

  CHECK_THROWS_WITH(solution_errors(Poisson<2>(), mesh, space, {1.0}), contains("a vector of 1 entries: accepted are"));
}

TEST_CASE("The state of a solved form is its solution at the nodes", "[weakform][errors]") {
  const mesh::Mesh mesh = make_smooth(2, 20, true);
  const space::Space space = space::make_space(mesh, 1, 1, space::Boundary::dirichlet);
  const auto form = bind(FormKind::poisson, Precision::fp64, mesh, space, {});
  form->solve(Instance(), {});

  const std::vector<double> u = form->state();
  const std::vector<mesh::Point> points = node_points(mesh, space);
  REQUIRE(u.size() == points.size());
  for (std::size_t i = 0; i < u.size(); ++i)
    CHECK(std::fabs(u[i] - exact_solution(FormKind::poisson, 2, points[i])[0]) < 5e-3);
}
