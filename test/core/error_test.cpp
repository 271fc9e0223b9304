// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/core/error.hpp"

#include <string>
#include <type_traits>

#include "support/catch.hpp"

TEST_CASE("require is silent where its condition holds", "[core][error]") {
  CHECK_NOTHROW(require(true, "--order 7: accepted are 1..15"));
}

TEST_CASE("require throws an InputError with its message where the condition does not hold", "[core][error]") {
  const std::string message = "--order 16: accepted are 1..15";

  CHECK_THROWS_AS(require(false, message), InputError);
  CHECK_THROWS_WITH(require(false, message), message);
}

TEST_CASE("An error keeps the argument at fault, its value and the reason", "[core][error]") {
  const InputError error("block_size", "0", "accepted are 1 and more");
  CHECK(error.argument == "block_size");
  CHECK(error.value == "0");
  CHECK(error.reason == "accepted are 1 and more");
  CHECK(error.what() == std::string("block_size 0: accepted are 1 and more"));
}

TEST_CASE("An error without a value names the argument and the reason", "[core][error]") {
  CHECK(ResultError("mesh", "", "is empty").what() == std::string("mesh: is empty"));
}

TEST_CASE("A sentence names no argument unless it is given one", "[core][error]") {
  const InputError plain("3 ranks for 2 elements"), about("3 ranks with --order 7", "--order");
  CHECK(plain.argument.empty());
  CHECK(plain.reason == "3 ranks for 2 elements");
  CHECK(about.argument == "--order");
  CHECK(about.what() == std::string("3 ranks with --order 7"));
}

TEST_CASE("require formats whole numbers", "[core][error]") {
  CHECK_THROWS_WITH(require(false, "sweeps", -1, "accepted are whole numbers >= 0"),
                    "sweeps -1: accepted are whole numbers >= 0");
  CHECK_NOTHROW(require(true, "sweeps", 1, "accepted are whole numbers >= 0"));
}

TEST_CASE("require throws a ready error where its condition does not hold", "[core][error]") {
  const InputError error("order", "16", "accepted are 1..15");
  CHECK_THROWS_WITH(require(false, error), error.what());
  CHECK_NOTHROW(require(true, error));
}

TEST_CASE("Bad input and a wrong result are different errors", "[core][error]") {
  CHECK_FALSE(std::is_base_of_v<InputError, ResultError>);
  CHECK_FALSE(std::is_base_of_v<ResultError, InputError>);
  CHECK(std::is_base_of_v<std::exception, InputError>);
  CHECK(std::is_base_of_v<std::exception, ResultError>);
}
