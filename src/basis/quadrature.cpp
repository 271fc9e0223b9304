// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/basis/quadrature.hpp"

#include <cmath>
#include <numbers>

namespace miniapp::basis {
namespace {

struct Legendre {
  double value, derivative;
};

/// P_n(x) and P_n'(x) by the three-term recurrence; |x| < 1.
Legendre legendre(int n, double x) {
  double previous = 1, current = x;
  if (n == 0) return {1, 0};
  for (int k = 2; k <= n; ++k) {
    const double next = ((2 * k - 1) * x * current - (k - 1) * previous) / k;
    previous = current;
    current = next;
  }
  return {current, n * (x * current - previous) / (x * x - 1)};
}

/// Makes points antisymmetric and weights symmetric to the last bit: even-odd contractions rely on it.
void symmetrise(Rule& rule) {
  const int n = rule.size();
  for (int i = 0; i < n / 2; ++i) {
    const double x = 0.5 * (rule.points[n - 1 - i] - rule.points[i]);
    const double w = 0.5 * (rule.weights[n - 1 - i] + rule.weights[i]);
    rule.points[i] = -x;
    rule.points[n - 1 - i] = x;
    rule.weights[i] = rule.weights[n - 1 - i] = w;
  }
  if (n % 2) rule.points[n / 2] = 0;
}

constexpr int newton_steps = 50;  // far more than the 5 that double precision needs

}  // namespace

Rule gauss(int size) {
  Rule rule{std::vector<double>(size), std::vector<double>(size)};
  for (int i = 0; i < size; ++i) {
    double x = -std::cos(std::numbers::pi * (i + 0.75) / (size + 0.5));
    for (int step = 0; step < newton_steps; ++step) {
      const Legendre p = legendre(size, x);
      x -= p.value / p.derivative;
    }
    const double d = legendre(size, x).derivative;
    rule.points[i] = x;
    rule.weights[i] = 2 / ((1 - x * x) * d * d);
  }
  symmetrise(rule);
  return rule;
}

Rule gauss_lobatto(int size) {
  const int p = size - 1;
  Rule rule{std::vector<double>(size), std::vector<double>(size)};
  rule.points[0] = -1;
  rule.points[p] = 1;
  rule.weights[0] = rule.weights[p] = 2.0 / (p * (p + 1));
  for (int i = 1; i < p; ++i) {  // roots of P_p', by Newton with Legendre's equation for P_p''
    double x = -std::cos(std::numbers::pi * i / p);
    for (int step = 0; step < newton_steps; ++step) {
      const Legendre q = legendre(p, x);
      x -= q.derivative / ((2 * x * q.derivative - p * (p + 1) * q.value) / (1 - x * x));
    }
    const double value = legendre(p, x).value;
    rule.points[i] = x;
    rule.weights[i] = 2 / (p * (p + 1) * value * value);
  }
  symmetrise(rule);
  return rule;
}

}  // namespace miniapp::basis
