// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/linalg/matrix_operator.hpp"
#include "miniapp/solver/cg.hpp"
#include "miniapp/solver/incomplete_factors.hpp"
#include "support/sparse.hpp"

/// Incomplete factorisations on the host, entry by entry: obvious, for comparison.
namespace miniapp::test {

/// ILU(0), L without its unit diagonal below U.
inline Rows reference_ilu0(Rows a) {
  for (std::size_t i = 0; i < a.size(); ++i)
    for (auto& [k, l_ik] : a[i]) {
      if (k >= Index(i)) break;
      l_ik /= a[k].at(k);
      for (auto& [j, a_ij] : a[i])
        if (j > k && a[k].contains(j)) a_ij -= l_ik * a[k].at(j);
    }
  return a;
}

/// N, strictly lower, and D of A ~ (I + N) D (I + N)^T.
struct HostFactors {
  Rows lower;
  std::vector<double> diagonal;
};
inline HostFactors reference_factors(const Rows& a) {
  const Rows lu = reference_ilu0(a);
  HostFactors factors{Rows(a.size()), {}};
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (const auto& [j, value] : lu[i])
      if (j < Index(i)) factors.lower[i][j] = value;
    factors.diagonal.push_back(lu[i].at(Index(i)));
  }
  return factors;
}
inline HostFactors to_host_factors(const solver::IncompleteFactors& factors) {
  return {to_rows(factors.lower), to_std(factors.diagonal)};
}
inline solver::IncompleteFactors to_device_factors(const HostFactors& factors) {
  return {to_csr(factors.lower, static_cast<Index>(factors.lower.size())), to_device<double>(factors.diagonal)};
}

/// ((I + N) D (I + N)^T)^-1 r by substitution.
inline std::vector<double> substitute(const HostFactors& factors, std::vector<double> r) {
  const std::size_t n = r.size();
  for (std::size_t i = 0; i < n; ++i)
    for (const auto& [j, value] : factors.lower[i]) r[i] -= value * r[j];
  for (std::size_t i = 0; i < n; ++i) r[i] /= factors.diagonal[i];
  for (std::size_t i = n; i-- > 0;)
    for (const auto& [j, value] : factors.lower[i]) r[j] -= value * r[i];
  return r;
}

template <class Real, class M>
std::vector<double> apply(const M& m, const std::vector<double>& r, double* r_z = nullptr) {
  const Vector<Real> z = make_vector<Real>("z", r.size());
  Kokkos::deep_copy(z, Real(NAN));
  const Vector<const Real> r_device = to_device<Real>(r);
  const double sum = m.apply(Instance(), space::make_unknowns(static_cast<Index>(r.size())), r_device, z, 0);
  if (r_z) *r_z = sum;
  return values(to_std(m.result(r_device, z))).entries;
}

/// Iterations of CG to |r| <= 1e-8 |b| for a random b; 0 where it does not converge.
template <class M>
int iterations(const linalg::CsrMatrix<double>& matrix, const M& m) {
  const std::size_t n = static_cast<std::size_t>(matrix.num_rows);
  const Vector<double> x = make_vector<double>("x", n), b = to_device<double>(random_numbers(n, 11));
  solver::CgWorkspace<double> work(n, true);
  solver::CgOptions options;
  options.tolerance = 1e-8;
  const auto result = solver::cg<double>(Instance(), linalg::MatrixOperator<double>(matrix), m, b, x, work, options);
  return result.verdict == solver::Verdict::converged ? result.iterations : 0;
}

}  // namespace miniapp::test
