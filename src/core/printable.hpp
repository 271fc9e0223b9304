// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace miniapp {

/// A form of an arbitrary text (a word of a damaged file, a path) that is safe to show in a message: one printable
/// line. Control characters, including newlines, and bytes that are not UTF-8 become \xNN; the middle of a line longer
/// than `most` bytes is left out.
std::string printable(std::string_view text, std::size_t most = 1000);

}  // namespace miniapp
