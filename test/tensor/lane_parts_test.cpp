// SPDX-License-Identifier: BSD-3-Clause
/// Operators on lanes whose groups run in several parts, as with several threads, on every host.
#include "miniapp/core/execution.hpp"

#ifdef MINIAPP_RUNS_ON_HOST
#include <limits>

#include "miniapp/core/lanes.hpp"
#include "miniapp/multigrid/options.hpp"
#include "miniapp/multigrid/p_transfer.hpp"
#include "miniapp/multigrid/schwarz.hpp"
#include "miniapp/tensor/reference.hpp"
#include "support/variants.hpp"
#include "tensor/lanes/lane_groups.hpp"
#include "tensor/lanes/lane_rows.hpp"

namespace {

/// A discretisation whose operators run in so many parts.
Discretisation make_in_parts(const mesh::Mesh& mesh, Problem problem, int order, Boundary boundary, int components,
                             int parts) {
  Discretisation d(mesh, problem, order, boundary, lambda, components);
  for (const int width : {lane_width<double>, lane_width<float>})
    d.lane_groups->add(
        std::make_shared<const tensor::LaneGroups>(tensor::make_lane_groups(*d.mesh, d.space, width, parts)));
  return d;
}

/// Rows that continue from element to element, rows that do not, or both in one group.
mesh::Mesh any_mesh() {
  const std::string which = GENERATE(as<std::string>(), "shaken", "turned", "planes", "partly turned");
  if (which == "shaken") return make_shaken_box(9, 5, 4);
  if (which == "turned") return make_turned_box(5, 3, 4);
  mesh::Mesh mesh = make_shaken_box(16, 2, 7);
  if (which == "partly turned") mesh::rotate_elements(mesh, 40);
  return mesh;
}

int any_parts() { return GENERATE(2, 3, 7); }

template <class Real>
Vector<Real> make_nan(std::size_t size) {
  return to_device<Real>(std::vector<double>(size, std::numeric_limits<double>::quiet_NaN()));
}

}  // namespace

TEMPLATE_TEST_CASE("Lanes in several parts agree with the reference", "[tensor][lane_parts]", double, float) {
  const int order =
      GENERATE(filter([](int p) { return p <= 8; }, from_range(tensor::built_orders())));  // the reference is slow
  const int components = GENERATE(1, 2);
  const Problem problem = any_problem();
  const Discretisation d = make_in_parts(
      any_mesh(), problem, order, components == 1 ? Boundary::dirichlet : Boundary::neumann, components, any_parts());
  const std::vector<double> x =
      to_std(to_device<double>(to_std(to_device<TestType>(random_numbers(d.space.num_entries(), 1)))));
  const Vector<double> expected = make_vector<double>("expected", x.size());
  tensor::Reference(d).apply(to_device<double>(x), expected);
  const auto op = tensor::make_operator<TestType>({Kernel::lanes, Geometry::computed}, d);
  const Vector<TestType> y = make_nan<TestType>(x.size());

  op->apply(Instance(), to_device<TestType>(x), y);

  CAPTURE(order, tensor::name(problem), components);
  CHECK_THAT(values(y), all_close<TestType>(values(expected), std::pow(order + 2.0, 3)));
}

TEST_CASE("Parts may run in any order", "[tensor][lane_parts]") {
  constexpr int n = 3, width = lane_width<double>;
  const mesh::Mesh mesh = any_mesh();
  const space::Space space = space::make_space(mesh, n - 1, 1, GENERATE(Boundary::neumann, Boundary::dirichlet));
  const tensor::LaneGroups groups = tensor::make_lane_groups(mesh, space, width, any_parts());
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> added(space.num_nodes, nan), once(space.num_nodes, 0), copies(groups.copies.size, nan),
      expected(space.num_nodes, 0), expected_once(space.num_nodes, 0);
  for (const Index node : space.element_to_node.host().entries)
    if (node >= 0) expected[node] += 1, expected_once[node] = 1;

  for (int part = groups.parts() - 1; part >= 0; --part) {
    for (int g = groups.part_offsets[part]; g < groups.part_offsets[part + 1]; ++g) {
      for (int row = 0; row < n * n; ++row) {
        Lanes<double> ones[n] = {Lanes<double>() + 1, Lanes<double>() + 1, Lanes<double>() + 1};
        tensor::Rows<n, double>(groups, g, tensor::Storage::global, nullptr, added.data(), copies.data())
            .add(row, ones);
        Lanes<double> again[n] = {Lanes<double>() + 1, Lanes<double>() + 1, Lanes<double>() + 1};
        tensor::Rows<n, double>(groups, g, tensor::Storage::global, nullptr, once.data(), nullptr)
            .add_first(row, again);
      }
    }
  }
  for (std::size_t i = 0; i < groups.copies.nodes.size(); ++i)
    for (const std::int64_t copy : groups.copies.of_node[i]) added[groups.copies.nodes[i]] += copies[copy];

  CHECK(added == expected);
  CHECK(once == expected_once);
}

TEST_CASE("Transfers in several parts are those in one", "[tensor][lane_parts]") {
  std::vector<int> orders = tensor::built_orders();
  std::erase(orders, 1);
  const int order = GENERATE_COPY(from_range(orders)), lower = multigrid::lower_order(order, tensor::built_orders());
  const int components = GENERATE(1, 2), parts = any_parts();
  const mesh::Mesh mesh = any_mesh();
  const Boundary boundary = GENERATE(Boundary::neumann, Boundary::dirichlet);
  const auto make = [&](int p, int number) {
    return make_in_parts(mesh, Problem::bp3_0, p, boundary, components, number);
  };
  const Discretisation coarse = make(lower, parts), fine = make(order, parts), coarse_whole = make(lower, 1),
                       fine_whole = make(order, 1);
  const auto transfer = multigrid::make_transfer(coarse, fine),
             whole = multigrid::make_transfer(coarse_whole, fine_whole);
  const Vector<float> x = to_device<float>(random_numbers(coarse.space.num_entries(), 1)),
                      f = to_device<float>(random_numbers(fine.space.num_entries(), 2)),
                      y = to_device<float>(random_numbers(fine.space.num_entries(), 3)),
                      y_whole = to_device<float>(to_std(convert<double>(y))), restricted = make_nan<float>(x.extent(0)),
                      restricted_whole = make_nan<float>(x.extent(0));

  transfer->restrict_to(Instance(), f, y, restricted);
  whole->restrict_to(Instance(), f, y, restricted_whole);
  transfer->prolong(Instance(), x, y);
  whole->prolong(Instance(), x, y_whole);

  CHECK_THAT(values(restricted), all_close<float>(values(restricted_whole), std::pow(order + 1.0, 3)));
  CHECK_THAT(values(y), all_close<float>(values(y_whole), 1));
}

TEST_CASE("Schwarz in several parts is that in one", "[tensor][lane_parts]") {
  std::vector<int> orders = tensor::built_orders();
  std::erase(orders, 1);
  const int order = GENERATE_COPY(from_range(orders)), components = GENERATE(1, 2), parts = any_parts();
  const mesh::Mesh mesh = any_mesh();
  const auto make = [&](int number) {
    return make_in_parts(mesh, Problem::bp3_0, order, Boundary::dirichlet, components, number);
  };
  const Discretisation in_parts = make(parts), in_one = make(1);
  const auto schwarz = multigrid::make_schwarz(in_parts), whole = multigrid::make_schwarz(in_one);
  const Vector<float> r = to_device<float>(random_numbers(in_one.space.num_entries(), 1)),
                      z = make_nan<float>(r.extent(0)), expected = make_nan<float>(r.extent(0));

  schwarz->apply(Instance(), r, z);
  whole->apply(Instance(), r, expected);

  CHECK_THAT(values(z), all_close<float>(values(expected), std::pow(order + 3.0, 3)));
}
#endif
