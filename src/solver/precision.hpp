// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/execution.hpp"

/// Preconditioners in single precision within CG in double precision.
namespace miniapp::solver {

/// A body over entries (streaming/entries.hpp): to = from, in another precision.
template <class From, class To>
struct Convert {
  const From* from;
  To* to;
  KOKKOS_FUNCTION To load(std::size_t i) const { return static_cast<To>(from[i]); }
  template <class Sum>
  KOKKOS_FUNCTION void finish(std::size_t i, To value, const Sum&) const {
    to[i] = value;
  }
};

}  // namespace miniapp::solver
