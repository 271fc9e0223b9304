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

/// A table of records of one module, comma-separated (RFC 4180), to which runs append rows. Its header has the dotted
/// names of all records of the first run; a value that a record does not have is an empty cell. Without a path, nothing
/// is written.
class CsvFile {
 public:
  /// Checks, before any work, that `path` can be written, and that a file that exists has a header with all names of
  /// `base`, and rows of its module. Creates nothing. Errors: InputError naming the file and what differs.
  CsvFile(const std::string& path, const Json& base);
  /// Appends a row; in a new file it is held until write(), since later records may have more names. Errors:
  /// ResultError where the header of the file lacks a name, or writing fails.
  void add(const Json& record);
  /// Writes the header and the rows that are held.
  void write();

 private:
  using Row = std::vector<std::pair<std::string, std::string>>;
  void append(const std::vector<Row>& rows, const std::string& before);
  std::string path_;
  std::optional<AppendedFile> file_;
  std::vector<std::string> header_;  ///< of the file; empty: it is new
  std::vector<Row> held_;
};

}  // namespace miniapp::report
