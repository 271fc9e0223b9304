// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "miniapp/core/execution.hpp"

/// What the operations of vector_kernels.hpp do to an entry (entries.hpp).
namespace miniapp::streaming::detail {

/// y = x.
template <class Real>
struct Copy {
  const Real* x;
  Real* y;
  KOKKOS_FUNCTION Real load(std::size_t i) const { return x[i]; }
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t i, Real value, const Add&) const {
    y[i] = value;
  }
};

/// to = from, in another precision.
template <class From, class To>
struct Convert {
  const From* from;
  To* to;
  KOKKOS_FUNCTION To load(std::size_t i) const { return static_cast<To>(from[i]); }
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t i, To value, const Add&) const {
    to[i] = value;
  }
};

/// y = alpha x + beta y.
template <class Real>
struct Axpby {
  Real alpha, beta;
  const Real* x;
  Real* y;
  KOKKOS_FUNCTION Real load(std::size_t i) const { return alpha * x[i] + beta * y[i]; }
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t i, Real value, const Add&) const {
    y[i] = value;
  }
};

/// x . y.
template <class Real>
struct Dot {
  const Real *x, *y;
  KOKKOS_FUNCTION double load(std::size_t i) const { return double(x[i]) * double(y[i]); }
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t, double product, const Add& add) const {
    add(0, product);
  }
};

/// x += alpha p, r -= alpha q, r . r.
template <class Real>
struct Update {
  static constexpr int waves = 8;
  Real alpha;
  const Real *p, *q;
  Real *x, *r;
  struct Entry {
    Real x, r;
  };
  KOKKOS_FUNCTION Entry load(std::size_t i) const { return {x[i] + alpha * p[i], r[i] - alpha * q[i]}; }
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t i, const Entry& entry, const Add& add) const {
    x[i] = entry.x;
    r[i] = entry.r;
    add(0, double(entry.r) * double(entry.r));
  }
};

/// z = d * r, r . z.
template <class Real>
struct Scale {
  static constexpr int waves = 8;
  const Real *d, *r;
  Real* z;
  struct Entry {
    Real r, z;
  };
  KOKKOS_FUNCTION Entry load(std::size_t i) const { return {r[i], d[i] * r[i]}; }
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t i, const Entry& entry, const Add& add) const {
    z[i] = entry.z;
    add(0, double(entry.r) * double(entry.z));
  }
};

}  // namespace miniapp::streaming::detail
