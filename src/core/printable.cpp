// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/core/printable.hpp"

namespace miniapp {
namespace {

/// Bytes of the character of UTF-8 that begins at `at`; 0 where none does, or one that controls a terminal.
std::size_t character(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(at);
  if (first < 0x80) return first >= 0x20 && first != 0x7f;
  const std::size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || at + size > text.size()) return 0;
  unsigned code = first & (0x7fu >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(at + i) & 0xc0u) != 0x80u) return 0;
    code = code << 6 | (byte(at + i) & 0x3fu);
  }
  constexpr unsigned least[] = {0, 0, 0xa0, 0x800, 0x10000};  // below 0xa0: control characters
  const bool surrogate = code >= 0xd800 && code <= 0xdfff, turns = code >= 0x2028 && code <= 0x202e;
  return code >= least[size] && code <= 0x10ffff && !surrogate && !turns ? size : 0;
}

}  // namespace

std::string printable(std::string_view text, std::size_t most) {
  if (text.size() > most) {
    const std::size_t kept = most > 3 ? most - 3 : 0, end = kept / 3;
    return printable(text.substr(0, kept - end), most) + "..." + printable(text.substr(text.size() - end), most);
  }
  std::string shown;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = character(text, at);
    shown += size > 0 ? text.substr(at, size) : std::string_view("?");
    at += size > 0 ? size : 1;
  }
  return shown;
}

}  // namespace miniapp
