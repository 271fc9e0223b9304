// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/core/kept_memory.hpp"

#include <cstdint>
#include <stdexcept>

#include "support/vectors.hpp"

TEST_CASE("While memory is kept, an array gets that of one that is gone", "[core][kept]") {
  const KeepMemory keep;
  const double* before = nullptr;
  {
    const Vector<double> first = detail::make_in_kept_memory<double>("first", 100000);
    before = first.data();
    CHECK(detail::make_in_kept_memory<double>("another", 100000).data() != before);
  }
  const Vector<double> second = detail::make_in_kept_memory<double>("second", 100001);
  CHECK(second.data() == before);
  CHECK(second.extent(0) == 100001);
  CHECK(detail::make_in_kept_memory<std::int64_t>("of another type", 100000).data() !=
        reinterpret_cast<const std::int64_t*>(before));
  const Vector<double> copy = second;
  CHECK(detail::make_in_kept_memory<double>("third", 100000).data() != copy.data());
}

TEST_CASE("Kept memory serves arrays that are up to an eighth smaller", "[core][kept]") {
  const KeepMemory keep;
  const double* const before = detail::make_in_kept_memory<double>("first", 1000000).data();
  CHECK(detail::make_in_kept_memory<double>("too small", 800000).data() != before);
  CHECK(detail::make_in_kept_memory<double>("large enough", 900000).data() == before);
  CHECK(detail::make_in_kept_memory<double>("too large", 1010000).data() != before);
}

TEST_CASE("Values outlive what kept their memory", "[core][kept]") {
  Vector<double> sevens;
  {
    const KeepMemory keep;
    {
      const KeepMemory inner;
      sevens = detail::make_in_kept_memory<double>("sevens", 1000);
    }
    Kokkos::deep_copy(sevens, 7.0);
    for (int i = 0; i < 3; ++i) Kokkos::deep_copy(detail::make_in_kept_memory<double>("eights", 1000), 8.0);
  }
  for (int i = 0; i < 3; ++i) Kokkos::deep_copy(detail::make_in_kept_memory<double>("nines", 1000), 9.0);
  for (const double value : to_std(sevens)) CHECK(value == 7);
}

TEST_CASE("An array of no entries takes no memory that is kept", "[core][kept]") {
  const KeepMemory keep;
  CHECK(detail::make_in_kept_memory<double>("none", 0).extent(0) == 0);
  CHECK(detail::make_in_kept_memory<double>("one", 1).extent(0) == 1);
}

TEST_CASE("Kept memory that is not in use goes where there is too much of it", "[core][kept]") {
  const KeepMemory keep;
  constexpr std::size_t large = std::size_t(400) << 20;
  detail::make_in_kept_memory<char>("large", large);
  const detail::KeptArrays& chars = **detail::find_kept_arrays(typeid(char));
  CHECK(chars.bytes().all >= large);
  detail::make_in_kept_memory<double>("of another type", 1000);

  CHECK(chars.bytes().all == 0);
}

TEST_CASE("Kept memory that is not in use goes where an array finds none", "[core][kept]") {
  const KeepMemory keep;
  detail::make_in_kept_memory<double>("first", 1000);
  auto& kept = static_cast<detail::KeptArraysOf<Vector<double>>&>(**detail::find_kept_arrays(typeid(double)));
  const auto allocate_alone = [&](std::size_t size) {
    if (kept.bytes().all > 0) throw std::runtime_error("no memory");
    return detail::allocate_vector<double>("core/test", size);
  };
  const Vector<double> second = kept.make(5000, allocate_alone);

  CHECK(second.extent(0) == 5000);
  CHECK_THROWS_WITH(kept.make(9000, allocate_alone), "no memory");
}
