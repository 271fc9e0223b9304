// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "miniapp/weakform/case.hpp"
#include "support/all_close.hpp"
#include "support/simplex_meshes.hpp"

using weakform::FormKind;
using weakform::Options;
using weakform::Strategy;

namespace {

/// A form of the library on a distorted, shuffled mesh, with a coefficient and a state that vary at random.
/// Displacements are so small that no cell turns over.
struct Problem {
  FormKind kind;
  mesh::Mesh mesh;
  space::Space space;
  std::vector<double> kappa, state, direction;

  Problem(FormKind kind_, int dim, int n = 4, space::Boundary boundary = space::Boundary::dirichlet)
      : Problem(kind_, make_simplices(dim, n), boundary) {}
  Problem(FormKind kind_, const mesh::Mesh& mesh_, space::Boundary boundary)
      : kind(kind_),
        mesh(mesh_),
        space(space::make_space(mesh, 1, facts(kind, mesh::dimension(mesh.kind)).components, boundary, Layout::aos)),
        kappa(random_numbers(space.num_nodes, 1, 0.5)),
        state(random_numbers(space.num_entries(), 2, kind == FormKind::neo_hookean ? 0.01 : 1)),
        direction(random_numbers(space.num_entries(), 3)) {
    for (double& k : kappa) k += 1;
    for (const Index node : space.masked)
      for (int c = 0; c < space.components; ++c) direction[space.entry(node, c)] = 0;
  }
  std::unique_ptr<weakform::BoundForm> bind(const Options& options, Precision precision = Precision::fp64) const {
    auto form = weakform::bind(kind, precision, mesh, space, options, kappa);
    form->set_state(state);
    form->set_direction(direction);
    return form;
  }
};

std::vector<double> residual(weakform::BoundForm& form) {
  form.run(Instance());
  return form.result();
}
std::vector<double> jacobian(weakform::BoundForm& form) {
  form.run_jacobian(Instance());
  return form.result();
}

/// The Jacobian's action by a fourth-order central difference of the reference residual.
std::vector<double> differences(const Problem& problem, weakform::BoundForm& form) {
  const double h = problem.kind == FormKind::neo_hookean ? 1e-3 : 1e-2;
  std::vector<double> sum(problem.state.size(), 0.0);
  for (const auto& [step, weight] : {std::pair{-2 * h, 1.0}, {-h, -8.0}, {h, 8.0}, {2 * h, -1.0}}) {
    std::vector<double> moved = problem.state;
    for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += step * problem.direction[i];
    form.set_state(moved);
    const std::vector<double> r = form.reference();
    for (std::size_t i = 0; i < r.size(); ++i) sum[i] += weight * r[i] / (12 * h);
  }
  form.set_state(problem.state);
  return sum;
}

/// Strategies with blocks smaller and larger than usual.
std::vector<Options> all_options() {
  std::vector<Options> all;
  for (const Strategy strategy : members<Strategy>()) all.push_back({.strategy = strategy});
  all.push_back({.strategy = Strategy::tiles, .block_size = 7, .in_block = indirect::InBlock::colours});
  all.push_back({.strategy = Strategy::tiles, .block_size = 33, .write_back = indirect::WriteBack::colours});
  all.push_back({.strategy = Strategy::owner, .block_size = 5, .staging = indirect::Staging::increments});
  all.push_back({.strategy = Strategy::transposed, .blocks = 1, .batches = 1});
  all.push_back({.strategy = Strategy::transposed, .blocks = 3, .batches = 5});
  return all;
}

}  // namespace

TEST_CASE("Every strategy computes the residual of the reference, for every form, dimension and precision",
          "[weakform][strategies]") {
  const FormKind kind = GENERATE(from_range(members<FormKind>()));
  const int dim = GENERATE(2, 3);
  const Precision precision = GENERATE(Precision::fp64, Precision::fp32);
  const Problem problem(kind, dim);

  for (const Options& options : all_options()) {
    const auto form = problem.bind(options, precision);
    const Values expected = values(form->reference());
    CAPTURE(name(kind), dim, name(precision), name(options.strategy), options.block_size, options.blocks);
    REQUIRE(largest(expected) > 1e-3);
    if (precision == Precision::fp64)
      CHECK_THAT(values(residual(*form)), all_close<double>(expected, 256, 4));
    else
      CHECK_THAT(values(residual(*form)), all_close<float>(expected, 256, 4));
  }
}

TEST_CASE("Fans that lack cells compute what cells do, in groups of lanes and alone", "[weakform][strategies]") {
  const FormKind kind = GENERATE(from_range(members<FormKind>()));
  const int dim = GENERATE(2, 3);
  mesh::Mesh mesh = make_simplices(dim, 7);
  Map some(0, dim + 1);
  for (std::size_t e = 0; e < mesh.num_elements(); ++e)
    if (e % 5 > 0)
      some.entries.insert(some.entries.end(), mesh.element_to_vertex[e], mesh.element_to_vertex[e] + dim + 1);
  mesh.element_to_vertex = some;
  const Problem problem(kind, mesh, space::Boundary::neumann);

  for (const Precision precision : {Precision::fp64, Precision::fp32}) {
    const auto fans = problem.bind({.strategy = Strategy::fans}, precision),
               cells = problem.bind({.strategy = Strategy::cells}, precision);
    CAPTURE(name(kind), dim, name(precision));
    for (const auto& compute : {residual, jacobian}) {
      const Values expected = values(compute(*cells));
      const double scale = largest(expected);
      REQUIRE(scale > 1e-3);
      CHECK_THAT(values(compute(*fans)),
                 AllClose(expected,
                          precision == Precision::fp64 ? tolerance<double>(256, scale) : tolerance<float>(256, scale)));
    }
  }
}

TEST_CASE("Every strategy computes the action of the Jacobian that finite differences of the reference give",
          "[weakform][strategies]") {
  const FormKind kind = GENERATE(from_range(members<FormKind>()));
  const int dim = GENERATE(2, 3);
  const Problem problem(kind, dim);
  const auto reference = problem.bind({.strategy = Strategy::reference});
  const Values expected = values(differences(problem, *reference));

  for (const Options& options : all_options()) {
    const auto form = problem.bind(options), single = problem.bind(options, Precision::fp32);
    CAPTURE(name(kind), dim, name(options.strategy), options.block_size, options.blocks);
    const double scale = largest(expected);
    CHECK_THAT(values(jacobian(*form)), AllClose(expected, 1e-7 * scale));
    CHECK_THAT(values(jacobian(*single)), AllClose(expected, tolerance<float>(256, scale)));
  }
}

TEST_CASE("Jacobians of symmetric forms are symmetric, and that of nonlinear Poisson is not",
          "[weakform][strategies]") {
  const FormKind kind = GENERATE(from_range(members<FormKind>()));
  const int dim = GENERATE(2, 3);
  Problem problem(kind, dim);
  const std::vector<double> v = problem.direction;
  problem.direction = random_numbers(v.size(), 9);
  for (const Index node : problem.space.masked)
    for (int c = 0; c < problem.space.components; ++c) problem.direction[problem.space.entry(node, c)] = 0;
  const auto form = problem.bind({});

  const std::vector<double> of_w = jacobian(*form);
  form->set_direction(v);
  const std::vector<double> of_v = jacobian(*form);

  const double v_w = exact_dot(values(v), values(of_w)), w_v = exact_dot(values(problem.direction), values(of_v)),
               scale = std::sqrt(exact_dot(values(v), values(v)) * exact_dot(values(of_w), values(of_w)));
  CAPTURE(name(kind), dim);
  if (facts(kind, dim).symmetric)
    CHECK(v_w == close<double>(w_v, double(v.size()), scale));
  else
    CHECK(std::fabs(v_w - w_v) > 1e-3 * scale);
}

TEST_CASE("Residuals are zero at masked nodes, and read what is prescribed there", "[weakform][strategies]") {
  Problem problem(FormKind::variable_poisson, 3);
  const auto form = problem.bind({.strategy = GENERATE(from_range(members<Strategy>()))});
  const std::vector<double> before = residual(*form);

  for (const Index node : problem.space.masked) problem.state[node] += 1;
  form->set_state(problem.state);
  const std::vector<double> after = residual(*form);

  double most = 0;
  for (std::size_t i = 0; i < after.size(); ++i) most = std::max(most, std::fabs(after[i] - before[i]));
  CHECK(most > 1e-3);
  for (const Index node : problem.space.masked) CHECK(after[node] == 0);
}

TEST_CASE("Residuals of consistent forms at the interpolated solution tend to zero with the mesh size squared",
          "[weakform][strategies]") {
  const FormKind kind = GENERATE(from_range(members<FormKind>()));
  const int dim = GENERATE(2, 3);
  std::vector<double> errors;
  for (const int n : {8, 24}) {
    mesh::Mesh mesh = dim == 2 ? mesh::make_rectangle(mesh::CellKind::triangle, n, n) : make_tetrahedra(n, n, n);
    for (mesh::Point& x : mesh.vertices)
      x[0] += 0.1 * x[1] * x[0] * (1 - x[0]);  // smooth: meshes of all sizes are alike
    const int components = facts(kind, dim).components;
    const space::Space space = space::make_space(mesh, 1, components, space::Boundary::dirichlet, Layout::aos);
    std::vector<double> u, bubble;
    for (const mesh::Point& x : node_points(mesh, space)) {
      double product = 1;
      for (int d = 0; d < dim; ++d) product *= 4 * x[d] * (1 - x[d]) * (1 + 0.3 * d * x[d]);
      for (const double component : exact_solution(kind, dim, x)) {
        u.push_back(component);
        bubble.push_back(product);
      }
    }
    const auto form = weakform::bind(kind, Precision::fp64, mesh, space, {});
    form->set_state(u);
    errors.push_back(std::fabs(exact_dot(values(residual(*form)), values(bubble))));
  }

  CAPTURE(name(kind), dim, errors[0], errors[1]);
  CHECK(errors[1] < errors[0] / 5);
  CHECK(errors[0] < 0.3);
}

TEST_CASE("A state where a form is not a number is found, and its cell is named", "[weakform][strategies]") {
  const int dim = GENERATE(2, 3);
  Problem problem(FormKind::neo_hookean, dim);
  CHECK_NOTHROW(problem.bind({})->require_finite());

  const Map& nodes = problem.space.element_to_node.host();
  std::size_t first = nodes.size();  // of the cells at a node that is moved far through the others
  const Index moved = nodes[17][1] < 0 ? ~nodes[17][1] : nodes[17][1];
  for (int c = 0; c < dim; ++c) problem.state[problem.space.entry(moved, c)] = NAN;
  for (std::size_t e = nodes.size(); e-- > 0;)
    for (int v = 0; v <= dim; ++v)
      if (nodes[e][v] == moved || ~nodes[e][v] == moved) first = e;

  CHECK_THROWS_AS(problem.bind({})->require_finite(), InputError);
  CHECK_THROWS_WITH(problem.bind({})->require_finite(), contains("element " + std::to_string(first) + ":"));
}

TEST_CASE("A state that turns a cell over is not finite for neo-Hookean elasticity", "[weakform][strategies]") {
  Problem problem(FormKind::neo_hookean, 3);
  for (std::size_t i = 0; i < problem.state.size(); i += 3) problem.state[i] *= 1000;

  CHECK_THROWS_AS(problem.bind({})->require_finite(), InputError);
}

TEST_CASE("Inverted cells are named before anything is computed", "[weakform][strategies]") {
  Problem problem(FormKind::poisson, GENERATE(2, 3));
  std::swap(problem.mesh.element_to_vertex[13][0], problem.mesh.element_to_vertex[13][1]);
  problem.space = space::make_space(problem.mesh, 1, 1, space::Boundary::neumann);

  CHECK_THROWS_WITH(problem.bind({}), contains("element 13 is inverted"));
}

TEST_CASE("Blocks of transposed threads that do not fit are rejected with the most that do", "[weakform][strategies]") {
  const Problem plane(FormKind::poisson, 2), elastic(FormKind::neo_hookean, 3);
  const auto with = [](int blocks, int batches = 1) {
    return Options{.strategy = Strategy::transposed, .blocks = blocks, .batches = batches};
  };

  CHECK_THROWS_WITH(plane.bind(with(1000)), contains("blocks 1000 of 3 threads: accepted are 1 to "));
  CHECK_THROWS_WITH(elastic.bind(with(-1)), contains("blocks -1 of 12 threads: accepted are 1 to "));
  CHECK_THROWS_WITH(plane.bind(with(4, 0)), contains("batches 0: accepted are 1 and more"));
  try {
    elastic.bind(with(1000));
    FAIL("accepted");
  } catch (const InputError& error) {
    const std::string text = error.what();
    const int most = std::stoi(text.substr(text.find("1 to ") + 5));
    CHECK(most >= 1);
    CHECK_NOTHROW(elastic.bind(with(most)));
    CHECK_THROWS_AS(elastic.bind(with(most + 1)), InputError);
  }
}

TEST_CASE("The block size is the largest that fits where none is given", "[weakform][strategies]") {
  std::vector<int> asked;
  const auto up_to = [&](int most) {
    asked.clear();
    return [&asked, most](int size) {
      asked.push_back(size);
      return size <= most;
    };
  };
  CHECK(weakform::largest_block(128, up_to(1000)) == 128);
  CHECK(asked == std::vector{128});
  CHECK(weakform::largest_block(128, up_to(100)) == 96);
  CHECK(weakform::largest_block(128, up_to(50)) == 48);
  CHECK(asked == std::vector{128, 96, 64, 48});
  CHECK(weakform::largest_block(128, up_to(2)) == 2);
  CHECK(weakform::largest_block(128, up_to(0)) == 1);
  CHECK(asked.back() == 2);

  const Problem problem(FormKind::neo_hookean, 3);
  const Strategy strategy = GENERATE(Strategy::tiles, Strategy::owner);
  const int chosen = *problem.bind({.strategy = strategy})->options().block_size;
  CHECK(chosen >= 1);
  CHECK(chosen <= weakform::usual_block_size(strategy));
  CHECK(*problem.bind({.strategy = strategy, .block_size = 7})->options().block_size == 7);
}

TEST_CASE("A block that no scratch holds gives way to a smaller one, unless it is asked for",
          "[weakform][strategies]") {
  // 128 nodes of a mesh in random order touch more cells than 16 bits can number increments
  const mesh::Mesh mesh = mesh::shuffle(make_tetrahedra(24, 24, 24), 5);
  const space::Space space = space::make_space(mesh, 1, 3, space::Boundary::dirichlet, Layout::aos);
  CHECK_THROWS_AS(weakform::bind(FormKind::neo_hookean, Precision::fp64, mesh, space,
                                 {.strategy = Strategy::tiles, .block_size = 20000}),
                  InputError);
  std::vector<Index> ends{0, static_cast<Index>(mesh.num_elements())};
  const auto form = weakform::bind(FormKind::neo_hookean, Precision::fp64, mesh, space,
                                   {.strategy = Strategy::tiles, .first_cell = ends});
  CHECK(*form->options().block_size < weakform::usual_block_size(Strategy::tiles));
}

TEST_CASE("Arguments that do not belong together are rejected", "[weakform][strategies]") {
  Problem problem(FormKind::neo_hookean, 2);

  problem.kappa.pop_back();
  CHECK_THROWS_WITH(problem.bind({}), contains("coefficients: accepted are"));
  problem.kappa.clear();
  CHECK_THROWS_WITH(problem.bind({.block_size = 0}), contains("block_size 0"));
  problem.space.layout = Layout::soa;
  CHECK_THROWS_WITH(problem.bind({}), contains("layout soa: accepted are 2, layout aos"));
  problem.mesh = mesh::make_box(1, 1, 1);
  CHECK_THROWS_WITH(problem.bind({}), contains("accepted are triangles and tetrahedra"));
}

TEST_CASE("Only transposed threads have E-vectors, from which they compute the same again", "[weakform][strategies]") {
  const Problem problem(FormKind::helmholtz, 3);
  const auto transposed = problem.bind({.strategy = Strategy::transposed}), owner = problem.bind({});
  const std::vector<double> r = residual(*transposed);

  CHECK_NOTHROW(transposed->run_on_e_vectors(Instance()));

  CHECK(transposed->result() == r);
  CHECK_THROWS_WITH(owner->run_on_e_vectors(Instance()), contains("strategy owner has no E-vectors"));
}

TEST_CASE("Bytes and flops are those counted by hand", "[weakform][strategies]") {
  const Problem problem(FormKind::poisson, 3);
  const double cells = double(problem.mesh.num_elements()), nodes = problem.space.num_nodes;
  const auto owner = problem.bind({}), paper = problem.bind({.strategy = Strategy::transposed}, Precision::fp32);

  CHECK(owner->least_bytes() == cells * 16 + nodes * 8 * (4 + 1 + 1));
  CHECK(owner->bytes() == owner->least_bytes() + 8 * nodes);
  CHECK(paper->bytes() == cells * 4 * (10 + 4 + 4 + 4));  // geometry, x and kappa, u, r
  CHECK(owner->flops() == cells * facts(FormKind::poisson, 3).cell_flops);
}
