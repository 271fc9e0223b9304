// SPDX-License-Identifier: BSD-3-Clause
#include "report/rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

namespace miniapp::report {
namespace {

/// The number that a table shows of a value: itself, or the median of a Sample.
Json number_of(const Json& value) { return value.is_object() && value.contains("median") ? value["median"] : value; }

std::string text_of(const Json& value, const std::string& key, const std::string& format, double scale) {
  if (value.is_null()) return "-";
  if (value.is_string()) return value;
  if (!value.is_number()) return value.dump();
  if (!format.empty()) return fmt::format(fmt::runtime(format), value.get<double>() * scale);
  if (key.ends_with("_s") || key.find("_s/") != std::string::npos) return seconds(value);
  if (key.ends_with("_bytes")) return bytes(value);
  return value.is_number_integer() ? std::to_string(value.get<long long>())
                                   : fmt::format("{:.4g}", value.get<double>());
}

}  // namespace

Json value_at(const Json& record, const std::string& key) {
  const Json::json_pointer pointer(key);
  return record.contains(pointer) ? record.at(pointer) : Json();
}

Column::Column(std::string heading_, std::string key, std::string format, double scale)
    : heading(std::move(heading_)), text([key = std::move(key), format = std::move(format), scale](const Json& record) {
        return text_of(number_of(value_at(record, key)), key, format, scale);
      }) {}

Column positive(std::string heading, std::string key, std::string format, double scale) {
  const Column column(heading, key, std::move(format), scale);
  return {std::move(heading), [key = std::move(key), text = column.text](const Json& record) {
            const Json value = number_of(value_at(record, key));
            return value.is_number() && value.get<double>() > 0 ? text(record) : std::string("-");
          }};
}

Column counted(std::string heading, std::string key) {
  return {std::move(heading), [key = std::move(key)](const Json& record) {
            const Json value = value_at(record, key);
            return value.is_number() ? count(value) : std::string("-");
          }};
}

Column detail(Column column) {
  column.is_detail = true;
  return column;
}

void Rows::add(const Json& record) {
  std::vector<std::string> row;
  for (const Column& column : columns_) row.push_back(column.text(record));
  cells_.push_back(std::move(row));
}

bool Rows::is_empty(std::size_t column) const {
  return std::all_of(cells_.begin(), cells_.end(), [&](const auto& row) { return row[column] == "-"; });
}

Table Rows::table(const std::vector<bool>& shown) const {
  const auto select = [&](const auto& text_of_column) {
    std::vector<std::string> row;
    for (std::size_t c = 0; c < columns_.size(); ++c)
      if (shown[c]) row.push_back(text_of_column(c));
    return row;
  };
  Table table(select([&](std::size_t c) { return columns_[c].heading; }));
  for (const auto& row : cells_) table.add(select([&](std::size_t c) { return row[c]; }));
  return table;
}

std::vector<bool> Rows::shown() const {
  std::vector<bool> shown(columns_.size(), true);
  if (wide_) return shown;
  for (std::size_t c = 1; c < columns_.size(); ++c) shown[c] = cells_.empty() || !is_empty(c);
  const auto width = [&] {
    std::size_t sum = 0;
    for (const std::size_t of_column : table(shown).widths()) sum += 2 + of_column;
    return sum;
  };
  for (std::size_t c = columns_.size(); c-- > 0 && width() > page_width;)
    if (columns_[c].is_detail) shown[c] = false;
  return shown;
}

std::vector<std::string> Rows::left_out() const {
  std::vector<std::string> headings;
  const std::vector<bool> is_shown = shown();
  for (std::size_t c = 0; c < columns_.size(); ++c)
    if (!is_shown[c] && !is_empty(c)) headings.push_back(columns_[c].heading);
  return headings;
}

std::ostream& operator<<(std::ostream& out, const Rows& rows) { return out << rows.table(rows.shown()); }

}  // namespace miniapp::report
