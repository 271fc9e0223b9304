// SPDX-License-Identifier: BSD-3-Clause
#include "core/input_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/printable.hpp"
#include "core/regions.hpp"
#include "miniapp/core/error.hpp"

namespace miniapp {

namespace {

[[noreturn]] void fail_to_read(const std::string& path, const std::string& reason, const std::string& accepted) {
  throw InputError(printable(path, 200) + ": cannot be read: " + reason + "; accepted is a " + accepted);
}

/// A folder is none, nor a pipe, which would wait for a writer.
void require_file(const std::string& path, const std::string& accepted) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    fail_to_read(path, "it is no file on a disk", accepted);
}

constexpr std::string_view utf8_mark = "\xef\xbb\xbf";

}  // namespace

std::string read_text(const std::string& path, const std::string& accepted) {
  require_file(path, accepted);
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) fail_to_read(path, std::strerror(errno), accepted);
  const std::streamoff size = file.tellg();
  std::string text;
  try {
    text.resize(static_cast<std::size_t>(size));
  } catch (const std::exception&) {
    fail_to_read(path, "its " + std::to_string(size) + " bytes do not fit memory", accepted);
  }
  file.seekg(0);
  constexpr std::streamoff piece = 1 << 24;
  for (std::streamoff at = 0; at < size && file.good(); at += piece) {
    file.read(text.data() + at, std::min(piece, size - at));
    tell_part(double(at) / double(size));
  }
  if (!file.good()) fail_to_read(path, "reading failed", accepted);
  skip_mark(text);
  return text;
}

MappedText::MappedText(const std::string& path, const std::string& accepted) {
  require_file(path, accepted);
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) fail_to_read(path, std::strerror(errno), accepted);
  struct stat status {};
  const bool known = fstat(file, &status) == 0;
  if (known) bytes_ = static_cast<std::size_t>(status.st_size);
#ifdef MAP_POPULATE
  constexpr int how = MAP_PRIVATE | MAP_POPULATE;
#else
  constexpr int how = MAP_PRIVATE;
#endif
  if (bytes_ > 0) memory_ = mmap(nullptr, bytes_, PROT_READ, how, file, 0);
  const std::string reason = !known || memory_ == MAP_FAILED ? std::strerror(errno) : "";
  close(file);  // what is mapped stays
  if (!reason.empty()) fail_to_read(path, reason, accepted);
}

MappedText::~MappedText() {
  if (memory_) munmap(memory_, bytes_);
}

std::string_view MappedText::view() const {
  const std::string_view text(static_cast<const char*>(memory_), bytes_);
  return text.substr(text.starts_with(utf8_mark) ? utf8_mark.size() : 0);
}

bool waits_for_writer(const std::string& path) {
  std::error_code error;
  return path.rfind("/dev/", 0) != 0 && path.rfind("/proc/", 0) != 0 && std::filesystem::is_fifo(path, error);
}

void skip_mark(std::string& text) {
  if (text.starts_with(utf8_mark)) text.erase(0, utf8_mark.size());
}

std::string quote(std::string_view word) { return std::string(1, '\'') + printable(word, 20) + '\''; }

}  // namespace miniapp
