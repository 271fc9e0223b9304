// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/solver/linear_operator.hpp"

#include "miniapp/solver/jacobi.hpp"
#include "miniapp/tensor/element_operator.hpp"
#include "support/vectors.hpp"

using namespace miniapp;
using namespace miniapp::test;

namespace {

struct NoOperator {};
struct NoResult {
  double apply(const Vector<const double>&, const Vector<double>&, double) const { return 1; }
};

}  // namespace

TEST_CASE("Element operators are linear operators, other things are not", "[solver][linear_operator]") {
  CHECK(solver::LinearOperator<tensor::ElementOperator<double>, double>);
  CHECK(solver::LinearOperator<tensor::ElementOperator<float>, float>);
  CHECK_FALSE(solver::LinearOperator<NoOperator, double>);
}

TEST_CASE("Identity and Jacobi are preconditioners, half of one is not", "[solver][linear_operator]") {
  CHECK(solver::Preconditioner<solver::Identity, double>);
  CHECK(solver::Preconditioner<solver::Jacobi<float>, float>);
  CHECK_FALSE(solver::Preconditioner<NoResult, double>);
}

TEST_CASE("The identity leaves the residual where it is and knows its norm", "[solver][linear_operator]") {
  const Vector<const double> r = to_device<double>(random_numbers(5, 1));
  const Vector<double> z;

  CHECK(solver::Identity().apply(r, z, 2.5) == 2.5);
  CHECK(solver::Identity().result(r, z).data() == r.data());
}
