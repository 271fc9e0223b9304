// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/space/space.hpp"
#include "miniapp/streaming/entries.hpp"
#include "miniapp/streaming/vector_kernels.hpp"

/// Vector operations for solvers, on vectors of a space. All reductions of solvers are in this file, so that only it
/// has to know about unknowns in other parts of the mesh. space::Exchange describes the two kinds of vectors.
namespace miniapp::linalg {

using streaming::axpby;
using streaming::copy;
using streaming::for_entries;

namespace detail {

/// x . y over all entries, minus that over the ghosts.
template <class Real>
struct OwnedDot {
  const Real *x, *y;
  const Index* ghosts;
  std::size_t n;
  KOKKOS_FUNCTION double load(std::size_t i) const {
    return i < n ? product(i) : -product(static_cast<std::size_t>(ghosts[i - n]));
  }
  KOKKOS_FUNCTION double product(std::size_t i) const { return double(x[i]) * double(y[i]); }
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t, double value, const Add& add) const {
    add(0, value);
  }
};

template <class Real>
OwnedDot<Real> owned_dot(const space::Space& space, const Vector<const Real>& x, const Vector<const Real>& y) {
  return {x.data(), y.data(), space.exchange.ghosts().data(), space.num_entries()};
}

}  // namespace detail

/// x . y, with each unknown counted once, for vectors of either kind. Bytes: 2 words per entry.
template <class Real>
double dot(const Instance& instance, const space::Space& space, const Vector<const Real>& x,
           const Vector<const Real>& y) {
  if (space.exchange.empty()) return streaming::dot<Real>(instance, x, y);
  return streaming::sum_entries(instance, "linalg/dot", space.num_entries() + space.exchange.ghosts().extent(0),
                                detail::owned_dot<Real>(space, x, y));
}

/// The same with its result on the device, without waiting.
template <class Real>
void dot(const Instance& instance, const space::Space& space, const Vector<const Real>& x, const Vector<const Real>& y,
         double* result) {
  if (space.exchange.empty()) return streaming::dot<Real>(instance, x, y, result);
  streaming::sum_entries<1>(instance, "linalg/dot", space.num_entries() + space.exchange.ghosts().extent(0),
                            detail::owned_dot<Real>(space, x, y), result);
}

/// x += alpha p, r -= alpha q; returns the new r . r. r and q are sums over elements. Bytes: 6 words per entry.
template <class Real>
double update(const Instance& instance, const space::Space&, Real alpha, const Vector<const Real>& p,
              const Vector<const Real>& q, const Vector<Real>& x, const Vector<Real>& r) {
  return streaming::update<Real>(instance, alpha, p, q, x, r);
}

/// z = d * r entry by entry; returns r . z. r is a sum over elements. Bytes: 3 words per entry.
template <class Real>
double scale(const Instance& instance, const space::Space&, const Vector<const Real>& d, const Vector<const Real>& r,
             const Vector<Real>& z) {
  return streaming::scale<Real>(instance, d, r, z);
}

/// A body over the entries of the space (streaming/entries.hpp), without sums.
template <class Body>
void for_entries(const Instance& instance, const space::Space& space, const char* label, const Body& body) {
  streaming::for_entries(instance, label, space.num_entries(), body);
}

/// The same with sums; each summed product has a factor that is a sum over elements. The sums are stored to result[0 ..
/// count) on the device, without waiting.
template <int count, class Body>
void sum_entries(const Instance& instance, const space::Space& space, const char* label, const Body& body,
                 double* result) {
  streaming::sum_entries<count>(instance, label, space.num_entries(), body, result);
}

/// The same, waiting for one sum.
template <class Body>
double sum_all(const Instance& instance, const space::Space& space, const char* label, const Body& body) {
  return streaming::sum_entries(instance, label, space.num_entries(), body);
}

/// The same over nodes whose components are contiguous, waiting for one sum.
template <class Body>
double sum_nodes(const Instance& instance, const space::Space& space, const char* label, const Body& body) {
  return streaming::sum_entries(instance, label, static_cast<std::size_t>(space.num_nodes), body);
}

}  // namespace miniapp::linalg
