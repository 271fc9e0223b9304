// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/core/execution.hpp"

#include "support/vectors.hpp"

TEST_CASE("make_vector gives an array of the size and label asked for", "[core][execution]") {
  const Vector<float> x = make_vector<float>("core/test", 1025);

  CHECK(x.extent(0) == 1025);
  CHECK(x.label() == "core/test");
}

TEST_CASE("make_zeros gives zeros, in arrays with and without large pages", "[core][execution]") {
  const std::size_t size = GENERATE(0, 1, 1000, 1 << 20);

  const Vector<double> x = make_zeros<double>("core/test", size);

  CHECK(to_std(x) == std::vector<double>(size, 0));
}

TEST_CASE("Large pages can be asked for any memory and change nothing in it", "[core][execution]") {
  std::vector<char> memory(5 << 20, 'a');
  const std::size_t first = GENERATE(0, 1, 4095), size = GENERATE(0, 1, 4096, 5000000);

  ask_for_large_pages(memory.data() + first, size);

  CHECK(std::count(memory.begin(), memory.end(), 'a') == 5 << 20);
}

TEST_CASE("A slice is a window on the same entries", "[core][execution]") {
  const Vector<double> x = to_device<double>(std::vector<double>{0, 1, 2, 3, 4, 5});

  const Vector<double> window = slice(x, 2, 3);
  Kokkos::deep_copy(window, 7.0);

  CHECK(window.data() == x.data() + 2);
  CHECK(to_std(x) == std::vector<double>{0, 1, 7, 7, 7, 5});
}

TEST_CASE("A slice keeps its entries constant where the array's are", "[core][execution]") {
  const Vector<const double> x = to_device<double>(std::vector<double>{0, 1, 2, 3});

  CHECK(to_std(slice(x, 3, 1)) == std::vector<double>{3});
  CHECK(slice(x, 4, 0).extent(0) == 0);
}

TEST_CASE("to_device copies values, rounded where another precision is asked for", "[core][execution]") {
  const std::vector<double> numbers{1, 1.0 / 3, -1e30};

  CHECK(to_device("core/test", numbers).label() == "core/test");
  CHECK(to_std(to_device("core/test", numbers)) == numbers);
  CHECK(to_std(to_device<float>("core/test", numbers)) == std::vector<float>{1, 1.0f / 3, -1e30f});
  CHECK(to_device("core/test", std::vector<int>()).extent(0) == 0);
}

TEST_CASE("to_host shows what is on the device", "[core][execution]") {
  const std::vector<double> numbers = random_numbers(1037, 1);

  const auto host = to_host(to_device<double>(numbers));

  REQUIRE(host.extent(0) == numbers.size());
  CHECK(std::equal(numbers.begin(), numbers.end(), host.data()));
}

TEST_CASE("convert rounds to another precision and copies nothing in the same one", "[core][execution]") {
  const Vector<double> x = to_device<double>(std::vector<double>{1, 1.0 / 3, -1e30});

  CHECK(to_std(convert<float>(x)) == std::vector<float>{1, 1.0f / 3, -1e30f});
  CHECK(convert<double>(x).data() == x.data());
}
