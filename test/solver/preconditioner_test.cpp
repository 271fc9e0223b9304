// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/solver/preconditioner.hpp"

#include "miniapp/solver/jacobi.hpp"
#include "support/vectors.hpp"

using namespace miniapp;
using namespace miniapp::test;

namespace {

struct NoResult {
  [[maybe_unused]] double apply(const Instance&, const space::Space&, const Vector<const double>&,
                                const Vector<double>&, double) const {
    return 1;
  }
};

}  // namespace

TEST_CASE("Identity and Jacobi are preconditioners, half of one is not", "[solver][preconditioner]") {
  CHECK(solver::Preconditioner<solver::Identity, double>);
  CHECK(solver::Preconditioner<solver::Jacobi<float>, float>);
  CHECK_FALSE(solver::Preconditioner<NoResult, double>);
}

TEST_CASE("The identity leaves the residual where it is and knows its norm", "[solver][preconditioner]") {
  const Vector<const double> r = to_device<double>(random_numbers(5, 1));
  const Vector<double> z;

  CHECK(solver::Identity().apply(Instance(), space::make_unknowns(5), r, z, 2.5) == 2.5);
  CHECK(solver::Identity().result(r, z).data() == r.data());
}
