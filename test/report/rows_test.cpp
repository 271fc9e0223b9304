// SPDX-License-Identifier: BSD-3-Clause
#include "report/rows.hpp"

#include "support/catch.hpp"

using namespace miniapp;
using report::Column;
using report::Json;

namespace {

const Json record = {
    {"case", {{"kernel", "lanes"}, {"order", 7}, {"dofs", 1442897}, {"order_of_none", nullptr}}},
    {"timing", {{"kernel_s", {{"min", 1e-3}, {"median", 2e-3}, {"max", 3e-3}}}, {"setup_s", {{"mesh", 5e-6}}}}},
    {"rates", {{"kernel_gbytes", 12.3456}, {"none_gbytes", 0}}},
    {"result", {{"held_bytes", 15600000}}}};

std::string cell(const Column& column) { return column.text(record); }

}  // namespace

TEST_CASE("A column shows a value of the record as its key says", "[report][rows]") {
  CHECK(cell({"kernel", "/case/kernel"}) == "lanes");
  CHECK(cell({"order", "/case/order"}) == "7");
  CHECK(cell({"time", "/timing/kernel_s"}) == "2 ms");
  CHECK(cell({"max", "/timing/kernel_s/max"}) == "3 ms");
  CHECK(cell({"mesh", "/timing/setup_s/mesh"}) == "5 us");
  CHECK(cell({"held", "/result/held_bytes"}) == "15.6 MB");
  CHECK(cell({"GB/s", "/rates/kernel_gbytes"}) == "12.35");
}

TEST_CASE("A column shows a number by its scale and format", "[report][rows]") {
  CHECK(cell({"GB/s", "/rates/kernel_gbytes", "{:.1f}"}) == "12.3");
  CHECK(cell({"us", "/timing/kernel_s", "{:.0f}", 1e6}) == "2000");
  CHECK(cell(report::counted("dofs", "/case/dofs")) == "1 442 897");
}

TEST_CASE("What a record does not have is a dash", "[report][rows]") {
  CHECK(cell({"none", "/case/order_of_none"}) == "-");
  CHECK(cell({"none", "/rates/missing"}) == "-");
  CHECK(cell({"none", "/nothing/at/all", "{:.1f}"}) == "-");
  CHECK(cell(report::counted("none", "/case/missing")) == "-");
  CHECK(cell({"zero", "/rates/none_gbytes"}) == "0");
  CHECK(cell(report::positive("zero", "/rates/none_gbytes")) == "-");
  CHECK(cell(report::positive("GB/s", "/rates/kernel_gbytes", "{:.1f}")) == "12.3");
}

TEST_CASE("A table has a row per record under the headings of its columns", "[report][rows]") {
  report::Rows rows({{"kernel", "/case/kernel"}, {"order, dofs", [](const Json& r) {
                                                    return std::to_string(int(r["case"]["order"])) + ", " +
                                                           std::to_string(int(r["case"]["dofs"]));
                                                  }}});

  rows.add(record);

  CHECK(report::text(rows) ==
        "  kernel  order, dofs\n"
        "  lanes    7, 1442897\n");
}
