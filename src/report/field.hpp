// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#include "report/record.hpp"

namespace miniapp::report {

/// A value of records, which is named once: the code that writes it, the columns that show it and the lines of pages
/// that say it use the same Field. A misspelt one does not compile.
struct Field {
  const char* path;          ///< in the record: "/rates/kernel_gbytes"
  const char* heading = "";  ///< of its column: "GB/s"
  const char* format = "";   ///< of fmt; without one the path tells, see Column
  double scale = 1;          ///< a column shows the value times this

  /// The same value as another column shows it.
  constexpr Field as(const char* other_heading, const char* other_format = "", double other_scale = 1) const {
    return {path, other_heading, other_format, other_scale};
  }

  /// The key in its section, the last part of the path: "kernel_gbytes".
  constexpr const char* key() const { return path + std::string_view(path).rfind('/') + 1; }
};

/// The place of a value in a record, which is made where there is none.
inline Json& at(Json& record, const Field& field) { return record[Json::json_pointer(field.path)]; }

/// The value of a field that the record has.
inline const Json& at(const Json& record, const Field& field) { return record.at(Json::json_pointer(field.path)); }

/// The value of a field; null where the record has none.
inline Json value_at(const Json& record, const std::string& path) {
  const Json::json_pointer pointer(path);
  return record.contains(pointer) ? record.at(pointer) : Json();
}
inline Json value_at(const Json& record, const Field& field) { return value_at(record, field.path); }

/// Whether a record is of a wrong result.
inline bool is_wrong(const Json& record) {
  return !value_at(record, "/wrong").is_null() || value_at(record, "/verification/passed") == false;
}

}  // namespace miniapp::report
