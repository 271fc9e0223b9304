// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/multigrid/p_transfer.hpp"

#include "miniapp/multigrid/options.hpp"
#include "support/problems.hpp"

using multigrid::make_transfer;

namespace {

/// Nodal values of a polynomial of degree `order` along each direction, component c times c + 1.
std::vector<double> polynomial(const mesh::Mesh& mesh, const space::Space& space, int order) {
  std::vector<double> values(space.num_entries());
  const auto points = node_points(mesh, space);
  for (Index node = 0; node < space.num_nodes; ++node) {
    const auto& x = points[static_cast<std::size_t>(node)];
    const double u = std::pow(x[0] - 0.3, order) + 2 * std::pow(x[1] + 0.1, order) - std::pow(x[2], order) +
                     std::pow(x[0] * x[1] * x[2], order);
    for (int c = 0; c < space.components; ++c) values[space.entry(node, c)] = (c + 1) * u;
  }
  return values;
}

struct Pair {
  Discretisation coarse, fine;
};

Discretisation make_space(const mesh::Mesh& mesh, int order, Boundary boundary, int components) {
  return {mesh, Problem::bp3_0, order, boundary, 1, components};
}

/// An order that is built and the next lower one, on a box whose elements are turned, or in one direction.
Pair make_pair(int high, Boundary boundary, int components, bool turned) {
  mesh::Mesh mesh = mesh::make_box(5, 4, 3);
  if (turned) mesh::rotate_elements(mesh, 5);
  return {make_space(mesh, multigrid::lower_order(high, tensor::built_orders()), boundary, components),
          make_space(mesh, high, boundary, components)};
}

/// Orders above 1 that have kernels here.
std::vector<int> higher_orders() {
  std::vector<int> orders = tensor::built_orders();
  std::erase(orders, 1);
  return orders;
}

}  // namespace

TEST_CASE("Polynomials of the lower order are reproduced", "[multigrid][p_transfer]") {
  const int components = GENERATE(1, 3);
  const bool turned = GENERATE(false, true);
  for (const int high : higher_orders()) {
    const Pair pair = make_pair(high, Boundary::neumann, components, turned);
    const mesh::Mesh& mesh = *pair.fine.mesh;
    const std::vector<double> expected = polynomial(mesh, pair.fine.space, pair.coarse.order);
    const Vector<float> x = test::to_device<float>(polynomial(mesh, pair.coarse.space, pair.coarse.order)),
                        y = test::to_device<float>(std::vector<double>(pair.fine.space.num_entries(), 0.5));

    make_transfer(pair.coarse, pair.fine)->prolong(Instance(), x, y);

    Values sum;
    for (const double value : expected) sum.entries.push_back(value + 0.5);
    INFO("order " << high << ", turned " << turned);
    CHECK_THAT(values(to_std(convert<double>(y))), all_close<float>(sum, 100));
  }
}

TEST_CASE("Restriction is the transpose of prolongation, with masked nodes too", "[multigrid][p_transfer]") {
  const Boundary boundary = GENERATE(Boundary::dirichlet, Boundary::neumann);
  const bool turned = GENERATE(false, true);
  for (const int high : higher_orders()) {
    const Pair pair = make_pair(high, boundary, 2, turned);
    const space::Space &coarse = pair.coarse.space, &fine = pair.fine.space;
    const auto transfer = make_transfer(pair.coarse, pair.fine);
    std::vector<double> x = random_numbers(coarse.num_entries(), 1);
    const std::vector<double> r = random_numbers(fine.num_entries(), 2), y = random_numbers(fine.num_entries(), 3);
    std::vector<double> sum = r;
    for (std::size_t i = 0; i < r.size(); ++i) sum[i] += y[i];
    for (const Index node : coarse.masked)
      for (int c = 0; c < 2; ++c) x[coarse.entry(node, c)] = 0;
    const Vector<float> Px = make_zeros<float>("Px", r.size()), f = make_vector<float>("f", x.size());
    Kokkos::deep_copy(f, float(NAN));

    transfer->prolong(Instance(), test::to_device<float>(x), Px);
    transfer->restrict_to(Instance(), test::to_device<float>(sum), test::to_device<float>(y), f);

    INFO("order " << high << ", turned " << turned);
    const Values image = values(to_std(convert<double>(Px))), restricted = values(to_std(convert<double>(f)));
    CHECK(exact_dot(values(r), image) == close<float>(exact_dot(restricted, values(x)), 100. * double(r.size())));
    CHECK(largest(image) > 0.1);
    for (int c = 0; c < 2; ++c) {
      for (const Index node : fine.masked) CHECK(image.entries[fine.entry(node, c)] == 0);
      for (const Index node : coarse.masked) CHECK(restricted.entries[coarse.entry(node, c)] == 0);
    }
  }
}

TEST_CASE("Spaces of different meshes, components or orders are refused", "[multigrid][p_transfer]") {
  const int high = tensor::built_orders().back();
  const Pair one = make_pair(high, Boundary::neumann, 1, false), two = make_pair(high, Boundary::neumann, 2, false);
  const Discretisation other = make_space(mesh::make_box(2, 2, 2), one.coarse.order, Boundary::neumann, 1);

  CHECK_THROWS_AS(make_transfer(two.coarse, one.fine), InputError);
  CHECK_THROWS_AS(make_transfer(other, one.fine), InputError);
  CHECK_THROWS_AS(make_transfer(one.fine, one.fine), InputError);
}
