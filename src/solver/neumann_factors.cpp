// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/solver/neumann_factors.hpp"

#include <fmt/format.h>

#include <type_traits>

#include "miniapp/core/error.hpp"
#include "miniapp/linalg/sparse_products.hpp"
#include "solver/precision.hpp"

namespace miniapp::solver {
namespace {

/// z = D^-1 r; sum r . z.
template <class Real, class Outer>
struct ScaleByPivots {
  Jacobi<Real> pivots;
  const Outer* r;
  Outer* z;
  KOKKOS_FUNCTION Outer load(std::size_t row) const {
    return static_cast<Outer>(pivots.at(row, static_cast<Real>(r[row])));
  }
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t row, Outer value, const Add& add) const {
    z[row] = value;
    add(0, double(r[row]) * double(value));
  }
};

/// next = r - N x.
template <class Real, class Outer>
struct StoreIterate {
  const Outer* r;
  Real* next;
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t row, Real product, const Add&) const {
    next[row] = static_cast<Real>(r[row]) - product;
  }
};

/// y = D^-1 (r - N x).
template <class Real, class Outer>
struct StoreMiddle {
  Jacobi<Real> pivots;
  const Outer* r;
  Real* y;
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t row, Real product, const Add&) const {
    y[row] = pivots.at(row, static_cast<Real>(r[row]) - product);
  }
};

/// z = y - N^T x; sum r . z.
template <class Real, class Outer>
struct StoreResult {
  const Real* y;
  const Outer* r;
  Outer* z;
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t row, Real product, const Add& add) const {
    const Outer value = static_cast<Outer>(y[row] - product);
    z[row] = value;
    add(0, double(r[row]) * double(value));
  }
};

/// The last of `steps` iterates from x, by body(k, x).
template <class Real, class Body>
Vector<const Real> iterate(int steps, Vector<const Real> x, const Vector<Real>& first, const Vector<Real>& second,
                           const Body& body) {
  for (int k = 0; k < steps; ++k) {
    const Vector<Real>& next = k % 2 == 0 ? first : second;
    body(x, next.data());
    x = next;
  }
  return x;
}

}  // namespace

template <class Real>
NeumannFactors<Real>::NeumannFactors(const IncompleteFactors& factors, int terms)
    : terms_(terms), size_(factors.diagonal.extent(0)), pivots_(factors.diagonal) {
  require(terms >= 0, "terms", terms, "accepted are whole numbers >= 0");
  if (terms == 0) return;
  lower_ = linalg::SlicedMatrix<Real>(factors.lower);
  upper_ = linalg::SlicedMatrix<Real>(linalg::transpose(factors.lower));
  middle_ = make_vector<Real>("solver/neumann/middle", size_);
  if (terms > 1) first_ = make_vector<Real>("solver/neumann/first", size_);
  if (terms > 2 || std::is_same_v<Real, float>) second_ = make_vector<Real>("solver/neumann/second", size_);
}

template <class Real>
template <class Outer>
double NeumannFactors<Real>::apply(const Instance& instance, const space::Space& space, const Vector<const Outer>& r,
                                   const Vector<Outer>& z, double) const {
  if (terms_ == 0)
    return linalg::sum_all(instance, space, "solver/neumann/pivots",
                           ScaleByPivots<Real, Outer>{pivots_, r.data(), z.data()});
  Vector<const Real> x;
  if constexpr (std::is_same_v<Real, Outer>) {
    x = r;
  } else {
    linalg::for_entries(instance, "solver/neumann/convert", size_, Convert<Outer, Real>{r.data(), second_.data()});
    x = second_;
  }
  x = iterate(terms_ - 1, x, first_, second_, [&](const Vector<const Real>& from, Real* next) {
    linalg::for_rows(instance, "solver/neumann/lower", lower_, from, StoreIterate<Real, Outer>{r.data(), next});
  });
  linalg::for_rows(instance, "solver/neumann/middle", lower_, x,
                   StoreMiddle<Real, Outer>{pivots_, r.data(), middle_.data()});
  x = iterate(terms_ - 1, Vector<const Real>(middle_), first_, second_,
              [&](const Vector<const Real>& from, Real* next) {
                linalg::for_rows(instance, "solver/neumann/upper", upper_, from,
                                 StoreIterate<Real, Real>{middle_.data(), next});
              });
  return space.exchange.reduce(linalg::sum_rows(instance, "solver/neumann/result", upper_, x,
                                                StoreResult<Real, Outer>{middle_.data(), r.data(), z.data()}));
}

template <class Real>
double NeumannFactors<Real>::traffic() const {
  return terms_ * (lower_.bytes() + upper_.bytes()) + (6. * terms_ + 3) * double(size_) * sizeof(Real);
}

template <class Real>
double NeumannFactors<Real>::bytes() const {
  return lower_.bytes() + upper_.bytes() +
         double(size_ + middle_.extent(0) + first_.extent(0) + second_.extent(0)) * sizeof(Real);
}

template class NeumannFactors<double>;
template class NeumannFactors<float>;
template double NeumannFactors<double>::apply(const Instance&, const space::Space&, const Vector<const double>&,
                                              const Vector<double>&, double) const;
template double NeumannFactors<float>::apply(const Instance&, const space::Space&, const Vector<const double>&,
                                             const Vector<double>&, double) const;
template double NeumannFactors<float>::apply(const Instance&, const space::Space&, const Vector<const float>&,
                                             const Vector<float>&, double) const;

}  // namespace miniapp::solver
