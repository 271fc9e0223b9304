// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/kokkos.hpp"

namespace miniapp::weakform {

/// A number value + derivative eps with eps^2 = 0: a function of u + w eps has its value at u and its derivative in the
/// direction w. Forms that are written for any number type S so give their Jacobian action too. Comparisons are those
/// of the values; abs has the derivative 0 at 0.
template <class Real>
struct Dual {
  Real value = 0, derivative = 0;

  Dual() = default;
  KOKKOS_FORCEINLINE_FUNCTION constexpr Dual(Real value_) : value(value_) {}  // NOLINT: numbers are constants
  KOKKOS_FORCEINLINE_FUNCTION constexpr Dual(Real value_, Real derivative_) : value(value_), derivative(derivative_) {}

  friend KOKKOS_FORCEINLINE_FUNCTION Dual operator-(const Dual& a) { return {-a.value, -a.derivative}; }
  friend KOKKOS_FORCEINLINE_FUNCTION Dual operator+(const Dual& a, const Dual& b) {
    return {a.value + b.value, a.derivative + b.derivative};
  }
  friend KOKKOS_FORCEINLINE_FUNCTION Dual operator-(const Dual& a, const Dual& b) {
    return {a.value - b.value, a.derivative - b.derivative};
  }
  friend KOKKOS_FORCEINLINE_FUNCTION Dual operator*(const Dual& a, const Dual& b) {
    return {a.value * b.value, a.value * b.derivative + a.derivative * b.value};
  }
  friend KOKKOS_FORCEINLINE_FUNCTION Dual operator/(const Dual& a, const Dual& b) {
    const Real quotient = a.value / b.value;
    return {quotient, (a.derivative - quotient * b.derivative) / b.value};
  }
  // with a number, which has no derivative, in fewer operations
  friend KOKKOS_FORCEINLINE_FUNCTION Dual operator*(Real a, const Dual& b) { return {a * b.value, a * b.derivative}; }
  friend KOKKOS_FORCEINLINE_FUNCTION Dual operator*(const Dual& a, Real b) { return b * a; }
  friend KOKKOS_FORCEINLINE_FUNCTION Dual operator/(const Dual& a, Real b) { return {a.value / b, a.derivative / b}; }

  KOKKOS_FORCEINLINE_FUNCTION Dual& operator+=(const Dual& b) { return *this = *this + b; }
  KOKKOS_FORCEINLINE_FUNCTION Dual& operator-=(const Dual& b) { return *this = *this - b; }
  KOKKOS_FORCEINLINE_FUNCTION Dual& operator*=(const Dual& b) { return *this = *this * b; }
  KOKKOS_FORCEINLINE_FUNCTION Dual& operator/=(const Dual& b) { return *this = *this / b; }

  friend KOKKOS_FORCEINLINE_FUNCTION bool operator<(const Dual& a, const Dual& b) { return a.value < b.value; }
  friend KOKKOS_FORCEINLINE_FUNCTION bool operator>(const Dual& a, const Dual& b) { return a.value > b.value; }

  friend KOKKOS_FORCEINLINE_FUNCTION Dual sqrt(const Dual& a) {
    using km::sqrt;
    const Real root = sqrt(a.value);
    return {root, a.derivative / (2 * root)};
  }
  friend KOKKOS_FORCEINLINE_FUNCTION Dual exp(const Dual& a) {
    using km::exp;
    const Real power = exp(a.value);
    return {power, power * a.derivative};
  }
  friend KOKKOS_FORCEINLINE_FUNCTION Dual log(const Dual& a) {
    using km::log;
    return {log(a.value), a.derivative / a.value};
  }
  /// a^b for a number b.
  friend KOKKOS_FORCEINLINE_FUNCTION Dual pow(const Dual& a, Real b) {
    using km::pow;
    return {pow(a.value, b), b * pow(a.value, b - 1) * a.derivative};
  }
  friend KOKKOS_FORCEINLINE_FUNCTION Dual abs(const Dual& a) {
    return {a.value < 0 ? -a.value : a.value, a.value < 0 ? -a.derivative : 0 < a.value ? a.derivative : Real(0)};
  }
};

/// The value of a number of either type.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real value_of(const Dual<Real>& a) {
  return a.value;
}
KOKKOS_FORCEINLINE_FUNCTION double value_of(double a) { return a; }
KOKKOS_FORCEINLINE_FUNCTION float value_of(float a) { return a; }

}  // namespace miniapp::weakform
