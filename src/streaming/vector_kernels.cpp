// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/streaming/vector_kernels.hpp"

#include "miniapp/streaming/entries.hpp"

namespace miniapp::streaming {
namespace {

/// y = x.
template <class Real>
struct Copy {
  const Real* x;
  Real* y;
  KOKKOS_FUNCTION Real load(std::size_t i) const { return x[i]; }
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t i, Real value, const Add&) const {
    y[i] = value;
  }
};

/// y = alpha x + beta y.
template <class Real>
struct Axpby {
  Real alpha, beta;
  const Real* x;
  Real* y;
  KOKKOS_FUNCTION Real load(std::size_t i) const { return alpha * x[i] + beta * y[i]; }
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t i, Real value, const Add&) const {
    y[i] = value;
  }
};

/// x . y.
template <class Real>
struct Dot {
  const Real *x, *y;
  KOKKOS_FUNCTION double load(std::size_t i) const { return double(x[i]) * double(y[i]); }
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t, double product, const Add& add) const {
    add(0, product);
  }
};

/// x += alpha p, r -= alpha q, r . r.
template <class Real>
struct Update {
  static constexpr int waves = 8;
  Real alpha;
  const Real *p, *q;
  Real *x, *r;
  struct Entry {
    Real x, r;
  };
  KOKKOS_FUNCTION Entry load(std::size_t i) const { return {x[i] + alpha * p[i], r[i] - alpha * q[i]}; }
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t i, const Entry& entry, const Add& add) const {
    x[i] = entry.x;
    r[i] = entry.r;
    add(0, double(entry.r) * double(entry.r));
  }
};

/// z = d * r, r . z.
template <class Real>
struct Scale {
  static constexpr int waves = 8;
  const Real *d, *r;
  Real* z;
  struct Entry {
    Real r, z;
  };
  KOKKOS_FUNCTION Entry load(std::size_t i) const { return {r[i], d[i] * r[i]}; }
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t i, const Entry& entry, const Add& add) const {
    z[i] = entry.z;
    add(0, double(entry.r) * double(entry.z));
  }
};

}  // namespace

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
