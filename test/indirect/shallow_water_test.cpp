// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/indirect/loops/shallow_water.hpp"

#include "miniapp/mesh/generate_2d.hpp"
#include "support/basin.hpp"
#include "support/riemann.hpp"

using namespace miniapp::indirect;

namespace {

mesh::Mesh make_basin(int nx, int ny) {
  mesh::Mesh mesh = mesh::make_rectangle(mesh::CellKind::triangle, nx, ny);
  mesh::perturb(mesh, 0.15, 1);
  return mesh::shuffle(mesh, 2);
}
Strategy any_strategy() { return GENERATE(Strategy::owner, Strategy::hierarchical); }

}  // namespace

TEST_CASE("The flux between equal states over a flat bottom is the exact flux", "[indirect][shallow_water]") {
  // h = 2, u = (3, -1), n = (0.6, 0.8), L = 5: u . n = 1
  const auto f = flux_of({0.6f, 0.8f, 5}, {{2, 6, -2, 0.5f}, {2, 6, -2, 0.5f}});
  const double p = 0.5 * gravity * 4;
  const std::vector<double> expected = {5 * 2., 5 * (6 + 0.6 * p), 5 * (-2 + 0.8 * p)};
  CHECK_THAT(values(std::vector<float>(f[0].begin(), f[0].end())), all_close<float>(values(expected), 10));
  for (int c = 0; c < 3; ++c) CHECK(f[1][c] == -f[0][c]);
}

TEST_CASE("The flux over a step is that computed by hand", "[indirect][shallow_water]") {
  // h = 2 over z = 0 and h = 1 over z = 0.5, g = 9.81: h* = 1.5 and 1, c = 3.836 and 3.132; u = (1, 2) and (0, 0)
  const auto f = flux_of({1, 0, 2}, {{2, 2, 4, 0}, {1, 0, 0, 0.5f}});
  const double c0 = std::sqrt(9.81 * 1.5), c1 = std::sqrt(9.81), s0 = std::min(1 - c0, -c1), s1 = 1 + c0;
  const double mass = (s1 * 1.5 - 0 + s0 * s1 * (1 - 1.5)) / (s1 - s0);
  const double p0 = 9.81 / 2 * 2.25, p1 = 9.81 / 2,
               star = (s1 * (1.5 + p0) - s0 * p1 + s0 * s1 * (0 - 1.5)) / (s1 - s0);
  const std::vector<double> first = {2 * mass, 2 * (star + 9.81 / 2 * (4 - 2.25)), 2 * 2 * mass};
  const std::vector<double> second = {-2 * mass, -2 * star, -2 * 2 * mass};
  CHECK_THAT(values(std::vector<float>(f[0].begin(), f[0].end())), all_close<float>(values(first), 10));
  CHECK_THAT(values(std::vector<float>(f[1].begin(), f[1].end())), all_close<float>(values(second), 10));
}

TEST_CASE("Water runs onto dry ground with twice the speed of waves, on either side", "[indirect][shallow_water]") {
  const double c = std::sqrt(gravity);  // h = 1 at rest: s_0 = -c, s_1 = 2 c
  const auto ahead = flux_of({1, 0, 1}, {{1, 0, 0, 0}, {0, 0, 0, 0}});
  const auto back = flux_of({1, 0, 1}, {{0, 0, 0, 0}, {1, 0, 0, 0}});
  CHECK(ahead[0][0] == close<float>(2 * c / 3, 10));
  CHECK(back[0][0] == close<float>(-2 * c / 3, 10));
  CHECK(ahead[0][1] == close<float>(gravity / 3, 10));
  CHECK(back[0][1] == close<float>(gravity / 3, 10));
}

TEST_CASE("The flux is invariant under rotation of the edge", "[indirect][shallow_water]") {
  const float q[2][4] = {{2, 1, 4, 0}, {1, -2, 0.5f, 0.5f}};
  const auto straight = flux_of({1, 0, 2}, q);
  const double angle = GENERATE(0.3, 1.5, 4.0), c = std::cos(angle), s = std::sin(angle);
  const auto x = [&](float u, float v) { return float(c * u - s * v); };
  const auto y = [&](float u, float v) { return float(s * u + c * v); };
  const auto turned = flux_of({float(c), float(s), 2}, {{2, x(1, 4), y(1, 4), 0}, {1, x(-2, 0.5f), y(-2, 0.5f), 0.5f}});
  const auto back = flux_of({-float(c), -float(s), 2}, {{1, x(-2, 0.5f), y(-2, 0.5f), 0.5f}, {2, x(1, 4), y(1, 4), 0}});
  for (int i = 0; i < 2; ++i) {
    const std::vector<float> expected = {straight[i][0], x(straight[i][1], straight[i][2]),
                                         y(straight[i][1], straight[i][2])};
    CHECK_THAT(values(std::vector<float>(turned[i].begin(), turned[i].end())), all_close<float>(values(expected), 10));
    CHECK_THAT(values(std::vector<float>(back[1 - i].begin(), back[1 - i].end())),
               all_close<float>(values(expected), 10));
  }
}

TEST_CASE("Edges over a bump conserve water, in every strategy and layout", "[indirect][shallow_water]") {
  const Case data = make_case(LoopKind::shallow_water, make_basin(17, 13));
  const Layout layout = GENERATE(Layout::aos, Layout::soa);
  const PlanArrays plan = make_plan(data.map, data.to_size, {any_strategy(), 64});
  const auto loop = bind(LoopKind::shallow_water, data, Precision::fp32, layout, plan);

  check_moves_only<float>(*loop, 3, 1, 4);
}

TEST_CASE("Water gains momentum only from a sloping bottom", "[indirect][shallow_water]") {
  Case data = make_case(LoopKind::shallow_water, make_basin(17, 13));
  for (std::size_t cell = 0; cell < data.to_size; ++cell) data.values[1].values[4 * cell + 3] = 0.25;
  const auto loop = bind(LoopKind::shallow_water, data, Precision::fp32, Layout::aos,
                         make_plan(data.map, data.to_size, {any_strategy(), 64}));

  loop->run(Instance());

  for (int c = 0; c < 3; ++c) {
    const Total sum = total(loop->result(), 3, c);
    CHECK(sum.size > 0.01);
    CHECK(sum.sum == close<float>(0, 4, sum.size));
  }
}

TEST_CASE("A lake stays at rest over any bottom and around an island", "[indirect][shallow_water]") {
  const mesh::Mesh mesh = make_basin(14, 12);
  Basin lake(mesh, any_strategy());
  const double top = GENERATE(0.5, 1.5);
  lake.fill(mesh, [&](const mesh::Point& x) {  // the bottom is rough: no two cells have the same
    const double z =
        top * std::exp(-30 * (std::pow(x[0] - 0.4, 2) + std::pow(x[1] - 0.5, 2))) + 0.1 * std::sin(99 * x[1]);
    return std::array<double, 4>{std::max(0., 1 - z), 0, 0, z};
  });
  const std::vector<float> before = lake.q;

  const int steps = 100;
  for (int step = 0; step < steps; ++step) lake.step();

  CHECK_THAT(values(lake.q), all_close<float>(values(before), steps));
}

TEST_CASE("A dam break over a wet bottom gives Stoker's waves, over a dry one Ritter's", "[indirect][shallow_water]") {
  const Strategy strategy = any_strategy();
  const double left = 2, right = GENERATE(1, 0), time = 0.04;
  const auto error = [&](int n) {  // mean over the channel of |h - exact h| [m]
    mesh::Mesh mesh = mesh::make_rectangle(mesh::CellKind::triangle, n, 2);
    for (mesh::Point& x : mesh.vertices) x[1] *= 2. / n;
    Basin channel(mesh, strategy);
    channel.fill(mesh, [&](const mesh::Point& x) { return std::array<double, 4>{x[0] < 0.5 ? left : right, 0, 0, 0}; });
    for (double t = 0; t < time;) t += channel.step(time - t);
    double sum = 0, length = 0;
    for (std::size_t cell = 0; cell < channel.cells; ++cell) {
      const double x = cell_centre(mesh, cell)[0] - 0.5;
      sum += channel.sizes[cell] * std::fabs(channel.q[4 * cell] - exact_dam_break(left, right, x / time).h);
      length += channel.sizes[cell];
    }
    return sum / length;
  };
  const double coarse = error(40), middle = error(80), fine = error(160);
  INFO("L1 errors " << coarse << ", " << middle << ", " << fine);
  CHECK(middle < 0.67 * coarse);
  CHECK(fine < 0.67 * middle);
  CHECK(fine < 0.01 * left);
}

TEST_CASE("A dam break that floods dry hills conserves mass and keeps depths nonnegative",
          "[indirect][shallow_water]") {
  const mesh::Mesh mesh = make_basin(20, 10);
  Basin basin(mesh, any_strategy());
  basin.fill(mesh, [](const mesh::Point& x) {
    const double z = 0.6 * std::exp(-20 * (std::pow(x[0] - 0.6, 2) + std::pow(x[1] - 0.5, 2)));
    return std::array<double, 4>{x[0] < 0.3 ? 1. : 0., 0, 0, z};
  });
  const double mass = total(basin.q, 4, 0, basin.sizes).sum;
  const auto wet = [&] {
    int cells = 0;
    for (std::size_t cell = 0; cell < basin.cells; ++cell) cells += basin.q[4 * cell] > 1e-3f;
    return cells;
  };
  const int wet_before = wet();

  const int steps = 400;
  float lowest = 0;
  for (int step = 0; step < steps; ++step) {
    basin.step();
    for (std::size_t cell = 0; cell < basin.cells; ++cell) lowest = std::min(lowest, basin.q[4 * cell]);
  }

  CHECK(lowest >= 0);
  for (const float value : basin.q) CHECK(std::isfinite(value));
  CHECK(total(basin.q, 4, 0, basin.sizes).sum == close<float>(mass, steps));
  CHECK(wet() > 2 * wet_before);
}

TEST_CASE("The shallow-water case is water over a bump, higher behind a dam", "[indirect][shallow_water]") {
  const mesh::Mesh mesh = make_basin(17, 13);
  const Case data = make_case(LoopKind::shallow_water, mesh);
  double lowest = 9, highest = 0, bump = 0;
  for (std::size_t cell = 0; cell < data.to_size; ++cell) {
    const double* const q = &data.values[1].values[4 * cell];
    CHECK(q[0] > 0.5);
    lowest = std::min(lowest, q[0] + q[3]);
    highest = std::max(highest, q[0] + q[3]);
    bump = std::max(bump, q[3]);
  }
  CHECK(lowest == Approx(1));
  CHECK(highest == Approx(2));
  CHECK(bump > 0.3);
  for (std::size_t e = 0; e < data.map.size(); ++e) {
    const double* const edge = &data.values[0].values[3 * e];
    const mesh::Point from = cell_centre(mesh, data.map[e][0]), to = cell_centre(mesh, data.map[e][1]);
    CHECK(std::hypot(edge[0], edge[1]) == Approx(1));
    CHECK(edge[0] * (to[0] - from[0]) + edge[1] * (to[1] - from[1]) > 0);
  }
  CHECK_THROWS_AS(make_case(LoopKind::shallow_water, mesh::make_box(2, 2, 2)), InputError);
}

TEST_CASE("Stoker's and Ritter's exact waves satisfy their conditions", "[indirect][shallow_water]") {
  const Water behind = exact_dam_break(2, 1, 2), front = exact_dam_break(2, 1, 9);  // 2 < shock < 9
  const double shock = behind.h * behind.u / (behind.h - front.h);
  const auto momentum = [](const Water& w) { return w.h * w.u * w.u + gravity / 2 * w.h * w.h; };
  CHECK(front.h == 1);
  CHECK(momentum(behind) - momentum(front) == close<double>(shock * behind.h * behind.u, 50));
  CHECK(behind.u + 2 * std::sqrt(gravity * behind.h) == close<double>(2 * std::sqrt(gravity * 2), 50));
  CHECK(exact_dam_break(1, 0, 0).h == close<double>(4 / 9., 20));
  CHECK(exact_dam_break(1, 0, 0).u == close<double>(2 / 3. * std::sqrt(gravity), 20));
  CHECK(exact_dam_break(1, 0, 2.001 * std::sqrt(gravity)).h == 0);
}
