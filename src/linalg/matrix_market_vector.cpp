// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <limits>
#include <string>
#include <utility>

#include "linalg/mtx_text.hpp"
#include "miniapp/linalg/matrix_market.hpp"

namespace miniapp::linalg {
namespace {

const std::string array_file = "Matrix Market file, %%MatrixMarket matrix array real|integer general",
                  vector_file = array_file + ", of one column";

void read_banner(MtxText& text, const std::string& accepted_file) {
  for (const auto& accepted : {"%%matrixmarket", "matrix", "array", "real|integer", "general"}) {
    std::string word(text.word());
    std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::tolower(c); });
    const bool is_field = accepted == std::string_view("real|integer");
    if (word != accepted && !(is_field && (word == "real" || word == "integer")))
      text.fail(word.empty() ? "the line ends" : quote(word), "a " + accepted_file);
  }
  text.end_line(accepted_file.c_str());
}

/// The numbers of an array in the order of its file, of one column or any number of them.
DenseArray parse_columns(std::string_view contents, const std::string& file, bool one_column) {
  MtxText text(contents, file);
  read_banner(text, one_column ? vector_file : array_file);
  const char* const sizes = one_column ? "the line `rows 1`" : "the line `rows columns`";
  if (!text.next_line()) text.fail("the file ends before its sizes", sizes);
  DenseArray array{text.number<std::int64_t>(sizes), text.number<std::int64_t>(sizes), {}};
  constexpr std::int64_t largest = std::numeric_limits<Index>::max();
  if (array.rows < 0 || array.rows > largest || array.columns < 0 || array.columns > largest ||
      (one_column && array.columns != 1))
    text.fail(fmt::format("{} by {}", array.rows, array.columns), sizes);
  text.end_line(sizes);
  const std::int64_t size = array.rows * array.columns;
  while (text.next_line()) {  // no count of the file is believed before there are as many lines
    const auto value = text.number<double>("one finite number per line");
    if (!std::isfinite(value)) text.fail(fmt::format("{}", value), "one finite number per line");
    text.end_line("one finite number per line");
    array.values.push_back(value);
    if (std::ssize(array.values) > size) text.fail("more numbers than its sizes say", fmt::format("{} numbers", size));
  }
  if (std::ssize(array.values) < size)
    text.fail(fmt::format("the file ends after {} numbers", array.values.size()), fmt::format("{} numbers", size));
  return array;
}

}  // namespace

DenseArray parse_array(std::string_view contents, const std::string& file) {
  DenseArray array = parse_columns(contents, file, false);
  std::vector<double> by_rows;
  by_rows.reserve(array.values.size());
  for (std::int64_t row = 0; row < array.rows; ++row)
    for (std::int64_t column = 0; column < array.columns; ++column)
      by_rows.push_back(array.values[column * array.rows + row]);
  array.values = std::move(by_rows);
  return array;
}

DenseArray read_array(const std::string& file) { return parse_array(read_text(file, array_file), file); }

std::vector<double> parse_vector(std::string_view contents, const std::string& file) {
  return parse_columns(contents, file, true).values;
}

std::vector<double> read_vector(const std::string& file) { return parse_vector(read_text(file, vector_file), file); }

std::string print_vector(const std::vector<double>& values) {
  std::string text = fmt::format("%%MatrixMarket matrix array real general\n{} 1\n", values.size());
  for (const double value : values) fmt::format_to(std::back_inserter(text), "{:.17g}\n", value);
  return text;
}

}  // namespace miniapp::linalg
