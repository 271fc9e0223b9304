// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "miniapp/linalg/csr_matrix.hpp"

namespace miniapp::linalg {

/// The matrix in a Matrix Market file (https://math.nist.gov/MatrixMarket/formats.html): `coordinate`; `real`,
/// `integer` or `pattern`, whose entries are 1; `general` or `symmetric`, whose upper triangle is the mirrored lower
/// one. Entries of the same place are added up, in the order of the file. A matrix may be rectangular and have empty
/// rows. Time O(entries); the file is mapped, not copied, and a general one whose entries are in the order of the
/// matrix is read in one pass: 12 + 4 bytes per entry, else 28. No count of the file is believed that its bytes cannot
/// hold. It is our own reader, since KokkosKernels::read_mtx loops for ever on a header that is cut short and writes
/// out of bounds where an index is wrong. Errors: InputError naming the file, the line and what is accepted, where the
/// file cannot be read; its banner is another one; it has fewer or more entries than it says, a place outside the
/// matrix or, if symmetric, above the diagonal; a word is no number; a number or a sum is not finite; it has more than
/// 2^31 - 1 rows, columns or entries, or more than a million rows of which most are empty.
CsrMatrix<double> read_matrix_market(const std::string& file);

/// Reads the contents of a file; messages name `file`.
CsrMatrix<double> parse_matrix_market(std::string_view contents, const std::string& file);

/// The numbers of a vector in a Matrix Market file: `array`, `real` or `integer`, `general`, of one column, a number
/// per line. Errors: InputError, as of read_matrix_market().
std::vector<double> read_vector(const std::string& file);
std::vector<double> parse_vector(std::string_view contents, const std::string& file);

/// A dense array of numbers.
struct DenseArray {
  std::int64_t rows = 0, columns = 0;
  std::vector<double> values;  ///< (row, column)
};

/// Reads an array of several columns, whose numbers a file has column by column. Errors: InputError, as of
/// read_matrix_market().
DenseArray read_array(const std::string& file);
DenseArray parse_array(std::string_view contents, const std::string& file);

/// The contents of a file of read_vector(), with all digits.
std::string print_vector(const std::vector<double>& values);

}  // namespace miniapp::linalg
