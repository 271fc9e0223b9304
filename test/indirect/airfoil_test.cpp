// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/indirect/loops/airfoil.hpp"

#include "miniapp/mesh/generate_2d.hpp"
#include "support/airfoil_flow.hpp"

using namespace miniapp::indirect;
using namespace miniapp::test::airfoil;

namespace {

mesh::Mesh any_mesh() {
  if (GENERATE(true, false)) return mesh::make_o_grid(20, 9);
  mesh::Mesh mesh = mesh::make_rectangle(mesh::CellKind::quadrilateral, 13, 11);
  mesh::perturb(mesh, 0.15, 1);
  return mesh::shuffle(mesh, 2);
}
Strategy any_strategy() { return GENERATE(Strategy::owner, Strategy::atomic); }

struct Forces {
  double lift, drag;  ///< forces over rho speed^2 / 2 times the chord
  double change;      ///< change of the state in the last step over that in the first
};

/// A wing in a stream at 3 degrees and Mach 0.4 after some steps of the benchmark: two stages, each cell with a time
/// step of its own.
Forces fly(int around, int outwards, int steps) {
  Flow flow(mesh::make_o_grid(around, outwards));
  const double speed = 0.4 * std::sqrt(heat_ratio), angle = 3 * std::numbers::pi / 180;
  const State stream = make_state(1, speed * std::cos(angle), speed * std::sin(angle), 1);
  for (std::size_t i = 0; i < flow.q.size(); ++i) flow.q[i] = stream[i % 4];
  const auto is_wall = [](const BoundarySide& side) { return std::hypot(side.corners[0][0], side.corners[0][1]) < 2; };
  const auto outer = [&](const double* inside, const BoundarySide& side, double a) {
    if (is_wall(side)) return wall(inside, side, a);
    const mesh::Point &p = side.corners[0], &q = side.corners[1];
    const double x[2][2] = {{q[0], q[1]}, {p[0], p[1]}}, speeds[2][1] = {{a}, {a}};
    double states[2][4], f[4];
    std::copy(inside, inside + 4, states[0]);
    std::copy(stream.begin(), stream.end(), states[1]);
    loops::AirfoilFlux{}(x, states, speeds, f);
    return State{f[0], f[1], f[2], f[3]};
  };
  double first = 0, change = 0;
  for (int step = 0; step < steps; ++step) {
    const std::vector<double> old = flow.q;
    for (int stage = 0; stage < 2; ++stage) {
      const std::vector<double> residual = flow.residual(outer);
      flow.q = old;
      advance(flow.q, residual, flow.cells, [&](std::size_t cell) { return 0.9 / flow.a[cell]; });
    }
    change = 0;
    for (std::size_t i = 0; i < old.size(); ++i) change += std::pow(flow.q[i] - old[i], 2);
    if (step == 0) first = change;
  }

  Forces forces{0, 0, std::sqrt(change / first)};
  for (const BoundarySide& side : flow.sides) {
    if (!is_wall(side)) continue;
    const double p = pressure(&flow.q[4 * side.cell]) / (0.5 * speed * speed);
    forces.lift += p * (side.normal[1] * std::cos(angle) - side.normal[0] * std::sin(angle));
    forces.drag += p * (side.normal[0] * std::cos(angle) + side.normal[1] * std::sin(angle));
  }
  return forces;
}

}  // namespace

TEST_CASE("The normal of every airfoil edge points from its first cell to its second", "[indirect][airfoil]") {
  const mesh::Mesh mesh = any_mesh();
  const Case data = make_case(LoopKind::airfoil, mesh);
  for (std::size_t e = 0; e < data.map.size(); ++e) {
    const Index* const node = data.others[0].map[e];
    const double dx = mesh.vertices[node[0]][0] - mesh.vertices[node[1]][0];
    const double dy = mesh.vertices[node[0]][1] - mesh.vertices[node[1]][1];
    const mesh::Point from = cell_centre(mesh, data.map[e][0]), to = cell_centre(mesh, data.map[e][1]);
    CHECK(dy * (to[0] - from[0]) - dx * (to[1] - from[1]) > 0);
  }
}

TEST_CASE("The flux of an airfoil edge is that computed by hand", "[indirect][airfoil]") {
  const double x[2][2] = {{1, 3}, {2, 1}};                 // d = (-1, 2), n = (2, 1)
  const double q[2][4] = {{1, 2, 0, 4.5}, {2, 2, 4, 10}};  // u = (2, 0), p = 1; u = (1, 2), p = 2
  const double a[2][1] = {{3}, {5}};                       // mu = 0.2
  double f[4] = {};

  loops::AirfoilFlux{}(x, q, a, f);

  // u . n = 4 and 4: F = (4, 8 + 2, 0 + 1, 4 * 5.5) and (8, 8 + 4, 16 + 2, 4 * 12); q_0 - q_1 = (-1, 0, -4, -5.5)
  const std::vector<double> expected = {6 - 0.2, 11, 9.5 - 0.8, 35 - 1.1};
  CHECK_THAT(values(std::vector<double>(f, f + 4)), all_close<double>(values(expected), 10));
}

TEST_CASE("A free stream leaves every cell of the airfoil's mesh as it enters", "[indirect][airfoil]") {
  const mesh::Mesh mesh = any_mesh();
  const State stream = make_state(1, 0.47, 0.03, 1);
  Flow flow(mesh, any_strategy());
  for (std::size_t i = 0; i < flow.q.size(); ++i) flow.q[i] = stream[i % 4];
  const double longest = 8 * *std::max_element(flow.sizes.begin(), flow.sizes.end());  // the mesh is 40 m wide at most

  const std::vector<double> residual =
      flow.residual([](const double* q, const BoundarySide& side, double) { return flux(q, side.normal); });

  CHECK_THAT(values(residual),
             all_close<double>(values(std::vector<double>(residual.size())), 16, std::max(1., longest) * stream[3]));
}

TEST_CASE("Edges of the airfoil's mesh conserve mass, momentum and energy", "[indirect][airfoil]") {
  const mesh::Mesh mesh = any_mesh();
  const Case data = make_case(LoopKind::airfoil, mesh);
  const Layout layout = GENERATE(Layout::aos, Layout::soa);
  const PlanArrays plan = make_plan(data.map, data.to_size, {any_strategy(), 64});
  const auto loop = bind(LoopKind::airfoil, data, Precision::fp64, layout, plan);

  check_moves_only<double>(*loop, 4, 4, 4);
}

TEST_CASE("The airfoil's case is a subsonic stream with a small wave over it", "[indirect][airfoil]") {
  const mesh::Mesh mesh = any_mesh();
  const Flow flow(mesh);
  const Case data = make_case(LoopKind::airfoil, mesh);
  for (std::size_t cell = 0; cell < flow.cells; ++cell) {
    const double* const q = &flow.q[4 * cell];
    const double mach = std::hypot(q[1], q[2]) / q[0] / std::sqrt(heat_ratio * pressure(q) / q[0]);
    CHECK(mach == Approx(0.4).epsilon(0.01));
    CHECK(std::atan2(q[2], q[1]) == close<double>(3 * std::numbers::pi / 180, 10));
    CHECK(data.values[2].values[cell] == close<double>(flow.speeds(cell), 20));
  }
  CHECK_THROWS_AS(make_case(LoopKind::airfoil, mesh::make_rectangle(mesh::CellKind::triangle, 2, 2)), InputError);
}

TEST_CASE("Dissipation evens out the density of a gas at rest and nothing else", "[indirect][airfoil]") {
  mesh::Mesh mesh = mesh::make_rectangle(mesh::CellKind::quadrilateral, 12, 9);
  mesh::perturb(mesh, 0.15, 1);
  Flow flow(mesh, any_strategy());
  for (std::size_t cell = 0; cell < flow.cells; ++cell) {
    const State q = make_state(1 + 0.5 * std::sin(2.0 * double(cell)), 0, 0, 1);
    std::copy(q.begin(), q.end(), &flow.q[4 * cell]);
  }
  const auto spread = [&] {
    double sum = 0;
    for (std::size_t cell = 0; cell < flow.cells; ++cell) sum += flow.sizes[cell] * std::pow(flow.q[4 * cell] - 1, 2);
    return sum;
  };
  const Total mass = total(flow.q, 4, 0, flow.sizes);
  const double at_first = spread();
  double before = at_first;

  for (int step = 0; step < 20; ++step) {
    advance(flow.q, flow.residual(wall), flow.cells, [&](std::size_t cell) { return 0.004 / flow.sizes[cell]; });
    CHECK(spread() < before);
    before = spread();
  }

  CHECK(before < 0.8 * at_first);
  CHECK(total(flow.q, 4, 0, flow.sizes).sum == close<double>(mass.sum, 20));
  for (std::size_t cell = 0; cell < flow.cells; ++cell) {
    CHECK(std::hypot(flow.q[4 * cell + 1], flow.q[4 * cell + 2]) < tolerance<double>(100, 1));
    CHECK(pressure(&flow.q[4 * cell]) == close<double>(1, 100));
  }
}

TEST_CASE("A blast between walls conserves mass and energy and stays positive", "[indirect][airfoil]") {
  mesh::Mesh mesh = mesh::make_rectangle(mesh::CellKind::quadrilateral, 20, 16);
  mesh::perturb(mesh, 0.15, 1);
  Flow flow(mesh, any_strategy());
  for (std::size_t cell = 0; cell < flow.cells; ++cell) {
    const mesh::Point x = cell_centre(mesh, cell);
    const State q = make_state(1, 0, 0, 1 + std::exp(-40 * (std::pow(x[0] - 0.4, 2) + std::pow(x[1] - 0.6, 2))));
    std::copy(q.begin(), q.end(), &flow.q[4 * cell]);
  }
  const Total mass = total(flow.q, 4, 0, flow.sizes), energy = total(flow.q, 4, 3, flow.sizes);

  const int steps = 300;
  for (int step = 0; step < steps; ++step)
    advance(flow.q, flow.residual(wall), flow.cells, [&](std::size_t cell) { return 0.002 / flow.sizes[cell]; });

  CHECK(total(flow.q, 4, 0, flow.sizes).sum == close<double>(mass.sum, steps));
  CHECK(total(flow.q, 4, 3, flow.sizes).sum == close<double>(energy.sum, steps));
  double fastest = 0;
  for (std::size_t cell = 0; cell < flow.cells; ++cell) {
    CHECK(flow.q[4 * cell] > 0.5);
    CHECK(pressure(&flow.q[4 * cell]) > 0.5);
    fastest = std::max(fastest, std::hypot(flow.q[4 * cell + 1], flow.q[4 * cell + 2]));
  }
  CHECK(fastest > 0.02);
}

TEST_CASE("The lift of a wing at 3 degrees and Mach 0.4 converges to that of theory", "[indirect][airfoil]") {
  const Forces coarse = fly(32, 16, 1000), fine = fly(64, 32, 1500);
  INFO("lift " << coarse.lift << ", " << fine.lift << "; drag " << coarse.drag << ", " << fine.drag);
  CHECK(coarse.change < 1e-3);
  CHECK(fine.change < 1e-3);
  // A thin wing's lift in a compressible stream is 2 pi angle / sqrt(1 - Mach^2) = 0.36 (Glauert, 1928), its drag 0.
  CHECK(coarse.lift < fine.lift);
  CHECK(fine.lift == Approx(0.36).epsilon(0.2));
  CHECK(coarse.drag > fine.drag);
  CHECK(fine.drag > 0);
}
