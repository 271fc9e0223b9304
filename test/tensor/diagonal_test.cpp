// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/tensor/diagonal.hpp"

#include "miniapp/tensor/reference.hpp"
#include "support/problems.hpp"

TEST_CASE("The fast diagonal is the reference's", "[tensor][diagonal]") {
  const Problem problem = any_problem();
  const int order = GENERATE(1, 2, 3, 6, 9, 15), components = GENERATE(1, 2);
  const Boundary boundary = GENERATE(Boundary::dirichlet, Boundary::neumann);
  CAPTURE(problem, order, components, boundary);
  const Discretisation d(make_turned_box(3, order > 5 ? 1 : 2, order > 8 ? 1 : 2), problem, order, boundary, 0.7,
                         components);

  const Values expected = values(to_std(tensor::Reference(d).diagonal()));

  CHECK_THAT(values(to_std(make_diagonal(d))), all_close<double>(expected, 20 * (order + 2)));
  CHECK_THAT(values(to_std(make_diagonal(d, true))), all_close<double>(expected, 20 * (order + 2)));
  for (const Index node : d.space.masked) CHECK(expected[std::size_t(node)] == 1);
}

TEST_CASE("Elements that do not fill a group count once", "[tensor][diagonal]") {
  const int elements = GENERATE(1, 5, 8, 9, 17);
  const Discretisation d(make_turned_box(elements, 1, 1), Problem::bp3_0, 2, Boundary::neumann, 2);

  CHECK_THAT(values(to_std(make_diagonal(d))), all_close<double>(values(to_std(tensor::Reference(d).diagonal())), 80));
}
