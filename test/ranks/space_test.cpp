// SPDX-License-Identifier: BSD-3-Clause
// Spaces on distributed meshes have the nodes of the whole mesh.
#include "miniapp/space/space.hpp"

#include "miniapp/linalg/vectors.hpp"
#include "miniapp/mesh/generate_2d.hpp"
#include "support/meshes.hpp"
#include "support/parts.hpp"
#include "support/vectors.hpp"

using namespace miniapp;
using namespace miniapp::test;
using space::Boundary;
using space::Space;

namespace {

struct Case {
  mesh::CellKind kind;
  int order;
};
const std::vector<Case> cases = {{mesh::CellKind::hexahedron, 1}, {mesh::CellKind::hexahedron, 2},
                                 {mesh::CellKind::hexahedron, 5}, {mesh::CellKind::prism, 1},
                                 {mesh::CellKind::prism, 4},      {mesh::CellKind::tetrahedron, 1},
                                 {mesh::CellKind::triangle, 1}};

mesh::Mesh make_whole(mesh::CellKind kind) {
  mesh::Mesh whole = kind == mesh::CellKind::hexahedron ? mesh::make_box(3, 4, 2)
                     : kind == mesh::CellKind::prism    ? mesh::make_prism_box(3, 2, 2)
                     : kind == mesh::CellKind::triangle ? mesh::make_rectangle(mesh::CellKind::triangle, 4, 3)
                                                        : mesh::make_tetrahedron_box(2, 3, 2);
  mesh::perturb(whole, 0.1, 1);
  mesh::rotate_elements(whole, 5);
  return whole;
}

/// f (entry) at the nodes' coordinates, per component.
Vector<double> evaluate(const mesh::Mesh& mesh, const Space& space) {
  std::vector<double> x(space.num_entries());
  const std::vector<mesh::Point> points = node_points(mesh, space);
  for (Index node = 0; node < space.num_nodes; ++node)
    for (int c = 0; c < space.components; ++c) {
      const mesh::Point& at = points[node];
      x[space.entry(node, c)] = 1 + at[0] + 3 * at[1] * at[1] + 7 * at[2] + c;
    }
  return test::to_device<double>(x);
}

}  // namespace

TEST_CASE("Parts have the unknowns of the whole mesh, each owned once", "[ranks][space]") {
  const Case c = GENERATE(from_range(cases));
  const int components = GENERATE(1, 3);
  const Boundary boundary = GENERATE(Boundary::neumann, Boundary::dirichlet);
  const Layout layout = GENERATE(Layout::soa, Layout::aos);
  const Communicator world = Communicator::world();
  const mesh::Mesh whole = make_whole(c.kind), part = take_part(whole, world, 3);
  CAPTURE(mesh::name(c.kind), c.order, components);
  const Space expected = make_space(whole, c.order, components, boundary, layout),
              space = make_space(part, c.order, components, boundary, layout);

  CHECK(space.num_dofs() == expected.num_dofs());
  CHECK(space.num_masked() == std::int64_t(expected.masked.size()));
  std::int64_t owned = 0;
  for (Index node = 0; node < space.num_nodes; ++node) owned += space.owns(node);
  CHECK(world.sum(owned) == expected.num_nodes);
}

TEST_CASE("Copies of a node are at the same place, and a node is masked in all copies", "[ranks][space]") {
  const Case c = GENERATE(from_range(cases));
  const int components = GENERATE(1, 2);
  const Communicator world = Communicator::world();
  const mesh::Mesh part = take_part(make_whole(c.kind), world, 4);
  const Space space = make_space(part, c.order, components, Boundary::dirichlet);
  CAPTURE(mesh::name(c.kind), c.order, components);
  const Vector<double> f = evaluate(part, space), copied = evaluate(part, space);

  space.exchange.copy_from_owners(Instance(), copied);
  CHECK_THAT(values(copied), all_close<double>(values(f), 16));

  std::vector<double> masked(space.num_entries(), 0);
  for (const Index node : space.masked)
    for (int k = 0; k < components; ++k) masked[space.entry(node, k)] = 1;
  const Vector<double> mask = test::to_device<double>(masked);
  space.exchange.copy_from_owners(Instance(), mask);
  CHECK(values(mask).entries == masked);
}

TEST_CASE("A sum adds every copy once, the same to the last bit on all ranks", "[ranks][space]") {
  const Communicator world = Communicator::world();
  const mesh::Mesh part = take_part(make_whole(mesh::CellKind::hexahedron), world, 3);
  const Space space = make_space(part, 3, 2, Boundary::neumann);
  std::vector<double> ones(space.num_entries(), 1), irregular(space.num_entries());
  for (std::size_t i = 0; i < irregular.size(); ++i) irregular[i] = 1 / (3. + double(i) + world.rank());
  const Vector<double> copies = test::to_device<double>(ones), sum = test::to_device<double>(irregular);
  const Vector<float> single = test::to_device<float>(irregular);
  const Instance instance;

  space.exchange.sum(instance, copies);
  space.exchange.sum(instance, sum);
  space.exchange.sum(instance, single);

  double inverse = 0;  // every node once
  for (const double count : values(copies).entries) inverse += 1 / count;
  CHECK(world.sum(inverse) == Approx(2. * double(space.num_dofs() / 2)));
  const Vector<double> again = test::to_device<double>(values(sum).entries);
  space.exchange.copy_from_owners(instance, again);
  CHECK(values(again).entries == values(sum).entries);
  CHECK_THAT(values(single), all_close<float>(values(sum), 8));
}

TEST_CASE("Inner products and norms count each unknown once", "[ranks][space][linalg]") {
  const Communicator world = Communicator::world();
  const mesh::Mesh whole = make_whole(mesh::CellKind::hexahedron), part = take_part(whole, world, 6);
  const int components = GENERATE(1, 2);
  const Layout layout = GENERATE(Layout::soa, Layout::aos);
  const Space expected = make_space(whole, 3, components, Boundary::neumann, layout),
              space = make_space(part, 3, components, Boundary::neumann, layout);
  const Vector<double> f = evaluate(whole, expected), g = evaluate(part, space);
  const double norm = linalg::dot<double>(Instance(), expected, f, f);
  const Vector<double> on_device = make_zeros<double>("sum", 1), z = make_zeros<double>("z", space.num_entries()),
                       x = make_zeros<double>("x", space.num_entries());

  linalg::dot<double>(Instance(), space, g, g, on_device.data());

  CHECK(linalg::dot<double>(Instance(), space, g, g) == Approx(norm).epsilon(1e-13));
  CHECK(values(on_device)[0] == Approx(norm).epsilon(1e-13));
  const double scaled = linalg::scale<double>(Instance(), space, g, g, z);
  CHECK(scaled == Approx(linalg::dot<double>(Instance(), space, g, z)).epsilon(1e-13));
  CHECK(linalg::update<double>(Instance(), space, 0.5, g, g, x, g) == Approx(norm / 4).epsilon(1e-13));
}

TEST_CASE("More ranks than one give neighbours and items to exchange", "[ranks][space]") {
  const Communicator world = Communicator::world();
  const Space space = make_space(take_part(make_whole(mesh::CellKind::hexahedron), world, 3), 2, 1, Boundary::neumann);
  CHECK(space.exchange.empty() == (world.size() == 1));
  CHECK((space.exchange.neighbours() > 0) == (world.size() > 1));
  CHECK((space.exchange.items() > 0) == (world.size() > 1));
}
