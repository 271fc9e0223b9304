// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/output_file.hpp"
#include "report/record.hpp"

namespace miniapp::report {

/// The values of a record under dotted names, "timing.kernel_s.median", as cells of a table: null is empty, a list is
/// its JSON.
std::vector<std::pair<std::string, std::string>> flatten(const Json& record);

/// A table of records of one module, comma-separated (RFC 4180), to which runs append rows, also concurrently. Its
/// header has the dotted names of all of them; a value that a record does not have is an empty cell. Without a path,
/// nothing is written.
class CsvFile {
 public:
  /// Checks, before any work, that `path` can be written, and that a file that exists is such a table of the module of
  /// `base`. Creates nothing. Errors: InputError naming the file and what differs.
  CsvFile(const std::string& path, const Json& base);
  /// Appends a row; in a new file it is held until write(), since later records may have more names. Names that the
  /// header lacks become columns at its end, and their cells in the rows before are empty: the file is then replaced as
  /// a whole. Errors: ResultError where writing fails.
  void add(const Json& record);
  /// Writes the rows that are held, in a new file below their header. Errors: as add().
  void write();

 private:
  using Row = std::vector<std::pair<std::string, std::string>>;
  std::string path_;
  std::optional<AppendedFile> file_;
  bool has_header_ = false;  ///< the file has one
  std::vector<Row> held_;
};

}  // namespace miniapp::report
