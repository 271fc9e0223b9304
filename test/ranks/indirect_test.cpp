// SPDX-License-Identifier: BSD-3-Clause
// Loops with indirect increments on distributed meshes give what they give on the whole mesh.
#include <map>
#include <set>

#include "miniapp/indirect/case.hpp"
#include "miniapp/mesh/generate.hpp"
#include "miniapp/mesh/interfaces.hpp"
#include "runs/indirect/combination.hpp"
#include "runs/indirect/planned.hpp"
#include "space/halo_cells.hpp"
#include "support/parts.hpp"

using namespace miniapp::indirect;

namespace {

constexpr std::int64_t elements = 300;

LoopKind any_loop() { return GENERATE(from_range(members<LoopKind>())); }

/// A result by the place of its target: values of all fields, one after the other.
using ByPlace = std::map<mesh::Point, std::vector<double>>;

ByPlace by_place(const std::vector<mesh::Point>& points, const BoundLoop& loop) {
  ByPlace values;
  const std::vector<double> result = loop.result();
  auto value = result.begin();
  for (const int n : loop.components())
    for (const mesh::Point& point : points)
      for (int c = 0; c < n; ++c) values[point].push_back(*value++);
  return values;
}

std::unique_ptr<BoundLoop> bind_plan(LoopKind kind, const Case& data, const PlanOptions& options, Layout layout) {
  return bind(kind, data, usual_precision(kind), layout, make_plan(data.map, data.to_size, options));
}

/// Differences of values that `right` has; infinite where it has none.
double difference(const ByPlace& found, const ByPlace& right, double factor) {
  double most = 0;
  for (const auto& [point, values] : found) {
    const auto expected = right.find(point);
    if (expected == right.end()) return INFINITY;
    for (std::size_t i = 0; i < values.size(); ++i)
      most = std::max(most, std::fabs(values[i] - factor * expected->second[i]));
  }
  return most;
}

}  // namespace

TEST_CASE("Parts of the loops' meshes are those of the whole mesh", "[ranks][indirect][mesh]") {
  const LoopKind kind = any_loop();
  const graph::Partition partition = GENERATE(graph::Partition::rcb, graph::Partition::linear);
  CAPTURE(name(kind), name(partition));
  const Communicator world = Communicator::world();
  const mesh::Mesh whole = indirect::make_mesh(kind, indirect::mesh_sides(kind, elements)),
                   part = indirect::make_mesh(kind, indirect::mesh_sides(kind, elements), world, partition);

  test::require_part_of(whole, part, world);
}

TEST_CASE("A part's halo has the higher cells of interfaces to other ranks, and no others", "[ranks][space][mesh]") {
  const LoopKind kind = GENERATE(LoopKind::airfoil, LoopKind::shallow_water, LoopKind::euler_flux);
  const Communicator world = Communicator::world();
  if (world.is_alone()) return;
  const mesh::Mesh whole = indirect::make_mesh(kind, indirect::mesh_sides(kind, elements)),
                   part = take_part(whole, world, 7), with_halo = space::with_halo_cells(part);
  CAPTURE(name(kind));

  const std::set<std::int64_t> own(part.part.elements.begin(), part.part.elements.end());
  std::set<std::int64_t> expected, halo;
  const Map sides = mesh::find_interfaces(whole).to_cell;
  for (std::size_t i = 0; i < sides.size(); ++i)
    if (own.count(sides[i][0]) && !own.count(sides[i][1])) expected.insert(sides[i][1]);  // cell 0 is the lower
  const std::vector<std::int64_t>& numbers = with_halo.part.elements;
  REQUIRE(numbers.size() == with_halo.num_elements());
  for (std::size_t e = 0; e < numbers.size(); ++e)
    if (e < part.num_elements())
      CHECK(numbers[e] == part.part.elements[e]);
    else
      CHECK(halo.insert(numbers[e]).second);
  CHECK(halo == expected);
  CHECK(std::is_sorted(with_halo.part.vertices.begin(), with_halo.part.vertices.end()));
  REQUIRE(with_halo.vertices.size() == with_halo.part.vertices.size());
  for (std::size_t e = 0; e < numbers.size(); ++e)
    for (int v = 0; v < whole.element_to_vertex.arity; ++v) {
      const Index vertex = with_halo.element_to_vertex[e][v];
      REQUIRE(with_halo.part.vertices[vertex] == whole.element_to_vertex[numbers[e]][v]);
      REQUIRE(with_halo.vertices[vertex] == whole.vertices[with_halo.part.vertices[vertex]]);
    }
}

TEST_CASE("Loops on parts give what they give on the whole mesh, by every strategy", "[ranks][indirect]") {
  const LoopKind kind = any_loop();
  const bool scattered = GENERATE(false, true);
  const Layout layout = GENERATE(Layout::aos, Layout::soa);
  CAPTURE(name(kind), scattered, name(layout));
  const Communicator world = Communicator::world();
  const mesh::Mesh whole = indirect::make_mesh(kind, indirect::mesh_sides(kind, elements)),
                   part = scattered ? take_part(whole, world, 5)
                                    : mesh::shuffle(
                                          indirect::make_mesh(kind, indirect::mesh_sides(kind, elements), world), 3);
  const Case expected = make_case(kind, whole), data = make_case(kind, part);
  CHECK(world.sum(std::int64_t(data.from_size())) == expected.from_size());
  const auto serial = bind_plan(kind, expected, {Strategy::serial}, Layout::aos);
  serial->serial();
  const ByPlace right = by_place(expected.points, *serial);

  for (const PlanOptions& options :
       all_strategies({Strategy::serial, 32, InBlock::colours, WriteBack::colours}, false)) {
    CAPTURE(name(options.strategy));
    const auto loop = bind_plan(kind, data, options, layout);
    loop->clear();
    for (int runs = 1; runs <= 3; ++runs) {  // each adds the increments once more
      if (runs == 2)
        loop->serial();
      else
        loop->run(Instance());
      CHECK(difference(by_place(data.points, *loop), right, runs) <= runs * serial->tolerance());
    }
    CHECK((loop->exchange().neighbours > 0) == (world.size() > 1));
    CHECK((loop->exchange().bytes > 0) == (world.size() > 1));
  }
}

TEST_CASE("Figures of a loop are those of all ranks, each element and target once", "[ranks][indirect]") {
  const LoopKind kind = any_loop();
  CAPTURE(name(kind));
  const Communicator world = Communicator::world();
  const auto measure = [&](const mesh::Mesh& mesh, const Combination& how) {
    Problem problem(kind, usual_precision(kind), make_case(kind, mesh));
    Planner planner(problem);
    Planned planned = planner.make(how);
    CHECK(finish(planned).empty());
    return std::tuple(measure_loop(problem, planned, Layout::soa, 1, {}, false), problem.num_elements,
                      problem.num_targets);
  };
  const Combination how = GENERATE(Combination{{Strategy::owner, 64}, graph::Reorder::bisection, false},
                                   Combination{{Strategy::hierarchical, 64}, graph::Reorder::blocks, false},
                                   Combination{{Strategy::global, 64}, graph::Reorder::rcm, false});
  const auto [alone, all_elements, all_targets] =
      measure(indirect::make_mesh(kind, indirect::mesh_sides(kind, elements)), how);
  const auto [found, num_elements, num_targets] =
      measure(indirect::make_mesh(kind, indirect::mesh_sides(kind, elements), world), how);

  CHECK(found.error <= 1);
  CHECK(num_elements == all_elements);
  CHECK(num_targets == all_targets);
  CHECK(alone.norm > 0);
  CHECK(found.norm == Approx(alone.norm).epsilon(kind == LoopKind::shallow_water ? 1e-5 : 1e-12));
  CHECK(found.bytes >= alone.bytes);
  CHECK(found.of_ranks.figures.empty() == world.is_alone());
  for (const auto& [what, spread] : found.of_ranks.figures) {
    if (what == "elements") CHECK(spread.mean * world.size() == Approx(double(all_elements)));
    if (what == "owned_targets") CHECK(spread.mean * world.size() == Approx(double(all_targets)));
    if (what == "targets") CHECK(spread.mean * world.size() > double(all_targets));
  }
}

TEST_CASE("A plan that is wrong on one rank is wrong on all", "[ranks][indirect]") {
  const Communicator world = Communicator::world();
  Problem problem(
      LoopKind::airfoil, Precision::fp64,
      make_case(LoopKind::airfoil,
                indirect::make_mesh(LoopKind::airfoil, indirect::mesh_sides(LoopKind::airfoil, 300), world)));
  Planned planned = Planner(problem).make({{Strategy::global, 64}, graph::Reorder::none, false});
  if (world.rank() == world.size() - 1) planned.plan.colour_offsets = {0, planned.plan.colour_offsets.back()};
  CHECK_FALSE(finish(planned).empty());
}

TEST_CASE("What one rank cannot plan all refuse", "[ranks][indirect]") {
  const Communicator world = Communicator::world();
  Case data = make_case(LoopKind::airfoil,
                        indirect::make_mesh(LoopKind::airfoil, indirect::mesh_sides(LoopKind::airfoil, 300), world));
  PlanArrays plan = make_plan(data.map, data.to_size, {Strategy::atomic});
  if (world.rank() == 0) data.map.entries.back() = static_cast<Index>(data.to_size);
  CHECK_THROWS_AS(bind(LoopKind::airfoil, data, Precision::fp64, Layout::aos, std::move(plan)), InputError);
}
