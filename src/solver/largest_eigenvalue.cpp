// SPDX-License-Identifier: BSD-3-Clause
#include "solver/largest_eigenvalue.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "miniapp/linalg/vectors.hpp"

namespace miniapp::solver {
namespace {

/// Pseudo-random numbers in (-1, 1).
template <class Real>
struct Randomise {
  Real* x;
  KOKKOS_FUNCTION int load(std::size_t) const { return 0; }
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t i, int, const Add&) const {
    auto bits = static_cast<std::uint64_t>(i) + 0x9e3779b97f4a7c15u;  // splitmix64
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    x[i] = static_cast<Real>(double(bits >> 11) * 0x1p-52 - 1);
  }
};

/// The largest eigenvalue of a symmetric tridiagonal matrix, by bisection on Sturm's sequence.
double largest_of(const std::vector<double>& diagonal, const std::vector<double>& beside) {
  double low = 0, high = 0;
  for (std::size_t i = 0; i < diagonal.size(); ++i)
    high = std::max(high, diagonal[i] + (i > 0 ? beside[i - 1] : 0) + (i < beside.size() ? beside[i] : 0));
  const auto is_above_all = [&](double x) {
    double pivot = 1;
    for (std::size_t i = 0; i < diagonal.size(); ++i) {
      pivot = x - diagonal[i] - (i > 0 ? beside[i - 1] * beside[i - 1] / pivot : 0);
      if (!(pivot > 0)) return false;
    }
    return true;
  };
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (is_above_all(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace

template <class Real>
double largest_eigenvalue(const Product<Real>& multiply, const space::Space& space,
                          const Vector<const Real>& inverse_diagonal) {
  const std::size_t size = inverse_diagonal.extent(0);
  const Instance instance;
  const auto make = [&] { return make_zeros<Real>("solver/eigenvalue", size); };
  const Vector<Real> r = make(), z = make(), p = make(), q = make(), x = make();
  linalg::for_entries(instance, "solver/randomise", size, Randomise<Real>{r.data()});
  std::vector<double> diagonal, beside;
  double r_z = linalg::scale<Real>(instance, space, inverse_diagonal, r, z), step = 0, ratio = 0;
  linalg::copy<Real>(instance, z, p);
  for (int i = 0; i < 10 && r_z > 0; ++i) {
    multiply(instance, p, q);
    const double p_q = linalg::dot<Real>(instance, space, p, q);
    if (!(p_q > 0)) break;
    const double before = step;
    step = r_z / p_q;
    diagonal.push_back(1 / step + (i > 0 ? ratio / before : 0));
    if (i > 0) beside.push_back(std::sqrt(ratio) / before);
    linalg::update<Real>(instance, space, static_cast<Real>(step), p, q, x, r);
    const double next = linalg::scale<Real>(instance, space, inverse_diagonal, r, z);
    ratio = next / r_z;
    r_z = next;
    linalg::axpby<Real>(instance, Real(1), z, static_cast<Real>(ratio), p);
  }
  return largest_of(diagonal, beside);
}

template double largest_eigenvalue(const Product<double>&, const space::Space&, const Vector<const double>&);
template double largest_eigenvalue(const Product<float>&, const space::Space&, const Vector<const float>&);

}  // namespace miniapp::solver
