// SPDX-License-Identifier: BSD-3-Clause
#include "core/copy_queue.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "support/catch.hpp"

namespace {

TEST_CASE("Copies have arrived when they return", "[core][copy_queue]") {
  std::vector<double> from(100'001);
  std::iota(from.begin(), from.end(), 0.5);
  const Vector<double> to = make_zeros<double>("to", from.size());
  const CopyQueue queue;

  queue.copy(to, from.data());

  const auto found = to_host(to);
  CHECK(std::equal(from.begin(), from.end(), found.data()));
}

TEST_CASE("Copying a part of an array changes only that part, and an empty part is no error", "[core][copy_queue]") {
  const std::vector<float> from{1, 2, 3};
  const Vector<float> to = make_zeros<float>("to", 5);
  const CopyQueue queue;

  queue.copy(slice(to, 1, 3), from.data());
  queue.copy(slice(to, 5, 0), from.data());

  const auto found = to_host(to);
  CHECK(std::vector<float>(found.data(), found.data() + 5) == std::vector<float>{0, 1, 2, 3, 0});
}

}  // namespace
