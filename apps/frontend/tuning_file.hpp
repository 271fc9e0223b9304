// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "apps/frontend/options.hpp"
#include "miniapp/core/error.hpp"

/// The file of --tune, to which tables of the fastest variants are appended.
namespace miniapp::apps {

/// Errors: InputError where the path cannot be written, or an existing file is no table of this type. Creates nothing.
template <class Table>
AppendedFile tuning_file(const std::string& path) {
  return {{"--tune", path}, {"a tuning table", [](const std::string& start) {
                               try {
                                 Table(start.substr(0, start.rfind('\n') + 1), "");
                               } catch (const InputError&) {
                                 return false;
                               }
                               return start.find('\n') != std::string::npos;
                             }}};
}

template <class Table>
void check_tuning_file(const NamedFile& file, const Options&) {
  tuning_file<Table>(file.path);
}

}  // namespace miniapp::apps
