// SPDX-License-Identifier: BSD-3-Clause
// A distributed mesh has the solution of the whole mesh, after as many iterations.
#include "support/solve.hpp"
#include "miniapp/graph/partition.hpp"
#include "miniapp/multigrid/p_multigrid.hpp"
#include "miniapp/solver/fused_cg.hpp"
#include "miniapp/solver/pipelined_cg.hpp"
#include "miniapp/tensor/diagonal.hpp"
#include "miniapp/tensor/reference.hpp"
#include "multigrid/random_nodes.hpp"
#include "support/parts.hpp"

namespace {

struct Solved {
  Vector<double> x;
  int iterations;
  double l2_error;
};

Solved solve(const Discretisation& d, int method) {
  const tensor::Manufactured u{Boundary::neumann};
  const Vector<const double> b =
      make_load(d, u, tensor::Manufactured::source(tensor::has_stiffness(d.problem), d.lambda));
  const Vector<double> x = make_vector<double>("x", b.extent(0));
  const auto op = tensor::make_operator<double>(tensor::fastest(d.problem, d.order), d);
  const solver::Jacobi<double> jacobi(make_diagonal(d));
  const solver::CgOptions options{1e-12, 1000, {}};
  solver::CgWorkspace<double> work(b.extent(0), true);
  solver::DeviceCgWorkspace<double> on_device(b.extent(0));
  const solver::CgResult cg = method == 0 ? solver::cg<double>(Instance(), *op, jacobi, b, x, work, options)
                              : method == 1
                                  ? solver::fused_cg<double>(Instance(), *op, jacobi, b, x, on_device, options)
                                  : solver::pipelined_cg<double>(Instance(), *op, jacobi, b, x, on_device, options);
  CHECK(cg.verdict == solver::Verdict::converged);
  return {x, cg.iterations, relative_l2_error(d, x, u)};
}

}  // namespace

TEST_CASE("A distributed mesh has the solution of the whole one, after as many iterations", "[ranks][solver][cg]") {
  const Problem problem = any_problem();
  const int components = GENERATE(1, 2), method = GENERATE(0, 1, 2);
  const int order = tensor::built_orders().front();
  const mesh::Mesh whole = make_turned_box(3, 2, 4);
  const mesh::Mesh mine = take_part(whole, by_way(Communicator::world(), method == 1), 2);
  const Discretisation one(whole, problem, order, Boundary::neumann, 1, components),
      part(mine, problem, order, Boundary::neumann, 1, components);
  CAPTURE(tensor::name(problem), components, method);

  const Solved expected = solve(one, method), found = solve(part, method);

  CHECK(std::abs(found.iterations - expected.iterations) <= 1);
  CHECK(found.l2_error == Approx(expected.l2_error).epsilon(1e-9));
  const Values all = values(expected.x), own = values(found.x);
  const double scale = largest(all);
  double worst = 0;
  for (std::size_t e = 0; e < part.mesh->num_elements(); ++e)
    for (int i = 0; i < part.space.element_to_node.arity(); ++i)
      for (int c = 0; c < components; ++c) {
        const Index here = part.space.element_to_node.host()[e][i],
                    there = one.space.element_to_node.host()[part.mesh->part.elements[e]][i];
        worst = std::max(worst, std::fabs(own[part.space.entry(here, c)] - all[one.space.entry(there, c)]));
      }
  CHECK(worst <= 1e-11 * scale);
}

TEST_CASE("The diagonal of a distributed mesh is the whole one's, 1 where masked", "[ranks][tensor]") {
  const Problem problem = any_problem();
  const int order = tensor::built_orders().front();
  const mesh::Mesh whole = make_turned_box(3, 3, 3);
  const mesh::Mesh mine = take_part(whole, Communicator::world(), 2);
  const Discretisation one(whole, problem, order, Boundary::dirichlet, 1, 2),
      part(mine, problem, order, Boundary::dirichlet, 1, 2);
  const Values all = values(tensor::Reference(one).diagonal()), own = values(tensor::Reference(part).diagonal()),
               fast = values(tensor::make_diagonal(part));
  CHECK_THAT(fast, all_close<double>(own, 64));
  double worst = 0;
  for (std::size_t e = 0; e < mine.num_elements(); ++e)
    for (int i = 0; i < part.space.element_to_node.arity(); ++i) {
      const Index here = part.space.element_to_node.host()[e][i],
                  there = one.space.element_to_node.host()[part.mesh->part.elements[e]][i];
      REQUIRE((here < 0) == (there < 0));
      for (int c = 0; c < 2; ++c)
        worst = std::max(worst,
                         std::fabs(own[part.space.entry(node_of(here), c)] - all[one.space.entry(node_of(there), c)]));
    }
  CHECK(worst <= 1e-13 * largest(all));
}

TEST_CASE("Random numbers at nodes are those of one rank, to the last bit", "[ranks][tensor]") {
  const int order = tensor::built_orders().back();
  const mesh::Mesh whole = make_turned_box(3, 3, 3);
  const mesh::Mesh mine = take_part(whole, Communicator::world(), 2);
  const Discretisation one(whole, Problem::bp1_0, order, Boundary::dirichlet, 1, 2),
      part(mine, Problem::bp1_0, order, Boundary::dirichlet, 1, 2);
  const auto randoms = [](const Discretisation& d) {
    const Vector<float> v = make_vector<float>("v", d.space.num_entries());
    multigrid::randomise(d, v);
    return values(v);
  };
  const Values all = randoms(one), own = randoms(part);
  int wrong = 0, equal_pairs = 0;
  for (std::size_t e = 0; e < mine.num_elements(); ++e)
    for (int i = 0; i < part.space.element_to_node.arity(); ++i) {
      const Index here = part.space.element_to_node.host()[e][i],
                  there = one.space.element_to_node.host()[part.mesh->part.elements[e]][i];
      for (int c = 0; c < 2; ++c)
        wrong += own[part.space.entry(node_of(here), c)] != (here < 0 ? 0 : all[one.space.entry(there, c)]);
      equal_pairs += here >= 0 && own[part.space.entry(here, 0)] == own[part.space.entry(here, 1)];
    }
  CHECK(wrong == 0);
  CHECK(equal_pairs == 0);
  double sum = 0;
  for (const double entry : all.entries) {
    CHECK(std::fabs(entry) <= 1);
    sum += entry;
  }
  CHECK(std::fabs(sum) <= 4 * std::sqrt(double(all.size())));
}

TEST_CASE("An inverted element is named by its number in the whole mesh, on all ranks", "[ranks][tensor]") {
  mesh::Mesh whole = mesh::make_box(3, 3, 3);
  std::swap(whole.element_to_vertex[17][0], whole.element_to_vertex[17][1]);
  const mesh::Mesh mine = take_part(whole, Communicator::world(), 2);
  try {
    const Discretisation d(mine, Problem::bp1_0, tensor::built_orders().front(), Boundary::neumann, 1);
    FAIL("accepted");
  } catch (const tensor::InvertedElement& inverted) {
    CHECK(inverted.element == 17);
  }
}

TEST_CASE("Multigrid over orders takes as many iterations on several ranks, within one", "[ranks][tensor][multigrid]") {
  const auto lowest = GENERATE(multigrid::LowestWork::redundant, multigrid::LowestWork::distributed);
  const int components = GENERATE(1, 2);
  std::vector<int> orders = tensor::built_orders();
  std::erase_if(orders, [](int built) { return built > 7; });
  const int order = orders.empty() ? 1 : orders.back();
  const auto smoother = GENERATE(multigrid::Smoother::jacobi, multigrid::Smoother::schwarz);
  const Boundary boundary = GENERATE(Boundary::neumann, Boundary::dirichlet);
  if (order == 1) return;
  const bool distributed = lowest == multigrid::LowestWork::distributed;
  const Communicator world = by_way(Communicator::world(), components == 2);
  const std::array<int, 3> sides{4, 4, 6};
  mesh::Mesh whole = mesh::make_box(4, 4, 6),
             mine = mesh::make_box_part(
                 sides, graph::part_of_box(sides, graph::Partition::rcb, world.rank(), world.size()), world);
  mesh::deform(whole, 0.08);
  mesh::deform(mine, 0.08);
  const Discretisation one(whole, Problem::bp3_0, order, boundary, 1, components),
      part(mine, Problem::bp3_0, order, boundary, 1, components);
  CAPTURE(order, name(smoother), name(lowest), components);
  const auto iterations = [&](const Discretisation& d) {
    measure::Phases phases;
    const multigrid::PMultigrid multigrid(d, {smoother, 0, lowest}, phases);
    const bool has_inner_rows = !d.space.exchange.empty() && !distributed && boundary == Boundary::dirichlet;
    CHECK(multigrid.lowest_levels().front().unknowns == (has_inner_rows ? 3 * 3 * 5 : 5 * 5 * 7));
    const tensor::Manufactured u{boundary};
    const Vector<const double> b = make_load(d, u, tensor::Manufactured::source(true, 1));
    const Vector<double> x = make_vector<double>("x", b.extent(0));
    const auto op = tensor::make_operator<double>(tensor::fastest(d.problem, d.order), d);
    solver::CgWorkspace<double> work(b.extent(0), true);
    const solver::CgResult cg = solver::cg<double>(Instance(), *op, multigrid, b, x, work, {1e-10, 100, {}});
    CHECK(cg.verdict == solver::Verdict::converged);
    const Values before = values(x);
    d.space.exchange.copy_from_owners(Instance(), x);
    CHECK(values(x).entries == before.entries);  // copies agree to the last bit
    return cg.iterations;
  };

  const int expected = iterations(one), found = iterations(part);

  CHECK(std::abs(found - expected) <= (distributed ? 2 : 1));  // aggregates are of one rank's nodes
}

TEST_CASE("Several ranks do the lowest order of a large mesh together", "[ranks][tensor][multigrid]") {
  using multigrid::LowestWork, multigrid::usual_lowest_work, multigrid::least_saved;
  CHECK(usual_lowest_work(least_saved, 2) == LowestWork::redundant);
  CHECK(usual_lowest_work(least_saved + 1, 2) == LowestWork::distributed);
  CHECK(usual_lowest_work(least_saved / 2, 3) == LowestWork::redundant);
  CHECK(usual_lowest_work(least_saved / 2 + 1, 3) == LowestWork::distributed);
  CHECK(usual_lowest_work(multigrid::least_distributed, 1000) == LowestWork::redundant);
}
