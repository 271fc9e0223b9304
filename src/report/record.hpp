// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "core/output_file.hpp"
#include "miniapp/measure/stopwatch.hpp"

namespace miniapp::report {

using Json = nlohmann::ordered_json;

/// The time in UTC as ISO 8601 writes it.
std::string utc_now();

/// A name as a key of a record: in small letters, digits and underscores.
std::string key_of(std::string name);

/// One run as named values, docs/record.md: schema and provenance are filled in, the sections that every module shares
/// (case, verification, result, timing, rates, roofs) are empty.
Json make_record(const std::string& module, const std::string& command);

/// A sample as {min, median, max, repetitions, all}, with joules where they are known.
Json to_json(const measure::Sample& sample);
/// Phases as {phase: seconds}, the phases by key_of().
Json to_json(const measure::Phases& phases);

/// Whether a file may be one of records: its first line is a JSON object, or it is empty.
bool begins_with_a_record(const std::string& start);

/// A file of records, one per line, to which any number of processes may append concurrently.
class RecordFile {
 public:
  RecordFile() = default;
  /// Checks, before any work, that `path` can be written and holds nothing but records; creates nothing. Without a
  /// path, nothing is written. Errors: InputError.
  explicit RecordFile(const std::string& path);
  /// Errors: ResultError where writing fails.
  void append(const Json& record) const;

 private:
  std::optional<AppendedFile> file_;
};

}  // namespace miniapp::report
