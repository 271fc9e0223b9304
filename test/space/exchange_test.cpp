// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/space/exchange.hpp"

#include "miniapp/linalg/vectors.hpp"
#include "miniapp/space/space.hpp"
#include "support/vectors.hpp"

using namespace miniapp;
using namespace miniapp::test;

namespace {

/// Seven nodes of two components, of which 1 and 6 are copies of 4, and 2 is one of 0.
space::Space make_shared(Layout layout) {
  space::Space space = space::make_unknowns(7, 2, layout);
  space::share(space, {6, 2, 1}, {4, 0, 4});
  return space;
}

/// 1 + node + 10 component at each entry.
std::vector<double> count(const space::Space& space) {
  std::vector<double> x(space.num_entries());
  for (Index node = 0; node < space.num_nodes; ++node)
    for (int c = 0; c < space.components; ++c) x[space.entry(node, c)] = 1 + node + 10 * c;
  return x;
}

void check_entries(const space::Space& space, const Vector<double>& x, const std::vector<double>& nodes,
                   const std::vector<double>& per_component) {
  const Values found = values(x);
  for (Index node = 0; node < space.num_nodes; ++node)
    for (int c = 0; c < space.components; ++c)
      CHECK(found[space.entry(node, c)] == nodes[node] + per_component[node] * c);
}

}  // namespace

TEST_CASE("Ghosts get what their owners hold, in every component", "[space][exchange]") {
  const space::Space space = make_shared(GENERATE(Layout::soa, Layout::aos));
  const Vector<double> x = test::to_device<double>(count(space));

  space.exchange.copy_to_ghosts(Instance(), x);

  check_entries(space, x, {1, 5, 1, 4, 5, 6, 5}, {10, 10, 10, 10, 10, 10, 10});
}

TEST_CASE("Owners get the sum of their copies, which become zero", "[space][exchange]") {
  const space::Space space = make_shared(GENERATE(Layout::soa, Layout::aos));
  const Vector<double> y = test::to_device<double>(count(space));

  space.exchange.sum_to_owners(Instance(), y);

  check_entries(space, y, {1 + 3, 0, 0, 4, 5 + 2 + 7, 6, 0}, {20, 0, 0, 10, 30, 10, 0});
}

TEST_CASE("A dot product counts each unknown once, whatever ghosts hold", "[space][exchange]") {
  const space::Space space = make_shared(GENERATE(Layout::soa, Layout::aos));
  const Vector<double> x = test::to_device<double>(count(space));
  double expected = 0;
  for (const double node : {1, 4, 5, 6}) expected += node * node + (node + 10) * (node + 10);
  const Vector<double> on_device = make_zeros<double>("sum", 1);

  linalg::dot<double>(Instance(), space, x, x, on_device.data());

  CHECK(linalg::dot<double>(Instance(), space, x, x) == expected);
  CHECK(values(on_device)[0] == expected);
}

TEST_CASE("Ghosts do not count as unknowns, masked or not", "[space][exchange]") {
  space::Space space = make_shared(Layout::soa);
  CHECK(space.owned() == 4);
  CHECK(space.ghosts == std::vector<Index>{1, 2, 6});
  CHECK(space.num_dofs() == 2 * 4);
  space.masked = {0, 2, 3};
  CHECK(space.num_dofs() == 2 * 2);
}

TEST_CASE("Without ghosts nothing is exchanged", "[space][exchange]") {
  const space::Space space = space::make_unknowns(5);
  const Vector<double> x = test::to_device<double>(count(space));

  space.exchange.copy_to_ghosts(Instance(), x);
  space.exchange.sum_to_owners(Instance(), x);

  CHECK(values(x).entries == count(space));
  CHECK(space.owned() == 5);
}

TEST_CASE("Invalid ghosts are rejected", "[space][exchange]") {
  space::Space space = space::make_unknowns(5);
  space.masked = {3};

  CHECK_THROWS_WITH(space::share(space, {1, 1}, {0, 2}), contains("node 1 is a ghost twice"));
  CHECK_THROWS_WITH(space::share(space, {1, 2}, {2, 0}), contains("node 2 is an owner and a ghost"));
  CHECK_THROWS_WITH(space::share(space, {1}, {3}), contains("copy 1 one is masked"));
  CHECK_THROWS_WITH(space::share(space, {1, 2}, {0}), contains("2 ghosts of 1 owners"));
}
