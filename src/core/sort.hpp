// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "miniapp/core/execution.hpp"

namespace miniapp {

/// Sorts `keys` in ascending order and permutes `values` accordingly; the sort is stable. Only the lowest `bits` bits
/// of a key may be set. With CUDA it uses CUB's radix sort on the device, otherwise it sorts on the host.
void sort_by_key(const Vector<std::uint32_t>& keys, const Vector<std::int32_t>& values, int bits);
void sort_by_key(const Vector<std::uint64_t>& keys, const Vector<std::int32_t>& values, int bits);

/// Number of bits that numbers below `end` need.
constexpr int bits_below(std::uint64_t end) {
  int bits = 0;
  while (bits < 64 && (end - (end > 0)) >> bits) ++bits;
  return bits;
}

}  // namespace miniapp
