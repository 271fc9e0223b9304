// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/indirect/loop.hpp"

#include <random>

#include "indirect/least_bytes.hpp"
#include "support/all_close.hpp"

using namespace miniapp::indirect;
using test::AllClose;

namespace {

Map random_map(int elements, int arity, int targets, unsigned seed) {
  std::mt19937 random(seed);
  Map map(elements, arity);
  for (int e = 0; e < elements; ++e)
    for (int s = 0; s < arity; ++s)
      map[e][s] = static_cast<Index>((std::int64_t(e) * targets / std::max(elements, 1) + random() % 9) % targets);
  return map;
}
std::vector<double> random_values(std::size_t size, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<double> values(size);
  for (double& x : values) x = 1 + double(random()) / 4294967296.;
  return values;
}

/// Uses every access, with two increments.
template <int arity>
struct Mixed {
  KOKKOS_FUNCTION void operator()(const double (&k)[2], const double (&x)[3][3], const double (&u)[arity][4],
                                  double (&f)[arity][4], double (&m)[arity][1]) const {
    for (int s = 0; s < arity; ++s) {
      m[s][0] = k[1] * (s + 1) * u[s][3];
      for (int c = 0; c < 4; ++c) f[s][c] += k[0] * u[(s + 1) % arity][c] * (1 + s) - x[c % 3][s % 3];
    }
  }
};

PlanOptions any_plan() {
  const int block_size = GENERATE(32, 100, 600);
  return GENERATE_COPY(
      PlanOptions{Strategy::serial}, PlanOptions{Strategy::atomic}, PlanOptions{Strategy::staged},
      PlanOptions{Strategy::global}, PlanOptions{Strategy::owner, block_size},
      PlanOptions{Strategy::owner, block_size, InBlock::gather, WriteBack::atomic, Staging::increments},
      PlanOptions{Strategy::hierarchical, block_size, InBlock::colours, WriteBack::colours},
      PlanOptions{Strategy::hierarchical, block_size, InBlock::colours, WriteBack::atomic},
      PlanOptions{Strategy::hierarchical, block_size, InBlock::gather, WriteBack::colours},
      PlanOptions{Strategy::hierarchical, block_size, InBlock::gather, WriteBack::atomic},
      PlanOptions{Strategy::hierarchical, block_size, InBlock::colours, WriteBack::colours, Staging::increments},
      PlanOptions{Strategy::hierarchical, block_size, InBlock::gather, WriteBack::atomic, Staging::increments});
}

/// Increments of Mixed by straightforward loops.
template <int arity>
std::vector<double> expected_mixed(const Map& map, const Map& other, int targets, const std::vector<double>& k,
                                   const std::vector<double>& x, const std::vector<double>& u) {
  std::vector<double> sum(targets * 5, 1.0);  // (field, target, component), fields start at 1
  for (std::size_t e = 0; e < map.size(); ++e)
    for (int s = 0; s < arity; ++s) {
      const Index t = map[e][s];
      sum[targets * 4 + t] += k[2 * e + 1] * (s + 1) * u[4 * t + 3];
      for (int c = 0; c < 4; ++c)
        sum[4 * t + c] += k[2 * e] * u[4 * map[e][(s + 1) % arity] + c] * (1 + s) - x[3 * other[e][c % 3] + s % 3];
    }
  return sum;
}

template <int arity, Layout layout>
void check_mixed(int elements, int targets, const PlanOptions& options) {
  const Map map = random_map(elements, arity, targets, 1), other = random_map(elements, 3, 50, 2);
  const std::vector<double> k = random_values(2 * elements, 3), x = random_values(150, 4),
                            u = random_values(4 * targets, 5);
  const ElementMap<arity> to_target("to target", map, targets);
  const ElementMap<3> to_other("to other", other, 50);
  const Field<double, 4, layout> f("f", std::vector<double>(4 * targets, 1.0));
  const Field<double, 1, layout> m("m", std::vector<double>(targets, 1.0));
  const Plan<arity> plan(to_target, options);
  const Loop loop("test/mixed", plan, Mixed<arity>{}, direct(Field<double, 2, layout>("k", k)),
                  read(Field<double, 3, layout>("x", x), to_other), read(Field<double, 4, layout>("u", u)),
                  increment(f), increment(m));
  loop();
  std::vector<double> found = f.to_vector();
  const std::vector<double> masses = m.to_vector();
  found.insert(found.end(), masses.begin(), masses.end());
  const double most = 40. * arity;  // elements at a target
  CHECK_THAT(test::values(found), AllClose(test::values(expected_mixed<arity>(map, other, targets, k, x, u)),
                                           tolerance<double>(most, most * 4 * arity)));
}

struct Difference {
  KOKKOS_FUNCTION void operator()(const float (&u)[2][1], float (&f)[1]) const { f[0] = u[0][0] - 2 * u[1][0]; }
};

}  // namespace

TEST_CASE("Every strategy adds what straightforward loops add", "[indirect][loop]") {
  const PlanOptions options = any_plan();
  CAPTURE(name(options.strategy), options.block_size, name(options.in_block), name(options.write_back),
          name(options.staging));
  check_mixed<2, Layout::aos>(501, 240, options);
  check_mixed<2, Layout::soa>(501, 240, options);
  check_mixed<3, Layout::aos>(333, 240, options);
  check_mixed<8, Layout::soa>(301, 280, options);
  check_mixed<1, Layout::aos>(97, 13, options);
}

TEST_CASE("One element that refers to one target twice works", "[indirect][loop]") {
  const PlanOptions options = any_plan();
  check_mixed<2, Layout::aos>(1, 1, options);
  check_mixed<8, Layout::aos>(3, 1, options);
}

TEST_CASE("A loop over nothing leaves targets as they are", "[indirect][loop]") {
  check_mixed<2, Layout::aos>(0, 7, any_plan());
}

TEST_CASE("An exchange takes from the second target what it gives to the first, in single precision",
          "[indirect][loop]") {
  const PlanOptions options = any_plan();
  const int cells = 300;
  const Map map = random_map(700, 2, cells, 9);
  std::vector<float> u(cells), expected(cells, 0);
  for (int c = 0; c < cells; ++c) u[c] = static_cast<float>(c % 17);  // sums stay exact
  for (std::size_t e = 0; e < map.size(); ++e) {
    const float f = u[map[e][0]] - 2 * u[map[e][1]];
    expected[map[e][0]] += f;
    expected[map[e][1]] -= f;
  }
  const ElementMap<2> to_cell("edge to cell", map, cells);
  const Field<float, 1> residual("residual", cells);
  const Loop loop("test/difference", Plan<2>(to_cell, options), Difference{}, read(Field<float, 1>("u", u)),
                  exchange(residual));
  loop();
  CHECK(residual.to_vector() == expected);
  loop.serial();
  for (float& x : expected) x *= 2;
  CHECK(residual.to_vector() == expected);
}

TEST_CASE("All strategies except atomic ones are bitwise reproducible", "[indirect][loop]") {
  const PlanOptions options = any_plan();
  if (options.strategy == Strategy::atomic ||
      (options.strategy == Strategy::hierarchical && options.write_back == WriteBack::atomic))
    return;
  const Map map = random_map(5000, 2, 600, 9);
  const ElementMap<2> to_cell("edge to cell", map, 600);
  std::vector<float> u(600);
  for (int c = 0; c < 600; ++c) u[c] = 1 / (1 + static_cast<float>(c));
  const Field<float, 1> residual("residual", 600);
  const Loop loop("test/difference", Plan<2>(to_cell, options), Difference{}, read(Field<float, 1>("u", u)),
                  exchange(residual));
  loop();
  const std::vector<float> first = residual.to_vector();
  for (int run = 0; run < 5; ++run) {
    residual.fill(0);
    loop();
    CHECK(residual.to_vector() == first);
  }
}

TEST_CASE("Bytes count fields once, twice where they are incremented, and maps once; staged ones twice more",
          "[indirect][loop]") {
  const ElementMap<2> to_cell("edge to cell", random_map(100, 2, 60, 1), 60);
  const ElementMap<3> to_node("edge to node", random_map(100, 3, 50, 1), 50);
  const Field<double, 3> x("x", 50);
  const Field<double, 4> u("u", 60), f("f", 60);
  const Field<double, 1> m("m", 60);
  const Field<double, 2> k("k", 100);
  const auto loop = [&](const PlanOptions& options) {
    return Loop("test/mixed", Plan<2>(to_cell, options), Mixed<2>{}, direct(k), read(x, to_node), read(u), increment(f),
                increment(m));
  };
  constexpr double plan_map = 100 * 8,
                   all = plan_map + 100 * 12 + 100 * 16 + 50 * 24 + 60 * 32 + 2 * 60 * 32 + 2 * 60 * 8;
  CHECK(loop({Strategy::atomic}).bytes() == all);
  CHECK(least_bytes(loop({Strategy::atomic})) == all);
  CHECK(loop({Strategy::staged}).bytes() == all);
  CHECK(least_bytes(loop({Strategy::staged})) == all + 2 * 100 * 2 * (32 + 8));
  // teams of a GPU read numbers of two bytes within blocks instead of four
  CHECK(least_bytes(loop({Strategy::hierarchical, 32})) == all - (runs_on_host ? 0 : plan_map / 2));
  CHECK(least_bytes(loop({Strategy::owner, 32})) == all - (runs_on_host ? 0 : plan_map / 2));
}

TEST_CASE("What does not fit is rejected before anything runs", "[indirect][loop]") {
  Map map = random_map(100, 2, 60, 1);
  const ElementMap<2> to_cell("edge to cell", map, 60);
  const Field<float, 1> u("u", 60), f("f", 60), small("small", 59);
  const Plan<2> plan(to_cell, {Strategy::owner});
  CHECK_THROWS_WITH(Loop("test", plan, Difference{}, read(small), exchange(f)),
                    "test: a field of 59 entities; accepted are 60");
  CHECK_THROWS_WITH(ElementMap<3>("edge to cell", map, 60), "edge to cell: arity 2 where the loop has 3");
  CHECK_THROWS_WITH(ElementMap<3>("edge to cell", SharedMap(map), 60), "edge to cell: arity 2 where the loop has 3");
  map[7][1] = 60;
  CHECK_THROWS_WITH(ElementMap<2>("edge to cell", map, 60),
                    "edge to cell: element 7 names target 60; accepted are 0 to 59");
  CHECK_THROWS_AS(Plan<2>(plan.arrays(), ElementMap<2>("other", random_map(100, 2, 60, 5), 60)), InputError);
}
