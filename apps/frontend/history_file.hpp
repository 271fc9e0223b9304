// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "apps/frontend/options.hpp"

/// The file of --history: iteration,relative_residual.
namespace miniapp::apps {

inline const std::string history_header = "iteration,relative_residual\n";

inline ReplacedFile history_file(const std::string& path) {
  return {{"--history", path}, {"a file of residuals", [](const std::string& start) {
                                  return start.compare(0, history_header.size(), history_header) == 0;
                                }}};
}

/// Errors: InputError where the path cannot be written or an existing file is of another kind. Creates nothing.
inline void check_history_file(const NamedFile& file, const Options&) { history_file(file.path); }

/// `residuals`: before the first and after each iteration. Errors: ResultError where writing fails.
inline void write_history(const std::string& path, const std::vector<double>& residuals) {
  std::string text = history_header;
  for (std::size_t i = 0; i < residuals.size(); ++i) text += fmt::format("{},{:.17g}\n", i, residuals[i]);
  history_file(path).write(text);
}

}  // namespace miniapp::apps
