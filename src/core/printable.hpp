// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace miniapp {

/// What a message may show of a text that may be anything (a word of a damaged file, a path): one line that a terminal
/// prints. Control characters, newlines among them, and bytes that are not UTF-8 become \xNN; of a line longer than
/// `most` bytes the middle is left out.
std::string printable(std::string_view text, std::size_t most = 1000);

}  // namespace miniapp
