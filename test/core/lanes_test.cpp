// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/core/kokkos.hpp"
#ifdef MINIAPP_RUNS_ON_HOST
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "miniapp/core/lanes.hpp"
#include "support/vectors.hpp"

namespace {

template <class Real>
std::vector<Real> random_reals(std::size_t size, unsigned seed) {
  const std::vector<double> numbers = random_numbers(size, seed);
  return {numbers.begin(), numbers.end()};
}

template <class Real>
Lanes<Real> random_lanes(unsigned seed) {
  const std::vector<Real> numbers = random_reals<Real>(lane_width<Real>, seed);
  Lanes<Real> value;
  for (int l = 0; l < lane_width<Real>; ++l) value[l] = numbers[l];
  return value;
}

/// Calls check(std::integral_constant<int, c>()) for c = 1 .. width.
template <class Real, class Check>
void for_counts(const Check& check) {
  [&]<int... c>(std::integer_sequence<int, c...>) { (check(std::integral_constant<int, c + 1>()), ...); }
  (std::make_integer_sequence<int, lane_width<Real>>());
}

/// Where rows of `count` numbers of all lanes start: out of order, `gap` numbers between neighbours.
template <class Real>
std::vector<int> make_starts(int count, int gap) {
  std::vector<int> starts;
  for (int l = 0; l < lane_width<Real>; ++l) starts.push_back((3 * l + 1) % lane_width<Real> * (count + gap));
  return starts;
}

}  // namespace

TEMPLATE_TEST_CASE("A register holds a power of two of lanes", "[core][lanes]", double, float) {
  constexpr int width = lane_width<TestType>;

  CHECK(sizeof(Lanes<TestType>) == width * sizeof(TestType));
  CHECK((width & (width - 1)) == 0);
  CHECK(width >= 2);
}

TEMPLATE_TEST_CASE("Rows of any length are loaded, one per lane, and nothing beyond them is read", "[core][lanes]",
                   double, float) {
  for_counts<TestType>([](auto count) {
    const std::vector<int> starts = make_starts<TestType>(count, 0);
    const std::vector<TestType> from =
        random_reals<TestType>(count * lane_width<TestType>, 1);  // sanitizers would report
    Lanes<TestType> rows[count];

    load_rows<count>(from.data(), starts.data(), rows);

    for (int i = 0; i < count; ++i)
      for (int l = 0; l < lane_width<TestType>; ++l) CHECK(rows[i][l] == from[starts[l] + i]);
  });
}

TEMPLATE_TEST_CASE("Rows of any length are added, one per lane, and nothing beyond them changes", "[core][lanes]",
                   double, float) {
  const int gap = GENERATE(0, 3);

  for_counts<TestType>([gap](auto count) {
    const std::vector<int> starts = make_starts<TestType>(count, gap);
    std::vector<TestType> to = random_reals<TestType>((count + gap) * lane_width<TestType> - gap, 2), expected = to;
    Lanes<TestType> rows[count];
    for (int i = 0; i < count; ++i) rows[i] = random_lanes<TestType>(3 + i);
    for (int l = 0; l < lane_width<TestType>; ++l)
      for (int i = 0; i < count; ++i) expected[starts[l] + i] += rows[i][l];

    add_rows<count>(to.data(), starts.data(), rows);

    CHECK(to == expected);
  });
}

TEMPLATE_TEST_CASE("Rows are stored, or added to the numbers whose bits are set", "[core][lanes]", double, float) {
  const int gap = GENERATE(0, 3), first = GENERATE(0, 2);

  for_counts<TestType>([gap, first](auto count) {
    constexpr int width = lane_width<TestType>;
    const std::vector<int> starts = make_starts<TestType>(count, gap);
    std::vector<TestType> to((count + gap) * width - gap, std::numeric_limits<TestType>::quiet_NaN());
    Lanes<TestType> rows[count];
    std::uint16_t met[width];
    for (int i = 0; i < count; ++i) rows[i] = random_lanes<TestType>(3 + i);
    for (int l = 0; l < width; ++l) met[l] = static_cast<std::uint16_t>(0x5a3c >> l % 4);
    const auto counts = [&](int l, int i) { return first + i < 16 && (met[l] >> (first + i) & 1); };
    for (int l = 0; l < width; ++l)
      for (int i = 0; i < count; ++i)
        if (counts(l, i)) to[starts[l] + i] = 7;
    std::vector<TestType> stored = to;

    add_rows<count, Onto::mixed>(to.data(), starts.data(), rows, met, first);
    add_rows<count, Onto::nothing>(stored.data(), starts.data(), rows);

    for (int l = 0; l < width; ++l) {
      for (int i = 0; i < count; ++i) {
        CHECK(to[starts[l] + i] == (counts(l, i) ? 7 + rows[i][l] : rows[i][l]));
        CHECK(stored[starts[l] + i] == rows[i][l]);
      }
      for (int i = count; i < count + gap && starts[l] + i < int(to.size()); ++i) {
        CHECK(std::isnan(to[starts[l] + i]));
        CHECK(std::isnan(stored[starts[l] + i]));
      }
    }
  });
}

TEMPLATE_TEST_CASE("square_root, sign and reciprocal act lane by lane", "[core][lanes]", double, float) {
  const Lanes<TestType> x = random_lanes<TestType>(5), square = x * x;

  const Lanes<TestType> root = square_root(square), side = sign(x), inverse = reciprocal(x);

  for (int l = 0; l < lane_width<TestType>; ++l) {
    CHECK(root[l] == std::sqrt(square[l]));
    CHECK(side[l] == (x[l] < 0 ? -1 : 1));
    CHECK(double(inverse[l]) == close<TestType>(1 / double(x[l]), 1));
  }
}

TEST_CASE("sine_of_pi and cosine_of_pi are right to rounding in every lane", "[core][lanes]") {
  const double from = GENERATE(-1e6, -3.0, -0.5, 0.0, 0.49, 1.0, 12345.0);
  for (int step = 0; step < 200; ++step) {
    DoubleLanes x;
    for (int l = 0; l < lane_width<double>; ++l) x[l] = from + 0.0171 * (step + 0.1 * l);

    const DoubleLanes sine = sine_of_pi(x), cosine = cosine_of_pi(x);

    for (int l = 0; l < lane_width<double>; ++l) {
      const double turns = x[l] - 2 * std::floor(x[l] / 2);  // exact
      CHECK(std::fabs(sine[l] - double(std::sin(std::numbers::pi_v<long double> * turns))) < 5e-16);
      CHECK(std::fabs(cosine[l] - double(std::cos(std::numbers::pi_v<long double> * turns))) <
            5e-16 + 2e-16 * std::fabs(x[l]) * 3.2);  // x + 1/2 is rounded
    }
  }
}

TEMPLATE_TEST_CASE("Lanes whose bits are set are cleared, NaN too", "[core][lanes]", double, float) {
  constexpr int width = lane_width<TestType>;
  for (unsigned bits = 0; bits<1u << width; bits += width> 8 ? 997 : 1) {
    Lanes<TestType> x = random_lanes<TestType>(5);
    x[1] = std::numeric_limits<TestType>::quiet_NaN();

    const Lanes<TestType> cleared = clear(x, bits);

    for (int l = 0; l < width; ++l) {
      const TestType before = x[l], after = cleared[l], expected = bits >> l & 1 ? TestType(0) : before;
      CHECK((after == expected || (std::isnan(after) && std::isnan(expected))));
    }
  }
}

TEST_CASE("Numbers are gathered by place, zero where the place is below zero", "[core][lanes]") {
  constexpr int width = lane_width<float>;
  const std::vector<float> from = random_reals<float>(3 * width, 6);
  std::int32_t at[width];
  for (int l = 0; l < width; ++l) at[l] = l % 3 == 1 ? -1 - l : (7 * l + 2) % (3 * width);

  const FloatLanes x = gather(from.data(), at);

  for (int l = 0; l < width; ++l) CHECK(x[l] == (at[l] < 0 ? 0 : from[at[l]]));
}

TEST_CASE("Lanes are listed whose words have a bit", "[core][lanes]") {
  std::uint16_t words[16];
  for (int l = 0; l < 16; ++l) words[l] = static_cast<std::uint16_t>(40503u * (l + 3) >> l % 5);
  const auto check = [&]<int width>(std::integral_constant<int, width>) {
    for (int i = 0; i < 16; ++i) {
      unsigned expected = 0;
      for (int l = 0; l < width; ++l) expected |= (words[l] >> i & 1u) << l;
      CHECK(lanes_with_bit<width>(words, i) == expected);
    }
  };

  check(std::integral_constant<int, 2>());
  check(std::integral_constant<int, 4>());
  check(std::integral_constant<int, 8>());
  check(std::integral_constant<int, 16>());
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
