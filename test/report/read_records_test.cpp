// SPDX-License-Identifier: BSD-3-Clause
#include "report/read_records.hpp"

#include <fstream>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

namespace {

const std::string good = R"({"schema": 1, "module": "tensor", "case": {}, "timing": {}})";

std::vector<report::Json> read(const std::string& text) {
  const TemporaryFolder folder;
  const std::string path = folder.file("records.json");
  std::ofstream(path) << text;
  return report::read_records(path);
}

std::string refusal(const std::string& text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

std::string with_timing(const std::string& timing) {
  return R"({"schema": 1, "module": "tensor", "case": {}, "timing": )" + timing + "}";
}

}  // namespace

TEST_CASE("Records are read in their order, empty lines left out", "[report][read]") {
  const auto records = read(good + "\r\n\n" + with_timing(R"({"kernel_s": 1})"));

  REQUIRE(records.size() == 2);
  CHECK(records[1]["timing"]["kernel_s"] == 1);
}

TEST_CASE("What is no record is refused with its file and line", "[report][read]") {
  CHECK_THAT(refusal(good + "\nnonsense"), contains("records.json:2: no JSON; accepted"));
  CHECK_THAT(refusal(good + "\n\n[1]"), contains(".json:3: no JSON object"));
  CHECK_THAT(refusal("{}"), contains(".json:1: the key schema is missing"));
  CHECK_THAT(refusal(R"({"schema": 3})"), contains(".json:1: schema 3 instead of 1 or 2"));
  CHECK_THAT(refusal(R"({"schema": 1, "module": 3})"), contains("the key module has no text"));
  CHECK_THAT(refusal(R"({"schema": 1, "module": "a", "case": 1})"), contains("the key case has no object"));
  CHECK_THAT(refusal(with_timing("[]")), contains("the key timing has no object"));
  CHECK_THAT(refusal("\n"), contains(".json: holds no records"));
  const std::string deep = R"({"schema": 1, "case": )" + std::string(100, '[') + std::string(100, ']') + "}";
  CHECK_THAT(refusal(good + "\n" + deep), contains(".json:2: longer than 50 MB, or nested deeper than 100; accepted"));
  CHECK_THAT(refusal(R"({"schema": ")" + std::string(200, '[') + "\"}"), contains("instead of 1 or 2"));
}

TEST_CASE("Times that are none are refused", "[report][read]") {
  CHECK_THAT(refusal(with_timing(R"({"kernel_s": "fast"})")), contains("timing.kernel_s is no time"));
  CHECK_THAT(refusal(with_timing(R"({"kernel_s": -1})")), contains("timing.kernel_s is no time"));
  CHECK_THAT(refusal(with_timing(R"({"kernel_s": {"median": 1}})")), contains("timing.kernel_s.min is no time"));
  CHECK_THAT(refusal(with_timing(R"({"kernel_s": {"repetitions": null}})")),
             contains("timing.kernel_s.repetitions is no number"));
  CHECK_THAT(refusal(with_timing(R"({"kernel_s": {"min": 2, "median": 1, "max": 3}})")),
             contains("timing.kernel_s has a minimum above its median"));
}

TEST_CASE("Every time of a sample may be listed, and each must be one", "[report][read]") {
  const auto listed = [](const std::string& all) {
    return with_timing(R"({"kernel_s": {"min": 1, "median": 2, "max": 3, "repetitions": 2, "all": )" + all + "}}");
  };
  CHECK(refusal(listed("[1, 3]")) == "none");
  CHECK_THAT(refusal(listed("[1, -3]")), contains("timing.kernel_s.all is no time"));
  CHECK_THAT(refusal(listed("\"all\"")), contains("timing.kernel_s.all is no time"));
  CHECK_THAT(refusal(with_timing(R"({"setup_s": {"mesh": [1]}})")), contains("timing.setup_s.mesh is no time"));
}

TEST_CASE("A file that is not there is refused", "[report][read]") {
  CHECK_THROWS_WITH(report::read_records("/nowhere/a.json"), contains("/nowhere/a.json: cannot be read: No such file"));
}
