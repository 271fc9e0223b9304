// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "miniapp/measure/stopwatch.hpp"

namespace miniapp::report {

using Json = nlohmann::ordered_json;

/// One run as named values, docs/record.md: schema and provenance are filled in, the sections that every module shares
/// (case, verification, result, timing, rates, roofs) are empty.
Json make_record(const std::string& module, const std::string& command);

/// {min, median, max, repetitions}.
Json to_json(const measure::Sample& sample);
/// {phase: seconds}.
Json to_json(const measure::Phases& phases);

/// A file that records are appended to, one line each.
class RecordFile {
 public:
  RecordFile() = default;
  /// Opens `path` for appending, so that a path that cannot be written is known before any work; nothing where it is
  /// empty. Errors: InputError.
  explicit RecordFile(const std::string& path);
  void append(const Json& record) const;

 private:
  std::string path_;
};

}  // namespace miniapp::report
