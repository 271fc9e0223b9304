// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/elasticity/multigrid.hpp"

#include "support/cantilever.hpp"
#include "support/methods.hpp"

using elasticity::Cantilever;
using elasticity::ElasticPreconditioner;

namespace {

Cantilever make_beam(int order) {
  Cantilever beam;
  beam.nx = 12;
  beam.ny = beam.nz = 3;
  beam.length = 4;
  beam.order = order;
  beam.poisson = 0.3;
  beam.deform = 0.05;
  return beam;
}

linalg::BlockMatrix<double> assemble(const Cantilever& beam, const mesh::Mesh& mesh, const space::Space& space) {
  return elasticity::assemble<double>(Instance(), elasticity::make_prisms(mesh, beam.young, beam.poisson), space,
                                      {methods(beam.order).back(), 1 << 24});
}

/// Mode m of modes (unknown, mode).
std::vector<double> take_mode(const std::vector<double>& modes, int m) {
  std::vector<double> mode;
  for (std::size_t i = static_cast<std::size_t>(m); i < modes.size(); i += 6) mode.push_back(modes[i]);
  return mode;
}

}  // namespace

TEST_CASE("The matrix of a body that nothing holds maps the motions of a rigid body to zero",
          "[elasticity][multigrid]") {
  const Cantilever beam = make_beam(GENERATE(1, 2));
  if (methods(beam.order).empty()) return;
  const mesh::Mesh mesh = make_mesh(beam);
  const space::Space space = space::make_space(mesh, beam.order, 3, space::Boundary::neumann, Layout::aos);
  const linalg::BlockMatrix<double> matrix = assemble(beam, mesh, space);

  const std::vector<double> modes = to_std(elasticity::make_rigid_modes(mesh, space));

  REQUIRE(modes.size() == 6 * space.num_entries());
  for (int m = 0; m < 6; ++m) {
    const std::vector<double> mode = take_mode(modes, m);
    const Vector<double> x = test::to_device<double>(mode), y = make_vector<double>("y", mode.size());
    matrix.apply(Instance(), x, y);
    const double scale = largest(values(matrix.diagonal())) * largest(values(mode));
    CAPTURE(m);
    CHECK(largest(values(mode)) >= 0.5);
    CHECK(largest(values(y)) <= 2000 * tolerance<double>(81, scale));
    for (int other = 0; other < m; ++other) {
      const std::vector<double> before = take_mode(modes, other);
      const double cosine =
          exact_dot(values(mode), values(before)) /
          std::sqrt(exact_dot(values(mode), values(mode)) * exact_dot(values(before), values(before)));
      CHECK(std::fabs(cosine) < 0.5);  // they differ
    }
  }
}

TEST_CASE("Motions of a rigid body are zero at held nodes", "[elasticity][multigrid]") {
  const Cantilever beam = make_beam(2);
  const mesh::Mesh mesh = make_mesh(beam);
  const space::Space space = make_space(beam, mesh);

  const std::vector<double> modes = to_std(elasticity::make_rigid_modes(mesh, space));

  double most = 0;
  for (const Index node : space.masked)
    for (std::size_t i = 0; i < 18; ++i) most = std::max(most, std::fabs(modes[18 * node + i]));
  CHECK(most == 0);
}

TEST_CASE("Multigrid takes far fewer iterations than block Jacobi to the same deflection", "[elasticity][multigrid]") {
  const Cantilever beam = make_beam(GENERATE(1, 2));
  if (methods(beam.order).empty()) return;
  const auto solve = [&](ElasticPreconditioner preconditioner) {
    return solve_cantilever(beam, {methods(beam.order).back(), 1 << 24}, preconditioner, {1e-9, 5000, {}});
  };

  const BentBeam blocks = solve(ElasticPreconditioner::block_jacobi), cycles = solve(ElasticPreconditioner::amg);

  CAPTURE(blocks.cg.iterations, cycles.cg.iterations);
  CHECK(cycles.cg.verdict == solver::Verdict::converged);
  CHECK(4 * cycles.cg.iterations < blocks.cg.iterations);
  CHECK(cycles.tip_deflection == Approx(blocks.tip_deflection).epsilon(1e-7));
}
