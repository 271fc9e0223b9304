// SPDX-License-Identifier: BSD-3-Clause
// A mesh that the first rank gives to all, and a user's problem on it.
#include <algorithm>
#include <cmath>
#include <random>

#include "miniapp/mesh/distribute.hpp"
#include "miniapp/multigrid/p_multigrid.hpp"
#include "miniapp/multigrid/schwarz.hpp"
#include "miniapp/solver/cg.hpp"
#include "miniapp/solver/jacobi.hpp"
#include "miniapp/tensor/diagonal.hpp"
#include "miniapp/tensor/load.hpp"
#include "miniapp/tensor/tuning.hpp"
#include "miniapp/tensor/user_problem.hpp"
#include "support/functions.hpp"
#include "support/parts.hpp"
#include "support/solve.hpp"

namespace {

using namespace miniapp::tensor;

/// A curved box with groups of sides and of elements.
mesh::Mesh make_whole(bool curved) {
  mesh::Mesh mesh = mesh::make_box(4, 3, 3);
  name_box_sides(mesh, 4, 3, 3);
  mesh::rotate_elements(mesh, 3);
  const auto bent = [](const mesh::Point& x) {
    return mesh::Point{x[0] + 0.1 * x[1] * x[1], x[1], x[2] + 0.1 * std::sin(x[0])};
  };
  mesh.groups.push_back({"every third", 3, {}, {}});
  for (Index e = 0; e < Index(mesh.num_elements()); e += 3) mesh.groups.back().cells.push_back(e);
  if (curved) mesh::curve(mesh, 2, bent);
  return mesh;
}

std::vector<int> random_ranks(const mesh::Mesh& mesh, const Communicator& world) {
  std::mt19937 random(5);
  std::vector<int> rank_of;
  for (std::size_t e = 0; e < mesh.num_elements(); ++e)
    rank_of.push_back(int(e < std::size_t(world.size()) ? e : random() % world.size()));
  return rank_of;
}

mesh::Mesh take(const mesh::Mesh& whole, const Communicator& world, bool bisected) {
  const mesh::Mesh& given = world.rank() == 0 ? whole : mesh::Mesh{};
  return mesh::distribute(given, bisected ? mesh::bisect_elements(given, world.size()) : random_ranks(given, world),
                          world);
}

}  // namespace

TEST_CASE("Bisection gives parts that differ by one element, cut across the longest side", "[ranks][distribute]") {
  const int ranks = GENERATE(1, 2, 3, 7);
  const mesh::Mesh mesh = mesh::make_box(5, 2, 3);
  std::vector<int> counts(std::size_t(ranks), 0);
  const std::vector<int> rank_of = mesh::bisect_elements(mesh, ranks);
  for (const int rank : rank_of) ++counts[std::size_t(rank)];
  CHECK(*std::max_element(counts.begin(), counts.end()) - *std::min_element(counts.begin(), counts.end()) <= 1);
  CHECK(rank_of[0] == 0);
  CHECK(rank_of[4] == (ranks == 1 ? 0 : rank_of[4]));
  if (ranks > 1) CHECK(rank_of[4] > rank_of[0]);
}

TEST_CASE("Each rank gets its elements with their vertices, nodes and groups", "[ranks][distribute]") {
  const Communicator world = Communicator::world();
  const bool curved = GENERATE(false, true), bisected = GENERATE(false, true);
  const mesh::Mesh whole = make_whole(curved), part = take(whole, world, bisected);

  require_part_of(whole, part, world);
  REQUIRE(part.groups.size() == whole.groups.size());
  CHECK(part.curved.order == whole.curved.order);
  const std::size_t nodes = whole.curved.per_element();
  for (std::size_t e = 0; e < part.num_elements(); ++e) {
    const auto number = std::size_t(part.number(e));
    for (int v = 0; v < 8; ++v)
      CHECK(part.part.vertices[std::size_t(part.element_to_vertex[e][v])] == whole.element_to_vertex[number][v]);
    for (std::size_t i = 0; curved && i < nodes; ++i)
      CHECK(part.curved.nodes[e * nodes + i] == whole.curved.nodes[number * nodes + i]);
  }
  for (std::size_t g = 0; g < whole.groups.size(); ++g) {
    const mesh::Group &all = whole.groups[g], &own = part.groups[g];
    CHECK(own.name == all.name);
    CHECK(own.dimension == all.dimension);
    CHECK(world.sum(std::int64_t(own.cells.size())) == std::int64_t(all.cells.size()));
    CHECK(world.sum(std::int64_t(own.sides.size())) == std::int64_t(all.sides.size()));
    for (const Index cell : own.cells)
      CHECK(std::binary_search(all.cells.begin(), all.cells.end(), Index(part.number(std::size_t(cell)))));
    for (const mesh::CellSide& side : own.sides)
      CHECK(std::binary_search(all.sides.begin(), all.sides.end(),
                               mesh::CellSide{Index(part.number(std::size_t(side.cell))), side.side}));
  }
}

TEST_CASE("More ranks than elements are refused on all of them", "[ranks][distribute]") {
  const Communicator world = Communicator::world();
  if (world.size() < 2) return;
  const mesh::Mesh mesh = mesh::make_box(1, 1, 1);
  CHECK_THROWS_WITH(mesh::distribute(mesh, {0}, world), contains("accepted are no more ranks than elements"));
}

TEST_CASE("A distributed problem of a user is the whole one", "[ranks][problem]") {
  const Communicator world = Communicator::world();
  const bool curved = GENERATE(false, true), bisected = GENERATE(true, false);
  const auto u = [](double x, double y, double z) { return x * x + y * z + 1; };
  const auto k = [](std::int64_t e, double x, double y, double) { return 1 + double(e % 3) + x * y; };
  UserProblem problem;
  problem.coefficient = {{"", function(k)}, {"every third", function([](double, double, double) { return 4.; })}};
  problem.source = function([](double x, double, double z) { return 1 + x * z; });
  problem.exact = function(u);
  problem.dirichlet = {{"x0", function(u)}, {"z1", function(u)}};
  problem.neumann = {{"x1", function([](double, double y, double) { return y; })}};
  problem.robin = {{"y0", function([](double x, double, double) { return x; }),
                    function([](double x, double, double) { return 2 + x; })}};
  const mesh::Mesh whole = make_whole(curved);
  const std::vector<int> built = tensor::built_orders();
  const auto above = std::upper_bound(built.begin(), built.end(), 1);
  const int order = above == built.end() ? 1 : *above;
  const auto solved = [&](const mesh::Mesh& mesh, bool multigrid) {
    measure::Phases phases;
    const PreparedProblem p =
        prepare(problem, Discretisation(mesh, Problem::bp3_0, order, Boundary::neumann, 0), phases);
    const Discretisation& d = p.discretisation;
    const auto A =
        make_operator<double>(fastest(built_in_tuning(), {device_class(), d.problem, 8, order}, Geometry::stored), d);
    const Instance instance;
    const Vector<double> x = make_vector<double>("x", p.rhs.extent(0));
    solver::CgWorkspace<double> work(x.extent(0), true);
    const solver::CgOptions options{1e-12, 1000, {}};
    const solver::CgResult cg =
        multigrid ? solver::cg<double>(instance, *A, multigrid::PMultigrid(d, {}, phases), p.rhs, x, work, options)
                  : solver::cg<double>(instance, *A, solver::Jacobi<double>(make_diagonal(d)), p.rhs, x, work, options);
    CHECK(cg.verdict == solver::Verdict::converged);
    streaming::axpby<double>(instance, 1, p.prescribed, 1, x);
    instance.fence();
    struct Result {
      int iterations;
      double l2, h1, jacobian;
      std::string natural;
    };
    return Result{cg.iterations, relative_l2_error(d, x, *p.exact), relative_h1_error(d, x, *problem.exact),
                  p.scaled_jacobian, p.natural};
  };
  for (const bool multigrid : {false, true}) {
    if (multigrid && order == 1) continue;
    const auto expected = solved(whole, multigrid), found = solved(take(whole, world, bisected), multigrid);
    CAPTURE(curved, bisected, multigrid);
    CHECK(std::abs(found.iterations - expected.iterations) <= 1);
    CHECK(found.l2 == Approx(expected.l2).epsilon(1e-9));
    CHECK(found.h1 == Approx(expected.h1).epsilon(1e-7));
    CHECK(found.jacobian == expected.jacobian);
    CHECK(found.natural == expected.natural);
    CHECK(found.natural == "y1, z0");
  }
}

TEST_CASE("After another lambda, k and alpha a distributed problem is that of a new set-up", "[ranks][problem]") {
  const Communicator world = Communicator::world();
  const std::vector<int> built = tensor::built_orders();
  const int order = GENERATE(2, 7);
  if (std::find(built.begin(), built.end(), order) == built.end()) return;
  const auto with = [](double factor) {
    UserProblem problem;
    problem.coefficient = {{"", function([=](double x, double y, double) { return 1 + factor * x * y; })}};
    problem.source = function([](double x, double, double z) { return 1 + x * z; });
    problem.dirichlet = {{"x0", function([=](double, double y, double) { return factor * y; })}};
    problem.robin = {{"y0", function([](double x, double, double) { return x; }),
                      function([=](double x, double, double) { return factor * (2 + x); })}};
    return problem;
  };
  const mesh::Mesh part = take(make_whole(false), world, true);
  const auto solved = [](const PreparedProblem& p, const ElementOperator<double>& A, const multigrid::PMultigrid& B) {
    const Vector<double> x = make_vector<double>("x", p.rhs.extent(0));
    CHECK(solver::cg<double>(Instance(), A, B, p.rhs, x, {1e-12, 1000, {}}).converged());
    return to_vector(x);
  };
  PreparedProblem p = prepare(with(1), part, order, 5);
  const auto A = make_operator<double>(fastest(p.discretisation), p.discretisation);
  multigrid::PMultigrid B(p.discretisation);
  struct Change {
    double lambda, factor;
  };
  for (const Change& to : {Change{500, 1}, Change{500, 3}, Change{0, 2}}) {
    CAPTURE(order, to.lambda, to.factor);
    update_lambda(p, to.lambda);
    update_coefficients(p, with(to.factor));
    A->update();
    B.update();
    update(p, with(to.factor));
    const PreparedProblem expected = prepare(with(to.factor), part, order, to.lambda);
    const Discretisation& d = expected.discretisation;
    const auto found = solved(p, *A, B),
               as_new = solved(expected, *make_operator<double>(fastest(d), d), multigrid::PMultigrid(d));
    double difference = 0, most = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      difference = std::max(difference, std::abs(found[i] - as_new[i]));
      most = std::max(most, std::abs(as_new[i]));
    }
    CHECK(difference / most < 1e-10);  // CG ends at 1e-12 of b
  }
}

TEST_CASE("A step of Schwarz sums over ranks what has not been summed", "[ranks][multigrid][schwarz]") {
  const Communicator world = by_way(Communicator::world(), GENERATE(0, 1));
  std::vector<int> orders = built_orders();
  std::erase_if(orders, [](int built) { return built > 7; });
  const int order = orders.empty() ? 1 : orders.back(), components = GENERATE(1, 2);
  if (order == 1) return;
  const bool bisected = GENERATE(true, false);  // else nodes that are sent are of third ranks too
  const Discretisation d(take(make_whole(false), world, bisected), Problem::bp3_0, order, Boundary::dirichlet, 1,
                         components);
  const auto schwarz = multigrid::make_schwarz(d);
  const Instance instance;
  const auto random = [&](unsigned seed) {
    std::mt19937 numbers(seed + unsigned(world.rank()));
    std::vector<float> all(d.space.num_entries());
    for (float& number : all) number = float(numbers() % 1000) / 1000;
    return to_device("random", all);
  };
  const auto summed = [&](const Vector<float>& parts) {
    const Vector<float> sum = to_device("sum", to_vector(parts));
    d.space.exchange.sum(instance, sum);
    return sum;
  };
  const Vector<float> f = random(1), y = random(100), f_sum = summed(f), y_sum = summed(y),
                      x = make_zeros<float>("x", f.extent(0)), expected = make_zeros<float>("x", f.extent(0));

  schwarz->step(instance, f_sum, {}, 0.5f, expected, true);
  schwarz->step(instance, f_sum, y_sum, 0.5f, expected, false);
  schwarz->step(instance, f, {}, 0.5f, x, true, f);
  CHECK(to_vector(f) == to_vector(f_sum));
  schwarz->step(instance, f, y, 0.5f, x, false, y);

  instance.fence();
  const std::vector<float> found = to_vector(x), wanted = to_vector(expected);
  float difference = 0, most = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    difference = std::max(difference, std::abs(found[i] - wanted[i]));
    most = std::max(most, std::abs(wanted[i]));
  }
  CAPTURE(order, components, bisected);
  CHECK(most > 0);
  CHECK(difference <= 1e-5f * most);  // GPUs add in any order
}

TEST_CASE("A level of a mesh of which one rank has the inside alone is constrained on its surface",
          "[ranks][problem]") {
  const Communicator world = Communicator::world();
  if (world.size() < 2) return;
  const mesh::Mesh whole = mesh::make_box(3, 3, 3);
  std::vector<int> rank_of;
  for (int e = 0; e < 27; ++e) rank_of.push_back(e == 13 ? world.size() - 1 : e % (world.size() - 1));
  const Discretisation d(mesh::distribute(whole, rank_of, world), Problem::bp3_0, 3, Boundary::dirichlet, 0),
      one(whole, Problem::bp3_0, 3, Boundary::dirichlet, 0);
  CHECK(d.of_order(1).space.num_dofs() == one.of_order(1).space.num_dofs());
  CHECK(d.of_order(2).space.num_dofs() == one.of_order(2).space.num_dofs());
}

TEST_CASE("The geometry of all ranks is what the elements of each allow", "[ranks][problem]") {
  const Communicator world = Communicator::world();
  mesh::Mesh whole = mesh::make_box(5, 2, 2);
  const auto found = [&] {
    return Discretisation(take(whole, world, true), Problem::bp3_0, 1, Boundary::dirichlet, 0).suitable_geometry();
  };
  CHECK(found() == tensor::Geometry::boxes);
  for (mesh::Point& x : whole.vertices)
    if (x[0] > 0.9) x[1] += 0.25;  // the last layer of elements
  CHECK(found() == tensor::Geometry::affine);
  whole.vertices.back()[0] += 0.125;
  CHECK(found() == std::nullopt);
}

TEST_CASE("What is wrong on one rank is refused on all", "[ranks][problem]") {
  const Communicator world = Communicator::world();
  const mesh::Mesh part = take(make_whole(true), world, true);
  const auto run = [&](const auto& change) {
    measure::Phases phases;
    UserProblem problem;
    problem.dirichlet = {{"x0", function([](double, double, double) { return 1.; })}};
    change(problem);
    prepare(problem, Discretisation(part, Problem::bp3_0, 1, Boundary::neumann, 0), phases);
  };
  const auto bad = [](double x, double, double) { return 0.9 - x; };
  const auto infinite = [](double x, double, double) { return 1 / (x - x); };
  CHECK_THROWS_WITH(run([&](UserProblem& p) { p.neumann = {{"z0", function(infinite)}}; }), contains("neumann"));
  CHECK_NOTHROW(run([&](UserProblem& p) {  // values of one group that differ from element to element
    p.dirichlet = {{"z0", function([](std::int64_t e, double, double, double) { return double(e); })}};
  }));
  CHECK_THROWS_WITH(run([&](UserProblem& p) { p.coefficient = {{"", function(bad)}}; }), contains("coefficient -"));
  CHECK_THROWS_WITH(run([&](UserProblem& p) {
                      p.robin = {{"z0", function(bad), function(bad)}};
                    }),
                    contains("alpha -"));
  CHECK_THROWS_WITH(run([&](UserProblem& p) {
                      p.neumann = {{"x0", function(bad)}};
                    }),
                    contains("has a condition already"));
  CHECK_THROWS_WITH(run([&](UserProblem& p) {
                      p.dirichlet.push_back({"z0", function([](double, double, double) { return 2.; })});
                    }),
                    contains("accepted is one value per node"));
}
