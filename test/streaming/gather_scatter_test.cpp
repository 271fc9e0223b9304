// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/streaming/gather_scatter.hpp"

#include <limits>

#include "support/meshes.hpp"
#include "support/vectors.hpp"

using streaming::Indexing;

namespace {

constexpr int order = 4;

/// Enough local nodes for several blocks of a device, with elements turned so that rows of Z are unordered.
space::Space make_numbering(Boundary boundary) {
  return space::make_space(make_turned_box(3, 2, 5), order, 1, boundary);
}

Indexing any_indexing() { return GENERATE(Indexing::nodes, Indexing::compact); }

template <class Real>
Vector<Real> scattered(const Map& Z, int n, Indexing indexing, const Vector<const Real>& global) {
  const Vector<Real> local = to_device<Real>(std::vector<double>(Z.entries.size(), 99));
  streaming::Scatter(Z, n, indexing).apply<Real>(Instance(), global, local);
  return local;
}
template <class Real>
Vector<Real> gathered(const Map& Z, std::size_t nodes, Indexing indexing, const Vector<const Real>& local) {
  const Vector<Real> global = to_device<Real>(std::vector<double>(nodes, 99));
  streaming::Gather(Z, nodes, indexing).apply<Real>(Instance(), local, global);
  return global;
}

/// x[i] = i, and sums that stay exact in single precision.
std::vector<double> counted(std::size_t size) {
  std::vector<double> numbers(size);
  for (std::size_t i = 0; i < size; ++i) numbers[i] = double(i % 1009);
  return numbers;
}

/// Both directions against loops over Z, on numbers whose sums are exact.
template <class Real>
void check_both(const Map& Z, int n, std::size_t nodes, Indexing indexing) {
  const std::vector<double> x = counted(nodes), x_local = counted(Z.entries.size());
  std::vector<Real> local(Z.entries.size(), 0), global(nodes, 0);
  for (std::size_t q = 0; q < Z.entries.size(); ++q) {
    if (Z.entries[q] < 0) continue;
    local[q] = static_cast<Real>(x[Z.entries[q]]);
    global[Z.entries[q]] += static_cast<Real>(x_local[q]);
  }

  CHECK(to_std(scattered<Real>(Z, n, indexing, to_device<Real>(x))) == local);
  CHECK(to_std(gathered<Real>(Z, nodes, indexing, to_device<Real>(x_local))) == global);
}

}  // namespace

TEMPLATE_TEST_CASE("Scatter copies each node to its local places and zero where masked", "[streaming][gather_scatter]",
                   double, float) {
  Map map(2, 3);
  map.entries = {2, 0, ~1, 3, ~0, 2};
  const Vector<TestType> x = to_device<TestType>(std::vector<double>{10, 11, 12, 13});
  const std::vector<TestType> expected{12, 10, 0, 13, 0, 12};

  CHECK(to_std(scattered<TestType>(map, 3, any_indexing(), x)) == expected);
  const Vector<TestType> local = to_device<TestType>(std::vector<double>(6, 99));
  streaming::scatter<TestType>(Instance(), to_device<Index>("map", map.entries), x, local);
  CHECK(to_std(local) == expected);
}

TEMPLATE_TEST_CASE("Gather sums the local values of each node and gives zero to nodes without any",
                   "[streaming][gather_scatter]", double, float) {
  Map map(2, 3);
  map.entries = {2, 0, ~1, 3, ~0, 2};
  const Vector<TestType> local = to_device<TestType>(std::vector<double>{1, 2, 4, 8, 16, 32});

  CHECK(to_std(gathered<TestType>(map, 5, any_indexing(), local)) == std::vector<TestType>{2, 0, 33, 8, 0});
}

TEMPLATE_TEST_CASE("Both directions agree with loops over Z on meshes of every kind", "[streaming][gather_scatter]",
                   double, float) {
  const Boundary boundary = GENERATE(Boundary::neumann, Boundary::dirichlet);
  const int p = GENERATE(1, 2, 7, 15);
  const mesh::Mesh mesh = GENERATE(0, 1) ? make_turned_box(3, 2, 5) : make_shaken_box(9, 5, 4);
  const space::Space space = space::make_space(mesh, p, 1, boundary);

  CAPTURE(p, space.num_nodes);
  check_both<TestType>(space.element_to_node.host(), p + 1, space.num_nodes, any_indexing());
}

TEST_CASE("Both directions work on empty maps, and on one entry", "[streaming][gather_scatter]") {
  const Indexing indexing = any_indexing();
  Map one(1, 2);
  one.entries = {0, 1};

  check_both<double>(Map(0, 2), 2, 0, indexing);
  check_both<double>(Map(0, 2), 2, 3, indexing);
  check_both<double>(one, 2, 2, indexing);
}

TEST_CASE("Blocks hold what their limits allow: entries, nodes, pieces of x_L", "[streaming][gather_scatter]") {
  const Indexing indexing = any_indexing();
  const int nodes = GENERATE(511, 512, 513, 1023, 1024, 1025, 5000);
  Map pairs(nodes, 2), far(nodes, 2);  // each node twice: next to each other, and in random places
  for (int i = 0; i < 2 * nodes; ++i) {
    pairs.entries[i] = i / 2;
    far.entries[i] = static_cast<Index>(std::int64_t(i) * 7919 % nodes);
  }

  check_both<double>(pairs, 2, nodes, indexing);
  check_both<double>(far, 2, nodes, indexing);
  check_both<double>(pairs, 2, nodes + 3000, indexing);  // nodes without entries fill blocks too
}

TEST_CASE("A node with more elements than a block holds is gathered as well", "[streaming][gather_scatter]") {
  const int elements = GENERATE(1024, 1025, 3000);
  Map Z(elements, 2);
  for (int e = 0; e < elements; ++e) {
    Z[e][0] = 5;
    Z[e][1] = e % 5;
  }

  check_both<double>(Z, 2, 7, any_indexing());
  CHECK(streaming::Gather(Z, 7, Indexing::compact).indexing() ==
        (elements == 1024 ? Indexing::compact : Indexing::nodes));
}

TEST_CASE("Rows that are not consecutive are scattered node by node", "[streaming][gather_scatter]") {
  const int n = GENERATE(1, 4, 17);
  Map Z(30, 17);
  for (std::size_t q = 0; q < Z.entries.size(); ++q) Z.entries[q] = static_cast<Index>(q * 7 % 100);

  check_both<double>(Z, n, 100, Indexing::compact);
}

TEST_CASE("Compact indices need less memory where rows are consecutive", "[streaming][gather_scatter]") {
  const space::Space space = space::make_space(make_shaken_box(9, 5, 4), 7, 1, Boundary::neumann);
  const Map& Z = space.element_to_node.host();

  CHECK(streaming::Scatter(Z, 8, Indexing::compact).index_bytes() == Z.entries.size() * 4 / 8);
  CHECK(streaming::Gather(Z, space.num_nodes, Indexing::compact).index_bytes() <
        0.6 * double(streaming::Gather(Z, space.num_nodes, Indexing::nodes).index_bytes()));
}

TEMPLATE_TEST_CASE("Gather is the transpose of scatter: <Z x, y> = <x, Z^T y>", "[streaming][gather_scatter]", double,
                   float) {
  const space::Space space = make_numbering(GENERATE(Boundary::neumann, Boundary::dirichlet));
  const std::size_t num_local = space.element_to_node.host().entries.size();
  const Vector<TestType> x = to_device<TestType>(random_numbers(space.num_nodes, 1)),
                         y = to_device<TestType>(random_numbers(num_local, 2));

  const Map& Z = space.element_to_node.host();
  const Indexing indexing = any_indexing();

  const double local = exact_dot(values(scattered<TestType>(Z, order + 1, indexing, x)), values(y)),
               global = exact_dot(values(x), values(gathered<TestType>(Z, space.num_nodes, indexing, y)));

  CHECK(local == close<TestType>(global, 8, std::sqrt(double(num_local))));
}

TEMPLATE_TEST_CASE("Masked nodes are not read and not written", "[streaming][gather_scatter]", double, float) {
  const space::Space space = make_numbering(Boundary::dirichlet);
  std::vector<double> numbers = random_numbers(space.num_nodes, 3);
  for (const Index node : space.masked) numbers[node] = std::numeric_limits<double>::quiet_NaN();

  const Map& Z = space.element_to_node.host();
  const Indexing indexing = any_indexing();

  const Vector<const TestType> local = scattered<TestType>(Z, order + 1, indexing, to_device<TestType>(numbers));
  const std::vector<TestType> back = to_std(gathered<TestType>(Z, space.num_nodes, indexing, local));

  for (const TestType x : to_std(local)) CHECK(x == x);
  for (const Index node : space.masked) CHECK(back[node] == 0);
}
