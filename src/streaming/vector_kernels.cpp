// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/streaming/vector_kernels.hpp"

#include "miniapp/streaming/detail/vector_bodies.hpp"
#include "miniapp/streaming/entries.hpp"

namespace miniapp::streaming {
using namespace detail;

template <class Real>
void copy(const Instance& instance, const Vector<const Real>& x, const Vector<Real>& y) {
  for_entries(instance, "streaming/copy", x.extent(0), Copy<Real>{x.data(), y.data()});
}

template <class Real>
void axpby(const Instance& instance, Real alpha, const Vector<const Real>& x, Real beta, const Vector<Real>& y) {
  for_entries(instance, "streaming/axpby", x.extent(0), Axpby<Real>{alpha, beta, x.data(), y.data()});
}

template <class Real>
double dot(const Instance& instance, const Vector<const Real>& x, const Vector<const Real>& y) {
  return sum_entries(instance, "streaming/dot", x.extent(0), Dot<Real>{x.data(), y.data()});
}

template <class Real>
void dot(const Instance& instance, const Vector<const Real>& x, const Vector<const Real>& y, double* result) {
  sum_entries<1>(instance, "streaming/dot", x.extent(0), Dot<Real>{x.data(), y.data()}, result);
}

template <class Real>
double update(const Instance& instance, Real alpha, const Vector<const Real>& p, const Vector<const Real>& q,
              const Vector<Real>& x, const Vector<Real>& r) {
  return sum_entries(instance, "streaming/update", x.extent(0),
                     Update<Real>{alpha, p.data(), q.data(), x.data(), r.data()});
}

template <class Real>
double scale(const Instance& instance, const Vector<const Real>& d, const Vector<const Real>& r,
             const Vector<Real>& z) {
  return sum_entries(instance, "streaming/scale", r.extent(0), Scale<Real>{d.data(), r.data(), z.data()});
}

#define MINIAPP_INSTANTIATE(Real)                                                                     \
  template void copy(const Instance&, const Vector<const Real>&, const Vector<Real>&);                \
  template void axpby(const Instance&, Real, const Vector<const Real>&, Real, const Vector<Real>&);   \
  template double dot(const Instance&, const Vector<const Real>&, const Vector<const Real>&);         \
  template void dot(const Instance&, const Vector<const Real>&, const Vector<const Real>&, double*);  \
  template double update(const Instance&, Real, const Vector<const Real>&, const Vector<const Real>&, \
                         const Vector<Real>&, const Vector<Real>&);                                   \
  template double scale(const Instance&, const Vector<const Real>&, const Vector<const Real>&, const Vector<Real>&);
MINIAPP_INSTANTIATE(double)
MINIAPP_INSTANTIATE(float)
#undef MINIAPP_INSTANTIATE

}  // namespace miniapp::streaming
