// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/linalg/linear_operator.hpp"

#include "miniapp/tensor/element_operator.hpp"
#include "support/vectors.hpp"

namespace {

struct NoOperator {};

}  // namespace

TEST_CASE("Element operators are linear operators, other things are not", "[linalg][linear_operator]") {
  CHECK(linalg::LinearOperator<tensor::ElementOperator<double>, double>);
  CHECK(linalg::LinearOperator<tensor::ElementOperator<float>, float>);
  CHECK_FALSE(linalg::LinearOperator<NoOperator, double>);
}
