// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "miniapp/core/kokkos.hpp"

namespace miniapp {

/// Random bits, of each number its own: those of first, first + 1, .. look independent. Source: SplitMix64; Steele,
/// Lea, Flood, OOPSLA 2014, 453-472.
KOKKOS_INLINE_FUNCTION std::uint64_t random_bits(std::uint64_t number) {
  number += 0x9E3779B97F4A7C15u;
  number = (number ^ (number >> 30)) * 0xBF58476D1CE4E5B9u;
  number = (number ^ (number >> 27)) * 0x94D049BB133111EBu;
  return number ^ (number >> 31);
}

}  // namespace miniapp
