// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/streaming/entries.hpp"

#include "support/vectors.hpp"

namespace {

/// Doubles every entry; adds up the old ones, and 1 per entry.
struct DoubleAndCount {
  double* x;
  KOKKOS_FUNCTION double load(std::size_t i) const { return x[i]; }
  template <class Add>
  KOKKOS_FUNCTION void finish(std::size_t i, double value, const Add& add) const {
    x[i] = 2 * value;
    add(0, value);
    add(1, 1);
  }
};

/// Two sums of n entries, and whether every entry was doubled.
std::vector<double> run(const std::vector<double>& numbers) {
  const Vector<double> x = to_device<double>(numbers), sums = to_device<double>(std::vector<double>{99, 99, 99});

  streaming::sum_entries<2>(Instance(), "test/entries", numbers.size(), DoubleAndCount{x.data()}, sums.data());

  std::vector<double> doubled = numbers;
  for (double& number : doubled) number *= 2;
  CHECK(to_std(x) == doubled);
  return to_std(sums);
}

}  // namespace

TEST_CASE("Every entry is visited once, and two sums are computed together", "[streaming][entries]") {
  // around the vector's partial sums, the host's blocks and the device's teams; growing and shrinking
  const int size = GENERATE(0, 1, 31, 33, 255, 257, 1023, 1024, 1025, 70001, 5, 4097, 3000017);
  const std::vector<double> numbers = random_numbers(size, 1);

  const std::vector<double> sums = run(numbers);

  const std::vector<double> ones(size, 1);
  CHECK(sums[0] == close<double>(exact_dot(values(numbers), values(ones)), size, 1));
  CHECK(sums[1] == size);
  CHECK(sums[2] == 99);  // nothing is written beyond the result
}

TEST_CASE("Sums are the same in every run", "[streaming][entries]") {
  const std::vector<double> numbers = random_numbers(300001, 2);
  const std::vector<double> first = run(numbers);

  for (int again = 0; again < 5; ++again) CHECK(run(numbers) == first);
}
