// SPDX-License-Identifier: BSD-3-Clause
#include "core/sort.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include "support/catch.hpp"

namespace {

/// Sorts random keys of `bits` bits and compares with the standard library's stable sort.
template <class Key>
void check_sort(std::size_t size, int bits) {
  std::mt19937_64 random(1);
  const Vector<Key> keys = make_vector<Key>("keys", size);
  const Vector<std::int32_t> values = make_vector<std::int32_t>("values", size);
  const auto keys_host = Kokkos::create_mirror_view(keys);
  const auto values_host = Kokkos::create_mirror_view(values);
  std::vector<std::pair<Key, std::int32_t>> expected(size);
  for (std::size_t i = 0; i < size; ++i) {
    keys_host(i) = static_cast<Key>(random() >> (64 - bits));
    values_host(i) = static_cast<std::int32_t>(i);
    expected[i] = {keys_host(i), values_host(i)};
  }
  std::stable_sort(expected.begin(), expected.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  Kokkos::deep_copy(keys, keys_host);
  Kokkos::deep_copy(values, values_host);
  sort_by_key(keys, values, bits);
  Kokkos::deep_copy(keys_host, keys);
  Kokkos::deep_copy(values_host, values);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < size; ++i) wrong += expected[i] != std::pair(keys_host(i), values_host(i));
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("Keys are ascending, and values of equal keys keep their order", "[core][sort]") {
  const std::size_t size = GENERATE(0, 1, 2, 1000, 100003);
  check_sort<std::uint32_t>(size, GENERATE(3, 17, 32));
  check_sort<std::uint64_t>(size, GENERATE(5, 40, 63));
}

TEST_CASE("bits_below gives the bits that numbers below an end need", "[core][sort]") {
  CHECK(bits_below(0) == 0);
  CHECK(bits_below(1) == 0);
  CHECK(bits_below(2) == 1);
  CHECK(bits_below(8) == 3);
  CHECK(bits_below(9) == 4);
  CHECK(bits_below(std::uint64_t(1) << 40) == 40);
}
