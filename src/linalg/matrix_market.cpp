// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/linalg/matrix_market.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "linalg/mtx_text.hpp"

namespace miniapp::linalg {
namespace {

constexpr std::int64_t most = std::numeric_limits<Index>::max();
const std::string mtx_file =
    "Matrix Market file, %%MatrixMarket matrix coordinate real|integer|pattern general|symmetric";

enum class Field { real, integer, pattern };

struct Header {
  Field field = Field::real;
  bool symmetric = false;
  Index rows = 0, columns = 0;
  std::int64_t entries = 0;
};

std::string lower(std::string_view word) {
  std::string result(word);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

Header read_banner(MtxText& text) {
  const std::string first = lower(text.word());
  if (first != "%%matrixmarket") text.fail("no Matrix Market file: it starts with " + quote(first), "a " + mtx_file);
  const auto choose = [&](std::initializer_list<const char*> words) {
    const std::string_view found = text.word();
    const auto place = std::find(words.begin(), words.end(), lower(found));
    if (place == words.end()) text.fail(found.empty() ? "the line ends" : quote(found), "a " + mtx_file);
    return static_cast<int>(place - words.begin());
  };
  choose({"matrix"});
  choose({"coordinate"});
  Header header;
  header.field = static_cast<Field>(choose({"real", "integer", "pattern"}));
  header.symmetric = choose({"general", "symmetric"}) == 1;
  text.end_line(mtx_file.c_str());
  return header;
}

Header read_header(MtxText& text) {
  Header header = read_banner(text);
  const char* const accepted = "the line `rows columns entries`, with up to 2147483647 rows and columns";
  if (!text.next_line()) text.fail("the file ends before its sizes", accepted);
  const auto size = [&] {
    const auto value = text.number<std::int64_t>(accepted);
    if (value < 0 || value > most) text.fail(std::to_string(value), accepted);
    return static_cast<Index>(value);
  };
  header.rows = size();
  const std::int64_t plausible = std::max<std::int64_t>(1'000'000, text.bytes());
  if (header.rows > plausible)
    text.fail(fmt::format("{} rows in a file of {} bytes", header.rows, text.bytes()),
              fmt::format("up to {} in a file of this size", plausible));
  header.columns = size();
  if (header.symmetric && header.rows != header.columns)
    text.fail(fmt::format("a symmetric matrix of {} x {}", header.rows, header.columns), "a square one");
  header.entries = text.number<std::int64_t>(accepted);
  // the shortest entries are "1 1" and "1 1 1", each after the end of a line
  const std::int64_t room = text.bytes_left() / (header.field == Field::pattern ? 4 : 6);
  if (header.entries < 0 || header.entries > room)
    text.fail(fmt::format("{} entries", header.entries),
              fmt::format("0 to {}, which the rest of the file can hold", room));
  if (header.entries > most / (header.symmetric ? 2 : 1))
    text.fail(fmt::format("{} entries", header.entries), "up to 2147483647, both triangles counted");
  text.end_line(accepted);
  return header;
}

/// Entries in the order of a file. Columns and values are those of the matrix, where these are in its order.
struct Entries {
  std::vector<Index> rows;
  Vector<Index> columns;
  Vector<double> values;
  decltype(make_host_memory(columns)) host_columns;
  decltype(make_host_memory(values)) host_values;
  bool sorted = true;  ///< by rows and columns, each place once

  explicit Entries(std::size_t size)
      : rows(make_large<Index>(size)),
        columns(make_vector<Index>("linalg/columns", size)),
        values(make_vector<double>("linalg/values", size)),
        host_columns(make_host_memory(columns)),
        host_values(make_host_memory(values)) {}

  void put(std::size_t e, Index row, Index column, double value) {
    sorted = sorted && (e == 0 || row > rows[e - 1] || (row == rows[e - 1] && column > host_columns(e - 1)));
    rows[e] = row;
    host_columns(e) = column;
    host_values(e) = value;
  }
};

/// The entry of the next line, word by word. Errors: InputError naming what is wrong.
MtxText::Plain read_entry(MtxText& text, const Header& header, std::int64_t number) {
  const char* const accepted = header.field == Field::pattern   ? "a line `row column`"
                               : header.field == Field::integer ? "a line `row column value`, whole numbers"
                                                                : "a line `row column value`";
  const auto index = [&](Index size, const char* what) {
    const auto value = text.number<std::int64_t>(accepted);
    if (value < 1 || value > size) text.fail(fmt::format("{} {}", what, value), fmt::format("1 to {}", size));
    return value;
  };
  if (!text.next_line())
    text.fail(fmt::format("the file ends after {} of {} entries", number, header.entries), "a whole file");
  MtxText::Plain entry;
  entry.row = index(header.rows, "row");
  entry.column = index(header.columns, "column");
  if (header.symmetric && entry.column > entry.row)
    text.fail(fmt::format("place ({}, {}) above the diagonal", entry.row, entry.column),
              "the lower triangle of a symmetric matrix");
  if (header.field == Field::real) entry.value = text.number<double>(accepted);
  if (header.field == Field::integer) entry.value = static_cast<double>(text.number<std::int64_t>(accepted));
  if (!std::isfinite(entry.value)) text.fail(fmt::format("{} is not finite", entry.value), "a finite number");
  text.end_line(accepted);
  return entry;
}

/// Whether read_entry() would accept a line.
bool is_accepted(const MtxText::Plain& line, const Header& header) {
  return line.row >= 1 && line.row <= header.rows && line.column >= 1 && line.column <= header.columns &&
         !(header.symmetric && line.column > line.row) && std::isfinite(line.value);
}

Entries read_entries(MtxText& text, const Header& header) {
  Entries entries(static_cast<std::size_t>(header.entries));
  const bool has_value = header.field == Field::real;
  for (std::int64_t e = 0; e < header.entries; ++e) {
    MtxText::Plain line;
    if (header.field != Field::integer && text.peek_plain(has_value, line) && is_accepted(line, header))
      text.take(line);
    else
      line = read_entry(text, header, e);
    entries.put(static_cast<std::size_t>(e), static_cast<Index>(line.row - 1), static_cast<Index>(line.column - 1),
                line.value);
  }
  if (text.next_line())
    text.fail(fmt::format("more than the {} entries that the file announces", header.entries), "nothing after them");
  return entries;
}

/// Entries by rows, in the order of the file.
struct Buckets {
  std::vector<std::int64_t> offsets;  // (row + 1)
  std::vector<Index> columns;
  std::vector<double> values;

  Buckets(const Entries& entries, const Header& header) : offsets(static_cast<std::size_t>(header.rows) + 1, 0) {
    const auto visit = [&](const auto& to) {
      for (std::size_t e = 0; e < entries.rows.size(); ++e) {
        const Index row = entries.rows[e], column = entries.host_columns(e);
        to(row, column, entries.host_values(e));
        if (header.symmetric && row != column) to(column, row, entries.host_values(e));
      }
    };
    visit([&](Index row, Index, double) { ++offsets[row + 1]; });
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
    columns.resize(static_cast<std::size_t>(offsets.back()));
    values.resize(columns.size());
    std::vector<std::int64_t> next(offsets.begin(), offsets.end() - 1);
    visit([&](Index row, Index column, double value) {
      columns[next[row]] = column;
      values[next[row]++] = value;
    });
  }

  /// Sorts the columns of a row, stably.
  void sort(std::size_t row) {
    const auto begin = columns.begin() + offsets[row], end = columns.begin() + offsets[row + 1];
    if (std::is_sorted(begin, end)) return;
    std::vector<std::pair<Index, double>> pairs;
    for (std::int64_t e = offsets[row]; e < offsets[row + 1]; ++e) pairs.emplace_back(columns[e], values[e]);
    std::stable_sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      columns[offsets[row] + p] = pairs[p].first;
      values[offsets[row] + p] = pairs[p].second;
    }
  }
};

/// The matrix of entries that are in the order of its own.
CsrMatrix<double> take_sorted(const Entries& entries, const Header& header) {
  std::vector<Index> offsets(static_cast<std::size_t>(header.rows) + 1, 0);
  for (const Index row : entries.rows) ++offsets[row + 1];
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  if constexpr (!runs_on_host) {
    Kokkos::deep_copy(entries.columns, entries.host_columns);
    Kokkos::deep_copy(entries.values, entries.host_values);
  }
  return {header.rows, header.columns, to_device("linalg/offsets", offsets), entries.columns, entries.values};
}

}  // namespace

CsrMatrix<double> parse_matrix_market(std::string_view contents, const std::string& file) {
  MtxText text(contents, file);
  const Header header = read_header(text);
  std::optional<Entries> entries(read_entries(text, header));
  if (entries->sorted && !header.symmetric) return take_sorted(*entries, header);
  Buckets buckets(*entries, header);
  entries.reset();
  Csr<> rows;
  std::vector<double>& values = buckets.values;
  std::size_t size = 0;
  for (std::size_t row = 0; row < static_cast<std::size_t>(header.rows); ++row) {
    buckets.sort(row);
    const std::size_t first = size;
    for (std::int64_t e = buckets.offsets[row]; e < buckets.offsets[row + 1]; ++e) {
      const Index column = buckets.columns[e];
      if (size > first && buckets.columns[size - 1] == column) {
        values[size - 1] += values[e];
        if (!std::isfinite(values[size - 1]))
          throw InputError(fmt::format("{}: the entries of the place ({}, {}) add up to {}; accepted are finite sums",
                                       text.file(), row + 1, column + 1, values[size - 1]));
      } else {
        buckets.columns[size] = column;
        values[size++] = values[e];
      }
    }
    rows.offsets.push_back(static_cast<std::int64_t>(size));
  }
  buckets.columns.resize(size);
  values.resize(size);
  rows.entries = std::move(buckets.columns);
  return make_csr_matrix(rows, header.columns, values);
}

CsrMatrix<double> read_matrix_market(const std::string& file) {
  return parse_matrix_market(MappedText(file, mtx_file).view(), file);
}

}  // namespace miniapp::linalg
