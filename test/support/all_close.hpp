// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "miniapp/core/tolerance.hpp"
#include "support/catch.hpp"

namespace miniapp::test {

/// Numbers to compare. A failed check prints how many they are, not all of them.
struct Values {
  std::vector<double> entries;
  std::size_t size() const { return entries.size(); }
  double operator[](std::size_t i) const { return entries[i]; }
};
inline std::ostream& operator<<(std::ostream& out, const Values& values) { return out << values.size() << " values"; }

template <class T>
Values values(const std::vector<T>& numbers) {
  return {{numbers.begin(), numbers.end()}};
}

/// The largest magnitude, the usual scale of a tolerance.
inline double largest(const Values& values) {
  double most = 0;
  for (const double x : values.entries) most = std::max(most, std::fabs(x));
  return most;
}

/// Matches values of the same number of which each is at most `limit` from the expected one; NaN matches nothing.
/// A mismatch names the three worst entries.
class AllClose : public Matcher<Values> {
 public:
  AllClose(Values expected, double limit) : expected_(std::move(expected)), limit_(limit) {}

  bool match(const Values& actual) const override {
    findings_.clear();
    if (actual.size() != expected_.size()) {
      findings_ = "; these are " + std::to_string(actual.size());
      return false;
    }
    std::vector<std::size_t> wrong;
    const auto difference = [&](std::size_t i) {
      const double d = std::fabs(actual[i] - expected_[i]);
      return std::isnan(d) ? INFINITY : d;
    };
    for (std::size_t i = 0; i < actual.size(); ++i)
      if (!(difference(i) <= limit_)) wrong.push_back(i);
    if (wrong.empty()) return true;
    const auto shown = wrong.begin() + std::min<std::ptrdiff_t>(3, wrong.size());
    std::partial_sort(wrong.begin(), shown, wrong.end(),
                      [&](std::size_t a, std::size_t b) { return difference(a) > difference(b); });
    std::ostringstream text;
    text.precision(17);
    text << "; " << wrong.size() << " are not, the worst:";
    for (auto i = wrong.begin(); i != shown; ++i)
      text << " [" << *i << "] " << actual[*i] << " instead of " << expected_[*i];
    findings_ = text.str();
    return false;
  }

  std::string describe() const override {
    std::ostringstream text;
    text << "are " << expected_.size() << " values within " << limit_ << " of the expected ones" << findings_;
    return text.str();
  }

 private:
  Values expected_;
  double limit_;
  mutable std::string findings_;
};

/// Within tolerance<Real>(terms, scale) of `expected`; the scale is the largest expected value unless it is given.
template <class Real>
AllClose all_close(const Values& expected, double terms) {
  return {expected, tolerance<Real>(terms, largest(expected))};
}
template <class Real>
AllClose all_close(const Values& expected, double terms, double scale) {
  return {expected, tolerance<Real>(terms, scale)};
}

/// A number within tolerance<Real>(terms, scale) of `expected`; the scale is |expected| unless it is given.
template <class Real>
auto close(double expected, double terms) {
  return Approx(expected).epsilon(0).margin(tolerance<Real>(terms, std::fabs(expected)));
}
template <class Real>
auto close(double expected, double terms, double scale) {
  return Approx(expected).epsilon(0).margin(tolerance<Real>(terms, scale));
}

}  // namespace miniapp::test
