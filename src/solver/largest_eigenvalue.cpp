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

/// The eigenvalue of largest magnitude of a small matrix (row, column) by powers, and its vector.
struct Dominant {
  double eigenvalue = 0;
  std::vector<double> vector;
};
Dominant find_dominant(const std::vector<std::vector<double>>& H, std::size_t size) {
  Dominant found{0, std::vector<double>(size, 1)};
  for (int power = 0; power < 1000; ++power) {
    std::vector<double> next(size);
    double norm = 0;
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j) next[i] += H[i][j] * found.vector[j];
      norm += next[i] * next[i];
    }
    found.eigenvalue = std::sqrt(norm);
    for (std::size_t i = 0; i < size; ++i) found.vector[i] = next[i] / found.eigenvalue;
  }
  return found;
}

/// How many vectors a kernel takes at once.
constexpr std::size_t at_once = 4;

/// Some of the vectors; without factors, or with factors of 0, where there are fewer.
template <class Real>
struct Several {
  const Real* vectors[at_once];
  Real factors[at_once] = {};
  Several(const std::vector<Vector<Real>>& all, std::size_t first) {
    for (std::size_t s = 0; s < at_once; ++s) vectors[s] = all[first + s < all.size() ? first + s : first].data();
  }
};

/// Sum s: u . v_s.
template <class Real>
struct Products {
  Several<Real> v;
  const Real* u;
  struct Entry {
    Real u, v[at_once];
  };
  KOKKOS_FUNCTION Entry load(std::size_t i) const {
    Entry entry{u[i], {}};
    MINIAPP_UNROLL
    for (std::size_t s = 0; s < at_once; ++s) entry.v[s] = v.vectors[s][i];
    return entry;
  }
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t, const Entry& entry, const Add& add) const {
    MINIAPP_UNROLL
    for (std::size_t s = 0; s < at_once; ++s) add(static_cast<int>(s), double(entry.u) * double(entry.v[s]));
  }
};

/// u = of_u u + sum_s factor_s v_s, and the sum u . u.
template <class Real>
struct AddMultiples {
  Several<Real> v;
  Real of_u;
  Real* u;
  KOKKOS_FUNCTION Real load(std::size_t i) const {
    Real sum = of_u * u[i];
    MINIAPP_UNROLL
    for (std::size_t s = 0; s < at_once; ++s) sum += v.factors[s] * v.vectors[s][i];
    return sum;
  }
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t i, Real sum, const Add& add) const {
    u[i] = sum;
    add(0, double(sum) * double(sum));
  }
};

template <class Real>
std::vector<double> products(const Instance& instance, const space::Space& space, const std::vector<Vector<Real>>& v,
                             const Vector<Real>& u) {
  std::vector<double> all;
  for (std::size_t first = 0; first < v.size(); first += at_once)
    for (const double product : linalg::sum_all<at_once>(instance, space, "solver/arnoldi/products",
                                                         Products<Real>{Several<Real>(v, first), u.data()}))
      all.push_back(product);
  all.resize(v.size());
  return all;
}

/// u = of_u u + sum_i factor_i v_i, where u may be v_0; returns the new u . u.
template <class Real>
double add_multiples(const Instance& instance, const space::Space& space, const std::vector<double>& factors,
                     const std::vector<Vector<Real>>& v, Real of_u, const Vector<Real>& u) {
  double squares = 0;
  for (std::size_t first = 0; first < v.size(); first += at_once) {
    Several<Real> some(v, first);
    for (std::size_t s = 0; first + s < v.size() && s < at_once; ++s)
      some.factors[s] = static_cast<Real>(factors[first + s]);
    squares = linalg::sum_all(instance, space, "solver/arnoldi/add",
                              AddMultiples<Real>{some, first == 0 ? of_u : Real(1), u.data()});
  }
  return squares;
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
  space.exchange.copy_from_owners(instance, r);
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

template <class Real>
double largest_eigenvalue_by_arnoldi(const Product<Real>& multiply, const space::Space& space, const Vector<Real>& v,
                                     int steps) {
  const Instance instance;
  const auto size = static_cast<std::size_t>(steps);
  std::vector<std::vector<double>> H(size, std::vector<double>(size));
  std::vector<Vector<Real>> basis = {v};  // orthogonal, of these lengths
  std::vector<double> lengths = {std::sqrt(linalg::dot<Real>(instance, space, v, v))};
  for (std::size_t j = 0; j < size; ++j) {
    const Vector<Real> next = make_vector<Real>("solver/arnoldi", v.extent(0));
    multiply(instance, basis[j], next);
    std::vector<double> factors = products(instance, space, basis, next);
    for (std::size_t i = 0; i <= j; ++i) {
      H[i][j] = factors[i] / (lengths[i] * lengths[j]);
      factors[i] /= -lengths[i] * lengths[i];
    }
    if (j + 1 == size) break;
    const double length = std::sqrt(add_multiples(instance, space, factors, basis, Real(1), next));
    H[j + 1][j] = length / lengths[j];
    if (!(H[j + 1][j] > 1e-6 * std::fabs(H[0][0]))) break;  // the basis holds all that v has
    basis.push_back(next);
    lengths.push_back(length);
  }
  const Dominant dominant = find_dominant(H, basis.size());
  std::vector<double> factors;
  for (std::size_t j = 0; j < basis.size(); ++j) factors.push_back(dominant.vector[j] / lengths[j]);
  add_multiples(instance, space, factors, basis, Real(0), v);  // waits, before the basis is freed
  return dominant.eigenvalue;
}

template double largest_eigenvalue_by_arnoldi(const Product<double>&, const space::Space&, const Vector<double>&, int);
template double largest_eigenvalue_by_arnoldi(const Product<float>&, const space::Space&, const Vector<float>&, int);
template double largest_eigenvalue(const Product<double>&, const space::Space&, const Vector<const double>&);
template double largest_eigenvalue(const Product<float>&, const space::Space&, const Vector<const float>&);

}  // namespace miniapp::solver
