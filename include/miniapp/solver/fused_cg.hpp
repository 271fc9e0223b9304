// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "miniapp/solver/cg.hpp"

namespace miniapp::solver {

/// Vectors of an iteration, r, p and q = A p, and the scalars of the iterations that the device does on its own.
template <class Real>
struct FusedCgWorkspace {
  static constexpr int check_every = 10;  ///< iterations between two looks of the host at the residual

  /// r . r and r . z of one iteration, summed side by side.
  struct Sums {
    double r_r = 0, r_z = 0;
    KOKKOS_INLINE_FUNCTION void operator+=(const Sums& other) {
      r_r += other.r_r;
      r_z += other.r_z;
    }
    KOKKOS_INLINE_FUNCTION void operator+=(const volatile Sums& other) volatile {  // of Kokkos 3
      r_r = r_r + other.r_r;
      r_z = r_z + other.r_z;
    }
  };

  explicit FusedCgWorkspace(std::size_t size)
      : r("solver/cg/r", size),
        p("solver/cg/p", size),
        q("solver/cg/q", size),
        sums("solver/cg/sums", check_every + 1),
        p_q("solver/cg/p_q", check_every) {}
  Vector<Real> r, p, q;
  Vector<Sums> sums;   ///< [i]: before iteration i since the last check
  Vector<double> p_q;  ///< [i]: p . A p of iteration i
};

namespace detail {

/// x += alpha p, r -= alpha q, q = 0, alpha = r_z / p_q of iteration i, 0 once r . r <= limit: x stays as it is while
/// the host has not seen yet that it is the solution. Sums of the new r go to i + 1. 7 words an entry.
template <class Real, PointwisePreconditioner<Real> M>
void update_residual(const FusedCgWorkspace<Real>& work, int i, double limit, const M& m, const Vector<Real>& x) {
  using Sums = typename FusedCgWorkspace<Real>::Sums;
  constexpr int block = runs_on_host ? 1024 : 1, parts = runs_on_host ? 32 : 1;  // as in streaming/vector_kernels
  const Sums* const now = work.sums.data() + i;
  const double* const p_q = work.p_q.data() + i;
  const Real* const p = work.p.data();
  Real *const solution = x.data(), *const r = work.r.data(), *const q = work.q.data();
  const std::size_t n = x.extent(0);
  Kokkos::parallel_reduce(
      "solver/cg/update", Kokkos::RangePolicy<ExecutionSpace>(0, (n + block - 1) / block),
      KOKKOS_LAMBDA(const int b, Sums& sum) {
        const Real alpha = now->r_r > limit ? static_cast<Real>(now->r_z / *p_q) : Real(0);
        const std::size_t begin = std::size_t(b) * block, end = begin + block < n ? begin + block : n;
        double r_r[parts] = {}, r_z[parts] = {};
        const auto visit = [&](std::size_t entry, int part) {
          const Real value = r[entry] - alpha * q[entry];
          solution[entry] += alpha * p[entry];
          r[entry] = value;
          q[entry] = 0;
          r_r[part] += double(value) * double(value);
          r_z[part] += double(value) * double(m.at(entry, value));
        };
        std::size_t entry = begin;
        for (; entry + parts <= end; entry += parts)
          for (int part = 0; part < parts; ++part) visit(entry + part, part);
        for (; entry < end; ++entry) visit(entry, 0);
        for (int part = 0; part < parts; ++part) {
          sum.r_r += r_r[part];
          sum.r_z += r_z[part];
        }
      },
      Kokkos::View<Sums, MemorySpace>(work.sums.data() + i + 1));
}

/// p = z + beta p, beta = r_z of iteration i + 1 over that of i; p = z where `first`. 3 words an entry.
template <class Real, PointwisePreconditioner<Real> M>
void update_direction(const FusedCgWorkspace<Real>& work, int i, bool first, const M& m) {
  const auto* const sums = work.sums.data() + i;
  const Real* const r = work.r.data();
  Real* const p = work.p.data();
  constexpr int block = runs_on_host ? 1024 : 1;
  const std::size_t n = work.p.extent(0);
  Kokkos::parallel_for(
      "solver/cg/direction", Kokkos::RangePolicy<ExecutionSpace>(0, (n + block - 1) / block),
      KOKKOS_LAMBDA(const int b) {
        const Real beta = first ? Real(0) : static_cast<Real>(sums[1].r_z / sums[0].r_z);
        const std::size_t begin = std::size_t(b) * block, end = begin + block < n ? begin + block : n;
        for (std::size_t entry = begin; entry < end; ++entry) p[entry] = m.at(entry, r[entry]) + beta * p[entry];
      });
}

}  // namespace detail

/// The same iteration as cg(), in three passes: q = A p with p . q behind it; x, r, their sums and the zeroing of the
/// next q; p. Scalars stay on the device, which runs on for check_every iterations before the host looks at the
/// residuals; x stops at the first that is small enough, so that iterations and result are those of cg(). z is never
/// stored. Traffic of an iteration in words an entry, beside A and M: p . q 2, update 7, direction 3. Errors: as cg().
template <class Real, LinearOperator<Real> Operator, PointwisePreconditioner<Real> M>
CgResult fused_cg(const Operator& A, const M& m, const Vector<const Real>& b, const Vector<Real>& x,
                  FusedCgWorkspace<Real>& work, const CgOptions& options) {
  Kokkos::deep_copy(ExecutionSpace(), x, Real(0));
  Kokkos::deep_copy(ExecutionSpace(), work.p, Real(0));
  Kokkos::deep_copy(ExecutionSpace(), work.q, Real(0));
  streaming::copy<Real>(b, work.r);
  Kokkos::deep_copy(work.sums, typename FusedCgWorkspace<Real>::Sums());
  detail::update_residual(work, 0, 0, m, x);
  detail::update_direction(work, 0, true, m);

  const auto sums = Kokkos::create_mirror(work.sums);
  const auto p_q = Kokkos::create_mirror(work.p_q);
  int last = 1;  // entry of `sums` that the iterations so far have reached
  const auto continue_from_last = [&] {
    Kokkos::deep_copy(sums, work.sums);
    sums(0) = sums(last);
    Kokkos::deep_copy(work.sums, sums);
  };
  continue_from_last();
  const double norm_b = std::sqrt(sums(0).r_r), limit = std::pow(options.tolerance * norm_b, 2);
  CgResult result;
  result.residuals.push_back(norm_b > 0 ? 1 : 0);
  result.converged = norm_b == 0;
  while (!result.converged && result.iterations < options.max_iterations) {
    last = std::min(work.check_every, options.max_iterations - result.iterations);
    for (int i = 0; i < last; ++i) {
      apply_to_zero<Real>(A, work.p, work.q);
      streaming::dot<Real>(work.p, work.q, work.p_q.data() + i);
      detail::update_residual(work, i, limit, m, x);
      detail::update_direction(work, i, false, m);
    }
    const double r_z_first = sums(0).r_z;
    Kokkos::deep_copy(p_q, work.p_q);
    continue_from_last();
    for (int i = 0; i < last && !result.converged; ++i) {
      require_positive(p_q(i), i == 0 ? r_z_first : sums(i).r_z, result.iterations + 1);
      ++result.iterations;
      result.residuals.push_back(std::sqrt(sums(i + 1).r_r) / norm_b);
      if (options.progress) options.progress(result.iterations, result.residuals.back());
      result.converged = sums(i + 1).r_r <= limit;
    }
  }
  result.relative_residual = result.residuals.back();
  return result;
}

}  // namespace miniapp::solver
