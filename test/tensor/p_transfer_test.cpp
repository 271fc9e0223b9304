// SPDX-License-Identifier: BSD-3-Clause
#include "tensor/p_transfer.hpp"

#include <cmath>

#include "miniapp/core/error.hpp"
#include "support/all_close.hpp"
#include "support/meshes.hpp"
#include "support/vectors.hpp"

using namespace miniapp;
using namespace miniapp::test;
using space::Boundary;
using tensor::PTransfer;

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
  mesh::Mesh mesh;
  space::Space coarse, fine;
};

/// Spaces on boxes whose elements are turned.
Pair make_pair(int low, int high, Boundary boundary, int components = 1) {
  mesh::Mesh mesh = mesh::make_box(3, 2, 2);
  mesh::rotate_elements(mesh, 5);
  return {mesh, space::make_space(mesh, low, components, boundary),
          space::make_space(mesh, high, components, boundary)};
}

}  // namespace

TEMPLATE_TEST_CASE("Polynomials of the lower order are reproduced", "[tensor][p_transfer]", double, float) {
  const auto [low, high] =
      GENERATE(std::pair(1, 2), std::pair(1, 3), std::pair(3, 7), std::pair(7, 8), std::pair(5, 15));
  const int components = GENERATE(1, 3);
  const Pair pair = make_pair(low, high, Boundary::neumann, components);
  const std::vector<double> expected = polynomial(pair.mesh, pair.fine, low);
  const Vector<TestType> x = test::to_device<TestType>(polynomial(pair.mesh, pair.coarse, low)),
                         y = test::to_device<TestType>(std::vector<double>(pair.fine.num_entries(), 0.5));

  PTransfer<TestType>(pair.coarse, pair.fine).prolong(Instance(), x, y);

  Values sum;
  for (const double value : expected) sum.entries.push_back(value + 0.5);
  CHECK_THAT(values(to_std(convert<double>(y))), all_close<TestType>(sum, 100));
}

TEMPLATE_TEST_CASE("Restriction is the transpose of prolongation, with masked nodes too", "[tensor][p_transfer]",
                   double, float) {
  const auto [low, high] = GENERATE(std::pair(1, 3), std::pair(2, 5), std::pair(3, 7));
  const Boundary boundary = GENERATE(Boundary::dirichlet, Boundary::neumann);
  const Pair pair = make_pair(low, high, boundary, 2);
  const PTransfer<TestType> transfer(pair.coarse, pair.fine);
  const std::vector<double> x = random_numbers(pair.coarse.num_entries(), 1),
                            r = random_numbers(pair.fine.num_entries(), 2);
  const Vector<TestType> Px = make_zeros<TestType>("Px", r.size()), f = make_vector<TestType>("f", x.size());
  Kokkos::deep_copy(f, TestType(NAN));

  transfer.prolong(Instance(), test::to_device<TestType>(x), Px);
  transfer.restrict_to(Instance(), test::to_device<TestType>(r), f);

  const Values image = values(to_std(convert<double>(Px))), restricted = values(to_std(convert<double>(f)));
  CHECK(exact_dot(values(r), image) == close<TestType>(exact_dot(restricted, values(x)), 100. * double(r.size())));
  CHECK(largest(image) > 0.1);
  for (int c = 0; c < 2; ++c) {
    for (const Index node : pair.fine.masked) CHECK(image.entries[pair.fine.entry(node, c)] == 0);
    for (const Index node : pair.coarse.masked) CHECK(restricted.entries[pair.coarse.entry(node, c)] == 0);
  }
}

TEST_CASE("Spaces of different meshes or numbers of components are refused", "[tensor][p_transfer]") {
  const Pair one = make_pair(1, 2, Boundary::neumann), two = make_pair(1, 2, Boundary::neumann, 2);
  const auto other = space::make_space(mesh::make_box(2, 2, 2), 1, 1, Boundary::neumann);

  CHECK_THROWS_AS(PTransfer<double>(two.coarse, one.fine), InputError);
  CHECK_THROWS_AS(PTransfer<double>(other, one.fine), InputError);
}
