// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace miniapp {

/// Reads a whole file. Errors: InputError `PATH: cannot be read: REASON; accepted is a ACCEPTED`.
std::string read_text(const std::string& path, const std::string& accepted);

/// Whether to open a file can take for ever, since it is a named pipe. A shell's pipes, /dev/fd/63, have a writer.
bool waits_for_writer(const std::string& path);

/// Takes away the mark of UTF-8 that some editors put before a text.
void skip_mark(std::string& text);

/// A word quoted for a message; in a damaged file it may contain anything.
std::string quote(std::string_view word);

}  // namespace miniapp
