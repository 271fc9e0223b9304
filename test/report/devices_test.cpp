// SPDX-License-Identifier: BSD-3-Clause
#include "report/devices.hpp"

#include "report/device_table.hpp"
#include "report/record.hpp"
#include "support/catch.hpp"

namespace {

std::string refusal(const std::string& words) {
  try {
    report::find_device(words);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("Every number of the table of devices has a source", "[report][devices]") {
  const auto table = report::Json::parse(report::device_table);
  REQUIRE(table["devices"].size() == 11);
  for (const auto& device : table["devices"])
    for (const auto& [key, value] : device.items()) {
      INFO(device["name"] << ' ' << key);
      if (key == "name" || key == "title") continue;
      REQUIRE(value.size() == 2);
      CHECK(value[0].get<double>() > 0);
      CHECK(!table["sources"].at(value[1].get<std::string>()).get<std::string>().empty());
    }
}

TEST_CASE("A device of the table reaches a share of its data sheet", "[report][devices]") {
  const report::Device device = report::find_device("b300");
  CHECK(device.memory == Approx(0.9 * 8e12));
  CHECK(device.fma == Approx(0.95 * 1.25e12));
  CHECK(device.single_fma == Approx(0.95 * 75e12));
  CHECK(device.capacity == Approx(288e9));
  CHECK(device.cache == 0);
  CHECK_THAT(device.assumptions, contains("90 % of the data sheet's 8000 GB/s and 95 % of its 1250 GFLOP/s"));
}

TEST_CASE("A multiplication counts two operations", "[report][devices]") {
  const report::Device device = report::find_device("bandwidth=100,fma=50,single=80");
  CHECK(device.limits(Precision::fp64).multiplications == Approx(25e9));
  CHECK(device.limits(Precision::fp32).multiplications == Approx(40e9));
  CHECK(device.limits(Precision::fp64).memory == Approx(100e9));
}

TEST_CASE("Numbers that are given count as they are, also in place of a data sheet's", "[report][devices]") {
  const report::Device given = report::find_device("fma=1250,bandwidth=8e3,cache=50,memory=64,scratch=7");
  CHECK(given.title == "a device of given rates");
  CHECK(given.memory == Approx(8e12));
  CHECK(given.fma == Approx(1.25e12));
  CHECK(given.cache == Approx(50e6));
  CHECK(given.capacity == Approx(64e9));
  CHECK(given.scratch == Approx(7e9));
  CHECK(given.assumptions == "as given: fma=1250, bandwidth=8e3, cache=50, memory=64, scratch=7");

  const report::Device changed = report::find_device("h200,bandwidth=4000");
  CHECK(changed.memory == Approx(4e12));
  CHECK(changed.fma == Approx(0.95 * 34e12));
  CHECK_THAT(changed.assumptions, contains("; as given: bandwidth=4000"));
}

TEST_CASE("What is no device is refused with the names that are accepted", "[report][devices]") {
  CHECK_THAT(refusal("v100"), contains("what_if v100: unknown device v100; accepted are a100, h100, h200, b200, b300"));
  CHECK_THAT(refusal(""), contains("unknown device"));
  CHECK_THAT(refusal("b300,"), contains("a device stands first and alone"));
  CHECK_THAT(refusal("bandwidth=1,b300"), contains("a device stands first and alone"));
  CHECK_THAT(refusal("bandwidth=1"), contains("bandwidth and fma are both needed; accepted are"));
  for (const char* words : {"b300,fma=", "b300,fma=-1", "b300,fma=0", "b300,fma=1x", "b300,fma=inf", "b300,rate=1"})
    CHECK_THAT(refusal(words), contains("is no rate or amount; accepted are a100"));
}
