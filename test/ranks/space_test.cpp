// SPDX-License-Identifier: BSD-3-Clause
// Spaces on distributed meshes have the nodes of the whole mesh.
#include "miniapp/space/space.hpp"

#include <chrono>
#include <thread>

#include "miniapp/geometry/hexahedron.hpp"
#include "miniapp/graph/partition.hpp"
#include "miniapp/linalg/linear_operator.hpp"
#include "miniapp/mesh/generate_2d.hpp"
#include "miniapp/tensor/element_operator.hpp"
#include "space/join.hpp"
#include "support/meshes.hpp"
#include "support/parts.hpp"
#include "support/vectors.hpp"

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

/// Whether two spaces have the same nodes, of which the same are masked and shared.
void check_same(const Space& found, const Space& expected) {
  CHECK(found.order == expected.order);
  CHECK(found.components == expected.components);
  CHECK(found.layout == expected.layout);
  CHECK(found.element_to_node.host().entries == expected.element_to_node.host().entries);
  CHECK(found.masked == expected.masked);
  CHECK(to_std(found.exchange.shared()) == to_std(expected.exchange.shared()));
  CHECK(found.exchange.items() == expected.exchange.items());
}

/// A diagonal for each element: its number times the local node's. In steps on request.
struct Diagonals {
  const tensor::Discretisation& d;
  bool steps;
  mutable std::vector<int> calls = {};

  const Space& space() const { return d.space; }
  double bytes() const { return 0; }
  bool has_steps() const { return steps; }
  void add(const Vector<const double>& x, const Vector<double>& y, double* energy, std::size_t first,
           std::size_t last) const {
    const auto to = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
    const auto from = to_host(x);
    double own = 0;
    for (std::size_t e = first; e < last; ++e)
      for (int i = 0; i < d.space.element_to_node.arity(); ++i) {
        const Index node = d.space.element_to_node.host()[e][i];
        const double value = (1. + double(d.mesh->number(e))) * (1 + i) * from(node);
        to(node) += value;
        own += value * from(node);
      }
    Kokkos::deep_copy(y, to);
    if (!energy) return;
    const Vector<double> result(energy, 1);
    if (first > 0) own += to_host(result)(0);  // what the first step left
    Kokkos::deep_copy(result, own);
  }
  void apply(const Instance& instance, const Vector<const double>& x, const Vector<double>& y) const {
    Kokkos::deep_copy(y, 0.);
    apply_to_zero(instance, x, y, nullptr);
  }
  void apply_to_zero(const Instance&, const Vector<const double>& x, const Vector<double>& y, double* energy) const {
    calls.push_back(0);
    add(x, y, energy, 0, d.mesh->num_elements());
  }
  void apply_shared(const Instance&, const Vector<const double>& x, const Vector<double>& y, double* energy) const {
    calls.push_back(1);
    add(x, y, energy, 0, std::size_t(d.shared_elements));
  }
  void apply_inner(const Instance&, const Vector<const double>& x, const Vector<double>& y, double* energy) const {
    calls.push_back(2);
    add(x, y, energy, std::size_t(d.shared_elements), d.mesh->num_elements());
  }
};

}  // namespace

TEST_CASE("An operator in steps is the one without", "[ranks][space][linalg]") {
  const Communicator world = by_way(Communicator::world(), GENERATE(0, 1));
  mesh::Mesh whole = mesh::make_box(5, 4, 3);
  tensor::Discretisation d(take_part(whole, world, 3), tensor::Problem::bp3_0, 1, Boundary::neumann, 1);
  d.put_shared_first();
  const bool has_steps = GENERATE(true, false) || world.rank() % 2 == 0;  // those without are beside others with
  const Diagonals plain{d, false}, steps{d, has_steps};
  const Vector<double> x = evaluate(*d.mesh, d.space), expected = make_vector<double>("y", x.extent(0)),
                       found = make_vector<double>("y", x.extent(0)), zero = make_zeros<double>("y", x.extent(0)),
                       energies = make_zeros<double>("energies", 2);

  linalg::apply<double>(Instance(), plain, x, expected);
  linalg::apply<double>(Instance(), steps, x, found);
  linalg::apply_to_zero<double>(Instance(), steps, x, zero, energies.data());
  linalg::dot<double>(Instance(), d.space, x, expected, energies.data() + 1);

  CHECK(steps.calls == (has_steps ? std::vector<int>{1, 2, 1, 2} : std::vector<int>{0, 0}));
  CHECK_THAT(values(found), all_close<double>(values(expected), 16));
  CHECK_THAT(values(zero), all_close<double>(values(expected), 16));
  CHECK(values(energies)[0] == Approx(values(energies)[1]).epsilon(1e-13));
}

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

TEST_CASE("A space of another order, made from one, is the mesh's", "[ranks][space]") {
  const mesh::CellKind kind = GENERATE(mesh::CellKind::hexahedron, mesh::CellKind::prism);
  const int from = GENERATE(1, 2), to = 3 - from;
  const Boundary before = GENERATE(Boundary::neumann, Boundary::dirichlet),
                 boundary = GENERATE(Boundary::neumann, Boundary::dirichlet);
  const mesh::Mesh part = take_part(make_whole(kind), Communicator::world(), 3);
  const Space first = make_space(part, from, 2, before, Layout::aos);
  CAPTURE(mesh::name(kind), from);

  check_same(make_space_of_order(to, first, part, boundary), make_space(part, to, 2, boundary, Layout::aos));
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
  const Communicator world = by_way(Communicator::world(), GENERATE(0, 1));
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

TEST_CASE("A sum in two steps is the sum in one, to the last bit", "[ranks][space]") {
  const Communicator world = by_way(Communicator::world(), GENERATE(0, 1));
  const mesh::Mesh part = take_part(make_whole(mesh::CellKind::hexahedron), world, 5);
  const Space space = make_space(part, 2, GENERATE(1, 2), Boundary::neumann);
  std::vector<double> numbers(space.num_entries());
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = 1 / (3. + double(i) + world.rank());
  const Vector<double> once = test::to_device<double>(numbers), steps = test::to_device<double>(numbers),
                       sums = test::to_device<double>(std::vector<double>{1. + world.rank(), 7});
  const Instance instance;

  space.exchange.sum(instance, once);
  space.exchange.start(instance, steps);
  space.exchange.finish(instance, steps, sums.data(), 2);

  CHECK(values(steps).entries == values(once).entries);
  CHECK(values(sums)[0] == world.size() * (world.size() + 1) / 2);
  CHECK(values(sums)[1] == 7 * world.size());
}

TEST_CASE("Rounds of sums do not mix, however late a rank is", "[ranks][space]") {
  const Communicator world = by_memory(Communicator::world());
  const mesh::Mesh part = take_part(make_whole(mesh::CellKind::hexahedron), world, 2);
  const Space space = make_space(part, 3, 1, Boundary::neumann);
  const Instance instance;
  const Vector<double> x = make_vector<double>("x", space.num_entries()), sums = make_vector<double>("sums", 2);
  const Vector<float> single = make_vector<float>("single", space.num_entries());
  const Vector<double> copies = make_vector<double>("copies", space.num_entries());
  Kokkos::deep_copy(copies, 1.);
  space.exchange.sum(instance, copies);
  const Values count = values(copies);
  bool right = true;

  for (int round = 1; round <= 100; ++round) {
    if ((round * 7 + world.rank() * 3) % 11 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    Kokkos::deep_copy(x, double(round));
    Kokkos::deep_copy(sums, double(round));
    space.exchange.sum(instance, x, sums.data(), round % 3);
    if (round % 4 == 0) {
      Kokkos::deep_copy(single, float(round));
      space.exchange.sum(instance, single);
      const Values now = values(single);
      for (std::size_t i = 0; i < now.entries.size(); ++i) right = right && now[i] == round * count[i];
    }
    if (round % 5 == 0) space.exchange.reduce(instance, sums.data() + 1, 1);
    const Values now = values(x), of_sums = values(sums);
    for (std::size_t i = 0; i < now.entries.size(); ++i) right = right && now[i] == round * count[i];
    const int times_0 = round % 3 >= 1 ? world.size() : 1, times_1 = round % 3 >= 2 ? world.size() : 1,
              again = round % 5 == 0 ? world.size() : 1;
    right = right && of_sums[0] == round * times_0 && of_sums[1] == round * times_1 * again;
  }

  CHECK((space.exchange.halo() == Halo::peer) == (!world.is_alone() && world.halo() == Halo::peer));
  CHECK(right);
}

TEST_CASE("A rank that receives late is not overrun by the next round", "[ranks][space]") {
  const Communicator world = by_memory(Communicator::world());
  const Space space = make_space(take_part(make_whole(mesh::CellKind::hexahedron), world, 2), 3, 1, Boundary::neumann);
  const Instance instance;
  const Vector<double> x = make_vector<double>("x", space.num_entries()),
                       copies = make_vector<double>("copies", x.extent(0)), sums = make_vector<double>("sums", 1);
  Kokkos::deep_copy(copies, 1.);
  space.exchange.sum(instance, copies);
  const Values count = values(copies);
  bool right = true;
  for (int round = 1; round <= 20; ++round) {
    Kokkos::deep_copy(x, double(round));
    Kokkos::deep_copy(sums, double(round));
    space.exchange.start(instance, x);  // others are as far as the next start meanwhile
    if (round % world.size() == world.rank()) std::this_thread::sleep_for(std::chrono::milliseconds(3));
    space.exchange.finish(instance, x, sums.data(), 1);
    const Values now = values(x);
    for (std::size_t i = 0; i < now.entries.size(); ++i) right = right && now[i] == round * count[i];
    right = right && values(sums)[0] == round * world.size();
  }
  CHECK(right);
}

TEST_CASE("Ranks have memory of each other, each part once, small and large", "[ranks][space]") {
  const Communicator world = Communicator::world();
  if (by_memory(world).halo() != Halo::peer || world.is_alone() || !runs_on_host) return;
  const std::size_t sizes[] = {8, 700 << 10, 700 << 10, 3 << 20, 264};
  for (int repeat = 0; repeat < 2; ++repeat) {
    std::vector<std::shared_ptr<const messages::PeerMemory>> parts;
    for (const std::size_t bytes : sizes) parts.push_back(messages::PeerMemory::make(world, bytes));
    bool right = true;
    const auto each = [&](const auto& visit) {
      for (std::size_t p = 0; p < parts.size(); ++p)
        for (int rank = 0; rank < world.size(); ++rank) {
          auto* const words = reinterpret_cast<std::int64_t*>(parts[p]->of(rank));
          const std::size_t words_of_rank = sizes[p] / 8 / std::size_t(world.size()),
                            first = words_of_rank * world.rank();
          for (std::size_t i = first; i < first + words_of_rank; ++i)
            visit(words[i], std::int64_t(1 + i + 10 * p + 1000 * std::size_t(rank)));
        }
    };
    each([&](std::int64_t word, std::int64_t) { right = right && word == 0; });
    world.barrier();
    each([](std::int64_t& word, std::int64_t value) { word = value; });
    world.barrier();
    for (std::size_t p = 0; p < parts.size(); ++p) {
      const auto* const own = reinterpret_cast<const std::int64_t*>(parts[p]->of(world.rank()));
      for (std::size_t i = 0; i < sizes[p] / 8 / std::size_t(world.size()) * std::size_t(world.size()); ++i)
        right = right && own[i] == std::int64_t(1 + i + 10 * p + 1000 * std::size_t(world.rank()));
    }
    CHECK(right);
    world.barrier();
  }
}

TEST_CASE("Two communicators have memory each", "[ranks][space]") {
  const Communicator world = by_memory(Communicator::world());
  const auto make = [&](const Communicator& ranks) {
    return make_space(take_part(make_whole(mesh::CellKind::hexahedron), ranks, 4), 2, 1, Boundary::neumann);
  };
  const Space first = make(world), alone = make(Communicator()), second = make(world);
  const Vector<double> x = make_vector<double>("x", second.num_entries()), y = make_vector<double>("y", x.extent(0));
  for (int round = 0; round < 3; ++round) {
    Kokkos::deep_copy(x, 1.);
    Kokkos::deep_copy(y, 1.);
    first.exchange.sum(Instance(), x);
    second.exchange.sum(Instance(), y);
    CHECK(values(x).entries == values(y).entries);
  }
  CHECK(alone.exchange.empty());
}

TEST_CASE("More sums than travel at once are refused", "[ranks][space]") {
  const Communicator world = by_way(Communicator::world(), GENERATE(0, 1));
  const Space space = make_space(take_part(make_whole(mesh::CellKind::hexahedron), world, 2), 2, 1, Boundary::neumann);
  const Vector<double> sums = make_zeros<double>("sums", 17);
  if (!world.is_alone()) CHECK_THROWS_AS(space.exchange.reduce(Instance(), sums.data(), 17), InputError);
}

TEST_CASE("Elements with nodes of other ranks come first where that is asked for", "[ranks][space][tensor]") {
  const Communicator world = Communicator::world();
  const mesh::Mesh part = take_part(make_whole(mesh::CellKind::hexahedron), world, 3);
  const int order = tensor::built_orders().back(), components = GENERATE(1, 2);
  tensor::Discretisation d(part, tensor::Problem::bp3_0, order, Boundary::dirichlet, 1, components);
  const std::vector<mesh::Point> points = node_points(*d.mesh, d.space);

  d.put_shared_first();

  std::vector<Index> shared = to_std(d.space.exchange.shared());
  std::sort(shared.begin(), shared.end());
  int with_shared = 0;
  for (std::size_t e = 0; e < d.mesh->num_elements(); ++e) {
    bool any = false;
    for (int i = 0; i < d.space.element_to_node.arity(); ++i) {
      const Index node = d.space.element_to_node.host()[e][i];
      any = any || std::binary_search(shared.begin(), shared.end(), node < 0 ? ~node : node);
    }
    CHECK(any == (int(e) < d.shared_elements));
    with_shared += any;
  }
  CHECK(with_shared == d.shared_elements);
  CHECK((with_shared > 0) == (world.size() > 1));
  const std::vector<mesh::Point> again = node_points(*d.mesh, d.space);  // the mesh, its map and the nodes go together
  double worst = 0;
  for (std::size_t node = 0; node < points.size(); ++node)
    for (int c = 0; c < 3; ++c) worst = std::max(worst, std::fabs(again[node][c] - points[node][c]));
  CHECK(worst < 1e-14);
  CHECK(to_std(d.trilinear) == to_std(geometry::make_trilinear(*d.mesh)));
}

TEST_CASE("What is known of the surface between ranks stays right where elements change places",
          "[ranks][space][tensor]") {
  const Communicator world = Communicator::world();
  const std::array<int, 3> sides{3, 3, 4 * world.size()};  // the last rank has what it shares at its begin already
  const mesh::Mesh part =
      mesh::make_box_part(sides, graph::part_of_box(sides, graph::Partition::rcb, world.rank(), world.size()), world);
  const Boundary boundary = GENERATE(Boundary::neumann, Boundary::dirichlet);
  tensor::Discretisation d(part, tensor::Problem::bp3_0, tensor::built_orders().back(), boundary, 1);

  const tensor::Discretisation earlier = d.of_order(2);  // keeps the mesh as it is
  d.put_shared_first();

  const tensor::Discretisation level = d.of_order(1);
  check_same(level.space, make_space(*d.mesh, 1, 1, boundary));
  CHECK(to_std(level.trilinear) == to_std(d.trilinear));
  if (world.size() == 1) return;
  for (const tensor::Discretisation* of_mesh : {&level, &earlier}) {
    const mesh::Mesh& mesh = *of_mesh->mesh;
    const mesh::Entities faces = mesh::find_faces(mesh);
    CHECK(of_mesh->space.part_surface->single_sides(faces) == space::list_single_sides(faces));
    CHECK(of_mesh->space.part_surface->shared_faces(mesh, faces) == space::find_shared_faces(mesh, faces));
  }
}

TEST_CASE("Inner products and norms count each unknown once", "[ranks][space][linalg]") {
  const Communicator world = by_way(Communicator::world(), GENERATE(0, 1));
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
