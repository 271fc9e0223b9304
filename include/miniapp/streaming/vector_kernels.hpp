// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/instance.hpp"

namespace miniapp::streaming {

/// Vector operations of CG, BS1 to BS5 of the streaming paper. All vectors of an operation have the same length. Sums
/// run in blocks of fixed size, so that results are reproducible on one configuration (host back ends) and rounding
/// grows with the number of blocks, not of entries. Sums of float vectors are accumulated in double.

/// BS1: y = x. Bytes: 2 words per entry.
template <class Real>
void copy(const Instance& instance, const Vector<const Real>& x, const Vector<Real>& y);

/// BS2: y = alpha x + beta y. Bytes: 3 words per entry.
template <class Real>
void axpby(const Instance& instance, Real alpha, const Vector<const Real>& x, Real beta, const Vector<Real>& y);

/// BS4 (BS3 where x and y are the same vector): x . y. Bytes: 2 words per entry.
template <class Real>
double dot(const Instance& instance, const Vector<const Real>& x, const Vector<const Real>& y);

/// Stores the sum on the device, without waiting.
template <class Real>
void dot(const Instance& instance, const Vector<const Real>& x, const Vector<const Real>& y, double* result);

/// BS5: x += alpha p, r -= alpha q; returns the new r . r. Bytes: 6 words per entry.
template <class Real>
double update(const Instance& instance, Real alpha, const Vector<const Real>& p, const Vector<const Real>& q,
              const Vector<Real>& x, const Vector<Real>& r);

/// z = d * r entry by entry (Jacobi); returns r . z. Bytes: 3 words per entry.
template <class Real>
double scale(const Instance& instance, const Vector<const Real>& d, const Vector<const Real>& r, const Vector<Real>& z);

}  // namespace miniapp::streaming
