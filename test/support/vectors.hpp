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

/// Uniform in [-largest, largest].
inline std::vector<double> random_numbers(std::size_t size, unsigned seed, double largest = 1) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-largest, largest);
  std::vector<double> numbers(size);
  for (double& x : numbers) x = uniform(random);
  return numbers;
}

/// |b - a| / |b|.
inline double relative_distance(const std::vector<double>& a, const std::vector<double>& b) {
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    difference += (b[i] - a[i]) * (b[i] - a[i]);
    norm += b[i] * b[i];
  }
  return std::sqrt(difference / norm);
}

/// sum of a[i] b[i] in long double.
inline double exact_dot(const Values& a, const Values& b) {
  long double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<long double>(a[i]) * b[i];
  return static_cast<double>(sum);
}

}  // namespace miniapp::test
