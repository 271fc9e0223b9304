// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/tensor/verification.hpp"

#include <cmath>
#include <limits>
#include <random>

#include "miniapp/core/region.hpp"
#include "miniapp/core/tolerance.hpp"

namespace miniapp::tensor {
namespace {

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
  const Region region("verification");
  const Vector<Real> x = convert<Real>(random_vector(d.space, 2)), y = make_vector<Real>("y", x.extent(0));
  const Vector<double> expected = make_vector<double>("expected", x.extent(0));
  reference.apply(convert<double>(x), expected);
  op.apply(Instance(), x, y);
  const double m = d.order + 2;
  const double error = relative_difference(convert<double>(y), expected);
  return {d.space.exchange.ranks().of_all(Reduction::max, error), tolerance<Real>(m * m * m, 1)};
}

template Verification verify(const ElementOperator<double>&, const Reference&, const Discretisation&);
template Verification verify(const ElementOperator<float>&, const Reference&, const Discretisation&);

Vector<double> random_vector(const space::Space& space, unsigned seed) {
  const Vector<double> x = make_vector<double>("random", space.num_entries());
  const auto host = Kokkos::create_mirror_view(x);
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-0.5, 0.5);
  for (std::size_t i = 0; i < host.extent(0); ++i) host(i) = uniform(random);
  for (const Index node : space.masked)
    for (int c = 0; c < space.components; ++c) host(space.entry(node, c)) = 0;
  Kokkos::deep_copy(x, host);
  const Instance instance;
  space.exchange.copy_from_owners(instance, x);
  instance.fence();
  return x;
}

}  // namespace miniapp::tensor
