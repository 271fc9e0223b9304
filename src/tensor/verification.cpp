// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/tensor/verification.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

#include "miniapp/core/random_bits.hpp"
#include "miniapp/core/tolerance.hpp"
#include "miniapp/measure/stopwatch.hpp"

namespace miniapp::tensor {
namespace {

using Entries = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;

/// The largest |x(i) - factor y(i)|; infinity if one is not finite, since comparisons alone would ignore NaN.
double largest_difference(const Vector<const double>& x, const Vector<const double>& y, double factor) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double largest = 0;
  Kokkos::parallel_reduce(
      "tensor/difference", Kokkos::RangePolicy<ExecutionSpace>(0, x.extent(0)),
      KOKKOS_LAMBDA(const int i, double& most) {
        double d = km::fabs(x(i) - factor * y(i));
        if (!(d < infinity)) d = infinity;
        if (d > most) most = d;
      },
      Kokkos::Max<double>(largest));
  return x.extent(0) > 0 ? largest : 0;
}

}  // namespace

double relative_difference(const Vector<const double>& x, const Vector<const double>& y) {
  const double difference = largest_difference(x, y, 1), scale = largest_difference(y, y, 0);
  if (!std::isfinite(scale)) return scale;
  return scale > 0 ? difference / scale : difference;
}

template <class Real>
Verification verify(const ElementOperator<Real>& op, const Reference& reference, const Discretisation& d) {
  const measure::Verifying region;
  const Vector<Real> x = convert<Real>(random_vector(d.space, 2)), y = make_vector<Real>("y", x.extent(0));
  const Vector<double> expected = make_vector<double>("expected", x.extent(0));
  reference.apply(convert<double>(x), expected);
  op.apply(Instance(), x, y);
  const double m = d.order + 2;
  const double error = relative_difference(convert<double>(y), expected);
  return {d.space.exchange.ranks().of_all(Reduction::max, error), tolerance<Real>(m * m * m, 1) + 2 * d.shape.rounding};
}

template Verification verify(const ElementOperator<double>&, const Reference&, const Discretisation&);
template Verification verify(const ElementOperator<float>&, const Reference&, const Discretisation&);

Vector<double> random_vector(const space::Space& space, unsigned seed) {
  const Vector<double> x = make_vector<double>("random", space.num_entries());
  const std::uint64_t first = random_bits(seed);
  Kokkos::parallel_for(
      "tensor/random", Entries(0, x.extent(0)), KOKKOS_LAMBDA(const std::int64_t i) {
        x(i) = static_cast<double>(random_bits(first + static_cast<std::uint64_t>(i)) >> 11) * 0x1p-53 - 0.5;
      });
  const Vector<const Index> masked = read_on_device("tensor/masked", space.masked);
  const std::size_t size = masked.extent(0), nodes = space.num_nodes, components = space.components;
  const bool soa = space.layout == Layout::soa;
  Kokkos::parallel_for(
      "tensor/random/masked", Entries(0, size * components), KOKKOS_LAMBDA(const std::int64_t q) {
        const std::size_t node = masked(q % size), c = q / size;
        x(soa ? c * nodes + node : node * components + c) = 0;
      });
  const Instance instance;
  space.exchange.copy_from_owners(instance, x);
  instance.fence();
  return x;
}

}  // namespace miniapp::tensor
