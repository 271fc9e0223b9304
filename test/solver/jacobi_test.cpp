// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/solver/jacobi.hpp"

#include "support/vectors.hpp"

TEMPLATE_TEST_CASE("Jacobi divides by the diagonal and returns r . z", "[solver][jacobi]", double, float) {
  const std::size_t size = GENERATE(1, 1025, 3000);
  std::vector<double> diagonal = random_numbers(size, 1);
  for (double& d : diagonal) d = 1.5 + d;
  const Vector<TestType> r = to_device<TestType>(random_numbers(size, 2)), z = make_vector<TestType>("z", size);
  const Values residual = values(r);
  Values expected;
  for (std::size_t i = 0; i < size; ++i) expected.entries.push_back(residual[i] / diagonal[i]);

  const space::Space space = space::make_unknowns(static_cast<Index>(size));
  const double r_z = solver::Jacobi<TestType>(to_device<double>(diagonal)).apply(Instance(), space, r, z, 0);

  CHECK_THAT(values(z), all_close<TestType>(expected, 2));
  CHECK(r_z == close<TestType>(exact_dot(residual, expected), double(size)));
}

TEST_CASE("Jacobi's result is in z", "[solver][jacobi]") {
  const Vector<double> r("r", 3), z("z", 3);
  const solver::Jacobi<double> jacobi(to_device<double>(std::vector<double>{1, 2, 4}));

  CHECK(jacobi.result(r, z).data() == z.data());
}
