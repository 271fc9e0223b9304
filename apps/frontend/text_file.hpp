// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fstream>
#include <string>

#include "core/input_file.hpp"
#include "miniapp/core/error.hpp"

namespace miniapp::apps {

/// The text of a file that people write. Errors: InputError naming option and file where it cannot be read, or is no
/// such file by its length alone.
inline std::string read_text(const std::string& option, const std::string& file, const std::string& accepted) {
  constexpr std::size_t most = 1000000;
  require(!waits_for_writer(file), option, file, "is a pipe; accepted is " + accepted);
  std::ifstream in(file, std::ios::binary);
  std::string text(most + 1, ' ');
  if (in.is_open()) in.read(text.data(), static_cast<std::streamsize>(text.size()));
  require(in.is_open() && !in.bad(), option, file, "cannot be read; accepted is " + accepted);
  text.resize(static_cast<std::size_t>(in.gcount()));
  require(text.size() <= most, option, file, "longer than 1 MB; accepted is " + accepted);
  skip_mark(text);
  return text;
}

}  // namespace miniapp::apps
