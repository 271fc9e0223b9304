// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <string>
#include <vector>

#include "miniapp/core/error.hpp"

/// Checks of options that all commands make. Errors: InputError naming the option, its value and what is accepted.
namespace miniapp::apps {

/// The place of `text` among `accepted`.
inline std::size_t choose(const std::string& option, const std::string& text,
                          const std::vector<std::string>& accepted) {
  for (std::size_t i = 0; i < accepted.size(); ++i)
    if (accepted[i] == text) return i;
  throw InputError(fmt::format("{}: unknown value '{}'; accepted are {}", option, text, fmt::join(accepted, ", ")));
}

/// "64k", "1.5G", "250e6": a number with a unit of powers of 1000, or none. Errors: InputError(accepted).
inline double parse_amount(const std::string& text, const std::string& accepted) {
  std::size_t read = 0;
  double value = 0;
  try {
    value = std::stod(text, &read);
  } catch (const std::logic_error&) {
    throw InputError(accepted);
  }
  const std::string unit = text.substr(read), units = "kMGT";
  if (unit.size() == 1 && units.find(unit) != std::string::npos)
    return value * std::pow(1000.0, 1.0 + static_cast<double>(units.find(unit)));
  require(unit.empty(), accepted);
  return value;
}

inline void require_number(const std::string& option, double value, bool valid, const std::string& accepted) {
  require(valid && std::isfinite(value), fmt::format("{} {}: accepted are {}", option, value, accepted));
}

}  // namespace miniapp::apps
