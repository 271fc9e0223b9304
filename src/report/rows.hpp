// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "report/field.hpp"
#include "report/table.hpp"

/// Tables of results. A result is written once, as the values of its record; columns say which of them people read,
/// under which heading and in which form.
namespace miniapp::report {

struct Column {
  /// The value of a field under its heading. A number times its scale in its format; without one a number
  /// whose path ends with "_s", or lies in a section that does, as a time, with "_bytes" as an amount of memory, others
  /// as they are. A Sample counts as its median. "-" for null.
  Column(const Field& field);
  /// A column whose cells are made of more than one value, or say it in other words.
  Column(std::string heading_, std::function<std::string(const Json& record)> text_)
      : heading(std::move(heading_)), text(std::move(text_)) {}

  std::string heading;
  std::function<std::string(const Json& record)> text;
  bool is_detail = false;    ///< left out where a table is too wide
  bool is_expected = false;  ///< shown by LiveRows even if the first row has no value
  std::size_t width = 0;     ///< width of the cells that are to come, as far as is known
};

/// A detail: a column that a table may leave out.
Column detail(Column column);

/// A column that is expected, where `is`: rows after the first may have a value even if the first has none.
Column expected(Column column, bool is = true);

/// A column for cells of so many bytes.
Column sized(Column column, std::size_t width);

constexpr std::size_t time_width = 7;   ///< "12.3 ms"
constexpr std::size_t error_width = 7;  ///< "1.2e-05", of an error / tolerance

/// The longest of the texts of(item) of a range.
template <class Range, class Of>
std::size_t longest(const Range& range, const Of& of) {
  std::size_t most = 0;
  for (const auto& item : range) most = std::max(most, std::string(of(item)).size());
  return most;
}

/// A column that says "-" where its value is not above 0.
Column positive(const Field& field);

/// A whole number in groups of three digits.
Column counted(const Field& field);

/// A part of a sample: its `min`, `max` or `joules`, times `scale` in a format of fmt, or as a time.
Column part_of(const Field& sample, const std::string& part, const char* heading, const char* format = "",
               double scale = 1);

/// The time of a phase of a set-up.
Column of_phase(const std::string& phase);

/// The sum of all phases of a set-up but one.
Column setup_column(const std::string& without = "");

/// A table of one row per record. Columns of nothing but "-" are left out, and where the rest is wider than
/// page_width() the last details, then the last columns but the very last, as many as it takes. `wide`: all columns are
/// shown.
class Rows {
 public:
  explicit Rows(std::vector<Column> columns, bool wide = false) : columns_(std::move(columns)), wide_(wide) {}
  void add(const Json& record);
  /// The headings of details that are left out.
  std::vector<std::string> left_out() const;
  friend std::ostream& operator<<(std::ostream& out, const Rows& rows);

 private:
  /// The width of each column: of its heading and its cells.
  std::vector<std::size_t> widths() const;
  std::vector<bool> shown(const std::vector<std::size_t>& widths) const;
  bool is_empty(std::size_t column) const;

  std::vector<Column> columns_;
  bool wide_;
  std::vector<std::vector<std::string>> cells_;
};

/// A table of Rows as lines that are printed while its rows are still to come. Columns and widths are fixed by the
/// first row, the headings, and by what columns say of later rows: a column is shown where the first row has a value or
/// one is expected.
class LiveRows {
 public:
  explicit LiveRows(std::vector<Column> columns, bool wide = false) : columns_(std::move(columns)), wide_(wide) {}
  /// The line of the next row; before the first the headings.
  std::string add(const Json& record);
  /// The headings of columns that are left out although a row so far has a value there.
  std::vector<std::string> left_out() const;

 private:
  void fix(const std::vector<std::string>& first);

  std::vector<Column> columns_;
  bool wide_;
  std::vector<std::size_t> widths_;
  std::vector<bool> shown_, has_value_;
};

}  // namespace miniapp::report
