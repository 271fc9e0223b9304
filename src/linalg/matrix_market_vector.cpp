// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <string>

#include "linalg/mtx_text.hpp"
#include "miniapp/linalg/matrix_market.hpp"

namespace miniapp::linalg {
namespace {

const std::string vector_file = "Matrix Market file, %%MatrixMarket matrix array real|integer general, of one column";

}  // namespace

std::vector<double> parse_vector(std::string_view contents, const std::string& file) {
  MtxText text(contents, file);
  for (const auto& accepted : {"%%matrixmarket", "matrix", "array", "real|integer", "general"}) {
    std::string word(text.word());
    std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::tolower(c); });
    const bool is_field = accepted == std::string_view("real|integer");
    if (word != accepted && !(is_field && (word == "real" || word == "integer")))
      text.fail(word.empty() ? "the line ends" : quote(word), "a " + vector_file);
  }
  text.end_line(vector_file.c_str());
  const char* const sizes = "the line `rows 1`";
  if (!text.next_line()) text.fail("the file ends before its sizes", sizes);
  const auto rows = text.number<std::int64_t>(sizes), columns = text.number<std::int64_t>(sizes);
  if (rows < 0 || columns != 1) text.fail(fmt::format("{} by {}", rows, columns), sizes);
  text.end_line(sizes);
  std::vector<double> values;  // no count of the file is believed before there are as many lines
  while (text.next_line()) {
    const auto value = text.number<double>("one finite number per line");
    if (!std::isfinite(value)) text.fail(fmt::format("{}", value), "one finite number per line");
    text.end_line("one finite number per line");
    values.push_back(value);
    if (std::int64_t(values.size()) > rows)
      text.fail("more numbers than its sizes say", fmt::format("{} numbers", rows));
  }
  if (std::int64_t(values.size()) < rows)
    text.fail(fmt::format("the file ends after {} numbers", values.size()), fmt::format("{} numbers", rows));
  return values;
}

std::vector<double> read_vector(const std::string& file) { return parse_vector(read_text(file, vector_file), file); }

std::string print_vector(const std::vector<double>& values) {
  std::string text = fmt::format("%%MatrixMarket matrix array real general\n{} 1\n", values.size());
  for (const double value : values) fmt::format_to(std::back_inserter(text), "{:.17g}\n", value);
  return text;
}

}  // namespace miniapp::linalg
