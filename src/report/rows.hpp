// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "report/record.hpp"
#include "report/table.hpp"

/// Tables of results. A result is written once, as the values of its record; columns say which of them people read,
/// under which heading and in which form.
namespace miniapp::report {

/// The value at a path of a record, "/rates/kernel_gbytes"; null where there is none.
Json value_at(const Json& record, const std::string& key);

struct Column {
  /// The value at `key`. A number times `scale` in a format of fmt; without one a number whose key ends with "_s", or
  /// lies in a section that does, as a time, with "_bytes" as an amount of memory, others as they are. A Sample counts
  /// as its median. "-" for null.
  Column(std::string heading, std::string key, std::string format = "", double scale = 1);
  /// Of more than one value, or in other words.
  Column(std::string heading_, std::function<std::string(const Json& record)> text_)
      : heading(std::move(heading_)), text(std::move(text_)) {}

  std::string heading;
  std::function<std::string(const Json& record)> text;
  bool is_detail = false;  ///< left out where a table is too wide
};

/// The same column, which a table may leave out.
Column detail(Column column);

/// The same column, "-" where its value is not above 0.
Column positive(std::string heading, std::string key, std::string format = "", double scale = 1);

/// A whole number in groups of three digits.
Column counted(std::string heading, std::string key);

/// A table of one row per record. Columns of nothing but "-" are left out, and where the rest is wider than page_width
/// the last details, as many as it takes. `wide`: all columns are shown.
class Rows {
 public:
  explicit Rows(std::vector<Column> columns, bool wide = false) : columns_(std::move(columns)), wide_(wide) {}
  void add(const Json& record);
  /// The headings of details that are left out.
  std::vector<std::string> left_out() const;
  friend std::ostream& operator<<(std::ostream& out, const Rows& rows);

 private:
  /// Whether each column is shown.
  std::vector<bool> shown() const;
  bool is_empty(std::size_t column) const;
  /// The table of the columns that are shown.
  Table table(const std::vector<bool>& shown) const;

  std::vector<Column> columns_;
  bool wide_;
  std::vector<std::vector<std::string>> cells_;
};

}  // namespace miniapp::report
