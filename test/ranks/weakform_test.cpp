// SPDX-License-Identifier: BSD-3-Clause
// Weak forms on distributed meshes: parts are those of the whole mesh, and so are residuals.
#include <algorithm>
#include <map>

#include "core/agree.hpp"
#include "miniapp/linalg/matrix_operator.hpp"
#include "miniapp/weakform/newton.hpp"
#include "runs/weakform/form_run.hpp"
#include "support/parts.hpp"
#include "support/simplex_meshes.hpp"
#include "support/vectors.hpp"
#include "weakform/newton_system.hpp"

using weakform::FormKind;
using weakform::Strategy;

namespace {

/// (entry): value of an unknown of the whole mesh, by the number of its vertex and its component.
double value_at(std::int64_t vertex, int component) { return std::sin(1.7 * double(vertex) + 0.9 * component); }

/// The residual or the Jacobian's action of a form, by (vertex of the whole mesh, component).
struct Found {
  std::map<std::pair<std::int64_t, int>, double> residual, action, reference;
};

space::Space make_space_of(FormKind kind, const mesh::Mesh& mesh) {
  return make_space(mesh, 1, facts(kind, mesh::dimension(mesh.kind)).components, space::Boundary::dirichlet,
                    Layout::aos);
}

/// (node): the number of its vertex in the whole mesh.
std::vector<std::int64_t> vertices_of(const mesh::Mesh& mesh, const space::Space& space) {
  std::vector<std::int64_t> vertex(space.num_nodes);
  for (std::size_t e = 0; e < mesh.num_elements(); ++e)
    for (int v = 0; v < space.element_to_node.arity(); ++v) {
      const Index node = space.element_to_node.host()[e][v], at = mesh.element_to_vertex[e][v];
      vertex[node < 0 ? ~node : node] = mesh.part.vertices.empty() ? at : mesh.part.vertices[at];
    }
  return vertex;
}

Found find(FormKind kind, const mesh::Mesh& mesh, Strategy strategy) {
  const space::Space space = make_space_of(kind, mesh);
  const std::vector<std::int64_t> vertex = vertices_of(mesh, space);
  std::vector<double> state, direction;
  for (const std::int64_t number : vertex)
    for (int c = 0; c < space.components; ++c) {
      state.push_back((kind == FormKind::neo_hookean ? 0.003 : 1) * value_at(number, c));
      direction.push_back(value_at(number, c + 5));
    }
  for (const Index node : space.masked)
    for (int c = 0; c < space.components; ++c) direction[space.entry(node, c)] = 0;
  const auto form = bind(kind, Precision::fp64, mesh, space, {.strategy = strategy});
  form->set_state(state);
  form->set_direction(direction);
  Found found;
  const auto note = [&](auto& map, const std::vector<double>& values) {
    for (Index node = 0; node < space.num_nodes; ++node)
      for (int c = 0; c < space.components; ++c) map[{vertex[node], c}] = values[space.entry(node, c)];
  };
  form->run(Instance());
  note(found.residual, form->result());
  form->run_jacobian(Instance());
  note(found.action, form->result());
  note(found.reference, form->reference());
  return found;
}

/// The values of `right` where `found` has some.
template <class Map>
void check_values(const Map& found, const Map& right) {
  test::Values values, expected;
  for (const auto& [unknown, value] : found) {
    values.entries.push_back(value);
    expected.entries.push_back(right.at(unknown));
  }
  double scale = 0;
  for (const auto& [unknown, value] : right) scale = std::max(scale, std::fabs(value));
  CHECK_THAT(values, all_close<double>(expected, 64, scale));
}

/// What Newton's method finds, by (vertex of the whole mesh, component).
struct Solution {
  weakform::NewtonResult newton;
  std::map<std::pair<std::int64_t, int>, double> u;
  weakform::SolutionErrors errors = {};
};

std::map<std::pair<std::int64_t, int>, double> by_vertex(const mesh::Mesh& mesh, const space::Space& space,
                                                         const std::vector<double>& u) {
  const std::vector<std::int64_t> vertex = vertices_of(mesh, space);
  std::map<std::pair<std::int64_t, int>, double> result;
  for (Index node = 0; node < space.num_nodes; ++node)
    for (int c = 0; c < space.components; ++c) result[{vertex[node], c}] = u[space.entry(node, c)];
  return result;
}

constexpr auto jacobi = weakform::LinearPreconditioner::jacobi, amg = weakform::LinearPreconditioner::amg;

Solution solve(FormKind kind, const mesh::Mesh& mesh, weakform::LinearPreconditioner preconditioner = jacobi) {
  const space::Space space = make_space_of(kind, mesh);
  const auto form = bind(kind, Precision::fp64, mesh, space, {});
  const weakform::NewtonResult newton =
      form->solve(Instance(), {.tolerance = 1e-11, .linear_tolerance = 1e-12, .preconditioner = preconditioner});
  return {newton, by_vertex(mesh, space, form->state()), form->errors()};
}

/// -div grad u + 20 (du/dx + du/dy) = 1 on a plane, whose Jacobian is not symmetric.
struct Wind {
  static constexpr int dim = 2, components = 1, points = 1;
  static constexpr double flops = 4;
  static constexpr bool symmetric = false;
  template <class Real, class S>
  KOKKOS_FUNCTION void f0(const Real (&)[2], const S (&)[1], const S (&grad)[1][2], Real, S (&f)[1]) const {
    f[0] = Real(20) * (grad[0][0] + grad[0][1]) - S(Real(1));
  }
  template <class Real, class S>
  KOKKOS_FUNCTION void f1(const Real (&)[2], const S (&)[1], const S (&grad)[1][2], Real, S (&f)[1][2]) const {
    for (int d = 0; d < 2; ++d) f[0][d] = grad[0][d];
  }
};

Solution solve_wind(const mesh::Mesh& mesh, weakform::LinearPreconditioner preconditioner = jacobi) {
  const space::Space space = make_space(mesh, 1, 1, space::Boundary::dirichlet, Layout::aos);
  const auto residual = weakform::make_residual<double>(Wind(), mesh, space, std::vector<double>(space.num_nodes, 1.0));
  weakform::Newton<Wind> solver(residual, mesh, space);
  const Vector<double> u = make_zeros<double>("u", space.num_nodes), zeros = make_zeros<double>("g", space.num_nodes);
  const weakform::NewtonResult newton =
      solver.solve(Instance(), zeros, u, {.linear_tolerance = 1e-12, .preconditioner = preconditioner});
  return {newton, by_vertex(mesh, space, to_std(u))};
}

void check_values_alike(const Solution& found, const Solution& right) {
  double largest = 0, difference = 0;
  for (const auto& [unknown, value] : right.u) largest = std::max(largest, std::fabs(value));
  for (const auto& [unknown, value] : found.u)
    difference = std::max(difference, std::fabs(value - right.u.at(unknown)));
  CHECK(largest > 0);
  CHECK(difference <= 1e-9 * largest);
}

/// Checks that both took the same steps to the same solution.
void check_alike(const Solution& found, const Solution& right) {
  CAPTURE(found.newton.residuals, right.newton.residuals, found.newton.remark);
  CHECK(found.newton.verdict == weakform::NewtonVerdict::converged);
  CHECK(found.newton.verdict == right.newton.verdict);
  REQUIRE(found.newton.steps.size() == right.newton.steps.size());
  for (std::size_t k = 0; k < right.newton.steps.size(); ++k) {
    CHECK(found.newton.steps[k].length == right.newton.steps[k].length);
    CHECK(std::abs(found.newton.steps[k].linear_iterations - right.newton.steps[k].linear_iterations) <= 1);
  }
  check_values_alike(found, right);
}

}  // namespace

TEST_CASE("Newton's method on parts takes the steps of the whole mesh to its solution", "[ranks][weakform][newton]") {
  const int dim = GENERATE(2, 3);
  const FormKind kind = GENERATE(FormKind::helmholtz, FormKind::nonlinear_poisson, FormKind::neo_hookean);
  const Communicator world = Communicator::world();
  const mesh::Mesh whole = make_simplices(dim, 5);
  CAPTURE(name(kind), dim);
  const Solution right = solve(kind, whole), found = solve(kind, take_part(whole, world, 4));

  check_alike(found, right);
  CHECK(found.errors.l2 == Approx(right.errors.l2).epsilon(1e-9));
  CHECK(found.errors.h1 == Approx(right.errors.h1).epsilon(1e-9));
}

TEST_CASE("GMRES solves systems of parts as those of the whole mesh", "[ranks][weakform][newton]") {
  const mesh::Mesh whole = make_simplices(2, 7);
  check_alike(solve_wind(take_part(whole, Communicator::world(), 2)), solve_wind(whole));
}

TEST_CASE("The values of a solution are the same to the last bit in all copies of a node",
          "[ranks][weakform][newton]") {
  const mesh::Mesh part = take_part(make_simplices(2, 6), Communicator::world(), 5);
  const space::Space space = make_space_of(FormKind::neo_hookean, part);
  const auto form = bind(FormKind::neo_hookean, Precision::fp64, part, space, {});
  form->solve(Instance(), {.preconditioner = jacobi});
  const std::vector<double> own = form->state();
  const Vector<double> copied = test::to_device<double>(own);
  space.exchange.copy_from_owners(Instance(), copied);
  CHECK(to_std(copied) == own);
}

TEST_CASE("Assembled Jacobians of ranks add up to that of the whole mesh", "[ranks][weakform]") {
  const mesh::Mesh part = take_part(make_simplices(2, 6), Communicator::world(), 1);
  const space::Space space = make_space(part, 1, 1, space::Boundary::dirichlet, Layout::aos);
  const auto residual = weakform::make_residual<double>(Wind(), part, space, std::vector<double>(space.num_nodes, 1.0));
  weakform::AssembledJacobian jacobian(residual, space);
  const Instance instance;
  jacobian.assemble(instance, make_zeros<double>("u", space.num_nodes));
  std::vector<double> x;
  for (const std::int64_t number : vertices_of(part, space)) x.push_back(value_at(number, 0));
  const Vector<double> on_device = test::to_device<double>(x), y = make_zeros<double>("y", x.size()),
                       expected = make_zeros<double>("y", x.size());

  linalg::apply<double>(instance, linalg::MatrixOperator<double>(jacobian.matrix(), space.exchange), on_device, y);

  std::vector<double> free = x;  // rows and columns of constrained nodes are those of the identity
  for (const Index node : space.masked) free[node] = 0;
  residual.apply_jacobian(instance, make_zeros<double>("u", x.size()), test::to_device<double>(free), expected);
  space.exchange.sum(instance, expected);
  instance.fence();
  test::Values right = values(expected);
  for (const Index node : space.masked) right.entries[node] = x[node];
  CHECK_THAT(values(y), all_close<double>(right, 64, 40));
}

TEST_CASE("A diagonal that is not positive on one rank fails on all, which name it", "[ranks][weakform][newton]") {
  const Communicator world = Communicator::world();
  const mesh::Mesh part = take_part(make_simplices(2, 6), world, 1);
  const space::Space space = make_space(part, 1, 1, space::Boundary::neumann, Layout::aos);
  const int bad = world.size() / 2;
  std::vector<double> diagonal(space.num_nodes, 1);
  Csr<> rows;
  for (Index node = 0; node < space.num_nodes; ++node) {
    rows.entries.push_back(node);
    rows.end_row();
  }
  if (world.rank() == bad) diagonal[3] = -100;
  weakform::detail::NewtonProblem<double> problem;
  problem.unknowns = space::make_unknowns(space.num_nodes, 1, Layout::aos);
  problem.unknowns.exchange = space.exchange;
  problem.symmetric = true;
  const weakform::NewtonOptions options{.preconditioner = jacobi};
  const auto system = weakform::detail::make_system(problem);
  const Vector<double> b = make_zeros<double>("b", space.num_nodes), d = make_zeros<double>("d", space.num_nodes);
  const std::string failure =
      system->solve(Instance(), linalg::make_csr_matrix(rows, space.num_nodes, diagonal), b, d, options).failure;

  CHECK(failure.find("of the Jacobian's diagonal is not positive") != failure.npos);
  CHECK((failure.find(" of rank ") != failure.npos) == !world.is_alone());
}

TEST_CASE("Newton's method with multigrid over ranks finds the solution of one", "[ranks][weakform][newton]") {
  const int dim = GENERATE(2, 3);
  const FormKind kind = GENERATE(FormKind::nonlinear_poisson, FormKind::neo_hookean);
  const Communicator world = Communicator::world();
  const mesh::Mesh whole = make_simplices(dim, 5), part = take_part(whole, world, 4);
  CAPTURE(name(kind), dim);
  const Solution right = solve(kind, whole), found = solve(kind, part, amg);
  CHECK(found.newton.converged());
  CHECK(found.newton.steps.size() == right.newton.steps.size());
  CHECK(found.newton.set_ups() >= 1);
  CHECK(found.newton.linear_iterations() < right.newton.linear_iterations());
  check_values_alike(found, right);
}

TEST_CASE("GMRES with multigrid over ranks solves systems that are not symmetric", "[ranks][weakform][newton]") {
  const mesh::Mesh whole = make_simplices(2, 7);
  const Solution right = solve_wind(whole), found = solve_wind(take_part(whole, Communicator::world(), 2), amg);
  CHECK(found.newton.converged());
  check_values_alike(found, right);
}

TEST_CASE("Parts of generated simplices are those of the whole mesh", "[ranks][weakform][mesh]") {
  const int dim = GENERATE(2, 3);
  const graph::Partition partition = GENERATE(graph::Partition::rcb, graph::Partition::linear);
  const Communicator world = Communicator::world();
  const std::int64_t cells = dim == 2 ? 110 : 400;
  const mesh::Mesh whole = weakform::make_mesh(dim, weakform::box_sides(dim, cells)),
                   part = weakform::make_mesh(dim, weakform::box_sides(dim, cells), world, partition);

  test::require_part_of(whole, part, world);
}

TEST_CASE("A part that is shuffled has the same elements in another order", "[ranks][weakform][mesh]") {
  const Communicator world = Communicator::world();
  const mesh::Mesh part = weakform::make_mesh(3, weakform::box_sides(3, 400), world), shuffled = mesh::shuffle(part, 1);
  if (world.is_alone()) return;
  CHECK(shuffled.vertices == part.vertices);
  CHECK(shuffled.part.vertices == part.part.vertices);
  CHECK(shuffled.part.elements != part.part.elements);
  std::map<std::int64_t, std::size_t> place;
  for (std::size_t e = 0; e < part.num_elements(); ++e) place[part.part.elements[e]] = e;
  for (std::size_t e = 0; e < part.num_elements(); ++e)
    for (int v = 0; v < 4; ++v)
      REQUIRE(shuffled.element_to_vertex[e][v] == part.element_to_vertex[place.at(shuffled.part.elements[e])][v]);
}

TEST_CASE("Residuals on parts are those of the whole mesh, by every strategy", "[ranks][weakform]") {
  const int dim = GENERATE(2, 3);
  const FormKind kind = GENERATE(FormKind::variable_poisson, FormKind::neo_hookean);
  const Communicator world = Communicator::world();
  const mesh::Mesh whole = make_simplices(dim, 4), part = take_part(whole, world, 2);
  CAPTURE(name(kind), dim);
  const Found expected = find(kind, whole, Strategy::reference);
  for (const Strategy strategy : members<Strategy>()) {
    CAPTURE(name(strategy));
    const Found found = find(kind, part, strategy);
    check_values(found.residual, expected.residual);
    check_values(found.action, expected.action);
    check_values(found.reference, expected.reference);
  }
}

TEST_CASE("Norms and errors of a form count every rank and every unknown once", "[ranks][weakform]") {
  const int dim = GENERATE(2, 3);
  const Strategy strategy = GENERATE(Strategy::tiles, Strategy::transposed);
  const Communicator world = Communicator::world();
  weakform::FormSettings settings;
  settings.dim = dim;
  settings.verify_only = true;
  const mesh::Mesh whole = weakform::make_mesh(dim, weakform::box_sides(dim, 500)),
                   part = weakform::make_mesh(dim, weakform::box_sides(dim, 500), world);
  const auto measure = [&](const mesh::Mesh& mesh) {
    weakform::FormProblem problem(FormKind::helmholtz, settings, mesh, {});
    return std::pair(measure_form(problem, {{.strategy = strategy}}), problem.num_cells());
  };
  const auto [alone, all_cells] = measure(whole);
  const auto [found, cells] = measure(part);

  CHECK(found.error() <= 1);
  CHECK(cells == all_cells);
  CHECK(found.num_entries == alone.num_entries);
  CHECK(found.residual_norm == Approx(alone.residual_norm).epsilon(1e-12));
  CHECK(found.residual_tolerance == Approx(alone.residual_tolerance).epsilon(1e-9));
  CHECK(found.action_tolerance == Approx(alone.action_tolerance).epsilon(1e-9));
  CHECK(found.flops == Approx(alone.flops).epsilon(1e-12));
  CHECK(found.of_ranks.figures.empty() == world.is_alone());
  for (const auto& [what, spread] : found.of_ranks.figures)
    if (what == "owned_nodes") CHECK(spread.mean * world.size() == Approx(double(alone.num_entries)));
}

TEST_CASE("What one rank refuses all refuse, with the words of the lowest", "[ranks][core]") {
  const Communicator world = Communicator::world();
  agree(world, [] {});
  const int first = world.size() / 2;
  try {
    agree(world, [&] {
      if (world.rank() >= first) throw InputError("rank", std::to_string(world.rank()), "refuses");
    });
    FAIL("accepted");
  } catch (const InputError& error) {
    CHECK(error.what() == "rank " + std::to_string(first) + ": refuses");
    CHECK(error.argument == "rank");
  }
}
