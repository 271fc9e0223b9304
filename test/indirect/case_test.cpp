// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/indirect/case.hpp"

#include "miniapp/mesh/generate.hpp"
#include "support/all_close.hpp"
#include "support/host_threads.hpp"

using namespace miniapp::indirect;
using test::AllClose;

namespace {

LoopKind any_loop() { return GENERATE(from_range(members<LoopKind>())); }

std::unique_ptr<BoundLoop> bound(LoopKind kind, const Case& data, const PlanOptions& options, Layout layout,
                                 const std::vector<Index>& first_element = {}) {
  auto loop =
      bind(kind, data, usual_precision(kind), layout, make_plan(data.map, data.to_size, options, first_element));
  loop->run(Instance());
  return loop;
}

}  // namespace

TEST_CASE("Every loop gives the same result in every order", "[indirect][case]") {
  const LoopKind kind = any_loop();
  const Case plain = make_case(kind, mesh::shuffle(make_mesh(kind, mesh_sides(kind, 900)), 3));
  const auto serial = bound(kind, plain, {Strategy::serial}, Layout::aos);
  const graph::Reorder order =
      GENERATE(graph::Reorder::none, graph::Reorder::rcm, graph::Reorder::gps, graph::Reorder::blocks);
  const bool owner = GENERATE(true, false);
  CAPTURE(name(kind), name(order), owner);
  const graph::Ordering ordering = owner ? graph::make_owner_ordering(plain.map, plain.to_size, order, 64)
                                         : graph::make_ordering(plain.map, plain.to_size, order, 64);
  const auto loop =
      owner ? bound(kind, reorder(plain, ordering), {Strategy::owner, 64}, Layout::soa)
            : bound(kind, reorder(plain, ordering), {Strategy::hierarchical, 64, InBlock::colours, WriteBack::colours},
                    Layout::aos, ordering.from.offsets);
  CHECK_THAT(test::values(in_old_order(loop->result(), loop->components(), ordering.to)),
             AllClose(test::values(serial->result()), serial->tolerance()));
}

TEST_CASE("Loops in single precision give what they give in double to its rounding, with half the bytes of values",
          "[indirect][case]") {
  const LoopKind kind = any_loop();
  const Layout layout = GENERATE(Layout::aos, Layout::soa);
  const Case data = make_case(kind, mesh::shuffle(make_mesh(kind, mesh_sides(kind, 900)), 3));
  std::vector<double> results[2];
  double bytes[2], tolerances[2];
  for (const Precision precision : {Precision::fp64, Precision::fp32}) {
    const auto loop = bind(kind, data, precision, layout, make_plan(data.map, data.to_size, {Strategy::owner, 64}));
    loop->clear();
    loop->run({});
    results[int(precision)] = loop->result();
    bytes[int(precision)] = loop->bytes();
    tolerances[int(precision)] = loop->tolerance();
  }
  CHECK(tolerances[1] / tolerances[0] == test::Approx(std::pow(2., 29)).epsilon(0.01));
  double most = 0;
  for (std::size_t i = 0; i < results[0].size(); ++i) most = std::max(most, std::fabs(results[1][i] - results[0][i]));
  CAPTURE(name(kind), most, tolerances[1]);
  CHECK(most > 100 * tolerances[0]);
  CHECK(most < 4 * tolerances[1]);
  double maps = 4. * double(data.map.entries.size());
  for (const Case::Other& other : data.others) maps += 4. * double(other.map.entries.size());
  CHECK(bytes[1] - maps == test::Approx((bytes[0] - maps) / 2));
}

TEST_CASE("Meshes have about as many elements as asked for", "[indirect][case]") {
  const LoopKind kind = any_loop();
  const int size = make_case(kind, make_mesh(kind, mesh_sides(kind, 50000))).from_size();
  CHECK(size > 44000);
  CHECK(size < 56000);
}

TEST_CASE("A loop's memory is proportional to its elements, and METIS's graph adds to it where cells share vertices",
          "[indirect][case]") {
  const LoopKind kind = any_loop();
  const bool shares_vertices = kind == LoopKind::hydro_stress || kind == LoopKind::corner_acceleration;
  const double memory = estimated_memory(kind, 1000, false);
  CHECK(memory > 1000 * sizeof(Index));
  CHECK(estimated_memory(kind, 3000, false) == 3 * memory);
  CHECK((estimated_memory(kind, 1000, true) > memory) == shares_vertices);
}

TEST_CASE("A loop rejects cells of another kind", "[indirect][case]") {
  CHECK_THROWS_AS(make_case(LoopKind::airfoil, mesh::make_box(2, 2, 2)), InputError);
  CHECK_THROWS_AS(make_case(LoopKind::euler_flux, make_mesh(LoopKind::airfoil, mesh_sides(LoopKind::airfoil, 100))),
                  InputError);
}

TEST_CASE("Cases, their orders and their serial loops are the same for any number of threads", "[indirect][case]") {
  const LoopKind kind = any_loop();
  CAPTURE(name(kind));
  struct Made {
    Case plain, ordered;
    std::vector<double> result, in_old_order;
    double tolerance;
  };
  const auto make = [&](int threads) {
    const test::HostThreads host(threads);
    Made made{make_case(kind, mesh::shuffle(make_mesh(kind, mesh_sides(kind, 200000)), 1)), {}, {}, {}, 0};
    const graph::Ordering ordering =
        graph::make_ordering(made.plain.map, made.plain.to_size, graph::Reorder::blocks, 256);
    made.ordered = reorder(made.plain, ordering);
    const auto loop = bind(kind, made.ordered, usual_precision(kind), Layout::soa,
                           make_plan(made.ordered.map, made.ordered.to_size, {Strategy::serial}));
    loop->serial();
    made.result = loop->result();
    made.in_old_order = in_old_order(made.result, loop->components(), ordering.to);
    made.tolerance = loop->tolerance();
    return made;
  };
  const Made one = make(1), several = make(5);

  const auto check_same = [](const Case& a, const Case& b) {
    CHECK(a.map.entries == b.map.entries);
    CHECK(a.points == b.points);
    for (std::size_t i = 0; i < a.others.size(); ++i) CHECK(a.others[i].map.entries == b.others[i].map.entries);
    for (std::size_t i = 0; i < a.values.size(); ++i) CHECK(a.values[i].values == b.values[i].values);
  };
  check_same(several.plain, one.plain);
  check_same(several.ordered, one.ordered);
  CHECK(several.result == one.result);
  CHECK(several.in_old_order == one.in_old_order);
  CHECK(several.tolerance == one.tolerance);
}
