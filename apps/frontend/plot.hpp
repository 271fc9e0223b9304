// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>

#include "apps/frontend/options.hpp"
#include "report/record.hpp"

/// --plot: the pictures of a run, which scripts/plot draws from its records.
namespace miniapp::apps {

/// Refuses a picture whose name does not end with a picture's format, that cannot be written, where another kind of
/// file is there, and beside --verify-only, which takes no times. Errors: InputError.
void check_picture(const NamedFile& file, const Options& options);

/// Collects records beside those of --json, and has them drawn at the end.
class Plot {
 public:
  /// Without a file nothing is collected. Errors: InputError where the script is missing, or its Python or matplotlib.
  explicit Plot(std::string file);
  ~Plot() { discard(); }
  Plot(const Plot&) = delete;
  Plot& operator=(const Plot&) = delete;

  /// Errors: ResultError where they cannot be written.
  void add(const report::Json& record);
  /// Draws the records, where there are any; the script prints the pictures' names. Returns what went wrong and which
  /// file has the records, or nothing.
  std::string draw();
  /// Removes the records, but not those that could not be drawn.
  void discard();

 private:
  std::string file_, script_;
  std::string records_;  ///< a temporary file; empty before the first record
};

}  // namespace miniapp::apps
