// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/core/kokkos.hpp"
#ifdef MINIAPP_RUNS_ON_HOST
#include <utility>

#include "miniapp/core/lanes.hpp"
#include "support/vectors.hpp"

using namespace miniapp;
using namespace miniapp::test;

namespace {

template <class Real>
std::vector<Real> random_reals(std::size_t size, unsigned seed) {
  const std::vector<double> numbers = random_numbers(size, seed);
  return {numbers.begin(), numbers.end()};
}

template <class Real>
Lanes<Real> random_lanes(unsigned seed) {
  const std::vector<Real> numbers = random_reals<Real>(lane_width<Real>, seed);
  return load<lane_width<Real>>(numbers.data());
}

/// Calls check(std::integral_constant<int, c>()) for c = 1 .. width.
template <class Real, class Check>
void for_counts(const Check& check) {
  [&]<int... c>(std::integer_sequence<int, c...>) { (check(std::integral_constant<int, c + 1>()), ...); }
  (std::make_integer_sequence<int, lane_width<Real>>());
}

}  // namespace

TEMPLATE_TEST_CASE("A register holds a power of two of lanes", "[core][lanes]", double, float) {
  constexpr int width = lane_width<TestType>;

  CHECK(sizeof(Lanes<TestType>) == width * sizeof(TestType));
  CHECK((width & (width - 1)) == 0);
  CHECK(width >= 2);
}

TEMPLATE_TEST_CASE("Loading any count of numbers fills that many lanes and leaves zero in the others", "[core][lanes]",
                   double, float) {
  for_counts<TestType>([](auto count) {
    const std::vector<TestType> from = random_reals<TestType>(count, 1);  // not one number more: sanitizers would tell

    const Lanes<TestType> value = load<count>(from.data());

    for (int l = 0; l < lane_width<TestType>; ++l) CHECK(value[l] == (l < count ? from[l] : 0));
  });
}

TEMPLATE_TEST_CASE("Adding any count of lanes changes that many numbers and none beside them", "[core][lanes]", double,
                   float) {
  for_counts<TestType>([](auto count) {
    const std::vector<TestType> before = random_reals<TestType>(lane_width<TestType> + 2, 2);
    const Lanes<TestType> value = random_lanes<TestType>(3);
    std::vector<TestType> to = before;

    add<count>(to.data() + 1, value);

    for (int i = 0; i < static_cast<int>(to.size()); ++i) {
      CAPTURE(int(count), i);
      CHECK(to[i] == (i >= 1 && i <= count ? before[i] + value[i - 1] : before[i]));
    }
  });
}

TEMPLATE_TEST_CASE("Adding lanes works in an array that holds no number more", "[core][lanes]", double, float) {
  for_counts<TestType>([](auto count) {
    std::vector<TestType> to(count, 1);

    add<count>(to.data(), Lanes<TestType>{} + 2);

    CHECK(to == std::vector<TestType>(count, 3));
  });
}

TEMPLATE_TEST_CASE("transpose exchanges registers and lanes", "[core][lanes]", double, float) {
  constexpr int width = lane_width<TestType>;
  const std::vector<TestType> numbers = random_reals<TestType>(width * width, 4);
  Lanes<TestType> rows[width];
  for (int r = 0; r < width; ++r) rows[r] = load<width>(numbers.data() + r * width);

  transpose(rows);

  for (int r = 0; r < width; ++r)
    for (int l = 0; l < width; ++l) CHECK(rows[r][l] == numbers[l * width + r]);
}

TEMPLATE_TEST_CASE("sqrt, sign and reciprocal act lane by lane", "[core][lanes]", double, float) {
  const Lanes<TestType> x = random_lanes<TestType>(5), square = x * x;

  const Lanes<TestType> root = sqrt(square), side = sign(x), inverse = reciprocal(x);

  for (int l = 0; l < lane_width<TestType>; ++l) {
    CHECK(root[l] == std::sqrt(square[l]));
    CHECK(side[l] == (x[l] < 0 ? -1 : 1));
    CHECK(double(inverse[l]) == close<TestType>(1 / double(x[l]), 1));
  }
}

TEMPLATE_TEST_CASE("The sign of zero is one", "[core][lanes]", double, float) {
  CHECK(sign(Lanes<TestType>{})[0] == 1);
  CHECK(sign(-Lanes<TestType>{})[lane_width<TestType> - 1] == 1);
}

TEMPLATE_TEST_CASE("Lanes mix with numbers in arithmetic", "[core][lanes]", double, float) {
  const Lanes<TestType> x = random_lanes<TestType>(6), y = random_lanes<TestType>(7);
  const TestType a = 3;

  const Lanes<TestType> z = a * x + y / a - 1;

  for (int l = 0; l < lane_width<TestType>; ++l)
    CHECK(double(z[l]) == close<TestType>(3 * double(x[l]) + double(y[l]) / 3 - 1, 3, 4));
}
#endif
