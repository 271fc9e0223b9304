// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/core/detail/mailbox.hpp"

#include <limits>

#include "support/vectors.hpp"

namespace {

/// Leaves a number after some work.
void send(double* box, double number) {
  Kokkos::parallel_for(
      "core/test", Kokkos::RangePolicy<ExecutionSpace>(0, 1), KOKKOS_LAMBDA(const int) { Mailbox::put(box, number); });
}

}  // namespace

TEST_CASE("The host repeatedly takes what the device put", "[core][mailbox]") {
  Mailbox mailbox;

  for (int i = 0; i < 100; ++i) {
    send(mailbox.expect(), i / 3.0);
    CHECK(mailbox.take(ExecutionSpace()) == i / 3.0);
  }
}

TEST_CASE("Zero, infinity and NaN arrive as well", "[core][mailbox]") {
  Mailbox mailbox;
  const double number = GENERATE(as<double>(), 0, -0.0, std::numeric_limits<double>::infinity(),
                                 std::numeric_limits<double>::denorm_min());

  send(mailbox.expect(), number);
  CHECK(mailbox.take(ExecutionSpace()) == number);
  send(mailbox.expect(), std::numeric_limits<double>::quiet_NaN());
  CHECK(std::isnan(mailbox.take(ExecutionSpace())));
}
