// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>
#include <type_traits>

namespace miniapp {

/// Reads a whole word as a decimal number, with or without a sign, or as inf or nan. False for anything else,
/// hexadecimal numbers among them, and for numbers beyond the type's range. A number too small for its type is zero, or
/// the nearest one that there is.
template <class Number>
bool parse_number(std::string_view word, Number& value) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);  // unknown to from_chars
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (end != word.data() + word.size()) return false;
  if constexpr (std::is_floating_point_v<Number>) {
    if (error == std::errc::result_out_of_range) {
      value = static_cast<Number>(std::strtod(std::string(word).c_str(), nullptr));
      return std::fabs(value) < 1;
    }
  }
  return error == std::errc();
}

}  // namespace miniapp
