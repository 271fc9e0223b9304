// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/indirect/loops/euler_flux.hpp"

#include "miniapp/mesh/generate_2d.hpp"
#include "support/euler_flow.hpp"
#include "support/riemann.hpp"

using namespace miniapp::indirect;
using namespace miniapp::test::euler;

namespace {

State flux(const Vector3& n, const State& first, const State& second) {
  const double normal[3] = {n[0], n[1], n[2]};
  double q[2][5];
  std::copy(first.begin(), first.end(), q[0]);
  std::copy(second.begin(), second.end(), q[1]);
  double f[5];
  loops::EulerFlux{}(normal, q, f);
  return {f[0], f[1], f[2], f[3], f[4]};
}
Values as_values(const State& q) { return values(std::vector<double>(q.begin(), q.end())); }

Strategy any_strategy() { return GENERATE(Strategy::owner, Strategy::atomic); }

mesh::Mesh make_distorted() { return mesh::shuffle(make_turned_box(5, 4, 3), 3); }

}  // namespace

TEST_CASE("The flux between equal states is the exact flux", "[indirect][euler_flux]") {
  const Vector3 u = GENERATE(Vector3{0, 0, 0}, Vector3{0.3, -0.2, 0.5}, Vector3{-4, 3, 2});
  const State q = make_state(1.3, u, 0.7);
  const Vector3 n = {0.2, -0.5, 0.3};
  CHECK_THAT(as_values(flux(n, q, q)), all_close<double>(as_values(exact_flux(q, n)), 20));
}

TEST_CASE("The flux of a supersonic gas does not depend on the downstream state", "[indirect][euler_flux]") {
  const State first = make_state(1, {3, 0.5, 0.2}, 1), second = make_state(1.2, {3.3, 0.1, -0.2}, 1.3);
  const Vector3 n = {0.7, 0.1, 0};
  CHECK_THAT(as_values(flux(n, first, second)), all_close<double>(as_values(exact_flux(first, n)), 50));
  const Vector3 back = {-0.7, -0.1, 0};
  CHECK_THAT(as_values(flux(back, first, second)), all_close<double>(as_values(exact_flux(second, back)), 50));
}

TEST_CASE("Roe's flux preserves a contact discontinuity at rest", "[indirect][euler_flux]") {
  const State first = make_state(1, {0, 2, 0}, 1), second = make_state(3, {0, -1, 4}, 1);
  const Vector3 n = {2, 0, 0};
  CHECK_THAT(as_values(flux(n, first, second)), all_close<double>(as_values(exact_flux(first, n)), 50));
}

TEST_CASE("Roe's flux of a single shock is the upwind one", "[indirect][euler_flux]") {
  // A shock of Mach 2 at rest has rho 8/3, p 9/2, u 3/8 of those before it; it moves by what is added to u.
  const double drift = GENERATE(-0.7, -0.3, 0.3, 0.7), u = 2 * std::sqrt(1.4);
  const State first = make_state(1, {u + drift, 0, 0}, 1), second = make_state(8 / 3., {3 * u / 8 + drift, 0, 0}, 4.5);
  const Vector3 n = {2, 0, 0};
  CHECK_THAT(as_values(flux(n, first, second)),
             all_close<double>(as_values(exact_flux(drift > 0 ? first : second, n)), 50));
}

TEST_CASE("Roe's flux does not let an expansion shock stand", "[indirect][euler_flux]") {
  const double u = 1.05 * std::sqrt(1.4);  // a shock of Mach 1.05, backwards: its flux is the same on both sides
  const double ratio = (7 * 1.05 * 1.05 - 1) / 6, density = 6 * 1.05 * 1.05 / (5 + 1.05 * 1.05);
  const State fast = make_state(1, {-u, 0, 0}, 1), slow = make_state(density, {-u / density, 0, 0}, ratio);
  const Vector3 n = {1, 0, 0};
  REQUIRE_THAT(as_values(exact_flux(slow, n)), all_close<double>(as_values(exact_flux(fast, n)), 20));

  CHECK_THAT(as_values(flux(n, slow, fast)), !all_close<double>(as_values(exact_flux(fast, n)), 1e9));
}

TEST_CASE("Roe's flux is invariant under rotation and conservative", "[indirect][euler_flux]") {
  const double a = GENERATE(0.4, 2.0), b = GENERATE(-1.1, 0.7);
  const auto turn = [&](const Vector3& x) -> Vector3 {
    const Vector3 y = {std::cos(a) * x[0] - std::sin(a) * x[1], std::sin(a) * x[0] + std::cos(a) * x[1], x[2]};
    return {y[0], std::cos(b) * y[1] - std::sin(b) * y[2], std::sin(b) * y[1] + std::cos(b) * y[2]};
  };
  const Vector3 n = {0.5, -0.2, 0.1}, u0 = {0.4, 0.7, -0.3}, u1 = {-0.2, 0.1, 0.6};
  const State f = flux(n, make_state(1, u0, 1), make_state(0.4, u1, 0.3));
  const Vector3 momentum = turn({f[1], f[2], f[3]});
  const State turned = flux(turn(n), make_state(1, turn(u0), 1), make_state(0.4, turn(u1), 0.3));
  CHECK_THAT(as_values(turned), all_close<double>(as_values({f[0], momentum[0], momentum[1], momentum[2], f[4]}), 50));

  const State back = flux({-n[0], -n[1], -n[2]}, make_state(0.4, u1, 0.3), make_state(1, u0, 1));
  CHECK_THAT(as_values(back), all_close<double>(as_values({-f[0], -f[1], -f[2], -f[3], -f[4]}), 50));
}

TEST_CASE("A free stream leaves every distorted hexahedron as it enters", "[indirect][euler_flux]") {
  const mesh::Mesh mesh = make_distorted();
  const State stream = make_state(1, {0.6, -0.3, 1.1}, 1);
  Flow flow(mesh, any_strategy());
  flow.fill(mesh, [&](const Vector3&) { return stream; });

  const std::vector<double> residual =
      flow.residual([](const State& q, const BoundarySide& side) { return exact_flux(q, side.normal); });

  const std::vector<double> zeros(residual.size());
  CHECK_THAT(values(residual), all_close<double>(values(zeros), 24, 2 * stream[4]));  // faces of about 1 m^2
}

TEST_CASE("Faces conserve mass, momentum and energy", "[indirect][euler_flux]") {
  const Case data = make_case(LoopKind::euler_flux, make_distorted());
  const Layout layout = GENERATE(Layout::aos, Layout::soa);
  const PlanArrays plan = make_plan(data.map, data.to_size, {any_strategy(), 32});
  const auto loop = bind(LoopKind::euler_flux, data, Precision::fp64, layout, plan);

  check_moves_only<double>(*loop, 5, 5, 6);
}

TEST_CASE("A gas between walls conserves mass and energy and stays positive", "[indirect][euler_flux]") {
  const mesh::Mesh mesh = make_distorted();
  Flow flow(mesh, any_strategy());
  const Total mass = total(flow.q, 5, 0, flow.sizes), energy = total(flow.q, 5, 4, flow.sizes);

  const int steps = 100;
  for (int step = 0; step < steps; ++step) flow.step(0.05, wall);

  CHECK(total(flow.q, 5, 0, flow.sizes).sum == close<double>(mass.sum, steps));
  CHECK(total(flow.q, 5, 4, flow.sizes).sum == close<double>(energy.sum, steps));
  for (std::size_t cell = 0; cell < flow.cells; ++cell) {
    CHECK(flow.q[5 * cell] > 0.1);
    CHECK(pressure(&flow.q[5 * cell]) > 0.05);
  }
}

TEST_CASE("Shock tubes converge to the exact solution of the Riemann problem", "[indirect][euler_flux]") {
  struct Tube {
    Gas left, right;
    double middle, time, expected;  ///< expected: L1 error of the density at 200 cells
  };
  // Sod's (J. Comput. Phys. 27, 1978) and Toro's first, whose rarefaction passes the speed of sound.
  const Tube tube =
      GENERATE(Tube{{1, 0, 1}, {0.125, 0, 0.1}, 0.5, 0.2, 0.012}, Tube{{1, 0.75, 1}, {0.125, 0, 0.1}, 0.3, 0.2, 0.015});
  const Strategy strategy = any_strategy();
  const auto through_ends = [&](const State& q, const BoundarySide& side) {
    return std::fabs(side.normal[0]) > 0 ? exact_flux(q, side.normal) : wall(q, side);
  };
  const auto error = [&](int n) {
    const mesh::Mesh mesh = mesh::make_box(n, 2, 2);
    Flow flow(mesh, strategy);
    flow.fill(mesh, [&](const Vector3& x) {
      const Gas& gas = x[0] < tube.middle ? tube.left : tube.right;
      return make_state(gas.rho, {gas.u, 0, 0}, gas.p);
    });
    const int steps = int(tube.time * n * 3 / 0.8);
    for (int step = 0; step < steps; ++step) flow.step(tube.time / steps, through_ends);
    double sum = 0;
    for (std::size_t cell = 0; cell < flow.cells; ++cell) {
      const double speed = (cell_centre(mesh, cell)[0] - tube.middle) / tube.time;
      sum += flow.sizes[cell] * std::fabs(flow.q[5 * cell] - exact_gas(tube.left, tube.right, speed).rho);
    }
    return sum;
  };
  const double coarse = error(50), middle = error(100), fine = error(200);
  INFO("L1 errors " << coarse << ", " << middle << ", " << fine);
  CHECK(middle < 0.7 * coarse);
  CHECK(fine < 0.7 * middle);
  CHECK(fine < tube.expected);
}

TEST_CASE("The Euler case is Sod's tube with a flow across it", "[indirect][euler_flux]") {
  const mesh::Mesh mesh = mesh::make_box(6, 5, 4);
  const Case data = make_case(LoopKind::euler_flux, mesh);
  for (std::size_t cell = 0; cell < data.to_size; ++cell) {
    const double* const q = &data.values[1].values[5 * cell];
    const bool left = cell_centre(mesh, cell)[0] < 0.5;
    CHECK(q[0] == (left ? 1 : 0.125));
    CHECK(pressure(q) == close<double>(left ? 1 : 0.1, 10, 1));
  }
  for (std::size_t i = 0; i < data.map.size(); ++i) {
    const double* const n = &data.values[0].values[3 * i];
    const Vector3 from = cell_centre(mesh, data.map[i][0]), to = cell_centre(mesh, data.map[i][1]);
    CHECK(n[0] * (to[0] - from[0]) + n[1] * (to[1] - from[1]) + n[2] * (to[2] - from[2]) == Approx(1 / 120.));
  }
  CHECK_THROWS_AS(make_case(LoopKind::euler_flux, mesh::make_rectangle(mesh::CellKind::quadrilateral, 2, 2)),
                  InputError);
}

TEST_CASE("The exact solution of Sod's tube has the values of the literature", "[indirect][euler_flux]") {
  const Gas left = exact_gas({1, 0, 1}, {0.125, 0, 0.1}, 0.9), right = exact_gas({1, 0, 1}, {0.125, 0, 0.1}, 1);
  CHECK(left.p == Approx(0.30313).epsilon(1e-4));  // Toro, table 4.3
  CHECK(right.p == Approx(0.30313).epsilon(1e-4));
  CHECK(left.u == Approx(0.92745).epsilon(1e-4));
  CHECK(left.rho == Approx(0.42632).epsilon(1e-4));
  CHECK(right.rho == Approx(0.26557).epsilon(1e-4));
  CHECK(exact_gas({1, 0, 1}, {0.125, 0, 0.1}, 1.7521).rho > 0.2);  // its shock runs at 1.7522
  CHECK(exact_gas({1, 0, 1}, {0.125, 0, 0.1}, 1.7523).rho == 0.125);
  const Gas mirrored = exact_gas({0.125, 0, 0.1}, {1, 0, 1}, -0.4), plain = exact_gas({1, 0, 1}, {0.125, 0, 0.1}, 0.4);
  CHECK(mirrored.rho == close<double>(plain.rho, 10));
  CHECK(mirrored.u == close<double>(-plain.u, 10));
}
