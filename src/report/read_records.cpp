// SPDX-License-Identifier: BSD-3-Clause
#include "report/read_records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>

#include "core/input_file.hpp"
#include "core/printable.hpp"
#include "miniapp/core/error.hpp"

namespace miniapp::report {
namespace {

bool is_time(const Json& value) {
  return value.is_number() && std::isfinite(value.get<double>()) && value.get<double>() >= 0;
}

/// Refuses what is no record; `place`: its file and line.
void check(const Json& record, const std::string& place) {
  const auto require_that = [&](bool right, const std::string& reason) {
    require(right, fmt::format("{}: {}; accepted is one record per line, as --json writes them", place, reason));
  };
  require_that(record.is_object(), "no JSON object");
  require_that(record.contains("schema"), "the key schema is missing");
  require_that(record["schema"] == 1 || record["schema"] == 2,
               fmt::format("schema {} instead of 1 or 2", printable(record["schema"].dump(), 100)));
  require_that(record.contains("module") && record["module"].is_string(), "the key module has no text");
  for (const char* section : {"case", "timing"})
    require_that(record.contains(section) && record[section].is_object(),
                 fmt::format("the key {} has no object", section));
  for (const auto& [name, time] : record["timing"].items()) {
    const std::string key = "timing." + printable(name, 100);
    if (!time.is_object()) {
      require_that(time.is_null() || is_time(time), key + " is no time");
      continue;
    }
    for (const auto& [part, value] : time.items())
      require_that(value.is_null() || is_time(value) ||
                       (part == "all" && value.is_array() && std::all_of(value.begin(), value.end(), is_time)),
                   key + "." + printable(part, 100) + " is no time");
    if (time.contains("repetitions"))
      require_that(time["repetitions"].is_number_unsigned(), key + ".repetitions is no number");
    if (!time.contains("median")) continue;
    for (const char* part : {"min", "median", "max"})
      require_that(time.contains(part) && is_time(time[part]), fmt::format("{}.{} is no time", key, part));
    require_that(time["min"] <= time["median"] && time["median"] <= time["max"],
                 key + " has a minimum above its median, or that above its maximum");
  }
}

/// How deep brackets of a line are nested.
std::size_t depth_of(const std::string& line) {
  std::size_t depth = 0, most = 0;
  bool in_text = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (in_text && c == '\\')
      ++i;
    else if (c == '"')
      in_text = !in_text;
    else if (!in_text && (c == '[' || c == '{'))
      most = std::max(most, ++depth);
    else if (!in_text && (c == ']' || c == '}') && depth > 0)
      --depth;
  }
  return most;
}

/// The next line, without its end; false at the end of the file. A line that is `most` long or longer is cut.
bool get_line(std::istream& in, std::string& line, std::size_t most) {
  line.clear();
  std::streambuf& buffer = *in.rdbuf();
  constexpr int end = std::char_traits<char>::eof();
  int c = buffer.sbumpc();
  if (c == end) return false;
  for (; c != end && c != '\n' && line.size() < most; c = buffer.sbumpc()) line += static_cast<char>(c);
  return true;
}

}  // namespace

std::vector<Json> read_records(const std::string& path) {
  const std::string accepted = "accepted is a file of records, as --json writes it";
  const std::string file = printable(path, 200);
  require(!waits_for_writer(path), fmt::format("{}: is a pipe; {}", file, accepted));
  std::ifstream in(path, std::ios::binary);
  require(in.is_open(), fmt::format("{}: cannot be read: {}; {}", file, std::strerror(errno), accepted));
  std::vector<Json> records;
  constexpr std::size_t longest = 50'000'000, deepest = 100;  // samples of a sweep take less than a hundredth
  std::string line;
  for (int number = 1; get_line(in, line, longest); ++number) {
    if (number == 1) skip_mark(line);
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const std::string place = fmt::format("{}:{}", file, number);
    require(line.size() < longest && depth_of(line) <= deepest,
            fmt::format(
                "{}: longer than 50 MB, or nested deeper than {}; accepted is one record per line, as --json writes "
                "them",
                place, deepest));
    Json record = Json::parse(line, nullptr, false);
    require(!record.is_discarded(),
            fmt::format("{}: no JSON; accepted is one record per line, as --json writes them", place));
    check(record, place);
    records.push_back(std::move(record));
  }
  require(!in.bad(), fmt::format("{}: cannot be read; {}", file, accepted));
  require(!records.empty(), fmt::format("{}: holds no records; {}", file, accepted));
  return records;
}

}  // namespace miniapp::report
