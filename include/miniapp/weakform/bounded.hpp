// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "miniapp/core/kokkos.hpp"

namespace miniapp::weakform {

/// A number with a bound for what rounding has made of it: |value - what exact arithmetic gives| <= error times the
/// unit roundoff, to first order. Each operation adds what it makes of the errors of its operands, and its own
/// rounding. Differences of large numbers keep the errors of these, so the bound follows the conditioning of a
/// computation. Source: N. J. Higham, Accuracy and stability of numerical algorithms, 2nd ed., 2002, section 3.3
/// (running error analysis). Forms that are written for any number type (form.hpp) take it for their numbers, and
/// Dual<Bounded>.
struct Bounded {
  double value = 0, error = 0;

  Bounded() = default;
  KOKKOS_FORCEINLINE_FUNCTION constexpr Bounded(double value_) : value(value_) {}  // NOLINT: numbers are exact
  KOKKOS_FORCEINLINE_FUNCTION constexpr Bounded(double value_, double error_) : value(value_), error(error_) {}

  /// A result whose operands make `propagated` of their errors.
  static KOKKOS_FORCEINLINE_FUNCTION Bounded rounded(double value, double propagated) {
    return {value, propagated + km::fabs(value)};
  }
  friend KOKKOS_FORCEINLINE_FUNCTION Bounded operator-(const Bounded& a) { return {-a.value, a.error}; }
  friend KOKKOS_FORCEINLINE_FUNCTION Bounded operator+(const Bounded& a, const Bounded& b) {
    return rounded(a.value + b.value, a.error + b.error);
  }
  friend KOKKOS_FORCEINLINE_FUNCTION Bounded operator-(const Bounded& a, const Bounded& b) {
    return rounded(a.value - b.value, a.error + b.error);
  }
  friend KOKKOS_FORCEINLINE_FUNCTION Bounded operator*(const Bounded& a, const Bounded& b) {
    return rounded(a.value * b.value, km::fabs(a.value) * b.error + km::fabs(b.value) * a.error);
  }
  friend KOKKOS_FORCEINLINE_FUNCTION Bounded operator/(const Bounded& a, const Bounded& b) {
    const double quotient = a.value / b.value;
    return rounded(quotient, (a.error + km::fabs(quotient) * b.error) / km::fabs(b.value));
  }
  KOKKOS_FORCEINLINE_FUNCTION Bounded& operator+=(const Bounded& b) { return *this = *this + b; }
  KOKKOS_FORCEINLINE_FUNCTION Bounded& operator-=(const Bounded& b) { return *this = *this - b; }
  KOKKOS_FORCEINLINE_FUNCTION Bounded& operator*=(const Bounded& b) { return *this = *this * b; }
  KOKKOS_FORCEINLINE_FUNCTION Bounded& operator/=(const Bounded& b) { return *this = *this / b; }

  friend KOKKOS_FORCEINLINE_FUNCTION bool operator<(const Bounded& a, const Bounded& b) { return a.value < b.value; }
  friend KOKKOS_FORCEINLINE_FUNCTION bool operator>(const Bounded& a, const Bounded& b) { return a.value > b.value; }

  friend KOKKOS_FORCEINLINE_FUNCTION Bounded sqrt(const Bounded& a) {
    const double root = km::sqrt(a.value);
    return rounded(root, a.error / (2 * root));
  }
  friend KOKKOS_FORCEINLINE_FUNCTION Bounded exp(const Bounded& a) {
    const double power = km::exp(a.value);
    return rounded(power, power * a.error);
  }
  friend KOKKOS_FORCEINLINE_FUNCTION Bounded log(const Bounded& a) {
    return rounded(km::log(a.value), a.error / km::fabs(a.value));
  }
  friend KOKKOS_FORCEINLINE_FUNCTION Bounded pow(const Bounded& a, const Bounded& b) {
    const double power = km::pow(a.value, b.value);
    return rounded(power, km::fabs(power * b.value / a.value) * a.error);
  }
  friend KOKKOS_FORCEINLINE_FUNCTION Bounded abs(const Bounded& a) { return {km::fabs(a.value), a.error}; }
};

/// What rounding may make of each entry (node, component) of the residual, and of its derivative in a direction, in
/// units of roundoff. `rounds_input`, where they are computed: positions and kappa are rounded too, as single precision
/// does.
struct ReferenceBounds {
  std::vector<double> residual, action;
};

}  // namespace miniapp::weakform
