// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <utility>

/// Exact solutions of Riemann problems, self-similar in x / t: constant states left and right of x = 0 at t = 0
/// (Toro, Riemann Solvers and Numerical Methods for Fluid Dynamics, 3rd edition, 2009, sections 4.2-4.5; Stoker, Water
/// Waves, 1957, section 10.8).
namespace miniapp::test {

/// The root of an increasing function between two bounds.
template <class F>
double bisect(const F& f, double low, double high) {
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    (f(middle) < 0 ? low : high) = middle;
  }
  return (low + high) / 2;
}

/// An ideal gas, gamma = 1.4.
struct Gas {
  double rho, u, p;
};
inline double sound(const Gas& gas) { return std::sqrt(1.4 * gas.p / gas.rho); }

/// Velocity that a wave takes from a gas when it changes its pressure to p.
inline double velocity_lost(const Gas& gas, double p) {
  if (p > gas.p) return (p - gas.p) * std::sqrt(2 / (gas.rho * (2.4 * p + 0.4 * gas.p)));
  return 5 * sound(gas) * (std::pow(p / gas.p, 1 / 7.) - 1);
}
/// Left of the contact, which has pressure p and velocity u.
inline Gas behind_left_wave(const Gas& gas, double p, double u, double speed) {
  const double ratio = p / gas.p;
  if (ratio > 1) {
    const double shock = gas.u - sound(gas) * std::sqrt((6 * ratio + 1) / 7);
    return speed < shock ? gas : Gas{gas.rho * (6 * ratio + 1) / (ratio + 6), u, p};
  }
  const double c = sound(gas), c_behind = c * std::pow(ratio, 1 / 7.);
  if (speed < gas.u - c) return gas;
  if (speed > u - c_behind) return {gas.rho * std::pow(ratio, 1 / 1.4), u, p};
  const double c_here = (5 * c + gas.u - speed) / 6;  // u - c = x / t and u + 5 c constant
  const double part = std::pow(c_here / c, 5);
  return {gas.rho * part, speed + c_here, gas.p * std::pow(part, 1.4)};
}
/// Sod's and other shock tubes at x / t = speed; no vacuum.
inline Gas exact_gas(const Gas& left, const Gas& right, double speed) {
  const auto excess = [&](double p) { return velocity_lost(left, p) + velocity_lost(right, p) + right.u - left.u; };
  const double p = bisect(excess, 0, 100 * (left.p + right.p)), u = left.u - velocity_lost(left, p);
  if (speed < u) return behind_left_wave(left, p, u, speed);
  const Gas mirrored = behind_left_wave({right.rho, -right.u, right.p}, p, -u, -speed);
  return {mirrored.rho, -mirrored.u, mirrored.p};
}

/// Water over a flat bottom.
struct Water {
  double h, u;
};
inline constexpr double gravity = 9.81;

/// Still water of depths left > right >= 0 behind and in front of a dam that breaks, at x / t = speed.
inline Water exact_dam_break(double left, double right, double speed) {
  const auto lost = [&](double h) { return 2 * (std::sqrt(gravity * h) - std::sqrt(gravity * left)); };
  const auto gained = [&](double h) {
    return right > 0 ? (h - right) * std::sqrt(gravity / 2 * (1 / h + 1 / right)) : 0;
  };
  const double c = std::sqrt(gravity * left);
  const double h = right > 0 ? bisect([&](double d) { return lost(d) + gained(d); }, right, left) : 0;
  const double u = -lost(h), shock = right > 0 ? h * u / (h - right) : u;
  if (speed < -c) return {left, 0};
  if (speed < u - std::sqrt(gravity * h)) return {std::pow((2 * c - speed) / 3, 2) / gravity, 2 * (c + speed) / 3};
  return speed < shock ? Water{h, u} : Water{right, 0};
}

}  // namespace miniapp::test
