// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/tensor/load.hpp"

#include <cmath>
#include <limits>

#include "miniapp/tensor/diagonal.hpp"
#include "miniapp/tensor/reference.hpp"
#include "miniapp/tensor/verification.hpp"
#include "support/problems.hpp"

namespace {

constexpr double lambda = 0.7;

/// Any problem, order, boundary and number of components, on elements that are turned and do not fill their groups.
Discretisation any_discretisation() {
  const Problem problem = any_problem();
  const int order = GENERATE(1, 2, 3, 6, 9, 15), components = GENERATE(1, 2);
  const Boundary boundary = GENERATE(Boundary::dirichlet, Boundary::neumann);
  CAPTURE(problem, order, components, boundary);
  return {make_turned_box(3, order > 5 ? 1 : 2, order > 8 ? 1 : 2), problem, order, boundary, lambda, components};
}

double terms(const Discretisation& d) { return std::pow(d.order + 2.0, 3); }

}  // namespace

TEST_CASE("The fast load is the reference's", "[tensor][load]") {
  const Discretisation d = any_discretisation();
  const tensor::Manufactured u{GENERATE(Boundary::dirichlet, Boundary::neumann)};

  const Values expected = values(to_std(tensor::Reference(d).load(u, 2.5)));

  CHECK_THAT(values(to_std(make_load(d, u, 2.5))), all_close<double>(expected, terms(d)));
  CHECK_THAT(values(to_std(make_load(d, u, 2.5, true))), all_close<double>(expected, terms(d)));
}

TEST_CASE("The fast nodal load is the reference's", "[tensor][load]") {
  const Discretisation d = any_discretisation();

  const Values expected = values(to_std(tensor::Reference(d).nodal_load()));

  CHECK_THAT(values(to_std(make_nodal_load(d))), all_close<double>(expected, terms(d)));
  CHECK_THAT(values(to_std(make_nodal_load(d, true))), all_close<double>(expected, terms(d)));
}

TEST_CASE("Loads in a fixed order have the same bits in every run", "[tensor][load]") {
  const Discretisation d(make_turned_box(5, 4, 3), Problem::bp3_0, 3, Boundary::dirichlet, lambda, 2);
  const tensor::Manufactured u{Boundary::dirichlet};
  const auto load = to_std(make_load(d, u, 2.5, true)), nodal = to_std(make_nodal_load(d, true)),
             diagonal = to_std(make_diagonal(d, true));

  for (int run = 0; run < 10; ++run) {
    CHECK(to_std(make_load(d, u, 2.5, true)) == load);
    CHECK(to_std(make_nodal_load(d, true)) == nodal);
    CHECK(to_std(make_diagonal(d, true)) == diagonal);
  }
}

TEST_CASE("The fast error in L2 is the reference's", "[tensor][load]") {
  const Discretisation d = any_discretisation();
  const tensor::Manufactured u{GENERATE(Boundary::dirichlet, Boundary::neumann)};
  const Vector<double> x = tensor::random_vector(d.space, 5);

  CHECK(relative_l2_error(d, x, u) == close<double>(tensor::Reference(d).relative_l2_error(x, u), terms(d)));
}

TEST_CASE("The fast load and error take any number of elements", "[tensor][load]") {
  const int elements = GENERATE(1, 4, 5, 8, 9, 17);
  const Discretisation d(make_turned_box(elements, 1, 1), Problem::bp3_0, 2, Boundary::neumann, lambda);
  const tensor::Manufactured u{Boundary::neumann};
  const tensor::Reference reference(d);
  const Vector<double> x = tensor::random_vector(d.space, 5);

  CHECK_THAT(values(to_std(make_load(d, u, 1))), all_close<double>(values(to_std(reference.load(u, 1))), terms(d)));
  CHECK(relative_l2_error(d, x, u) == close<double>(reference.relative_l2_error(x, u), terms(d)));
}

TEST_CASE("One value that is not a number makes the fast error not a number", "[tensor][load]") {
  const Discretisation d(make_turned_box(3, 2, 1), Problem::bp1_0, 3, Boundary::neumann, lambda);
  std::vector<double> x(d.space.num_entries(), 1);
  x[x.size() / 2] = std::numeric_limits<double>::quiet_NaN();

  CHECK(std::isnan(relative_l2_error(d, to_device<double>(x), tensor::Manufactured{Boundary::neumann})));
}
