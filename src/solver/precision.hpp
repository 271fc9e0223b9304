// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/linalg/vectors.hpp"

/// Preconditioners in single precision within CG in double precision.
namespace miniapp::solver {

using streaming::detail::Convert;

/// A body over entries (streaming/entries.hpp): z = factor x; sum r . z.
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
