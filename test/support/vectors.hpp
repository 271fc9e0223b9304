// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <random>
#include <vector>

#include "miniapp/core/execution.hpp"
#include "support/all_close.hpp"

namespace miniapp::test {

/// A device array with these numbers, rounded to T.
template <class T, class From>
Vector<T> to_device(const std::vector<From>& numbers) {
  return miniapp::to_device<T>("test", numbers);
}

/// The numbers of a device array.
template <class T>
std::vector<std::remove_const_t<T>> to_std(const Vector<T>& device) {
  const auto host = to_host(device);
  return {host.data(), host.data() + host.extent(0)};
}
template <class T>
Values values(const Vector<T>& device) {
  return values(to_std(device));
}

/// Uniform in [-1, 1].
inline std::vector<double> random_numbers(std::size_t size, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> numbers(size);
  for (double& x : numbers) x = uniform(random);
  return numbers;
}

/// sum of a[i] b[i] in long double.
inline double exact_dot(const Values& a, const Values& b) {
  long double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<long double>(a[i]) * b[i];
  return static_cast<double>(sum);
}

}  // namespace miniapp::test
