// SPDX-License-Identifier: BSD-3-Clause
#include "report/rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

namespace miniapp::report {
namespace {

/// The number that a table shows of a value: itself, or the median of a Sample.
Json number_of(const Json& value) { return value.is_object() && value.contains("median") ? value["median"] : value; }

bool is_time(const std::string& key) { return key.ends_with("_s") || key.find("_s/") != std::string::npos; }

std::string text_of(const Json& value, const std::string& key, const std::string& format, double scale) {
  if (value.is_null()) return "-";
  if (value.is_string()) return value;
  if (!value.is_number()) return value.dump();
  if (!format.empty()) return fmt::format(fmt::runtime(format), value.get<double>() * scale);
  if (is_time(key)) return seconds(value);
  if (key.ends_with("_bytes")) return bytes(value);
  return value.is_number_integer() ? std::to_string(value.get<long long>())
                                   : fmt::format("{:.4g}", value.get<double>());
}

/// The width of cells with usual values; 0 where the key does not tell.
std::size_t usual_width(const std::string& key, const std::string& format) {
  if (format.empty()) return is_time(key) || key.ends_with("_bytes") ? time_width : 0;
  const auto width = [&](double number) { return fmt::format(fmt::runtime(format), number).size(); };
  return std::max(width(0.123456), width(12.3456));
}

}  // namespace

Column::Column(const Field& field) : heading(field.heading), width(usual_width(field.path, field.format)) {
  text = [path = std::string(field.path), format = std::string(field.format), scale = field.scale](const Json& record) {
    return text_of(number_of(value_at(record, path)), path, format, scale);
  };
}

Column positive(const Field& field) {
  Column column(field);
  column.text = [path = std::string(field.path), text = std::move(column.text)](const Json& record) {
    const Json value = number_of(value_at(record, path));
    return value.is_number() && value.get<double>() > 0 ? text(record) : std::string("-");
  };
  return column;
}

Column counted(const Field& field) {
  return {field.heading, [field](const Json& record) {
            const Json value = value_at(record, field);
            return value.is_number() ? count(value) : std::string("-");
          }};
}

Column part_of(const Field& sample, const std::string& part, const char* heading, const char* format, double scale) {
  const std::string path = std::string(sample.path) + '/' + part;
  return Field{path.c_str(), heading, format, scale};
}

Column of_phase(const std::string& phase) {
  const std::string path = "/timing/setup_s/" + key_of(phase);
  return Field{path.c_str(), phase.c_str()};
}

Column setup_column(const std::string& without) {
  const auto total = [without](const Json& record) {
    double sum = 0;
    for (const auto& [phase, seconds] : record["timing"]["setup_s"].items())
      if (phase != without) sum += double(seconds);
    return seconds(sum);
  };
  return sized({"set-up", total}, time_width);
}

Column detail(Column column) {
  column.is_detail = true;
  return column;
}

Column expected(Column column, bool is) {
  column.is_expected = is;
  return column;
}

Column sized(Column column, std::size_t width) {
  column.width = width;
  return column;
}

namespace {

const std::string none = "-";

std::vector<std::string> cells_of(const std::vector<Column>& columns, const Json& record) {
  std::vector<std::string> cells;
  for (const Column& column : columns) cells.push_back(column.text(record));
  return cells;
}

std::vector<std::string> headings_of(const std::vector<Column>& columns) {
  std::vector<std::string> headings;
  for (const Column& column : columns) headings.push_back(column.heading);
  return headings;
}

template <class Value>
std::vector<Value> chosen(const std::vector<Value>& of_columns, const std::vector<bool>& shown) {
  std::vector<Value> result;
  for (std::size_t c = 0; c < shown.size(); ++c)
    if (shown[c]) result.push_back(of_columns[c]);
  return result;
}

void widen(std::vector<std::size_t>& widths, const std::vector<std::string>& cells) {
  for (std::size_t c = 0; c < cells.size(); ++c) widths[c] = std::max(widths[c], cells[c].size());
}

/// Leaves out the last details, then the last columns but the first and the very last, which has the verdict or the
/// error, as many as it takes for the rest to fit the page.
void drop_to_fit(std::vector<bool>& shown, const std::vector<Column>& columns, const std::vector<std::size_t>& widths) {
  std::size_t sum = 0;
  for (std::size_t c = 0; c < shown.size(); ++c) sum += shown[c] ? 2 + widths[c] : 0;
  for (const bool details : {true, false})
    for (std::size_t c = shown.size(); c-- > 0 && sum > page_width();) {
      if (!shown[c] || (details ? !columns[c].is_detail : c == 0 || c + 1 == shown.size())) continue;
      shown[c] = false;
      sum -= 2 + widths[c];
    }
}

}  // namespace

void Rows::add(const Json& record) { cells_.push_back(cells_of(columns_, record)); }

bool Rows::is_empty(std::size_t column) const {
  return std::all_of(cells_.begin(), cells_.end(), [&](const auto& row) { return row[column] == none; });
}

std::vector<std::size_t> Rows::widths() const {
  std::vector<std::size_t> widths(columns_.size(), 0);
  widen(widths, headings_of(columns_));
  for (const auto& row : cells_) widen(widths, row);
  return widths;
}

std::vector<bool> Rows::shown(const std::vector<std::size_t>& widths) const {
  std::vector<bool> shown(columns_.size(), true);
  if (wide_) return shown;
  for (std::size_t c = 1; c < columns_.size(); ++c) shown[c] = cells_.empty() || !is_empty(c);
  drop_to_fit(shown, columns_, widths);
  return shown;
}

std::vector<std::string> Rows::left_out() const {
  std::vector<bool> left_out = shown(widths());
  for (std::size_t c = 0; c < left_out.size(); ++c) left_out[c] = !left_out[c] && !is_empty(c);
  return chosen(headings_of(columns_), left_out);
}

std::ostream& operator<<(std::ostream& out, const Rows& rows) {
  const std::vector<std::size_t> all = rows.widths();
  const std::vector<bool> shown = rows.shown(all);
  const std::vector<std::size_t> widths = chosen(all, shown);
  out << row_text(chosen(headings_of(rows.columns_), shown), widths);
  for (const auto& row : rows.cells_) out << row_text(chosen(row, shown), widths);
  return out;
}

void LiveRows::fix(const std::vector<std::string>& first) {
  has_value_.assign(columns_.size(), false);
  for (const Column& column : columns_) widths_.push_back(column.width);
  widen(widths_, headings_of(columns_));
  widen(widths_, first);
  shown_.assign(columns_.size(), true);
  if (wide_) return;
  for (std::size_t c = 1; c < columns_.size(); ++c) shown_[c] = first[c] != none || columns_[c].is_expected;
  drop_to_fit(shown_, columns_, widths_);
}

std::string LiveRows::add(const Json& record) {
  const std::vector<std::string> cells = cells_of(columns_, record);
  const bool is_first = shown_.empty();
  if (is_first) fix(cells);
  for (std::size_t c = 0; c < cells.size(); ++c) has_value_[c] = has_value_[c] || cells[c] != none;
  const std::vector<std::size_t> widths = chosen(widths_, shown_);
  return (is_first ? row_text(chosen(headings_of(columns_), shown_), widths) : "") +
         row_text(chosen(cells, shown_), widths);
}

std::vector<std::string> LiveRows::left_out() const {
  std::vector<bool> left_out = has_value_;
  for (std::size_t c = 0; c < left_out.size(); ++c) left_out[c] = left_out[c] && !shown_[c];
  return chosen(headings_of(columns_), left_out);
}

}  // namespace miniapp::report
