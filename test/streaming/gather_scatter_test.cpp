// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/streaming/gather_scatter.hpp"

#include <limits>

#include "support/meshes.hpp"
#include "support/vectors.hpp"

using namespace miniapp;
using namespace miniapp::test;
using mesh::Boundary;

namespace {

/// Enough local nodes for several blocks of a device, turned so that rows of Z are in no order.
mesh::Numbering make_numbering(Boundary boundary) {
  return mesh::make_numbering(make_turned_box(3, 2, 5), 4, boundary);
}

template <class Real>
Vector<Real> scattered(const mesh::Numbering& numbering, const Vector<const Real>& global) {
  const Vector<Real> local = make_vector<Real>("local", numbering.element_to_node.entries.size());
  streaming::scatter<Real>(streaming::make_node_map(numbering.element_to_node), global, local);
  return local;
}
template <class Real>
Vector<Real> gathered(const mesh::Numbering& numbering, const Vector<const Real>& local) {
  const Vector<Real> global = make_vector<Real>("global", numbering.num_nodes);
  streaming::gather<Real>(streaming::make_node_rows(numbering.element_to_node, numbering.num_nodes), local, global);
  return global;
}

}  // namespace

TEST_CASE("The device's maps are those of the host", "[streaming][gather_scatter]") {
  const mesh::Map map = make_numbering(Boundary::dirichlet).element_to_node;
  const std::size_t nodes = make_numbering(Boundary::dirichlet).num_nodes;
  const mesh::Rows expected = mesh::transpose(map, nodes);

  const streaming::NodeRows rows = streaming::make_node_rows(map, nodes);

  CHECK(to_std(streaming::make_node_map(map)) == map.entries);
  CHECK(to_std(rows.offsets) == expected.offsets);
  CHECK(to_std(rows.positions) == expected.positions);
}

TEMPLATE_TEST_CASE("Scatter copies each node to its local places and zero where masked", "[streaming][gather_scatter]",
                   double, float) {
  mesh::Map map(2, 3);
  map.entries = {2, 0, ~1, 3, ~0, 2};
  const Vector<TestType> x = to_device<TestType>(std::vector<double>{10, 11, 12, 13}),
                         local = to_device<TestType>(std::vector<double>(6, 99));

  streaming::scatter<TestType>(streaming::make_node_map(map), x, local);

  CHECK(to_std(local) == std::vector<TestType>{12, 10, 0, 13, 0, 12});
}

TEMPLATE_TEST_CASE("Gather sums the local values of each node and gives zero to nodes without any",
                   "[streaming][gather_scatter]", double, float) {
  mesh::Map map(2, 3);
  map.entries = {2, 0, ~1, 3, ~0, 2};
  const Vector<TestType> local = to_device<TestType>(std::vector<double>{1, 2, 4, 8, 16, 32}),
                         x = to_device<TestType>(std::vector<double>(5, 99));

  streaming::gather<TestType>(streaming::make_node_rows(map, 5), local, x);

  CHECK(to_std(x) == std::vector<TestType>{2, 0, 33, 8, 0});
}

TEMPLATE_TEST_CASE("Gather is the transpose of scatter: <Z x, y> = <x, Z^T y>", "[streaming][gather_scatter]", double,
                   float) {
  const mesh::Numbering numbering = make_numbering(GENERATE(Boundary::neumann, Boundary::dirichlet));
  const std::size_t num_local = numbering.element_to_node.entries.size();
  const Vector<TestType> x = to_device<TestType>(random_numbers(numbering.num_nodes, 1)),
                         y = to_device<TestType>(random_numbers(num_local, 2));

  const double local = exact_dot(values(scattered<TestType>(numbering, x)), values(y)),
               global = exact_dot(values(x), values(gathered<TestType>(numbering, y)));

  CHECK(local == close<TestType>(global, 8, std::sqrt(double(num_local))));
}

TEST_CASE("Gathering what was scattered multiplies each node by its number of elements",
          "[streaming][gather_scatter]") {
  const mesh::Numbering numbering = make_numbering(Boundary::dirichlet);
  std::vector<double> multiplicity(numbering.num_nodes, 0);
  for (const mesh::Index entry : numbering.element_to_node.entries)
    if (entry >= 0) ++multiplicity[entry];
  const Vector<const double> ones = to_device<double>(std::vector<double>(numbering.num_nodes, 1));

  const Vector<const double> local = scattered<double>(numbering, ones);

  CHECK(to_std(gathered<double>(numbering, local)) == multiplicity);
}

TEMPLATE_TEST_CASE("Masked nodes are not read and not written", "[streaming][gather_scatter]", double, float) {
  const mesh::Numbering numbering = make_numbering(Boundary::dirichlet);
  std::vector<double> numbers = random_numbers(numbering.num_nodes, 3);
  for (const mesh::Index node : numbering.masked) numbers[node] = std::numeric_limits<double>::quiet_NaN();

  const Vector<const TestType> local = scattered<TestType>(numbering, to_device<TestType>(numbers));
  const std::vector<TestType> back = to_std(gathered<TestType>(numbering, local));

  for (const TestType x : to_std(local)) CHECK(x == x);
  for (const mesh::Index node : numbering.masked) CHECK(back[node] == 0);
}
