// SPDX-License-Identifier: BSD-3-Clause
#include "report/csv_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "core/printable.hpp"
#include "miniapp/core/error.hpp"

namespace miniapp::report {
namespace {

using Row = std::vector<std::pair<std::string, std::string>>;

void flatten(const Json& value, const std::string& name, Row& row) {
  if (value.is_object()) {
    for (const auto& [key, part] : value.items()) flatten(part, name.empty() ? key : name + '.' + key, row);
    return;
  }
  row.emplace_back(name, value.is_null()     ? ""
                         : value.is_string() ? value.get<std::string>()
                                             : value.dump(-1, ' ', false, Json::error_handler_t::replace));
}

/// As a cell, quoted where it must be. A row stays on one line.
std::string quoted(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  if (text.find_first_of(",\"") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + '"';
}

/// The cells of a line.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  bool inside = false;
  for (const char c : line) {
    if (c == '"')
      inside = !inside;
    else if (c == ',' && !inside)
      cells.emplace_back();
    else if (c != '\r')
      cells.back() += c;
  }
  return cells;
}

std::string line_of(const std::vector<std::string>& cells) {
  std::string line;
  for (const std::string& cell : cells) line += (line.empty() ? "" : ",") + quoted(cell);
  return line + '\n';
}

/// The names of a row that a header lacks.
std::vector<std::string> missing(const Row& row, const std::vector<std::string>& header) {
  std::vector<std::string> names;
  for (const auto& [name, text] : row)
    if (std::find(header.begin(), header.end(), name) == header.end()) names.push_back(name);
  return names;
}

bool begins_with_a_header(const std::string& start) { return start.rfind("schema,command,", 0) == 0; }

}  // namespace

std::vector<std::pair<std::string, std::string>> flatten(const Json& record) {
  Row row;
  flatten(record, "", row);
  return row;
}

CsvFile::CsvFile(const std::string& path, const Json& base) : path_(printable(path, 200)) {
  if (path.empty()) return;
  file_.emplace(NamedFile{"csv", path}, FileKind{"a table that --csv began", begins_with_a_header});
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return;
  std::ifstream in(path, std::ios::binary);
  std::string line;
  if (!std::getline(in, line)) return;
  header_ = cells_of(line);
  const std::vector<std::string> names = missing(flatten(base), header_);
  require(names.empty(), fmt::format("csv {}: its header has no {}; accepted is a new file, or one of this version",
                                     path_, fmt::join(names, ", ")));
  const auto module = static_cast<std::size_t>(std::find(header_.begin(), header_.end(), "module") - header_.begin());
  if (!std::getline(in, line)) return;
  const std::vector<std::string> first = cells_of(line);
  require(module < first.size() && first[module] == base["module"].get<std::string>(),
          fmt::format("csv {}: holds rows of {}; accepted is a new file, or one with rows of {}", path_,
                      module < first.size() ? printable(first[module], 100) : "another module",
                      base["module"].get<std::string>()));
}

void CsvFile::add(const Json& record) {
  if (!file_) return;
  Row row = flatten(record);
  if (header_.empty()) {
    held_.push_back(std::move(row));
    return;
  }
  const std::vector<std::string> names = missing(row, header_);
  if (!names.empty())
    throw ResultError(
        fmt::format("csv {}: its header has no {}; accepted is a new file, or one whose first run had these options",
                    path_, fmt::join(names, ", ")));
  append({row}, "");
}

void CsvFile::write() {
  if (held_.empty()) return;
  for (const Row& row : held_)
    for (const std::string& name : missing(row, header_)) header_.push_back(name);
  append(held_, line_of(header_));
  held_.clear();
}

void CsvFile::append(const std::vector<Row>& rows, const std::string& before) {
  std::string lines = before;
  for (const Row& row : rows) {
    std::vector<std::string> cells;
    for (const std::string& name : header_) {
      const auto found = std::find_if(row.begin(), row.end(), [&](const auto& cell) { return cell.first == name; });
      cells.push_back(found == row.end() ? "" : found->second);
    }
    lines += line_of(cells);
  }
  file_->append(lines);
}

}  // namespace miniapp::report
