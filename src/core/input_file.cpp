// SPDX-License-Identifier: BSD-3-Clause
#include "core/input_file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/printable.hpp"
#include "miniapp/core/error.hpp"

namespace miniapp {

std::string read_text(const std::string& path, const std::string& accepted) {
  const auto fail = [&](const std::string& reason) {
    throw InputError(printable(path, 200) + ": cannot be read: " + reason + "; accepted is a " + accepted);
  };
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    fail("it is no file on a disk");  // but a folder, or a pipe, which would wait for a writer
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) fail(std::strerror(errno));
  const std::streamoff size = file.tellg();
  std::string text;
  try {
    text.resize(static_cast<std::size_t>(size));
  } catch (const std::exception&) {
    fail("its " + std::to_string(size) + " bytes do not fit memory");
  }
  file.seekg(0).read(text.data(), size);
  if (!file.good()) fail("reading failed");
  skip_mark(text);
  return text;
}

bool waits_for_writer(const std::string& path) {
  std::error_code error;
  return path.rfind("/dev/", 0) != 0 && path.rfind("/proc/", 0) != 0 && std::filesystem::is_fifo(path, error);
}

void skip_mark(std::string& text) {
  if (text.rfind("\xef\xbb\xbf", 0) == 0) text.erase(0, 3);
}

std::string quote(std::string_view word) { return std::string(1, '\'') + printable(word, 20) + '\''; }

}  // namespace miniapp
