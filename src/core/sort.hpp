// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "miniapp/core/execution.hpp"

namespace miniapp {

/// Sorts `keys` in ascending order and moves `values` along; those of equal keys keep their order. Only the `bits`
/// lowest bits of a key may be set. On the device by CUB's radix sort with CUDA, else on the host.
void sort_by_key(const Vector<std::uint32_t>& keys, const Vector<std::int32_t>& values, int bits);
void sort_by_key(const Vector<std::uint64_t>& keys, const Vector<std::int32_t>& values, int bits);

/// Bits that numbers below `end` need.
constexpr int bits_below(std::uint64_t end) {
  int bits = 0;
  while (bits < 64 && (end - (end > 0)) >> bits) ++bits;
  return bits;
}

}  // namespace miniapp
