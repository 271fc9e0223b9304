// SPDX-License-Identifier: BSD-3-Clause
#include "report/machine.hpp"

#include "support/catch.hpp"

TEST_CASE("The part of its time that a program waited is that of all it wanted", "[report][machine]") {
  CHECK(report::waited_fraction({1, 1}, {1.75, 1.25}) == 0.25);
  CHECK(report::waited_fraction({1, 1}, {2, 1}) == 0.);
  CHECK(report::waited_fraction({1, 1}, {2, 0.5}) == 0.);  // a thread has ended
  CHECK(report::waited_fraction({1, 1}, {1.005, 1}).is_null());
}

TEST_CASE("Processor time grows with work", "[report][machine]") {
  const report::ProcessorTime start = report::processor_time();
  if (start.ran <= 0) return;  // this system does not say
  volatile double sum = 0;
  for (int i = 0; i < 20000000; ++i) sum = sum + 1;
  CHECK(report::processor_time().ran > start.ran);
}

TEST_CASE("The hardware threads of a process are a list of ranges", "[report][machine]") {
  const report::Json threads = report::affinity();
  if (threads.is_null()) return;
  CHECK_THAT(threads.get<std::string>(), Matches("[0-9]+([-,][0-9]+)*"));
}
