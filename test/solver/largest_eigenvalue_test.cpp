// SPDX-License-Identifier: BSD-3-Clause
#include "solver/largest_eigenvalue.hpp"

#include "support/vectors.hpp"

namespace {

/// y = A x with an upper triangle: 1, 2, .. on the diagonal, 1/2 beside it.
template <class Real>
void multiply_by_triangle(const Instance&, const Vector<Real>& x, const Vector<Real>& y) {
  const auto size = static_cast<int>(x.extent(0));
  Kokkos::parallel_for(
      "test/triangle", Kokkos::RangePolicy<ExecutionSpace>(0, size),
      KOKKOS_LAMBDA(const int i) { y(i) = Real(i + 1) * x[i] + (i + 1 < size ? Real(0.5) * x[i + 1] : Real(0)); });
  Kokkos::fence();
}

}  // namespace

// With as many steps as there are unknowns Arnoldi's method is exact. Above four steps vectors come in several kernels.
TEMPLATE_TEST_CASE("Arnoldi finds the largest eigenvalue and its vector", "[solver][eigenvalue]", float, double) {
  const int size = GENERATE(3, 4, 5, 9);
  const Vector<TestType> v = make_vector<TestType>("v", static_cast<std::size_t>(size));
  fill(v, TestType(1));
  const space::Space space = space::make_unknowns(size);
  const double found = solver::largest_eigenvalue_by_arnoldi<TestType>(multiply_by_triangle<TestType>, space, v, size);
  const double margin = sizeof(TestType) == 8 ? 1e-9 : 2e-4;
  CHECK(found == Approx(size).epsilon(margin));
  // of the triangle and its last eigenvalue: x_i (size - 1 - i) = x_(i+1) / 2
  const std::vector<TestType> x = to_std(v);
  for (int i = size - 2; i >= 0; --i) {
    const double expected = 0.5 * double(x[i + 1]) / (size - 1 - i);
    CHECK(double(x[i]) == Approx(expected).margin(10 * margin));
  }
  double squares = 0;
  for (const TestType x_i : x) squares += double(x_i) * double(x_i);
  CHECK(squares == Approx(1).epsilon(10 * margin));
}

TEMPLATE_TEST_CASE("Arnoldi stops where its vectors hold all there is", "[solver][eigenvalue]", float, double) {
  const Vector<TestType> v = make_zeros<TestType>("v", 5);
  fill(slice(v, 0, 1), TestType(3));  // an eigenvector, of eigenvalue 1
  const space::Space space = space::make_unknowns(5);
  CHECK(solver::largest_eigenvalue_by_arnoldi<TestType>(multiply_by_triangle<TestType>, space, v, 4) ==
        Approx(1).epsilon(1e-6));
  const std::vector<TestType> x = to_std(v);
  CHECK(double(x[0]) == Approx(1));
  CHECK(double(x[1]) == 0);
}
