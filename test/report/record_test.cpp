// SPDX-License-Identifier: BSD-3-Clause
#include "report/record.hpp"

#include <fstream>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

namespace fs = std::filesystem;

namespace {

std::vector<std::string> lines(const std::string& path) {
  std::ifstream in(path);
  std::vector<std::string> result;
  for (std::string line; std::getline(in, line);) result.push_back(line);
  return result;
}

std::vector<std::string> keys(const report::Json& json) {
  std::vector<std::string> result;
  for (const auto& [key, value] : json.items()) result.push_back(key);
  return result;
}

}  // namespace

TEST_CASE("A record has the documented keys in their order", "[report][record]") {
  CHECK(keys(report::make_record("tensor", "miniapp --bp 3.0")) ==
        std::vector<std::string>{"schema", "command",       "commit",   "version",      "kokkos", "compiler",
                                 "flags",  "libraries",     "hostname", "device_state", "device", "threads",
                                 "cores",  "register_bits", "affinity", "ranks",        "hosts",  "date",
                                 "module", "wrong",         "case",     "verification", "result", "timing",
                                 "rates",  "roofs"});
}

TEST_CASE("A record holds its provenance", "[report][record]") {
  const report::Json record = report::make_record("tensor", "miniapp --bp 3.0");

  CHECK(record["schema"] == 2);
  CHECK(record["command"] == "miniapp --bp 3.0");
  CHECK(record["module"] == "tensor");
  CHECK(record["kokkos"]["version"].is_string());
  CHECK(record["kokkos"]["backends"].size() >= 1);
  CHECK(record["threads"] >= 1);
  CHECK(record["ranks"] == 1);
  CHECK(record["hosts"] == 1);
}

TEST_CASE("A record's date is UTC as ISO 8601 writes it", "[report][record]") {
  const std::string date = report::make_record("tensor", "")["date"];

  CHECK_THAT(date, Matches("20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z"));
}

TEST_CASE("The sections that modules fill in are empty objects", "[report][record]") {
  const report::Json record = report::make_record("tensor", "");

  for (const char* section : {"case", "verification", "result", "timing", "rates", "roofs"}) {
    CHECK(record[section].is_object());
    CHECK(record[section].empty());
  }
}

TEST_CASE("A sample is written with its spread", "[report][record]") {
  CHECK(report::to_json(measure::Sample{1, 2, 4, 3, {2, 4, 1}}).dump() ==
        R"({"min":1.0,"median":2.0,"max":4.0,"repetitions":3,"all":[2.0,4.0,1.0]})");
}

TEST_CASE("Phases are written by name in their order", "[report][record]") {
  measure::Phases phases;
  phases.time("numbering", [] {});
  phases.time("mesh", [] {});

  const report::Json json = report::to_json(phases);

  CHECK(keys(json) == std::vector<std::string>{"numbering", "mesh"});
  CHECK(json["mesh"] == phases.seconds()[1].second);
  CHECK(report::to_json(measure::Phases()).is_object());
}

TEST_CASE("Records are appended one per line and can be read back", "[report][record]") {
  const TemporaryFolder folder;
  const std::string path = folder.file("records.jsonl");
  report::Json record = report::make_record("tensor", "a \"quoted\"\ncommand");
  record["result"]["l2_error"] = 1.25e-11;

  report::RecordFile(path).append(record);
  report::RecordFile(path).append(record);

  REQUIRE(lines(path).size() == 2);
  for (const std::string& line : lines(path)) CHECK(report::Json::parse(line) == record);
}

TEST_CASE("Opening a record file keeps what it holds", "[report][record]") {
  const TemporaryFolder folder;
  const std::string path = folder.file("records.jsonl");
  std::ofstream(path) << "{}\n";

  const report::RecordFile file(path);

  CHECK(lines(path) == std::vector<std::string>{"{}"});
}

TEST_CASE("Records go after records only", "[report][record]") {
  const TemporaryFolder folder;
  const std::string path = folder.file("file");
  for (const char* start : {"", "\n", "{}\n", "{\"schema\":1}", "{\"a\":{}}\nwhat follows is not looked at"}) {
    std::ofstream(path) << start;
    CHECK_NOTHROW(report::RecordFile(path));
  }
  for (const char* start :
       {"$MeshFormat\n", "miniapp plan 2\n", "{\n", "{ int main() {} }\n", "[1]\n", "<svg>", "\x89PNG"}) {
    std::ofstream(path) << start;
    CHECK_THROWS_WITH(report::RecordFile(path), contains("a file of records"));
    CHECK(lines(path).size() == 1);
  }
}

TEST_CASE("A last line without its newline gets one before a record", "[report][record]") {
  const TemporaryFolder folder;
  const std::string path = folder.file("records.jsonl");
  std::ofstream(path) << "{}";
  report::RecordFile(path).append({{"a", 1}});
  CHECK(lines(path) == std::vector<std::string>{"{}", R"({"a":1})"});
}

TEST_CASE("Without a path nothing is written", "[report][record]") {
  CHECK_NOTHROW(report::RecordFile("").append(report::Json::object()));
  CHECK_NOTHROW(report::RecordFile().append(report::Json::object()));
}

TEST_CASE("A path that cannot be written is bad input and names itself", "[report][record]") {
  const TemporaryFolder folder;
  const std::string path = GENERATE(true, false) ? folder.file("no_such_folder/records.jsonl") : folder.file("");

  CHECK_THROWS_AS(report::RecordFile(path), InputError);
  CHECK_THROWS_WITH(report::RecordFile(path), contains("json") && contains(path) && contains("accepted"));
}

TEST_CASE("A file that disappears with its folder is a wrong result", "[report][record]") {
  const TemporaryFolder folder;
  fs::create_directory(folder.file("gone"));
  const report::RecordFile file(folder.file("gone/records.jsonl"));
  fs::remove_all(folder.file("gone"));

  CHECK_THROWS_AS(file.append(report::Json::object()), ResultError);
}

TEST_CASE("Keys are of small letters, digits and underscores", "[report][record]") {
  CHECK(report::key_of("right-hand side") == "right_hand_side");
  CHECK(report::key_of("CG") == "cg");
  measure::Phases phases;
  phases.add("low-order matrix", 2);
  CHECK(keys(report::to_json(phases)) == std::vector<std::string>{"low_order_matrix"});
}
