// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/core/kokkos.hpp"

#include "support/vectors.hpp"

namespace {

/// y = |sqrt(x)| + |sin(x)| by the functions for kernels, in an unrolled loop.
void evaluate(const Vector<const double>& x, const Vector<double>& y) {
  Kokkos::parallel_for(
      "core/test", Kokkos::RangePolicy<ExecutionSpace>(0, x.extent(0) / 4), KOKKOS_LAMBDA(const int block) {
        MINIAPP_UNROLL
        for (int i = 4 * block; i < 4 * block + 4; ++i) y(i) = km::fabs(km::sqrt(x(i))) + km::fabs(km::sin(x(i)));
      });
}

}  // namespace

TEST_CASE("Kernels have the math functions under one name in every Kokkos", "[core][kokkos]") {
  const std::vector<double> x{0.25, 1, 2, 1e3, 1e-3, 5, 6, 7};
  std::vector<double> expected;
  for (const double number : x) expected.push_back(std::sqrt(number) + std::fabs(std::sin(number)));
  const Vector<double> y = make_vector<double>("y", x.size());

  evaluate(to_device<double>(x), y);

  CHECK_THAT(values(y), all_close<double>(values(expected), 1));
}

TEST_CASE("runs_on_host tells where the default execution space's memory is", "[core][kokkos]") {
  CHECK(runs_on_host == Kokkos::SpaceAccessibility<Kokkos::HostSpace, MemorySpace>::accessible);
}
