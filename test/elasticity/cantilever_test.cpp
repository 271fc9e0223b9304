// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/elasticity/cantilever.hpp"

#include <numeric>

#include "support/cantilever.hpp"
#include "support/methods.hpp"

using elasticity::Cantilever;
using elasticity::ElasticPreconditioner;
using elasticity::Method;

namespace {

BentBeam bend(const Cantilever& beam, ElasticPreconditioner preconditioner, Method method) {
  BentBeam result = solve_cantilever(beam, {method, 1 << 24}, preconditioner, {1e-9, 5000, {}});
  CHECK(result.cg.converged());
  return result;
}
BentBeam bend(const Cantilever& beam, ElasticPreconditioner preconditioner = ElasticPreconditioner::block_jacobi) {
  return bend(beam, preconditioner, methods(beam.order).back());  // the fastest
}

/// Tip deflection / that of beam theory.
double ratio(const Cantilever& beam) { return bend(beam).tip_deflection / beam_deflection(beam); }

Cantilever make_beam(int order, double poisson, double deform = 0) {
  Cantilever beam;
  beam.nx = 5;
  beam.order = order;
  beam.poisson = poisson;
  beam.young = 3;
  beam.force = 0.5;
  beam.width = 0.8;
  beam.deform = deform;
  return beam;
}

}  // namespace

TEST_CASE("A cantilever's deflection converges to beam theory's with rising order", "[elasticity][cantilever]") {
  const double deform = GENERATE(0., 0.05);
  double before = 0;
  for (int order = 1; order <= 4; ++order) {
    if (methods(order).empty()) continue;
    const double found = ratio(make_beam(order, 0, deform));
    INFO("order " << order << ": " << found << " of the beam's deflection");
    CHECK(found > before);  // nested spaces, all stiffer than the exact body
    CHECK(found < 1.002);
    if (order >= 2) CHECK(found > 0.97);
    if (order >= 3) CHECK(found > 0.998);
    before = found;
  }
}

TEST_CASE("High orders agree with beam theory with only one cell", "[elasticity][cantilever]") {
  const int order = GENERATE(5, 6, 7);
  if (methods(order).empty()) return;
  Cantilever beam = make_beam(order, 0);
  beam.nx = 1;
  beam.nz = 1;
  CHECK(ratio(beam) == Approx(1).margin(0.002));
}

TEST_CASE("A cantilever's deflection converges with rising number of cells", "[elasticity][cantilever]") {
  if (methods(2).empty()) MINIAPP_SKIP("this build lacks the order");
  Cantilever beam = make_beam(2, 0.1);
  double before = 0;
  for (const int n : {2, 4, 8, 16}) {
    beam.nx = n;
    const double found = ratio(beam);
    CHECK(found > before);
    before = found;
  }
  CHECK(before == Approx(1).margin(0.005));
}

TEST_CASE("With lateral contraction the clamped end stiffens the beam a little", "[elasticity][cantilever]") {
  if (methods(3).empty()) MINIAPP_SKIP("this build lacks the order");
  CHECK(ratio(make_beam(3, 0.3)) == Approx(1).margin(0.02));
}

TEST_CASE("Every method and preconditioner gives the same deflection; block Jacobi needs no more iterations",
          "[elasticity][cantilever]") {
  const int order = GENERATE(1, 2, 3);
  const Cantilever beam = make_beam(order, 0.3, 0.04);
  double first = 0;
  for (const Method method : methods(order)) {
    const BentBeam points = bend(beam, ElasticPreconditioner::jacobi, method),
                   blocks = bend(beam, ElasticPreconditioner::block_jacobi, method);
    INFO(name(method) << " of order " << order << ": " << points.cg.iterations << " iterations, "
                      << blocks.cg.iterations << " with blocks");
    if (first == 0) first = points.tip_deflection;
    CHECK(points.tip_deflection == Approx(first).epsilon(1e-7));
    CHECK(blocks.tip_deflection == Approx(first).epsilon(1e-7));
    CHECK(blocks.cg.iterations <= 1.05 * points.cg.iterations);
  }
}

TEST_CASE("The load sums up to the force, and the clamped end is held", "[elasticity][cantilever]") {
  const int order = GENERATE(range(1, 8));
  const Cantilever beam = make_beam(order, 0.3, 0.05);
  const mesh::Mesh mesh = make_mesh(beam);
  const space::Space space = make_space(beam, mesh);
  const std::vector<double> load = make_load(beam, mesh, space);
  const int across = (beam.ny * order + 1) * (beam.nz * order + 1);

  double sum[3] = {}, moment = 0;
  const std::vector<mesh::Point> nodes = node_points(mesh, space);
  for (std::size_t i = 0; i < load.size(); ++i) {
    sum[i % 3] += load[i];
    moment += load[i] * nodes[i / 3][1];
  }
  CHECK(Index(space.masked.size()) == across);
  CHECK(space.num_nodes == across * (beam.nx * order + 1));
  CHECK(sum[0] == 0);
  CHECK(sum[1] == 0);
  CHECK(sum[2] == close<double>(beam.force, 4 * across));
  CHECK(moment == close<double>(0, 4 * across, 1));
  const std::vector<double> lifted(load.size(), 0.25);
  for (const Index node : space.element_to_node.host().entries)
    if (node < 0) CHECK(load[3 * std::size_t(~node) + 2] == 0);  // no step of CG would change it
  CHECK(tip_deflection(beam, mesh, space, lifted) == close<double>(0.25, 4 * across));
}

TEST_CASE("The clamped end stays where it is", "[elasticity][cantilever]") {
  if (methods(2).empty()) MINIAPP_SKIP("this build lacks the order");
  const Cantilever beam = make_beam(2, 0.3);
  const mesh::Mesh mesh = make_mesh(beam);
  const BentBeam result = bend(beam);
  double held = 0;
  const space::Space space = make_space(beam, mesh);
  for (const Index entry : space.element_to_node.host().entries)
    if (entry < 0)
      for (int c = 0; c < 3; ++c) held = std::max(held, std::fabs(result.u[3 * ~entry + c]));
  CHECK(held == 0);
  CHECK(result.dofs == 3 * (result.nodes - 3 * 5));
}

TEST_CASE("Beam theory agrees with values by hand, and invalid beams are rejected", "[elasticity][cantilever]") {
  Cantilever beam;  // 10 x 1 x 1 m, E = 1 Pa, nu = 0, F = 1 N
  CHECK(beam_deflection(beam) == close<double>(4000 + 24, 8));
  beam.poisson = 0.3;
  CHECK(beam_deflection(beam) == close<double>(4000 + 26 * 15.3 / 13, 8));

  beam.height = 0;
  CHECK_THROWS_AS(make_mesh(beam), InputError);
  beam.height = 1;
  beam.force = NAN;
  CHECK_THROWS_AS(make_mesh(beam), InputError);
  beam.force = 1;
  beam.order = 8;
  CHECK_THROWS_AS(make_mesh(beam), InputError);
}

TEST_CASE("Where beam theory gives a limit, the deflection is below the theory's by less than that",
          "[elasticity][cantilever]") {
  const int order = GENERATE(range(2, 8));
  if (methods(order).empty()) return;
  Cantilever beam;
  beam.order = order;
  beam.height = 0.5;
  for (const double length : {0.2, 5., order > 3 ? 1. : 20.}) {
    for (const int cells : {1, 3}) {
      if (order > 5 && cells > 1) continue;  // takes seconds
      beam.length = length;
      beam.nx = cells;
      beam.nz = order > 3 ? 1 : 2;
      const double less = 1 - ratio(beam), limit = *beam_tolerance(beam);
      INFO("order " << order << ", " << cells << " cells, length " << length << ": " << less << " of " << limit);
      CHECK(less > -1e-7);
      CHECK(less <= limit);
      CHECK(less >= 0.005 * limit);
    }
  }
}

TEST_CASE("The limit of beam theory agrees with values by hand, and exists only where it should",
          "[elasticity][cantilever]") {
  Cantilever beam;  // deflections of 4000 m by bending, 24 m by shear, 8 cells
  CHECK(*beam_tolerance(beam) == close<double>((4000 / 256. + 4) / 4024, 8));
  beam.order = 3;
  CHECK(*beam_tolerance(beam) == close<double>(24 / 30. / 8 / 4024, 8));
  beam.nx = 16;  // cells shorter than the height
  CHECK(*beam_tolerance(beam) == close<double>(24 / 30. / 10 / 4024, 8));
  beam.length = 0.1;
  CHECK(*beam_tolerance(beam) == close<double>(0.04 / beam_deflection(beam), 8));

  beam.length = 51;
  CHECK_FALSE(beam_tolerance(beam));
  beam.length = 10;
  beam.order = 1;
  CHECK_FALSE(beam_tolerance(beam));
  beam.order = 2;
  beam.poisson = 0.1;
  CHECK_FALSE(beam_tolerance(beam));
  beam.poisson = 0;
  beam.deform = 0.01;
  CHECK_FALSE(beam_tolerance(beam));
}
