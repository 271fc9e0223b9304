// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/weakform/dual.hpp"

#include "support/all_close.hpp"

using weakform::Dual;

namespace {

/// The derivative of f at x by Richardson's extrapolation of central differences.
template <class Function>
double slope(const Function& f, double x) {
  const auto central = [&](double h) { return (f(x + h) - f(x - h)) / (2 * h); };
  const double h = 1e-3;
  return (4 * central(h / 2) - central(h)) / 3;
}

/// Compares the value and the derivative of f at x along a direction of length 3 with those of numbers. Terms of f of
/// size 8 may cancel, and a compiler may fuse a product and a sum in one of the two only.
template <class Function>
void check(const Function& f, double x) {
  const Dual<double> result = f(Dual<double>(x, 3));

  CAPTURE(x);
  CHECK(result.value == close<double>(f(x), 4, 8));
  CHECK(result.derivative == Approx(3 * slope(f, x)).epsilon(1e-9).margin(1e-9));
}

}  // namespace

TEST_CASE("Derivatives of arithmetic are those of finite differences", "[weakform][dual]") {
  for (const double x : {-1.7, 0.3, 2.1}) {
    check([](auto a) { return a * a - a / 3.0 + 2.0 * a; }, x);
    check([](auto a) { return (a + 1.0) / (a * a + 2.0); }, x);
    check([](auto a) { return 1.0 / (-a * 4.0); }, x);
    check([](auto a) { return a * 0.5 - (1.0 - a) * a; }, x);
  }
}

TEST_CASE("Derivatives of functions are those of finite differences", "[weakform][dual]") {
  for (const double x : {0.3, 1.0, 2.1}) {
    check([](auto a) { return sqrt(a * a + 1.0); }, x);
    check([](auto a) { return exp(-a) * log(a); }, x);
    check([](auto a) { return pow(a, 2.5) + pow(a, -0.5); }, x);
    check(
        [](auto a) {
          using std::abs;  // that of C takes whole numbers
          return abs(a) * a + abs(-a);
        },
        x);
  }
}

TEST_CASE("Assignments with an operation do what the operation does", "[weakform][dual]") {
  const Dual<double> a(1.5, 2), b(-0.7, 0.4);
  Dual<double> sum = a, difference = a, product = a, quotient = a;

  sum += b;
  difference -= b;
  product *= b;
  quotient /= b;

  CHECK((sum.value == (a + b).value && sum.derivative == (a + b).derivative));
  CHECK((difference.value == (a - b).value && difference.derivative == (a - b).derivative));
  CHECK((product.value == (a * b).value && product.derivative == (a * b).derivative));
  CHECK((quotient.value == (a / b).value && quotient.derivative == (a / b).derivative));
}

TEST_CASE("Comparisons see values only, and abs has no slope at zero", "[weakform][dual]") {
  CHECK(Dual<float>(1, 9) < Dual<float>(2, -9));
  CHECK(Dual<float>(2, -9) > Dual<float>(1, 9));
  CHECK_FALSE(Dual<float>(1, 2) < Dual<float>(1, 3));
  CHECK(abs(Dual<float>(0, 5)).derivative == 0);
  CHECK(abs(Dual<float>(-2, 5)).derivative == -5);
}
