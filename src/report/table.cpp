// SPDX-License-Identifier: BSD-3-Clause
#include "report/table.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ostream>

namespace miniapp::report {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Whether a word goes on with the number before it: a unit, or three more digits; both may end a clause.
bool goes_on(const std::string& before, std::string word) {
  if (before.empty() || !is_digit(before.back())) return false;
  word.erase(word.find_last_not_of(",;:.)") + 1);
  constexpr std::array units{"s",  "ms", "us",   "ns",      "B",      "kB", "MB", "GB",
                             "TB", "%",  "GB/s", "GFLOP/s", "GDOF/s", "J",  "m",  "Pa"};
  return std::find(units.begin(), units.end(), word) != units.end() ||
         (word.size() == 3 && std::all_of(word.begin(), word.end(), is_digit));
}

/// What is not broken.
std::vector<std::string> pieces_of(const std::string& text) {
  std::vector<std::string> pieces;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (!pieces.empty() && goes_on(pieces.back(), word))
      pieces.back() += ' ' + word;
    else
      pieces.push_back(word);
    begin = end + 1;
  }
  return pieces;
}

}  // namespace

std::size_t page_width() {
  static const std::size_t width = [] {
    winsize size{};
    const bool is_terminal = isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return is_terminal ? std::clamp<std::size_t>(size.ws_col, 80, 120) : 120;
  }();
  return width;
}

std::vector<std::string> wrap(const std::string& text, std::size_t width) {
  std::vector<std::string> lines(1);
  for (const std::string& piece : pieces_of(text)) {
    if (!lines.back().empty() && lines.back().size() + 1 + piece.size() > width) lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + piece;
  }
  return lines;
}

std::string fit(const std::string& text) {
  std::string result;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    const std::string indent(std::min(line.find_first_not_of(' '), line.size()), ' ');
    if (line.size() <= page_width())
      result += line;
    else
      result += indent + fmt::format("{}", fmt::join(wrap(line.substr(indent.size()), page_width() - indent.size()),
                                                     '\n' + indent));
    if (end < text.size()) result += '\n';
    begin = end + 1;
  }
  return result;
}

std::ostream& operator<<(std::ostream& out, const Page& page) {
  std::size_t width = 0;
  for (const auto& line : page.lines_) width = std::max(width, line.name.size());
  out << page.title_ << '\n';
  const std::size_t indent = width + 4;
  for (const auto& line : page.lines_) {
    const bool fits = indent + line.text.size() <= page_width();
    const std::vector<std::string> parts =
        fits ? std::vector<std::string>{line.text} : wrap(line.text, page_width() - std::min(indent, page_width() / 2));
    out << fmt::format("  {:<{}}  {}\n", line.name, width, fmt::join(parts, '\n' + std::string(indent, ' ')));
  }
  return out;
}

std::vector<std::size_t> Table::widths() const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  return widths;
}

std::string row_text(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) {
  std::string line;
  std::size_t edge = 0;  // where a column ends
  for (std::size_t c = 0; c < cells.size(); ++c) {
    edge += 2 + widths[c];
    const std::size_t end = line.size() + 2 + cells[c].size(), blanks = 2 + (end < edge ? edge - end : 0);
    line += c == 0 ? "  " + cells[c] + std::string(blanks - 2, ' ') : std::string(blanks, ' ') + cells[c];
  }
  return line + '\n';
}

std::ostream& operator<<(std::ostream& out, const Table& table) {
  const std::vector<std::size_t> widths = table.widths();
  for (const auto& row : table.rows_) out << row_text(row, widths);
  return out;
}

namespace {

struct Unit {
  double size;
  const char* name;
};

std::string scaled(double value, const std::vector<Unit>& units) {
  // 0.9996 of a unit would round up to 1000 of the next smaller one
  const auto unit =
      std::find_if(units.begin(), units.end() - 1, [&](const Unit& u) { return value >= 0.9995 * u.size; });
  const double number = value / unit->size;
  return number < 999.5 ? fmt::format("{:.3g} {}", number, unit->name) : fmt::format("{:.0f} {}", number, unit->name);
}

}  // namespace

std::string seconds(double value) { return scaled(value, {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}}); }
std::string bytes(double value) {
  return scaled(value, {{1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {1, "B"}});
}

std::string bar(double fraction) {
  constexpr int places = 20;
  const int filled = static_cast<int>(std::lround(places * std::clamp(fraction, 0., 1.)));
  return '[' + std::string(filled, '#') + std::string(places - filled, '.') + ']';
}

std::string count(long long value) {
  std::string digits = std::to_string(value);
  for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) digits.insert(at, 1, ' ');
  return digits;
}

}  // namespace miniapp::report
