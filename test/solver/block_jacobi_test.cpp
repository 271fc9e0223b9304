// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/solver/block_jacobi.hpp"

#include "support/vectors.hpp"

TEMPLATE_TEST_CASE("Block Jacobi solves with each block and returns r . z", "[solver][block_jacobi]", double, float) {
  static_assert(solver::Preconditioner<solver::BlockJacobi<TestType>, TestType>);
  const std::size_t nodes = GENERATE(1, 1025);
  std::vector<double> blocks = random_numbers(9 * nodes, 1), solution = random_numbers(3 * nodes, 2);
  for (std::size_t n = 0; n < nodes; ++n)
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k <= i; ++k) {
        double& x = blocks[9 * n + 3 * i + k];
        x = i == k ? 3 + x : 0.5 * x;
        blocks[9 * n + 3 * k + i] = x;
      }
  std::vector<double> right(3 * nodes, 0);
  for (std::size_t j = 0; j < 3 * nodes; ++j)
    for (int k = 0; k < 3; ++k) right[j] += blocks[3 * j + k] * solution[j / 3 * 3 + k];
  const Vector<TestType> r = to_device<TestType>(right), z = make_vector<TestType>("z", 3 * nodes);

  const space::Space space = space::make_unknowns(static_cast<Index>(nodes), 3, Layout::aos);
  const solver::BlockJacobi<TestType> jacobi(to_device<double>(blocks));
  const double r_z = jacobi.apply(Instance(), space, r, z, 0);

  CHECK_THAT(values(z), all_close<TestType>(values(solution), 100));
  CHECK(r_z == close<TestType>(exact_dot(values(right), values(solution)), 100 * double(nodes)));
  CHECK(jacobi.result(r, z).data() == z.data());
}
