// SPDX-License-Identifier: BSD-3-Clause
#include "report/csv_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

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

/// The text of a cell, quoted where it must be. A row stays on one line.
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
  for (std::size_t c = 0; c < cells.size(); ++c) line += (c == 0 ? "" : ",") + quoted(cells[c]);
  return line + '\n';
}

/// The names of a row that a header lacks.
std::vector<std::string> missing(const Row& row, const std::vector<std::string>& header) {
  std::vector<std::string> names;
  for (const auto& [name, text] : row)
    if (std::find(header.begin(), header.end(), name) == header.end()) names.push_back(name);
  return names;
}

/// A row under a header; what it does not have is empty.
std::string line_of(const Row& row, const std::vector<std::string>& header) {
  std::vector<std::string> cells;
  for (const std::string& name : header) {
    const auto found = std::find_if(row.begin(), row.end(), [&](const auto& cell) { return cell.first == name; });
    cells.push_back(found == row.end() ? "" : found->second);
  }
  return line_of(cells);
}

/// The rows of a table, with empty cells at their end up to so many.
std::string widen(const std::string& table, std::size_t cells) {
  std::istringstream in(table);
  std::string line, rows;
  std::getline(in, line);
  while (std::getline(in, line)) {
    for (std::string more; std::count(line.begin(), line.end(), '"') % 2 == 1 && std::getline(in, more);)
      line += '\n' + more;  // a cell of another program, on several lines
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty()) continue;
    const std::size_t known = std::min(cells_of(line).size(), cells);
    rows += line + std::string(cells - known, ',') + '\n';
  }
  return rows;
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
  has_header_ = true;
  const std::vector<std::string> header = cells_of(line);
  const auto module = static_cast<std::size_t>(std::find(header.begin(), header.end(), "module") - header.begin());
  require(module < header.size(), "csv", path_,
          "its header has no module; accepted is a new file, or one that --csv began");
  if (!std::getline(in, line)) return;
  const std::vector<std::string> first = cells_of(line);
  require(module < first.size() && first[module] == base["module"].get<std::string>(), "csv", path_,
          fmt::format("holds rows of {}; accepted is a new file, or one with rows of {}",
                      module < first.size() ? printable(first[module], 100) : "another module",
                      base["module"].get<std::string>()));
}

void CsvFile::add(const Json& record) {
  if (!file_) return;
  held_.push_back(flatten(record));
  if (has_header_) write();
}

void CsvFile::write() {
  if (held_.empty()) return;
  file_->edit([&](const std::string& first_line) {
    if (!first_line.empty() && !begins_with_a_header(first_line))
      throw ResultError("csv", path_, "another program wrote it meanwhile");
    const std::vector<std::string> old = first_line.empty() ? std::vector<std::string>() : cells_of(first_line);
    std::vector<std::string> header = old;
    for (const Row& row : held_)
      for (const std::string& name : missing(row, header)) header.push_back(name);
    std::string rows;
    for (const Row& row : held_) rows += line_of(row, header);
    if (header == old) return Edit{rows};
    if (old.empty()) return Edit{line_of(header) + rows};
    return Edit{"", [=](const std::string& table) { return line_of(header) + widen(table, header.size()) + rows; }};
  });
  has_header_ = true;
  held_.clear();
}

}  // namespace miniapp::report
