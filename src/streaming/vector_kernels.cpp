// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/streaming/vector_kernels.hpp"

namespace miniapp::streaming {
namespace {

/// Entries that one work item handles: on the host a run long enough to fill vector registers, on a device one.
constexpr int block = runs_on_host ? 1024 : 1;
/// Partial sums that the host's vector units carry side by side: without them a sum is one dependent chain.
constexpr int partial_sums = runs_on_host ? 32 : 1;

using Policy = Kokkos::RangePolicy<ExecutionSpace>;

/// Calls body(i) for 0 <= i < n.
template <class Body>
void for_entries(const char* label, std::size_t n, const Body& body) {
  Kokkos::parallel_for(
      label, Policy(0, (n + block - 1) / block), KOKKOS_LAMBDA(const int b) {
        const std::size_t begin = std::size_t(b) * block, end = begin + block < n ? begin + block : n;
        for (std::size_t i = begin; i < end; ++i) body(i);
      });
}

/// Calls body(i) for 0 <= i < n and adds up what it returns.
template <class Body, class Total>
void sum_entries(const char* label, std::size_t n, const Body& body, Total&& total) {
  Kokkos::parallel_reduce(
      label, Policy(0, (n + block - 1) / block),
      KOKKOS_LAMBDA(const int b, double& sum) {
        const std::size_t begin = std::size_t(b) * block;
        if (begin + block <= n) {
          double part[partial_sums] = {};
          for (std::size_t i = begin; i < begin + block; i += partial_sums)
            for (int s = 0; s < partial_sums; ++s) part[s] += body(i + s);
          for (int s = 0; s < partial_sums; ++s) sum += part[s];
        } else {
          for (std::size_t i = begin; i < n; ++i) sum += body(i);
        }
      },
      total);
}
template <class Body>
double sum_entries(const char* label, std::size_t n, const Body& body) {
  double total = 0;
  sum_entries(label, n, body, total);
  return total;
}

}  // namespace

template <class Real>
void copy(const Vector<const Real>& x, const Vector<Real>& y) {
  const Real* const from = x.data();
  Real* const to = y.data();
  for_entries(
      "streaming/copy", x.extent(0), KOKKOS_LAMBDA(std::size_t i) { to[i] = from[i]; });
}

template <class Real>
void axpby(Real alpha, const Vector<const Real>& x, Real beta, const Vector<Real>& y) {
  const Real* const from = x.data();
  Real* const to = y.data();
  for_entries(
      "streaming/axpby", x.extent(0), KOKKOS_LAMBDA(std::size_t i) { to[i] = alpha * from[i] + beta * to[i]; });
}

template <class Real>
double dot(const Vector<const Real>& x, const Vector<const Real>& y) {
  const Real *const a = x.data(), *const b = y.data();
  return sum_entries(
      "streaming/dot", x.extent(0), KOKKOS_LAMBDA(std::size_t i) { return double(a[i]) * double(b[i]); });
}

template <class Real>
void dot(const Vector<const Real>& x, const Vector<const Real>& y, double* result) {
  const Real *const a = x.data(), *const b = y.data();
  sum_entries(
      "streaming/dot", x.extent(0), KOKKOS_LAMBDA(std::size_t i) { return double(a[i]) * double(b[i]); },
      Kokkos::View<double, MemorySpace>(result));
}

template <class Real>
double update(Real alpha, const Vector<const Real>& p, const Vector<const Real>& q, const Vector<Real>& x,
              const Vector<Real>& r) {
  const Real *const direction = p.data(), *const image = q.data();
  Real *const solution = x.data(), *const residual = r.data();
  return sum_entries(
      "streaming/update", x.extent(0), KOKKOS_LAMBDA(std::size_t i) {
        solution[i] += alpha * direction[i];
        const Real value = residual[i] - alpha * image[i];
        residual[i] = value;
        return double(value) * double(value);
      });
}

template <class Real>
double scale(const Vector<const Real>& d, const Vector<const Real>& r, const Vector<Real>& z) {
  const Real *const factor = d.data(), *const from = r.data();
  Real* const to = z.data();
  return sum_entries(
      "streaming/scale", r.extent(0), KOKKOS_LAMBDA(std::size_t i) {
        const Real value = factor[i] * from[i];
        to[i] = value;
        return double(from[i]) * double(value);
      });
}

#define MINIAPP_INSTANTIATE(Real)                                                                         \
  template void copy(const Vector<const Real>&, const Vector<Real>&);                                     \
  template void axpby(Real, const Vector<const Real>&, Real, const Vector<Real>&);                        \
  template double dot(const Vector<const Real>&, const Vector<const Real>&);                              \
  template void dot(const Vector<const Real>&, const Vector<const Real>&, double*);                       \
  template double update(Real, const Vector<const Real>&, const Vector<const Real>&, const Vector<Real>&, \
                         const Vector<Real>&);                                                            \
  template double scale(const Vector<const Real>&, const Vector<const Real>&, const Vector<Real>&);
MINIAPP_INSTANTIATE(double)
MINIAPP_INSTANTIATE(float)
#undef MINIAPP_INSTANTIATE

}  // namespace miniapp::streaming
