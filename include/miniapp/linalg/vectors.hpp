// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <initializer_list>

#include "miniapp/space/space.hpp"
#include "miniapp/streaming/detail/vector_bodies.hpp"
#include "miniapp/streaming/entries.hpp"
#include "miniapp/streaming/vector_kernels.hpp"

/// Vector operations for solvers, on vectors of a space. All reductions of solvers are in this file, so that only it
/// has to know about unknowns of other ranks (space::Exchange).
namespace miniapp::linalg {

using streaming::axpby;
using streaming::copy;
using streaming::for_entries;

/// A vector's name for messages, and how many entries it has.
struct NamedSize {
  const char* name;
  std::size_t size;
};
/// Errors: InputError where one of them is no vector of the space.
void require_vectors(const space::Space& space, std::initializer_list<NamedSize> sizes);

namespace detail {

/// Where OwnedSums finds whether entry i is owned: at i. The compiler knows that, without which loops of hosts would be
/// scalar.
struct EachEntry {
  KOKKOS_FUNCTION std::size_t operator()(std::size_t i) const { return i; }
};
/// Where OwnedSums finds whether node i is owned: at the first of its entries.
struct EachNode {
  int components;  ///< number of entries of a node, which follow each other
  KOKKOS_FUNCTION std::size_t operator()(std::size_t i) const { return i * components; }
};

/// A body to whose sums entries that this rank does not own add nothing. What the body calls i has place place(i) in
/// `owned`.
template <class Body, class Place = EachEntry>
struct OwnedSums : Body {
  const unsigned char* owned;
  Place place;
  KOKKOS_FUNCTION OwnedSums(const Body& body, const unsigned char* owned_, Place place_ = {})
      : Body(body), owned(owned_), place(place_) {}
  KOKKOS_FUNCTION OwnedSums prepared() const { return {streaming::detail::prepare<Body>(*this), owned, place}; }
  template <class Entry, class Add>
  KOKKOS_FUNCTION void finish(std::size_t i, const Entry& entry, const Add& add) const {
    const double counts = owned[place(i)];
    Body::finish(i, entry, [&](int sum, double term) { add(sum, counts * term); });
  }
};

/// Sums over `n` entries, or over nodes, waiting for them.
template <int count, class Body, class Place = EachEntry>
std::array<double, count> sums(const Instance& instance, const space::Space& space, const char* label, std::size_t n,
                               const Body& body, Place place = {}) {
  const space::Exchange& exchange = space.exchange;
  if (exchange.empty()) return streaming::sum_entries<count>(instance, label, n, body);
  auto result =
      streaming::sum_entries<count>(instance, label, n, OwnedSums<Body, Place>(body, exchange.owned().data(), place));
  exchange.ranks().reduce(Reduction::sum, result.data(), count);
  return result;
}

/// One sum.
template <class Body, class Place = EachEntry>
double sum(const Instance& instance, const space::Space& space, const char* label, std::size_t n, const Body& body,
           Place place = {}) {
  return sums<1>(instance, space, label, n, body, place)[0];
}

/// Leaves its sums on the device.
template <int count, class Body>
void sum(const Instance& instance, const space::Space& space, const char* label, std::size_t n, const Body& body,
         double* result) {
  const space::Exchange& exchange = space.exchange;
  if (exchange.empty()) return streaming::sum_entries<count>(instance, label, n, body, result);
  streaming::sum_entries<count>(instance, label, n, OwnedSums<Body>(body, exchange.owned().data()), result);
  exchange.reduce(instance, result, count);
}

}  // namespace detail

/// x . y, with each unknown counted once. Bytes: 2 words per entry.
template <class Real>
double dot(const Instance& instance, const space::Space& space, const Vector<const Real>& x,
           const Vector<const Real>& y);

/// Stores the inner product on the device, without waiting unless the exchange waits().
template <class Real>
void dot(const Instance& instance, const space::Space& space, const Vector<const Real>& x, const Vector<const Real>& y,
         double* result);

/// x += alpha p, r -= alpha q; returns the new r . r. Bytes: 6 words per entry.
template <class Real>
double update(const Instance& instance, const space::Space& space, Real alpha, const Vector<const Real>& p,
              const Vector<const Real>& q, const Vector<Real>& x, const Vector<Real>& r);

/// z = d * r entry by entry; returns r . z. Bytes: 3 words per entry.
template <class Real>
double scale(const Instance& instance, const space::Space& space, const Vector<const Real>& d,
             const Vector<const Real>& r, const Vector<Real>& z);

/// x = 0. A kernel of GPUs overlaps with those before and after it, as what Kokkos takes for zeros does not.
template <class Real>
void set_zero(const Instance& instance, const Vector<Real>& x);

/// A body over the entries of the space (streaming/entries.hpp), without sums.
template <class Body>
void for_entries(const Instance& instance, const space::Space& space, const char* label, const Body& body) {
  streaming::for_entries(instance, label, space.num_entries(), body);
}

/// Runs a body whose sums count owned entries of all ranks. They are stored to result[0 .. count) on the device,
/// without waiting unless the exchange waits().
template <int count, class Body>
void sum_entries(const Instance& instance, const space::Space& space, const char* label, const Body& body,
                 double* result) {
  detail::sum<count>(instance, space, label, space.num_entries(), body, result);
}

/// Runs a body, waits, and returns its sums over owned entries of all ranks, up to Mailbox::most.
template <int count, class Body>
std::array<double, count> sum_all(const Instance& instance, const space::Space& space, const char* label,
                                  const Body& body) {
  return detail::sums<count>(instance, space, label, space.num_entries(), body);
}

/// Runs a body with one sum, waits, and returns that sum over owned entries of all ranks.
template <class Body>
double sum_all(const Instance& instance, const space::Space& space, const char* label, const Body& body) {
  return detail::sum(instance, space, label, space.num_entries(), body);
}

/// Runs a body over nodes whose components are contiguous, and waits for one sum.
template <class Body>
double sum_nodes(const Instance& instance, const space::Space& space, const char* label, const Body& body) {
  return detail::sum(instance, space, label, static_cast<std::size_t>(space.num_nodes), body,
                     detail::EachNode{space.components});
}

}  // namespace miniapp::linalg
