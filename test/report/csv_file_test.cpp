// SPDX-License-Identifier: BSD-3-Clause
#include "report/csv_file.hpp"

#include <fstream>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using report::Json;

namespace {

/// A name for a table, which nothing has yet.
struct TemporaryName {
  std::string text() const {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  const TemporaryFolder folder;
  const std::string path = folder.file("table.csv");
};

const Json base = {{"schema", 1}, {"command", "miniapp"}, {"module", "tensor"}, {"case", Json::object()}};

Json with_case(const Json& options) {
  Json record = base;
  record["case"] = options;
  return record;
}

/// One run of the program.
void run(const std::string& path, const std::vector<Json>& cases) {
  report::CsvFile file(path, base);
  for (const Json& options : cases) file.add(with_case(options));
  file.write();
}

}  // namespace

TEST_CASE("Values have dotted names; null is empty, a list is its JSON", "[report][csv]") {
  const auto cells = report::flatten({{"a", {{"b", 1.5}, {"c", nullptr}, {"none", Json::object()}}}, {"d", {1, 2}}});

  REQUIRE(cells.size() == 3);
  CHECK(cells[0] == std::pair<std::string, std::string>("a.b", "1.5"));
  CHECK(cells[1] == std::pair<std::string, std::string>("a.c", ""));
  CHECK(cells[2] == std::pair<std::string, std::string>("d", "[1,2]"));
}

TEST_CASE("A new table has the names of all records of its first run", "[report][csv]") {
  const TemporaryName file;
  run(file.path, {{{"order", 1}}, {{"order", 2}, {"pc", "amg"}}});

  CHECK(file.text() ==
        "schema,command,module,case.order,case.pc\n"
        "1,miniapp,tensor,1,\n"
        "1,miniapp,tensor,2,amg\n");
}

TEST_CASE("Later runs append rows under the same header", "[report][csv]") {
  const TemporaryName file;
  run(file.path, {{{"order", 1}, {"pc", "amg"}}});
  run(file.path, {{{"order", 2}}});

  CHECK(file.text() ==
        "schema,command,module,case.order,case.pc\n"
        "1,miniapp,tensor,1,amg\n"
        "1,miniapp,tensor,2,\n");
}

TEST_CASE("Commas, quotes and ends of lines stay in their cell", "[report][csv]") {
  const TemporaryName file;
  run(file.path, {{{"box", {1, 2}}, {"text", "a \"b\"\nc"}}});

  CHECK(file.text().find("tensor,\"[1,2]\",\"a \"\"b\"\" c\"\n") != std::string::npos);
}

TEST_CASE("Names that a header lacks become columns, empty in the rows before", "[report][csv]") {
  const TemporaryName file;
  run(file.path, {{{"order", 1}, {"text", "a, b"}}});
  run(file.path, {{{"order", 2}, {"pc", "amg"}}, {{"order", 3}, {"smoother", "jacobi"}}});

  CHECK(file.text() ==
        "schema,command,module,case.order,case.text,case.pc,case.smoother\n"
        "1,miniapp,tensor,1,\"a, b\",,\n"
        "1,miniapp,tensor,2,,amg,\n"
        "1,miniapp,tensor,3,,,jacobi\n");
}

TEST_CASE("Rows that another program changed keep their cells where columns come", "[report][csv]") {
  const TemporaryName file;
  std::ofstream(file.path) << "schema,command,module,case.order,remark\r\n"
                              "1,miniapp,tensor,1,\"on two\nlines, \"\"quoted\"\"\"\r\n"
                              "\r\n"
                              "1,miniapp,tensor\r\n"
                              "1,miniapp,tensor,2,last";
  run(file.path, {{{"pc", "amg"}}});

  CHECK(file.text() ==
        "schema,command,module,case.order,remark,case.pc\n"
        "1,miniapp,tensor,1,\"on two\nlines, \"\"quoted\"\"\",\n"
        "1,miniapp,tensor,,,\n"
        "1,miniapp,tensor,2,last,\n"
        "1,miniapp,tensor,,,amg\n");
}

TEST_CASE("Two runs that begin the same table share its header", "[report][csv]") {
  const TemporaryName file;
  report::CsvFile first(file.path, base), second(file.path, base);
  first.add(with_case({{"order", 1}}));
  second.add(with_case({{"pc", "amg"}}));
  first.write();
  second.write();
  first.add(with_case({{"order", 2}}));

  CHECK(file.text() ==
        "schema,command,module,case.order,case.pc\n"
        "1,miniapp,tensor,1,\n"
        "1,miniapp,tensor,,amg\n"
        "1,miniapp,tensor,2,\n");
}

TEST_CASE("A file that another program writes meanwhile stays", "[report][csv]") {
  const TemporaryName file;
  report::CsvFile table(file.path, base);
  table.add(with_case({{"order", 1}}));
  std::ofstream(file.path) << "notes\n";

  CHECK_THROWS_AS(table.write(), ResultError);
  CHECK(file.text() == "notes\n");
}

TEST_CASE("Rows of another module, and files that are no table, are refused before any work", "[report][csv]") {
  const TemporaryName file;
  run(file.path, {{{"order", 1}}});
  Json other = base;
  other["module"] = "streaming";
  CHECK_THROWS_WITH(report::CsvFile(file.path, other), contains("holds rows of tensor; accepted"));

  std::ofstream(file.path) << "name,value\n";
  CHECK_THROWS_WITH(report::CsvFile(file.path, base), contains("holds something else"));
  std::ofstream(file.path) << "schema,command,kernel\n";
  CHECK_THROWS_WITH(report::CsvFile(file.path, base), contains("its header has no module; accepted"));
}

TEST_CASE("Nothing is created before there is a row", "[report][csv]") {
  const TemporaryName file;
  run(file.path, {});
  CHECK(!std::filesystem::exists(file.path));
}
