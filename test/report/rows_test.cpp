// SPDX-License-Identifier: BSD-3-Clause
#include "report/rows.hpp"

#include "support/catch.hpp"

using report::Column, report::Field;
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
  CHECK(cell(Field{"/case/kernel", "kernel"}) == "lanes");
  CHECK(cell(Field{"/case/order", "order"}) == "7");
  CHECK(cell(Field{"/timing/kernel_s", "time"}) == "2 ms");
  CHECK(cell(Field{"/timing/kernel_s/max", "max"}) == "3 ms");
  CHECK(cell(Field{"/timing/setup_s/mesh", "mesh"}) == "5 us");
  CHECK(cell(Field{"/result/held_bytes", "held"}) == "15.6 MB");
  CHECK(cell(Field{"/rates/kernel_gbytes", "GB/s"}) == "12.35");
}

TEST_CASE("A column shows a number by its scale and format", "[report][rows]") {
  CHECK(cell(Field{"/rates/kernel_gbytes", "GB/s", "{:.1f}"}) == "12.3");
  CHECK(cell(Field{"/timing/kernel_s", "us", "{:.0f}", 1e6}) == "2000");
  CHECK(cell(report::counted({"/case/dofs", "dofs"})) == "1 442 897");
}

TEST_CASE("What a record does not have is a dash", "[report][rows]") {
  CHECK(cell(Field{"/case/order_of_none", "none"}) == "-");
  CHECK(cell(Field{"/rates/missing", "none"}) == "-");
  CHECK(cell(Field{"/nothing/at/all", "none", "{:.1f}"}) == "-");
  CHECK(cell(report::counted({"/case/missing", "none"})) == "-");
  CHECK(cell(Field{"/rates/none_gbytes", "zero"}) == "0");
  CHECK(cell(report::positive({"/rates/none_gbytes", "zero"})) == "-");
  CHECK(cell(report::positive({"/rates/kernel_gbytes", "GB/s", "{:.1f}"})) == "12.3");
}

TEST_CASE("A table has a row per record under the headings of its columns", "[report][rows]") {
  report::Rows rows({Field{"/case/kernel", "kernel"}, {"order, dofs", [](const Json& r) {
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
  report::Rows rows({Field{"/none", "kernel"}, Field{"/case/order", "order"}, Field{"/case/none", "none"}});
  rows.add(record);

  CHECK(report::text(rows) == "  kernel  order\n  -           7\n");
  CHECK(rows.left_out().empty());
}

TEST_CASE("A table that is too wide leaves out its last details", "[report][rows]") {
  const auto table = [](std::size_t width, bool wide) {
    report::Rows rows({Field{"/case/kernel", "kernel"},
                       report::detail(Field{"/case/order", "order"}),
                       report::detail(Field{"/case/dofs", "dofs"}),
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
  report::Rows rows({Field{"/case/kernel", "kernel"}, Field{"/case/none", "none"}}, true);
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
  report::LiveRows rows(
      {report::sized(Field{"/case/kernel", "kernel"}, 7), report::sized(Field{"/case/order", "order"}, 6)});
  CHECK(rows.add(run("lanes", 7)) ==
        "  kernel    order\n"
        "  lanes         7\n");
  CHECK(rows.add(run("lines", 15)) == "  lines        15\n");
}

TEST_CASE("A column without a value in the first row is shown where one is expected", "[report][rows]") {
  const Column order(Field{"/case/order", "order"});
  report::LiveRows with({Field{"/case/kernel", "kernel"}, expected(order)}),
      without({Field{"/case/kernel", "kernel"}, order});
  CHECK(with.add(run("lanes")) == "  kernel  order\n  lanes       -\n");
  CHECK(without.add(run("lanes")) == "  kernel\n  lanes \n");
  CHECK(without.left_out().empty());
  CHECK(without.add(run("lanes", 7)) == "  lanes \n");
  CHECK(without.left_out() == std::vector<std::string>{"order"});
}

TEST_CASE("Rows that are printed at once leave out details by the widths that are expected", "[report][rows]") {
  const auto rows = [](std::size_t width, bool wide) {
    report::LiveRows live({Field{"/case/kernel", "kernel"}, report::detail(Field{"/case/order", "order"}),
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
  CHECK(Column(Field{"/timing/kernel_s", "time"}).width == 7);
  CHECK(Column(Field{"/result/held_bytes", "memory"}).width == 7);
  CHECK(Column(Field{"/rates/kernel_gbytes", "GB/s", "{:.3g}"}).width == 5);
  CHECK(Column(Field{"/verification/error", "error", "{:.1e}"}).width == 7);
  CHECK(Column(Field{"/roofs/fraction_of_bound", "%", "{:.0f}", 100}).width == 2);
  CHECK(Column(Field{"/case/order", "order"}).width == 0);
}
