// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sstream>
#include <string>
#include <vector>

namespace miniapp::report {

/// Lines of `width` bytes at most, broken at blanks, but not within "12.3 ms" or "1 442 897"; a word that is longer has
/// a line of its own.
std::vector<std::string> wrap(const std::string& text, std::size_t width);

/// How wide a page may be: 120 columns, on a narrower terminal as many as that has, and 80 at least.
std::size_t page_width();

/// A text whose lines have page_width() bytes at most where blanks allow it; what follows a line begins as far to the
/// right.
std::string fit(const std::string& text);

/// Lines "  name    text" under a title, names padded to equal width. A text that is too long for the page goes on
/// below itself.
class Page {
 public:
  explicit Page(std::string title) : title_(std::move(title)) {}
  void add(const std::string& name, const std::string& text) { lines_.push_back({name, text}); }
  friend std::ostream& operator<<(std::ostream& out, const Page& page);

 private:
  struct Line {
    std::string name, text;
  };
  std::string title_;
  std::vector<Line> lines_;
};

/// A line of cells in columns of these widths, two blanks between: the first from the left, the others to the right. A
/// cell that is wider than its column takes the blanks of those behind it, so that they stay in line where they can.
std::string row_text(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths);

/// Columns padded to their widest cell.
class Table {
 public:
  explicit Table(std::vector<std::string> header) : rows_{std::move(header)} {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  friend std::ostream& operator<<(std::ostream& out, const Table& table);
  /// The width of each column.
  std::vector<std::size_t> widths() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

/// What << prints.
template <class Printable>
std::string text(const Printable& printable) {
  std::ostringstream out;
  out << printable;
  return out.str();
}

/// "12.3 ms", "456 us": a time in a unit that leaves one to three digits before the point.
std::string seconds(double value);
/// "[######....]", 20 places, of a fraction of 0 to 1; more is full.
std::string bar(double fraction);
/// "12.3 MB" (powers of 1000).
std::string bytes(double value);
/// "1 442 897".
std::string count(long long value);

}  // namespace miniapp::report
