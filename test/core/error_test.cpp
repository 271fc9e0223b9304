// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/core/error.hpp"

#include <type_traits>

#include "support/catch.hpp"

using namespace miniapp;

TEST_CASE("require is silent where its condition holds", "[core][error]") {
  CHECK_NOTHROW(require(true, "--order 7: accepted are 1..15"));
}

TEST_CASE("require throws an InputError with its message where the condition does not hold", "[core][error]") {
  const std::string message = "--order 16: accepted are 1..15";

  CHECK_THROWS_AS(require(false, message), InputError);
  CHECK_THROWS_WITH(require(false, message), message);
}

TEST_CASE("Bad input and a wrong result are different errors", "[core][error]") {
  CHECK_FALSE(std::is_base_of_v<InputError, ResultError>);
  CHECK_FALSE(std::is_base_of_v<ResultError, InputError>);
  CHECK(std::is_base_of_v<std::exception, InputError>);
  CHECK(std::is_base_of_v<std::exception, ResultError>);
}
