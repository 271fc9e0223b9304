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

namespace {

std::string long_text(std::size_t size) { return std::string(size, 'x'); }

}  // namespace

TEST_CASE("Columns of nothing but - are left out, but for the first", "[report][rows]") {
  report::Rows rows({{"kernel", "/none"}, {"order", "/case/order"}, {"none", "/case/none"}});
  rows.add(record);

  CHECK(report::text(rows) == "  kernel  order\n  -           7\n");
  CHECK(rows.left_out().empty());
}

TEST_CASE("A table that is too wide leaves out its last details", "[report][rows]") {
  const auto table = [](std::size_t width, bool wide) {
    report::Rows rows({{"kernel", "/case/kernel"},
                       report::detail({"order", "/case/order"}),
                       report::detail({"dofs", "/case/dofs"}),
                       {"long", [width](const Json&) { return long_text(width); }}},
                      wide);
    rows.add(record);
    return rows;
  };
  // beside it: 2 + 6, 2 + 5, 2 + 7 and two blanks
  CHECK(table(94, false).left_out().empty());
  CHECK(table(95, false).left_out() == std::vector<std::string>{"dofs"});
  CHECK(table(103, false).left_out() == std::vector<std::string>{"dofs"});
  CHECK(table(104, false).left_out() == std::vector<std::string>{"order", "dofs"});
  CHECK(table(500, false).left_out() == std::vector<std::string>{"order", "dofs"});
  CHECK(table(500, true).left_out().empty());
  CHECK(report::text(table(500, true)).find("1442897") != std::string::npos);
}

TEST_CASE("All columns are printed where a table is to be wide", "[report][rows]") {
  report::Rows rows({{"kernel", "/case/kernel"}, {"none", "/case/none"}}, true);
  rows.add(record);
  CHECK(report::text(rows) == "  kernel  none\n  lanes      -\n");
}

namespace {

/// A record of a kernel, and of an order where it has one.
Json run(const std::string& kernel, int order = 0) {
  return {{"case", {{"kernel", kernel}, {"order", order > 0 ? Json(order) : Json()}}}};
}

}  // namespace

TEST_CASE("Headings come with the first row, and every row is in line with them", "[report][rows]") {
  report::LiveRows rows({report::sized({"kernel", "/case/kernel"}, 7), report::sized({"order", "/case/order"}, 6)});
  CHECK(rows.add(run("lanes", 7)) ==
        "  kernel    order\n"
        "  lanes         7\n");
  CHECK(rows.add(run("lines", 15)) == "  lines        15\n");
}

TEST_CASE("A column without a value in the first row is shown where one is expected", "[report][rows]") {
  const Column order("order", "/case/order");
  report::LiveRows with({{"kernel", "/case/kernel"}, expected(order)}), without({{"kernel", "/case/kernel"}, order});
  CHECK(with.add(run("lanes")) == "  kernel  order\n  lanes       -\n");
  CHECK(without.add(run("lanes")) == "  kernel\n  lanes \n");
  CHECK(without.left_out().empty());
  CHECK(without.add(run("lanes", 7)) == "  lanes \n");
  CHECK(without.left_out() == std::vector<std::string>{"order"});
}

TEST_CASE("Rows that are printed at once leave out details by the widths that are expected", "[report][rows]") {
  const auto rows = [](std::size_t width, bool wide) {
    report::LiveRows live({{"kernel", "/case/kernel"},
                           report::detail({"order", "/case/order"}),
                           report::sized({"long", [](const Json&) { return std::string("x"); }}, width)},
                          wide);
    live.add(run("lanes", 7));
    return live;
  };
  // beside it: 2 + 6, 2 + 5 and two blanks
  CHECK(rows(103, false).left_out().empty());
  CHECK(rows(104, false).left_out() == std::vector<std::string>{"order"});
  CHECK(rows(104, true).left_out().empty());
}

TEST_CASE("A column knows the width of usual cells by its key and format", "[report][rows]") {
  CHECK(Column("time", "/timing/kernel_s").width == 7);
  CHECK(Column("memory", "/result/held_bytes").width == 7);
  CHECK(Column("GB/s", "/rates/kernel_gbytes", "{:.3g}").width == 5);
  CHECK(Column("error", "/verification/error", "{:.1e}").width == 7);
  CHECK(Column("%", "/roofs/fraction_of_bound", "{:.0f}", 100).width == 2);
  CHECK(Column("order", "/case/order").width == 0);
}
