// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/tensor/manufactured.hpp"

#include "support/vectors.hpp"

using space::Boundary;

namespace {

/// (point): u at points (point, 3), on the device.
Vector<double> evaluate(const tensor::Manufactured& u, const Vector<const double>& points) {
  const Vector<double> result = make_vector<double>("u", points.extent(0) / 3);
  Kokkos::parallel_for(
      "test/manufactured", Kokkos::RangePolicy<ExecutionSpace>(0, result.extent(0)),
      KOKKOS_LAMBDA(const int i) { result(i) = u(points(3 * i), points(3 * i + 1), points(3 * i + 2)); });
  return result;
}

}  // namespace

TEST_CASE("The solution is zero on the surface or has no normal derivative there", "[tensor][manufactured]") {
  const tensor::Manufactured fixed{Boundary::dirichlet}, free{Boundary::neumann};
  const double face = GENERATE(0.0, 1.0), y = 0.3, z = 0.8, step = 0.125;

  CHECK(fixed(face, y, z) == close<double>(0, 1, 1));
  CHECK(fixed(y, face, z) == close<double>(0, 1, 1));
  CHECK(fixed(y, z, face) == close<double>(0, 1, 1));
  CHECK(free(face + step, y, z) == close<double>(free(face - step, y, z), 4, 1));  // even about the face
  CHECK(free(y, face + step, z) == close<double>(free(y, face - step, z), 4, 1));
  CHECK(free(y, z, face + step) == close<double>(free(y, z, face - step), 4, 1));
}

TEST_CASE("The solution is an eigenfunction of second differences, hence of the Laplacian", "[tensor][manufactured]") {
  const tensor::Manufactured u{GENERATE(Boundary::neumann, Boundary::dirichlet)};
  const double x = 0.2, y = 0.45, z = 0.7, h = 0.125;

  const double neighbours =
      u(x + h, y, z) + u(x - h, y, z) + u(x, y + h, z) + u(x, y - h, z) + u(x, y, z + h) + u(x, y, z - h);

  CHECK(neighbours == close<double>(6 * std::cos(std::numbers::pi * h) * u(x, y, z), 16, 1));
}

TEST_CASE("The source of a mass problem is the solution, of the others 3 pi^2 + lambda times it",
          "[tensor][manufactured]") {
  CHECK(tensor::Manufactured::source(false, 5) == 1);
  CHECK(tensor::Manufactured::source(true, 0) == close<double>(3 * std::numbers::pi * std::numbers::pi, 1));
  CHECK(tensor::Manufactured::source(true, 2.5) - tensor::Manufactured::source(true, 0) == close<double>(2.5, 1, 32));
}

TEST_CASE("Device and host agree on the solution", "[tensor][manufactured]") {
  const tensor::Manufactured u{GENERATE(Boundary::neumann, Boundary::dirichlet)};
  const std::vector<double> points = random_numbers(3 * 1000, 1);
  Values expected;
  for (int i = 0; i < 1000; ++i) expected.entries.push_back(u(points[3 * i], points[3 * i + 1], points[3 * i + 2]));

  CHECK_THAT(values(evaluate(u, to_device<double>(points))), all_close<double>(expected, 4, 1));
}
