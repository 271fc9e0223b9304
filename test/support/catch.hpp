// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// The test framework, Catch2 2.13 or 3, in one header; no other file of the tests depends on its version. The
/// build says which it found: the headers of both can be installed. MINIAPP_SKIP(why) ends a test that this build
/// cannot run; ctest reports it as skipped. It may not stand behind a GENERATE, whose other values would count as
/// skipped too.
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
#endif
