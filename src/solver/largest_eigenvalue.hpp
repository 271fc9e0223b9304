// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "miniapp/linalg/vectors.hpp"

namespace miniapp::solver {

/// y = A x.
template <class Real>
using Product = std::function<void(const Instance& instance, const Vector<Real>& x, const Vector<Real>& y)>;

/// An estimate of the largest eigenvalue of D^-1 A, from ten iterations of CG with Jacobi's preconditioner on a random
/// right-hand side (Lanczos): a little below it, within a few per cent for the spectra of elliptic problems. Source: Y.
/// Saad, Iterative methods for sparse linear systems, section 6.7.3.
template <class Real>
double largest_eigenvalue(const Product<Real>& multiply, const space::Space& space,
                          const Vector<const Real>& inverse_diagonal);

/// Estimates it for a product that is not symmetric, by so many steps of Arnoldi's method from v, which becomes the
/// vector that belongs to it. Step j passes over j vectors twice, to multiply and to subtract. Memory: a vector per
/// step. Source: Saad, section 6.3, with products of all vectors at once (classical Gram-Schmidt). They are not
/// brought to length 1 on the way: the eigenvalue to the power of `steps` must be a Real.
template <class Real>
double largest_eigenvalue_by_arnoldi(const Product<Real>& multiply, const space::Space& space, const Vector<Real>& v,
                                     int steps);

}  // namespace miniapp::solver
