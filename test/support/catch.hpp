// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// The test framework, Catch2 2.13 or 3, in one header; no other file of the tests depends on its version. The
/// build says which it found: the headers of both can be installed.
#if MINIAPP_CATCH2 >= 3
#include <catch2/catch_all.hpp>
namespace miniapp::test {
using Catch::Approx;
template <class T>
using Matcher = Catch::Matchers::MatcherBase<T>;
using Catch::Matchers::Matches;
inline auto contains(const std::string& text) { return Catch::Matchers::ContainsSubstring(text); }
}  // namespace miniapp::test
#else
#include <catch2/catch.hpp>
namespace miniapp::test {
using Catch::Detail::Approx;
template <class T>
using Matcher = Catch::MatcherBase<T>;
using Catch::Matchers::Matches;
inline auto contains(const std::string& text) { return Catch::Matchers::Contains(text); }
}  // namespace miniapp::test
#endif
