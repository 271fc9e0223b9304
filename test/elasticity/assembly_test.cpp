// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/elasticity/assembly.hpp"

#include "miniapp/solver/cg.hpp"
#include "support/methods.hpp"
#include "support/prism_meshes.hpp"
#include "support/vectors.hpp"

using elasticity::Method;
using linalg::BlockMatrix;
using space::Space;

namespace {

/// Assembles with a kernel if this build has one of the order, else from the reference's matrices.
BlockMatrix<double> assemble_any(const mesh::Mesh& mesh, const space::Space& space) {
  const elasticity::Prisms prisms = elasticity::make_prisms(mesh, 2.5, 0.3);
  if (const auto able = methods(space.order); !able.empty())
    return elasticity::assemble<double>(Instance(), prisms, space, {able.back(), 1 << 20});
  const Map& map = space.element_to_node.host();
  BlockMatrix<double> matrix(space, linalg::make_block_pattern(map, space.num_nodes));
  const basis::PrismTables tables = basis::make_prism_tables(space.order);
  for (std::size_t e = 0; e < prisms.size(); ++e) {
    const Vector<double> one = test::to_device<double>(elasticity::reference_matrix(
        tables, &prisms.vertices[18 * e], {prisms.materials[2 * e], prisms.materials[2 * e + 1]}));
    matrix.add(Instance(), one, e, 1);
    ExecutionSpace().fence();
  }
  return matrix;
}

using Motion = mesh::Point (*)(const mesh::Point&);
mesh::Point shear(const mesh::Point& x) {
  return {0.3 * x[0] - 0.2 * x[1] + 0.7 * x[2], 0.5 * x[0] + 0.1 * x[2] - 1, 0.4 * x[1] - 0.6 * x[2]};
}
mesh::Point shift(const mesh::Point&) { return {1, -0.5, 0.25}; }
mesh::Point turn(const mesh::Point& x) { return {x[1] - 0.5 * x[2], 0.3 * x[2] - x[0], 0.5 * x[0] - 0.3 * x[1]}; }

/// A u at the nodes, (node, component).
Values forces(const BlockMatrix<double>& matrix, const std::vector<mesh::Point>& nodes, Motion motion) {
  std::vector<double> u;
  for (const mesh::Point& x : nodes) {
    const mesh::Point moved = motion(x);
    u.insert(u.end(), moved.begin(), moved.end());
  }
  const Vector<double> f = make_vector<double>("f", u.size());
  matrix.apply(Instance(), test::to_device<double>(u), f);
  return values(f);
}

/// Nodes on the surface of a box whose vertices were not moved yet.
std::vector<char> on_surface(int order, int nx, int ny, int nz, const mesh::Mesh& plain) {
  std::vector<char> surface;
  for (const mesh::Point& x :
       node_points(plain, space::make_space(plain, order, 3, space::Boundary::neumann, Layout::aos))) {
    const double size[3] = {double(nx), double(ny), double(nz)};
    bool inside = true;
    for (int d = 0; d < 3; ++d) inside = inside && x[d] > 1e-9 && x[d] < size[d] - 1e-9;
    surface.push_back(!inside);
  }
  return surface;
}

/// A box of nx * ny * nz unit cubes before and after its vertices were moved, in one order.
struct Boxes {
  mesh::Mesh plain, shaken;
};
Boxes make_boxes(int nx, int ny, int nz) {
  mesh::Mesh plain = mesh::make_prism_box(nx, ny, nz);
  for (mesh::Point& x : plain.vertices) x = {x[0] * nx, x[1] * ny, x[2] * nz};
  mesh::rotate_elements(plain, 2);
  plain = mesh::shuffle(plain, 2);
  mesh::Mesh shaken = plain;
  shake(shaken, 0.1, 3);
  return {plain, shaken};
}

/// An integrator one of whose matrices is wrong: a diagonal entry by a millionth.
struct Broken : elasticity::Integrator<double> {
  std::unique_ptr<elasticity::Integrator<double>> right;
  std::size_t element, entries;
  void run(const Instance& instance, const elasticity::Input<double>& input,
           const Vector<double>& matrices) const override {
    right->run(instance, input, matrices);
    if (input.size <= element) return;
    const Vector<double> entry = slice(matrices, element * entries, 1);
    Kokkos::deep_copy(entry, to_std(entry)[0] * (1 + 1e-6));
  }
  double flops() const override { return right->flops(); }
  TeamResources resources() const override { return right->resources(); }
};

/// Batches of `a_batch` prisms; in each batch the matrix of `element` is wrong.
elasticity::ElementBatches<double> broken_batches(const elasticity::Prisms& prisms, int order, std::size_t a_batch,
                                                  std::size_t element) {
  const Method method = Method::reg_jac;
  const std::size_t n = basis::number_of_shape_functions(order), entries = 9 * n * n;
  auto broken = std::make_unique<Broken>();
  broken->right = elasticity::make_integrator<double>(
      method, order,
      elasticity::make_plan(order, elasticity::this_device(), elasticity::variant_of(method), Precision::fp64,
                            static_cast<std::int64_t>(a_batch)));
  broken->element = element;
  broken->entries = entries;
  return {prisms, order, a_batch * entries * sizeof(double), std::move(broken)};
}

double scale_of(const BlockMatrix<double>& matrix) { return largest(values(matrix.diagonal())); }

}  // namespace

TEST_CASE("Patch test: under a linear displacement there are forces only at nodes of the surface",
          "[elasticity][elastic]") {
  const int order = GENERATE(range(1, 8)), cells = order <= 3 ? 2 : 1;
  const Boxes boxes = make_boxes(cells, cells, cells);
  const space::Space space = space::make_space(boxes.shaken, order, 3, space::Boundary::neumann, Layout::aos);
  const BlockMatrix<double> matrix = assemble_any(boxes.shaken, space);
  const std::vector<char> surface = on_surface(order, cells, cells, cells, boxes.plain);

  const Values f = forces(matrix, node_points(boxes.shaken, space), shear);

  double inside = 0, outside = 0;
  std::size_t nodes_inside = 0;
  for (std::size_t i = 0; i < f.size(); ++i) {
    double& most = surface[i / 3] ? outside : inside;
    most = std::max(most, std::fabs(f[i]));
    nodes_inside += !surface[i / 3];
  }
  INFO("order " << order << ": " << inside << " inside, " << outside << " at the surface");
  CHECK(nodes_inside > 0);
  CHECK(inside <= tolerance<double>(9. * basis::number_of_points(order), scale_of(matrix)));
  CHECK(outside > 1e-3);
}

TEST_CASE("Rigid motions have no energy before nodes are clamped", "[elasticity][elastic]") {
  const int order = GENERATE(range(1, 4));
  const mesh::Mesh mesh = make_shaken_prisms(2, 1, 2);
  const space::Space space = space::make_space(mesh, order, 3, space::Boundary::neumann, Layout::aos);
  const BlockMatrix<double> matrix = assemble_any(mesh, space);

  for (const Motion motion : {shift, turn})
    CHECK(largest(forces(matrix, node_points(mesh, space), motion)) <=
          tolerance<double>(9. * basis::number_of_points(order), scale_of(matrix)));
}

TEST_CASE("All methods and batch sizes assemble the same matrix", "[elasticity][elastic]") {
  const int order = GENERATE(range(1, 5));
  const mesh::Mesh mesh = make_shaken_prisms(2, 2, 1);
  const space::Space space = space::make_space(mesh, order, 3, space::Boundary::neumann, Layout::aos);
  const elasticity::Prisms prisms = elasticity::make_prisms(mesh, 2.5, 0.3);
  const std::size_t one = 9 * 8 * space.element_to_node.arity() * space.element_to_node.arity();
  const std::vector<double> x = random_numbers(3 * space.num_nodes, 1);
  const Vector<double> y = make_vector<double>("y", x.size());
  const Vector<float> y_float = make_vector<float>("y", x.size());
  Values first;
  for (const Method method : methods(order))
    for (const std::size_t batch : {one, 3 * one, 100 * one}) {
      elasticity::assemble<double>(Instance(), prisms, space, {method, batch})
          .apply(Instance(), test::to_device<double>(x), y);
      elasticity::assemble<float>(Instance(), prisms, space, {method, batch})
          .apply(Instance(), test::to_device<float>(x), y_float);
      if (first.size() == 0) first = values(y);
      INFO(name(method) << ", " << batch << " bytes a batch");
      const double terms = 3. * space.num_nodes * basis::number_of_points(order);
      CHECK_THAT(values(y), all_close<double>(first, terms));
      CHECK_THAT(values(y_float), all_close<float>(first, terms));
    }
}

TEST_CASE("Batches are as large as memory allows, at least one element", "[elasticity][elastic]") {
  const auto able = methods(1);
  if (able.empty()) return;
  const elasticity::Prisms prisms = elasticity::make_prisms(7, 0.1, 1, 0.2, false, 1);
  const std::size_t one = 9 * 36 * sizeof(double);

  CHECK(elasticity::ElementBatches<double>(prisms, 1, {able[0], 2 * one + 1}).size() == 4);
  CHECK(elasticity::ElementBatches<double>(prisms, 1, {able[0], 0}).size() == 7);
  CHECK(elasticity::ElementBatches<double>(prisms, 1, {able[0], 1000 * one}).size() == 1);
  CHECK_THROWS_AS(elasticity::ElementBatches<double>(prisms, 8, {able[0], one}), InputError);
}

TEST_CASE("Wrong element matrices are seen before they are added", "[elasticity][elastic]") {
  const int order = 1;
  if (methods(order).empty()) return;
  const mesh::Mesh mesh = make_shaken_prisms(2, 1, 2);  // 8 prisms
  const space::Space space = space::make_space(mesh, order, 3, space::Boundary::neumann, Layout::aos);
  const elasticity::Prisms prisms = elasticity::make_prisms(mesh, 2.5, 0.3);
  const Map& map = space.element_to_node.host();
  const auto sum = [&](elasticity::ElementBatches<double> batches, double& error) {
    BlockMatrix<double> matrix(space, linalg::make_block_pattern(map, space.num_nodes));
    measure::Phases phases;
    error = elasticity::assemble(Instance(), batches, matrix, phases);
    CHECK(phases.seconds().front().first == "integration");
    return largest(values(matrix.diagonal()));
  };
  double error = 0;
  CHECK(sum({prisms, order, {Method::reg_jac, 1 << 20}}, error) > 1);
  CHECK(error <= 1);
  CHECK(sum(broken_batches(prisms, order, 8, 0), error) == 0);
  CHECK(error > 1e3);
  CHECK(sum(broken_batches(prisms, order, 8, 4), error) == 0);
  CHECK(error > 1e3);
  CHECK(sum(broken_batches(prisms, order, 3, 1), error) > 1);  // noticed at the middle element, in the second batch
  CHECK(error > 1e3);
  CHECK(sum(broken_batches(prisms, order, 8, 3), error) > 1);  // not in the sample
  CHECK(error <= 1);
  elasticity::ElementBatches<double> broken = broken_batches(prisms, order, 8, 7);
  CHECK_THROWS_AS(elasticity::assemble(Instance(), broken, space), ResultError);
}
