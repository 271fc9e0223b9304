// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <type_traits>

namespace miniapp {

/// An enum whose members 0, 1, 2 .. have names. A function names(E) next to the enum returns the names in the order of
/// the members; options, records and tests all use this table.
template <class E>
concept Named = std::is_enum_v<E> && requires(E e) {
  names(e)[0];
};

template <Named E>
std::string name(E e) {
  return names(e)[static_cast<std::size_t>(e)];
}

/// All members, in their order.
template <Named E>
constexpr auto members() {
  std::array<E, names(E{}).size()> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<E>(i);
  return all;
}

/// Floating-point precision of a kernel.
enum class Precision { fp64, fp32 };
constexpr auto names(Precision) { return std::array{"double", "single"}; }
constexpr int word_bytes(Precision precision) { return precision == Precision::fp64 ? 8 : 4; }
template <class Real>
constexpr Precision precision_of = sizeof(Real) == 8 ? Precision::fp64 : Precision::fp32;

}  // namespace miniapp
