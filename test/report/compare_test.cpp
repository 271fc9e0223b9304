// SPDX-License-Identifier: BSD-3-Clause
#include "report/compare.hpp"

#include "support/catch.hpp"

using report::Change;
using report::Interval;
using report::Json;

namespace {

Json sample(double min, double median, double max, int repetitions = 20) {
  return {{"min", min}, {"median", median}, {"max", max}, {"repetitions", repetitions}};
}

Json record(const Json& options, const Json& timing) {
  return {{"schema", 1},
          {"kokkos", {{"backends", {"Serial"}}}},
          {"device", "a processor"},
          {"threads", 1},
          {"module", "tensor"},
          {"case", options},
          {"verification", {{"passed", true}}},
          {"result", Json::object()},
          {"timing", timing}};
}

Change change(const Json& old_sample, const Json& new_sample) {
  return change_of(report::interval_of({old_sample}), report::interval_of({new_sample}));
}

void check(const Interval& interval, double low, double median, double high) {
  CHECK(interval.low == Approx(low));
  CHECK(interval.median == Approx(median));
  CHECK(interval.high == Approx(high));
}

Json streaming(double first, double last) {
  Json r = record({{"bs", 1}}, Json::object());
  r["module"] = "streaming";
  for (int i = 1; i <= 9; ++i) r["result"]["curve"].push_back({i * 1e3, i <= 3 ? first : last});
  return r;
}

}  // namespace

TEST_CASE("An interval reaches as far above the median as below, up to the maximum", "[report][compare]") {
  check(report::interval_of({sample(0.8, 1, 1.1)}), 0.8, 1, 1.1);
  check(report::interval_of({sample(0.9, 1, 5)}), 0.9, 1, 1.1);
}

TEST_CASE("An interval holds 2 % around the median, 20 % of a time that was measured once", "[report][compare]") {
  check(report::interval_of({sample(1, 1, 1)}), 0.98, 1, 1.02);
  check(report::interval_of({sample(1, 1, 1, 1)}), 0.8, 1, 1.2);
  check(report::interval_of({Json(2.)}), 1.6, 2, 2.4);
}

TEST_CASE("Samples of several runs are taken together", "[report][compare]") {
  check(report::interval_of({sample(0.9, 1, 1.1), sample(0.7, 1.2, 1.3), sample(1.1, 1.3, 1.4)}), 0.7, 1.2, 1.4);
  check(report::interval_of({Json(1.), Json(1.5)}), 1, 1.25, 1.5);
}

TEST_CASE("Intervals that overlap are the same", "[report][compare]") {
  const Json before = sample(0.9, 1, 1.1);
  CHECK(change(before, sample(1.05, 1.2, 1.3)) == Change::same);
  CHECK(change(before, sample(0.7, 0.8, 0.95)) == Change::same);
  CHECK(change(before, sample(1.15, 1.2, 1.3)) == Change::slower);
  CHECK(change(before, sample(0.7, 0.8, 0.85)) == Change::faster);
  CHECK(change(sample(0.9, 1, 9), sample(1.15, 1.2, 1.3)) == Change::slower);
}

TEST_CASE("Cases are paired by their options, whatever their order and how often they were timed",
          "[report][compare]") {
  const auto c =
      report::compare({record({{"order", 1}, {"kernel", "lines"}, {"repeat", 5}}, {{"kernel_s", sample(1, 1, 1)}}),
                       record({{"order", 2}, {"kernel", "lines"}, {"repeat", 5}}, {{"kernel_s", sample(1, 1, 1)}})},
                      {record({{"kernel", "lines"}, {"repeat", 20}, {"order", 2}}, {{"kernel_s", sample(3, 3, 3)}}),
                       record({{"kernel", "lanes"}, {"repeat", 20}, {"order", 1}}, {{"kernel_s", sample(1, 1, 1)}})});

  REQUIRE(c.cases.size() == 1);
  CHECK(c.cases[0].name == "order 2, kernel lines");
  REQUIRE(c.cases[0].times.size() == 1);
  CHECK(c.cases[0].times[0].name == "kernel_s");
  CHECK(c.cases[0].times[0].change == Change::slower);
  CHECK(c.cases[0].times[0].ratio == Approx(3.));
  CHECK(c.only_old == std::vector<std::string>{"order 1, kernel lines"});
  CHECK(c.only_new == std::vector<std::string>{"order 1, kernel lanes"});
  CHECK(c.common == "tensor, device a processor, threads 1, backend Serial");
}

TEST_CASE("Another device is another case", "[report][compare]") {
  Json other = record({{"order", 1}}, {{"kernel_s", 1.}});
  other["device"] = "a GPU";
  const auto c = report::compare({record({{"order", 1}}, {{"kernel_s", 1.}})}, {other});

  CHECK(c.cases.empty());
  CHECK(c.difference == "device a processor and a GPU");
}

TEST_CASE("Options that an older version did not record make no other case", "[report][compare]") {
  const auto c = report::compare({record({{"order", 1}}, {{"kernel_s", 1.}})},
                                 {record({{"order", 1}, {"halo", "host"}}, {{"kernel_s", 1.}})});

  CHECK(c.cases.size() == 1);
  CHECK(c.only_new.empty());
}

TEST_CASE("Names leave out what follows from the rest", "[report][compare]") {
  const std::vector<Json> both = {record({{"elements", 8}, {"dofs", 27}}, {{"kernel_s", 1.}}),
                                  record({{"elements", 27}, {"dofs", 64}}, {{"kernel_s", 1.}})};

  CHECK(report::compare(both, both).cases[1].name == "elements 27");
  CHECK(report::compare({both[0]}, {both[0]}).cases[0].name == "tensor");
}

TEST_CASE("Names are one printable line, whatever a file names its values", "[report][compare]") {
  Json before = record({{"a\nb", 1}}, {{"kernel\x1b_s", 1.}});
  before["module"] = "ten\nsor";
  Json after = before;
  after["case"]["a\nb"] = 2;
  const auto same = report::compare({before}, {before}), both = report::compare({before, after}, {after}),
             other = report::compare({before}, {after});

  CHECK(same.cases[0].name == "ten\\x0asor");
  CHECK(same.cases[0].times[0].name == "kernel\\x1b_s");
  CHECK(both.cases[0].name == "a\\x0ab 2");
  CHECK(other.difference == "a\\x0ab 1 and 2");
}

TEST_CASE("An option that is called module does not replace the module", "[report][compare]") {
  const std::vector<Json> records = {record({{"module", 5}}, {{"kernel_s", 1.}})};

  CHECK(report::compare(records, records).cases[0].name == "tensor");
}

TEST_CASE("Times without a median, phases and zeros are not compared", "[report][compare]") {
  const Json timing = {{"setup_s", {{"mesh", 1.}}}, {"preconditioner_s", 0.}, {"solve_s", 2.}};
  const auto c = report::compare({record({{"order", 1}}, timing)}, {record({{"order", 1}}, timing)});

  REQUIRE(c.cases[0].times.size() == 1);
  CHECK(c.cases[0].times[0].name == "solve_s");
}

TEST_CASE("What was right and is wrong is told", "[report][compare]") {
  const Json before = record({{"order", 1}}, {{"kernel_s", 1.}});
  Json wrong = before, unconverged = before, converged = before;
  wrong["verification"]["passed"] = false;
  unconverged["result"]["converged"] = false;
  converged["result"]["converged"] = true;

  CHECK(report::compare({before}, {wrong}).cases[0].wrong == "is wrong");
  CHECK(report::compare({converged}, {unconverged}).cases[0].wrong == "does not converge");
  CHECK(report::compare({wrong}, {wrong}).cases[0].wrong.empty());
  CHECK(report::compare({wrong}, {before}).cases[0].wrong.empty());
}

TEST_CASE("Records of schema 1 are judged by their verdict and their comparison too", "[report][compare]") {
  const Json before = record({{"order", 1}}, {{"kernel_s", 1.}});
  Json converged = before, diverged = before, compared = before;
  converged["result"] = {{"verdict", GENERATE("converged", "stagnated")}, {"comparison", {{"passed", true}}}};
  diverged["result"]["verdict"] = "diverged";
  compared["result"]["comparison"]["passed"] = false;

  CHECK(report::compare({before}, {converged}).cases[0].wrong.empty());
  CHECK(report::compare({converged}, {diverged}).cases[0].wrong == "is wrong: diverged");
  CHECK(report::compare({converged}, {compared}).cases[0].wrong == "fails its comparison");
}

TEST_CASE("Records of schema 2 are judged by what they say is wrong", "[report][compare]") {
  Json right = record({{"order", 1}}, {{"kernel_s", 1.}});
  right["schema"] = 2;
  right["wrong"] = nullptr;
  right["verification"]["passed"] = false;  // whatever else they have
  Json wrong = right;
  wrong["wrong"] = "too\nlarge";

  CHECK(report::compare({right}, {right}).cases[0].wrong.empty());
  CHECK(report::compare({right}, {wrong}).cases[0].wrong == "is wrong: too\\x0alarge");
  CHECK(report::compare({wrong}, {wrong}).cases[0].wrong.empty());
}

TEST_CASE("One wrong record among right ones of its case is told", "[report][compare]") {
  const Json right = record({{"order", 1}}, {{"kernel_s", 1.}});
  Json wrong = right;
  wrong["verification"]["passed"] = false;

  CHECK(report::compare({right, right}, {wrong, right}).cases[0].wrong == "is wrong");
  CHECK(report::compare({wrong, right}, {wrong, right}).cases[0].wrong.empty());
}

TEST_CASE("Streaming operations are compared by small and by large sizes", "[report][compare]") {
  const auto times = report::compare({streaming(1, 1)}, {streaming(2, 0.5)}).cases[0].times;

  REQUIRE(times.size() == 2);
  CHECK(times[0].name == "small sizes");
  CHECK(times[0].change == Change::slower);
  CHECK(times[0].ratio == Approx(2.));
  CHECK(times[1].name == "large sizes");
  CHECK(times[1].change == Change::faster);
  const auto alike = report::compare({streaming(1, 1)}, {streaming(1.09, 0.92)}).cases[0].times;
  CHECK(alike[0].change == Change::same);
  CHECK(alike[1].change == Change::same);
}

TEST_CASE("Runs of a streaming operation that scatter are the same", "[report][compare]") {
  const auto times =
      report::compare({streaming(1, 1), streaming(1.5, 1.5)}, {streaming(1.4, 1.4), streaming(1.6, 1.6)});

  CHECK(times.cases[0].times[1].change == Change::same);
  CHECK(report::compare({streaming(1, 1)}, {streaming(1.4, 1.4)}).cases[0].times[1].change == Change::slower);
}

TEST_CASE("Cases of several modules are named by what tells them from their own", "[report][compare]") {
  Json first = streaming(1, 1), second = streaming(1, 1);
  second["case"]["bs"] = 2;
  const std::vector<Json> all = {record({{"order", 1}}, {{"kernel_s", 1.}}), first, second};
  const auto cases = report::compare(all, all).cases;

  CHECK(cases[0].name == "tensor");
  CHECK(cases[1].name == "streaming, bs 1");
}
