// SPDX-License-Identifier: BSD-3-Clause
#include "report/rows.hpp"

#include <fmt/format.h>

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

Rows::Rows(std::vector<Column> columns)
    : columns_(std::move(columns)), table_([&] {
        std::vector<std::string> header;
        for (const Column& column : columns_) header.push_back(column.heading);
        return Table(std::move(header));
      }()) {}

void Rows::add(const Json& record) {
  std::vector<std::string> row;
  for (const Column& column : columns_) row.push_back(column.text(record));
  table_.add(std::move(row));
}

}  // namespace miniapp::report
