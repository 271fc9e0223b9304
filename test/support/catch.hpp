// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/error.hpp"

/// What every test has: the namespaces, errors, and Catch2 2.13 or 3, on whose version no other file of the tests
/// depends. The build says which it found: the headers of both can be installed. MINIAPP_SKIP(why) ends a test that
/// this build cannot run; ctest reports it as skipped. It may not stand behind a GENERATE, whose other values would
/// count as skipped too.
#if MINIAPP_CATCH2 >= 3
#include <catch2/catch_all.hpp>
#define MINIAPP_SKIP(why) SKIP("skipped: " why)
namespace miniapp::test {
using Catch::Approx;
template <class T>
using Matcher = Catch::Matchers::MatcherBase<T>;
using Catch::Matchers::Matches;
inline auto contains(const std::string& text) { return Catch::Matchers::ContainsSubstring(text); }
}  // namespace miniapp::test
#else
#include <catch2/catch.hpp>
#define MINIAPP_SKIP(why)  \
  do {                     \
    WARN("skipped: " why); \
    return;                \
  } while (false)
namespace miniapp::test {
using Catch::Detail::Approx;
template <class T>
using Matcher = Catch::MatcherBase<T>;
using Catch::Matchers::Matches;
inline auto contains(const std::string& text) { return Catch::Matchers::Contains(text); }
}  // namespace miniapp::test
#pragma GCC poison Contains  // which version 3 does not have: contains() is of both
#endif

using namespace miniapp;
using namespace miniapp::test;
