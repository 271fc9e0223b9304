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

/// z = factor x; sum r . z.
template <class Outer, class Real>
struct Leave {
  const Outer* r;
  const Real* x;
  Outer* z;
  double factor = 1;
  KOKKOS_FUNCTION Outer load(std::size_t i) const { return static_cast<Outer>(factor * double(x[i])); }
  template <class Sum>
  KOKKOS_FUNCTION void finish(std::size_t i, Outer value, const Sum& add) const {
    z[i] = value;
    add(0, double(r[i]) * double(value));
  }
};

}  // namespace miniapp::solver
