// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/solver/neumann_factors.hpp"

#include <fmt/format.h>

#include "miniapp/core/error.hpp"
#include "miniapp/linalg/sparse_products.hpp"

namespace miniapp::solver {
namespace {

/// y = D^-1 (r - N x).
template <class Real>
struct StoreMiddle {
  Jacobi<Real> pivots;
  const Real* r;
  Real* y;
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t row, Real product, const Add&) const {
    y[row] = pivots.at(row, r[row] - product);
  }
};

/// z = y - N^T x; sum r . z.
template <class Real>
struct StoreResult {
  const Real *y, *r;
  Real* z;
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t row, Real product, const Add& add) const {
    const Real value = y[row] - product;
    z[row] = value;
    add(0, double(r[row]) * double(value));
  }
};

}  // namespace

template <class Real>
NeumannFactors<Real>::NeumannFactors(const IncompleteFactors& factors, int terms)
    : terms_(terms), size_(factors.diagonal.extent(0)), pivots_(factors.diagonal) {
  require(terms >= 0, fmt::format("terms {}: accepted are whole numbers >= 0", terms));
  if (terms == 0) return;
  lower_ = linalg::SlicedMatrix<Real>(factors.lower);
  upper_ = linalg::SlicedMatrix<Real>(linalg::transpose(factors.lower));
  middle_ = make_vector<Real>("solver/neumann/middle", size_);
  if (terms > 1) other_ = make_vector<Real>("solver/neumann/other", size_);
}

template <class Real>
double NeumannFactors<Real>::apply(const Instance& instance, const space::Space& space, const Vector<const Real>& r,
                                   const Vector<Real>& z, double) const {
  if (terms_ == 0) return pivots_.apply(instance, space, r, z, 0);
  const auto iterate = [&](int k) -> const Vector<Real>& { return (terms_ - k) % 2 == 0 ? z : other_; };  // ends in z
  Vector<const Real> x = r;
  for (int k = 1; k < terms_; ++k) {
    linalg::for_rows(instance, "solver/neumann/lower", lower_, x,
                     linalg::StoreResidual<Real>{r.data(), iterate(k).data()});
    x = iterate(k);
  }
  linalg::for_rows(instance, "solver/neumann/middle", lower_, x, StoreMiddle<Real>{pivots_, r.data(), middle_.data()});
  x = middle_;
  for (int k = 1; k < terms_; ++k) {
    linalg::for_rows(instance, "solver/neumann/upper", upper_, x,
                     linalg::StoreResidual<Real>{middle_.data(), iterate(k).data()});
    x = iterate(k);
  }
  return linalg::sum_rows(instance, "solver/neumann/result", upper_, x,
                          StoreResult<Real>{middle_.data(), r.data(), z.data()});
}

template <class Real>
double NeumannFactors<Real>::bytes() const {
  return terms_ * (lower_.bytes() + upper_.bytes()) + (6. * terms_ + 3) * double(size_) * sizeof(Real);
}

template class NeumannFactors<double>;
template class NeumannFactors<float>;

}  // namespace miniapp::solver
