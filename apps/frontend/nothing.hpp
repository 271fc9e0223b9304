// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <streambuf>

namespace miniapp::apps {

/// Where what is printed goes nowhere.
struct Nothing : std::streambuf {
  int overflow(int c) override { return traits_type::not_eof(c); }
};

}  // namespace miniapp::apps
