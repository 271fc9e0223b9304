// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// The test framework, Catch2 2.13 or 3, under one include; nothing else in the tests names its version.
#if __has_include(<catch2/catch_all.hpp>)
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
