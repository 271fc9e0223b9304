// SPDX-License-Identifier: BSD-3-Clause
// The cantilever on distributed meshes: parts are those of the whole beam, and so is what it does.
#include <cmath>
#include <map>

#include "support/cantilever.hpp"
#include "support/methods.hpp"
#include "support/parts.hpp"

using elasticity::Cantilever;
using elasticity::ElasticPreconditioner;

namespace {

Cantilever make_beam(int order) {
  Cantilever beam;
  beam.nx = 4;
  beam.ny = 3;
  beam.nz = 2;
  beam.order = order;
  beam.length = 3;
  beam.poisson = 0.3;
  beam.deform = 0.1;
  return beam;
}

/// The orders of this build up to 3, or the lowest.
std::vector<int> some_orders() {
  std::vector<int> orders;
  for (int order = 1; order <= 7; ++order)
    if (!methods(order).empty() && (order <= 3 || orders.empty())) orders.push_back(order);
  return orders;
}

linalg::BlockMatrix<double> assemble_on(const Cantilever& beam, const mesh::Mesh& mesh, const space::Space& space) {
  return elasticity::assemble<double>(Instance(), elasticity::make_prisms(mesh, beam.young, beam.poisson), space,
                                      {methods(beam.order).back(), 1 << 20});
}

/// The mean tip deflection, and the iterations that CG takes to a residual of 1e-10. (To its end, at the floor of
/// rounding, it takes a hundred more of them where a matrix is rounded otherwise, as one of GPUs is from run to run.)
std::pair<double, int> bend(const Cantilever& beam, const mesh::Mesh& mesh, ElasticPreconditioner preconditioner) {
  const space::Space space = make_space(beam, mesh);
  const linalg::BlockMatrix<double> matrix = assemble_on(beam, mesh, space);
  const Vector<double> load = test::to_device<double>(make_load(beam, mesh, space)),
                       u = make_vector<double>("u", load.extent(0));
  const solver::CgResult cg = elasticity::solve<double>(
      Instance(), matrix, *elasticity::make_preconditioner(preconditioner, mesh, matrix), load, u, {1e-12, 5000, {}});
  CHECK(cg.converged());
  const Vector<double> copied = test::to_device<double>(to_std(u));
  space.exchange.copy_from_owners(Instance(), copied);
  CHECK(to_std(copied) == to_std(u));  // to the last bit
  const auto reached = std::find_if(cg.residuals.begin(), cg.residuals.end(), [](double r) { return r <= 1e-10; });
  return {tip_deflection(beam, mesh, space, to_std(u)), static_cast<int>(reached - cg.residuals.begin())};
}

/// The beam cut at random.
mesh::Mesh take_part_of(const Cantilever& beam, unsigned seed) {
  return take_part(make_mesh(beam), Communicator::world(), seed);
}

}  // namespace

TEST_CASE("Parts of a beam are those of the whole one", "[ranks][elasticity][mesh]") {
  const graph::Partition partition = GENERATE(graph::Partition::rcb, graph::Partition::linear);
  const Communicator world = Communicator::world();
  const Cantilever beam = make_beam(1);
  const mesh::Mesh whole = make_mesh(beam), part = make_mesh(beam, world, partition);

  test::require_part_of(whole, part, world);
}

TEST_CASE("Beams on ranks bend as on one", "[ranks][elasticity]") {
  const ElasticPreconditioner preconditioner = GENERATE(from_range(members<ElasticPreconditioner>()));
  const bool amg = preconditioner == ElasticPreconditioner::amg;
  for (const int order : some_orders()) {
    const Cantilever beam = make_beam(order);
    CAPTURE(order, elasticity::name(preconditioner));
    const auto [expected, iterations] = bend(beam, make_mesh(beam), preconditioner);
    const int plain = amg ? bend(beam, make_mesh(beam), ElasticPreconditioner::block_jacobi).second : 0;
    for (const mesh::Mesh& part : {take_part_of(beam, 3), make_mesh(beam, Communicator::world())}) {
      const auto [deflection, count] = bend(beam, part, preconditioner);
      CHECK(deflection == Approx(expected).epsilon(1e-9));
      if (amg)
        CHECK(count <= std::min(plain / 2, iterations + 3));
      else
        CHECK(std::abs(count - iterations) <= 2 + iterations / 8);  // rounding moves hundreds of them by a few percent
    }
  }
}

TEST_CASE("The load of all ranks is the force", "[ranks][elasticity]") {
  for (const int order : some_orders()) {
    const Cantilever beam = make_beam(order);
    const mesh::Mesh part = take_part_of(beam, 5);
    const space::Space space = make_space(beam, part);
    const std::vector<double> load = make_load(beam, part, space);
    double sum = 0;
    for (std::size_t i = 0; i < load.size(); ++i)
      if (space.exchange.empty() || space.exchange.owns(i)) sum += load[i];
    CHECK(Communicator::world().sum(sum) == Approx(beam.force));
  }
}

TEST_CASE("A face that no rank has is refused by all", "[ranks][elasticity]") {
  Cantilever beam = make_beam(1);
  const mesh::Mesh part = take_part_of(beam, 5);
  const space::Space space = make_space(beam, part);
  beam.length *= 2;
  CHECK_THROWS_AS(make_load(beam, part, space), InputError);
}

TEST_CASE("Diagonal blocks of ranks are those of all, and ones at masked nodes", "[ranks][elasticity][linalg]") {
  for (const int order : some_orders()) {
    const Cantilever beam = make_beam(order);
    const auto blocks_of = [&](const mesh::Mesh& mesh) {
      const space::Space space = make_space(beam, mesh);
      const linalg::BlockMatrix<double> matrix = assemble_on(beam, mesh, space);
      const std::vector<double> blocks = to_std(matrix.diagonal_blocks()), diagonal = to_std(matrix.diagonal());
      // by place, which tells nodes apart
      std::map<std::array<std::int64_t, 3>, std::vector<double>> found;
      const std::vector<mesh::Point> points = node_points(mesh, space);
      for (Index node = 0; node < space.num_nodes; ++node) {
        std::vector<double>& numbers = found[{std::llround(points[node][0] * 1e6), std::llround(points[node][1] * 1e6),
                                              std::llround(points[node][2] * 1e6)}];
        numbers.assign(&blocks[9 * node], &blocks[9 * node] + 9);
        for (int c = 0; c < 3; ++c) CHECK(diagonal[3 * node + c] == blocks[9 * node + 4 * c]);
      }
      for (const Index node : space.masked)
        for (int i = 0; i < 9; ++i) CHECK(blocks[9 * node + i] == (i % 4 == 0));
      return found;
    };
    const auto expected = blocks_of(make_mesh(beam)), found = blocks_of(take_part_of(beam, 7));
    double largest = 0, difference = 0;
    for (const auto& [place, numbers] : found)
      for (std::size_t i = 0; i < 9; ++i) {
        largest = std::max(largest, std::fabs(numbers[i]));
        difference = std::max(difference, std::fabs(numbers[i] - expected.at(place)[i]));
      }
    CHECK(difference <= 1e-12 * largest);
  }
}

TEST_CASE("The motions of a rigid body are the same in all copies of a node", "[ranks][elasticity]") {
  const Cantilever beam = make_beam(1);
  const auto modes_of = [&](const mesh::Mesh& mesh) {
    const space::Space space = make_space(beam, mesh);
    const std::vector<double> modes = to_std(elasticity::make_rigid_modes(mesh, space));
    const std::vector<mesh::Point> points = node_points(mesh, space);
    std::map<std::array<std::int64_t, 3>, std::vector<double>> found;  // by place, which tells nodes apart
    for (Index node = 0; node < space.num_nodes; ++node)
      found[{std::llround(points[node][0] * 1e6), std::llround(points[node][1] * 1e6),
             std::llround(points[node][2] * 1e6)}]
          .assign(&modes[18 * node], &modes[18 * node] + 18);
    return found;
  };
  const auto expected = modes_of(make_mesh(beam));
  for (const auto& [place, values] : modes_of(take_part_of(beam, 7)))
    for (std::size_t i = 0; i < values.size(); ++i) CHECK(std::abs(values[i] - expected.at(place)[i]) <= 1e-12);
}
