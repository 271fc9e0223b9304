// SPDX-License-Identifier: BSD-3-Clause
#include "report/expected.hpp"

#include <set>

#include "support/catch.hpp"

using report::Json;

namespace {

const Json table = Json::parse(R"({"entries": [
  {"name": "a small one", "module": "tensor", "case": {"order": 2, "mesh": null},
   "values": {"result.iterations": [24, 2], "result.l2_error": [1.5e-3, 1e-5]}},
  {"name": "a loop", "module": "indirect", "case": {"loop": "airfoil"}, "values": {"result.norm": [3, 1e-9]}}]})");

Json record(const Json& iterations, const Json& error) {
  return {{"module", "tensor"},
          {"wrong", nullptr},
          {"case", {{"order", 2}, {"mesh", nullptr}, {"kernel", "lanes"}}},
          {"verification", {{"passed", true}}},
          {"result", {{"iterations", iterations}, {"l2_error", error}}}};
}

}  // namespace

TEST_CASE("Values within their deviations are as expected", "[report][expected]") {
  for (const int iterations : {22, 24, 26}) {
    const auto check = report::check({record(iterations, 1.5e-3 - 9e-6)}, table);
    CHECK(check.deviations.empty());
    CHECK(check.records == 1);
    CHECK(check.values == 2);
    CHECK(check.not_run == std::vector<std::string>{"a loop"});
  }
}

TEST_CASE("A value that deviates by more is named with what was expected", "[report][expected]") {
  const auto check = report::check({record(27, 1.5e-3), record(21, 1.52e-3)}, table);
  REQUIRE(check.deviations.size() == 3);
  CHECK(check.deviations[0].what == "result.iterations");
  CHECK(report::text(check.deviations[0]) == "a small one: result.iterations is 27, expected 24 +- 2");
  CHECK(report::text(check.deviations[2]) == "a small one: result.l2_error is 0.00152, expected 0.0015 +- 1e-05");
}

TEST_CASE("A value that is missing deviates", "[report][expected]") {
  const auto check = report::check({record(24, nullptr)}, table);
  REQUIRE(check.deviations.size() == 1);
  CHECK(report::text(check.deviations[0]) == "a small one: result.l2_error is none, expected 0.0015 +- 1e-05");
}

TEST_CASE("Other modules and cases, and wrong results, are not compared", "[report][expected]") {
  Json other_order = record(1, 1), other_module = record(1, 1), other_mesh = record(1, 1), wrong = record(1, 1);
  other_order["case"]["order"] = 3;
  other_module["module"] = "solver";
  other_mesh["case"]["mesh"] = "a.msh";
  wrong["wrong"] = "broke down";
  CHECK(report::check({other_order, other_module, other_mesh}, table).records == 0);
  const auto check = report::check({wrong}, table);
  CHECK(check.records == 1);
  CHECK(check.values == 0);
  CHECK(check.deviations.empty());
}

TEST_CASE("What an entry has as null may be missing in a record", "[report][expected]") {
  Json without = record(24, 1.5e-3);
  without["case"].erase("mesh");
  CHECK(report::check({without}, table).records == 1);
}

TEST_CASE("The program's table has entries of different names with numbers", "[report][expected]") {
  std::set<std::string> names;
  for (const Json& entry : report::expected_table()["entries"]) {
    INFO(entry["name"]);
    CHECK(names.insert(entry["name"]).second);
    CHECK(!entry["case"].empty());
    REQUIRE(!entry["values"].empty());
    for (const auto& [key, value] : entry["values"].items()) {
      REQUIRE(value.size() == 2);
      CHECK(value[0].is_number());
      CHECK(value[1].get<double>() >= 0);
    }
  }
  CHECK(names.size() >= 10);
}
