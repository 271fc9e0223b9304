// SPDX-License-Identifier: BSD-3-Clause
/// Matrix Market files: bytes -> parse_matrix_market(). A matrix that is accepted has columns in range and in order and
/// finite entries, and its pattern does not depend on the order of the lines.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/finding.hpp"
#include "miniapp/core/session.hpp"
#include "miniapp/linalg/matrix_market.hpp"

namespace {

using namespace miniapp;
using fuzz::expect;
using Matrix = linalg::CsrMatrix<double>;

void check(const Matrix& matrix) {
  const auto offsets = to_host(matrix.offsets), columns = to_host(matrix.columns);
  const auto values = to_host(matrix.values);
  expect(offsets.extent(0) == std::size_t(matrix.num_rows) + 1 && offsets(0) == 0, "offsets that do not start at 0");
  expect(std::size_t(offsets(matrix.num_rows)) == columns.extent(0) && columns.extent(0) == values.extent(0),
         "offsets that do not end with the entries");
  for (Index row = 0; row < matrix.num_rows; ++row) {
    expect(offsets(row) <= offsets(row + 1), "offsets that descend");
    for (Index e = offsets(row); e < offsets(row + 1); ++e) {
      expect(columns(e) >= 0 && columns(e) < matrix.num_columns, "a column out of range");
      expect(e == offsets(row) || columns(e - 1) < columns(e), "columns out of order");
      expect(std::isfinite(values(e)), "a number that is not finite");
    }
  }
}

/// The text with the lines after the sizes in reverse order.
std::string reversed(const std::string& text) {
  std::vector<std::string> head, entries;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    const std::size_t word = line.find_first_not_of(" \t\r");
    const bool says_something = word != std::string::npos && line[word] != '%';
    (head.size() < 2 ? head : entries).push_back(line);
    if (head.size() == 2 && entries.empty() && !says_something) head.pop_back();  // the sizes are yet to come
    at = end + 1;
  }
  std::string result;
  for (const std::string& line : head) result += line + "\n";
  for (auto line = entries.rbegin(); line != entries.rend(); ++line) result += *line + "\n";
  return result;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const Session session{std::vector<std::string>()};  // matrices are on the device
  const std::string text(fuzz::text(bytes, size));
  std::optional<Matrix> matrix, again;
  std::vector<double> vector;
  if (fuzz::accepts([&] { vector = linalg::parse_vector(text, "x.mtx"); })) {
    expect(linalg::parse_vector(linalg::print_vector(vector), "x.mtx") == vector, "a vector changes when printed");
    return 0;
  }
  if (!fuzz::accepts([&] { matrix = linalg::parse_matrix_market(text, "x.mtx"); })) return 0;
  check(*matrix);
  // sums of duplicates may overflow in another order, and the room for entries counts comments before them
  if (!fuzz::accepts([&] { again = linalg::parse_matrix_market(reversed(text), "x.mtx"); })) return 0;
  const auto columns = to_host(matrix->columns), others = to_host(again->columns);
  expect(columns.extent(0) == others.extent(0), "a number of entries that depends on their order");
  expect(std::equal(columns.data(), columns.data() + columns.extent(0), others.data()),
         "columns that depend on the order of the entries");
  return 0;
}
