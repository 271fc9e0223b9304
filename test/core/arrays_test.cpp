// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/offsets.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/core/execution.hpp"
#include "miniapp/core/instance.hpp"
#include "support/catch.hpp"

namespace {

/// 1, 2, .., of any type of numbers.
template <class T>
std::vector<T> count_up(std::size_t size) {
  std::vector<T> values(size);
  for (std::size_t i = 0; i < size; ++i) values[i] = static_cast<T>(1 + i % 100);
  return values;
}

}  // namespace

TEMPLATE_TEST_CASE("A part of an array is filled, and no entry beside it", "[core][arrays]", char, std::int32_t,
                   std::uint64_t, float, double) {
  const std::size_t begin = GENERATE(0, 1, 2, 3), size = GENERATE(0, 1, 2, 7, 8, 1000);
  const int value = GENERATE(0, 5, -1);
  CAPTURE(begin, size, value);
  for (const bool of_instance : {false, true}) {
    std::vector<TestType> expected = count_up<TestType>(begin + size + 2);
    const Vector<TestType> array = to_device("array", expected);
    const auto number = static_cast<TestType>(value);
    if (of_instance) {
      const Instance instance;
      fill(instance, slice(array, begin, size), number);
      instance.fence();
    } else {
      fill(slice(array, begin, size), number);
    }
    std::fill_n(expected.begin() + begin, size, number);
    CHECK(to_vector(array) == expected);
  }
}

TEST_CASE("Minus zero is no zero", "[core][arrays]") {
  const Vector<double> array = make_vector<double>("array", 3);
  fill(array, -0.0);
  for (const double x : to_vector(array)) CHECK(std::signbit(x));
}

TEMPLATE_TEST_CASE("Entries are copied between the device and the host, where there are as many", "[core][arrays]",
                   char, std::int32_t, double) {
  const std::size_t size = GENERATE(0, 1, 7, 1000);
  const std::vector<TestType> values = count_up<TestType>(size);
  const Vector<TestType> first = to_device("first", values), second = make_vector<TestType>("second", size),
                         third = make_vector<TestType>("third", size);
  copy_entries(second, first);
  const Instance instance;
  copy_entries(instance, third, second);
  instance.fence();
  std::vector<TestType> back(size);
  copy_entries(HostVector<TestType>(back.data(), size), third);
  CHECK(back == values);
  CHECK_THROWS_AS(copy_entries(slice(first, 0, size / 2), make_zeros<TestType>("more", size / 2 + 1)), InputError);
  CHECK_THROWS_AS(copy_rounded(slice(first, 0, size / 2), make_zeros<TestType>("more", size / 2 + 1)), InputError);
}

TEST_CASE("Numbers are rounded to the other precision", "[core][arrays]") {
  const std::vector<double> values{0.1, -3, 1e300, 0};
  const Vector<float> rounded = convert<float>(to_device("values", values));
  CHECK(to_vector(rounded) == std::vector<float>{0.1f, -3, std::numeric_limits<float>::infinity(), 0});
  CHECK(to_vector(convert<double>(rounded)).front() == double(0.1f));
  CHECK(convert<float>(rounded).data() == rounded.data());
  CHECK(convert<float>(Vector<double>()).extent(0) == 0);
}

TEMPLATE_TEST_CASE("Offsets are sums of counts", "[core][arrays]", char, std::int32_t) {
  const std::size_t size = GENERATE(0, 1, 2, 1000, 1000000);
  const std::vector<TestType> counts = count_up<TestType>(size);
  std::vector<std::int32_t> expected(size + 1, 0);
  for (std::size_t i = 0; i < size; ++i) expected[i + 1] = expected[i] + counts[i];
  const Vector<TestType> device = to_device("counts", counts);
  CHECK(to_vector(offsets_of(device)) == expected);
  CHECK(last_of(offsets_of(Vector<const TestType>(device))) == expected.back());
}
