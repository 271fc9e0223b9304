// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include "miniapp/weakform/reference.hpp"
#include "miniapp/weakform/residual.hpp"
#include "support/all_close.hpp"
#include "support/simplex_meshes.hpp"

using namespace miniapp::weakform;

namespace {

/// What a user writes: two coupled quantities with exponential reaction and a flux that depends on all arguments.
struct Coupled {
  static constexpr int dim = 2, components = 2, points = 3;
  static constexpr double flops = 30;
  static constexpr bool symmetric = false;
  double rate = 0.7;
  template <class Real, class S>
  KOKKOS_FUNCTION void f0(const Real (&x)[2], const S (&u)[2], const S (&grad)[2][2], Real kappa, S (&f)[2]) const {
    using km::exp, km::sqrt;
    f[0] = kappa * exp(Real(rate) * u[0]) - u[1] * grad[0][1];
    f[1] = sqrt(u[0] * u[0] + S(Real(1))) + x[1] * u[1];
  }
  template <class Real, class S>
  KOKKOS_FUNCTION void f1(const Real (&x)[2], const S (&u)[2], const S (&grad)[2][2], Real kappa, S (&f)[2][2]) const {
    for (int d = 0; d < 2; ++d) {
      f[0][d] = (kappa + x[0] * x[0]) * grad[0][d] + u[0] * grad[1][d];
      f[1][d] = grad[1][1 - d] / (u[1] * u[1] + S(Real(2)));
    }
  }
};
static_assert(Form<Coupled>);

struct ThreePoints {  // tetrahedra have rules of one and four points
  static constexpr int dim = 3, components = 1, points = 3;
  static constexpr double flops = 0;
  static constexpr bool symmetric = true;
};
static_assert(!Form<ThreePoints>);

struct Fixture {
  mesh::Mesh mesh = make_simplices(2, 6);
  space::Space space = space::make_space(mesh, 1, 2, space::Boundary::neumann, Layout::aos);
  std::vector<double> kappa = random_numbers(space.num_nodes, 5), u = random_numbers(space.num_entries(), 6),
                      w = random_numbers(space.num_entries(), 7);
};

std::vector<double> on_host(const Vector<double>& values) {
  const auto host = to_host(values);
  return {host.data(), host.data() + host.extent(0)};
}

}  // namespace

TEST_CASE("A form of a user's own runs by every strategy", "[weakform][own form]") {
  const Fixture f;
  const Vector<double> u = to_device("u", f.u), w = to_device("w", f.w), r = make_zeros<double>("r", f.u.size());
  const Values expected = values(reference_residual(Coupled(), f.mesh, f.space, f.kappa, f.u));
  const double h = 1e-3;
  std::vector<double> action(f.u.size(), 0.0);
  for (const auto& [step, weight] : {std::pair{-2 * h, 1.0}, {-h, -8.0}, {h, 8.0}, {2 * h, -1.0}}) {
    std::vector<double> moved = f.u;
    for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += step * f.w[i];
    const std::vector<double> there = reference_residual(Coupled(), f.mesh, f.space, f.kappa, moved);
    for (std::size_t i = 0; i < there.size(); ++i) action[i] += weight * there[i] / (12 * h);
  }

  for (const Strategy strategy : members<Strategy>()) {
    CAPTURE(name(strategy));
    const auto residual = make_residual<double>(Coupled(), f.mesh, f.space, f.kappa, {.strategy = strategy});
    for (int call = 0; call < 2; ++call) {  // the second overwrites what the first left
      residual.apply(Instance(), u, r);
      CHECK_THAT(values(on_host(r)), all_close<double>(expected, 128, 2));
      residual.apply_jacobian(Instance(), u, w, r);
      CHECK_THAT(values(on_host(r)), AllClose(values(action), 1e-9));
    }
  }
}

TEST_CASE("Vectors of a call may differ from those of the call before", "[weakform][own form]") {
  const Fixture f;
  const auto residual = make_residual<double>(Coupled(), f.mesh, f.space, f.kappa);
  const Vector<double> u = to_device("u", f.u), w = to_device("w", f.w), r = make_zeros<double>("r", f.u.size()),
                       s = make_zeros<double>("s", f.u.size());

  residual.apply(Instance(), u, r);
  residual.apply(Instance(), w, s);
  residual.apply(Instance(), u, s);

  CHECK_THAT(values(on_host(s)), all_close<double>(values(on_host(r)), 1));
}

TEST_CASE("Vectors of another size are rejected", "[weakform][own form]") {
  const Fixture f;
  const auto residual = make_residual<double>(Coupled(), f.mesh, f.space, f.kappa);
  const Vector<double> u = to_device("u", f.u), small = make_zeros<double>("small", 3);

  CHECK_THROWS_WITH(residual.apply(Instance(), u, small), contains("a vector of 3 entries"));
  CHECK_THROWS_AS(residual.apply_jacobian(Instance(), u, small, u), InputError);
}

TEST_CASE("A form that is not a number at one cell is found there", "[weakform][own form]") {
  Fixture f;
  const auto residual = make_residual<double>(Coupled(), f.mesh, f.space, f.kappa);
  residual.require_finite(to_device("u", f.u));

  f.u[2 * f.space.element_to_node.host()[29][0]] = 1e6;  // exp overflows around this node only
  std::size_t first = 0;
  const auto has = [&](std::size_t e) {
    const Index* const nodes = f.space.element_to_node.host()[e];
    return std::find(nodes, nodes + 3, f.space.element_to_node.host()[29][0]) < nodes + 3;
  };
  while (!has(first)) ++first;

  CHECK_THROWS_WITH(residual.require_finite(to_device("u", f.u)), contains("element " + std::to_string(first) + ":"));
}
