// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace miniapp {

/// Reads a whole file. Errors: InputError `PATH: cannot be read: REASON; accepted is a ACCEPTED`.
std::string read_text(const std::string& path, const std::string& accepted);

/// The contents of a whole file, mapped into memory instead of copied: the pages of the system's cache. For large
/// files. Who makes the file shorter meanwhile ends the program.
class MappedText {
 public:
  /// Errors: as read_text().
  MappedText(const std::string& path, const std::string& accepted);
  ~MappedText();
  MappedText(const MappedText&) = delete;
  MappedText& operator=(const MappedText&) = delete;

  /// Without the mark of UTF-8.
  std::string_view view() const;

 private:
  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
};

/// Whether to open a file can take for ever, since it is a named pipe. A shell's pipes, /dev/fd/63, have a writer.
bool waits_for_writer(const std::string& path);

/// Takes away the mark of UTF-8 that some editors put before a text.
void skip_mark(std::string& text);

/// A word quoted for a message; in a damaged file it may contain anything.
std::string quote(std::string_view word);

}  // namespace miniapp
