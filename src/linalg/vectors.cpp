// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/linalg/vectors.hpp"

#include <string>

#include "miniapp/core/error.hpp"

namespace miniapp::linalg {
namespace {

template <class Real>
struct Zero {
  static constexpr int entries_per_thread = 8;
  Real* x;
  KOKKOS_FUNCTION Real load(std::size_t) const { return 0; }
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t i, Real zero, const Add&) const {
    x[i] = zero;
  }
};

}  // namespace

void require_vectors(const space::Space& space, std::initializer_list<NamedSize> sizes) {
  for (const auto& [name, size] : sizes)
    if (size != space.num_entries())  // no text is made where all is right: operators call this
      throw InputError(
          name, std::to_string(size),
          "entries are no vector of the operator's space; accepted are " + std::to_string(space.num_entries()));
}

template <class Real>
double dot(const Instance& instance, const space::Space& space, const Vector<const Real>& x,
           const Vector<const Real>& y) {
  if (space.exchange.empty()) return streaming::dot<Real>(instance, x, y);
  return detail::sum(instance, space, "linalg/dot", space.num_entries(),
                     streaming::detail::Dot<Real>{x.data(), y.data()});
}

template <class Real>
void dot(const Instance& instance, const space::Space& space, const Vector<const Real>& x, const Vector<const Real>& y,
         double* result) {
  if (space.exchange.empty()) return streaming::dot<Real>(instance, x, y, result);
  detail::sum<1>(instance, space, "linalg/dot", space.num_entries(), streaming::detail::Dot<Real>{x.data(), y.data()},
                 result);
}

template <class Real>
double update(const Instance& instance, const space::Space& space, Real alpha, const Vector<const Real>& p,
              const Vector<const Real>& q, const Vector<Real>& x, const Vector<Real>& r) {
  if (space.exchange.empty()) return streaming::update<Real>(instance, alpha, p, q, x, r);
  return detail::sum(instance, space, "linalg/update", space.num_entries(),
                     streaming::detail::Update<Real>{alpha, p.data(), q.data(), x.data(), r.data()});
}

template <class Real>
double scale(const Instance& instance, const space::Space& space, const Vector<const Real>& d,
             const Vector<const Real>& r, const Vector<Real>& z) {
  if (space.exchange.empty()) return streaming::scale<Real>(instance, d, r, z);
  return detail::sum(instance, space, "linalg/scale", space.num_entries(),
                     streaming::detail::Scale<Real>{d.data(), r.data(), z.data()});
}

template <class Real>
void set_zero(const Instance& instance, const Vector<Real>& x) {
  if constexpr (runs_on_host)
    fill(instance, x, 0);
  else
    streaming::for_entries(instance, "linalg/zero", x.extent(0), Zero<Real>{x.data()});
}

template double dot(const Instance&, const space::Space&, const Vector<const float>&, const Vector<const float>&);
template void dot(const Instance&, const space::Space&, const Vector<const float>&, const Vector<const float>&,
                  double*);
template double update(const Instance&, const space::Space&, float, const Vector<const float>&,
                       const Vector<const float>&, const Vector<float>&, const Vector<float>&);
template double scale(const Instance&, const space::Space&, const Vector<const float>&, const Vector<const float>&,
                      const Vector<float>&);
template void set_zero(const Instance&, const Vector<float>&);
template double dot(const Instance&, const space::Space&, const Vector<const double>&, const Vector<const double>&);
template void dot(const Instance&, const space::Space&, const Vector<const double>&, const Vector<const double>&,
                  double*);
template double update(const Instance&, const space::Space&, double, const Vector<const double>&,
                       const Vector<const double>&, const Vector<double>&, const Vector<double>&);
template double scale(const Instance&, const space::Space&, const Vector<const double>&, const Vector<const double>&,
                      const Vector<double>&);
template void set_zero(const Instance&, const Vector<double>&);

}  // namespace miniapp::linalg
