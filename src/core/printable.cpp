// SPDX-License-Identifier: BSD-3-Clause
#include "core/printable.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace miniapp {
namespace {

/// Bytes of the UTF-8 character that begins at `at`; 0 if there is none, or for a control character.
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
  std::string line;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = character(text, at);
    line +=
        size > 0 ? std::string(text.substr(at, size)) : fmt::format("\\x{:02x}", static_cast<unsigned char>(text[at]));
    at += std::max<std::size_t>(size, 1);
  }
  if (line.size() <= most) return line;
  const std::size_t end = most * 3 / 10;
  std::size_t head = most - end, tail = line.size() - end;  // neither cuts a character
  const auto inside = [&](std::size_t at) { return (static_cast<unsigned char>(line[at]) & 0xc0u) == 0x80u; };
  while (head > 0 && inside(head)) --head;
  while (tail < line.size() && inside(tail)) ++tail;
  return line.substr(0, head) + "[...]" + line.substr(tail);
}

}  // namespace miniapp
