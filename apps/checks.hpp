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

inline void require_number(const std::string& option, double value, bool valid, const std::string& accepted) {
  require(valid && std::isfinite(value), fmt::format("{} {}: accepted are {}", option, value, accepted));
}

}  // namespace miniapp::apps
