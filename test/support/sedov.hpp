// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

namespace miniapp::test {

/// The self-similar blast wave of a point source of energy E in an ideal gas at rest without pressure, in three
/// dimensions: shock at r = (E t^2 / (alpha rho))^(1/5). Landau and Lifshitz, Fluid Mechanics, section 106: with
/// xi = r / shock, u = 2 r V / (5 t), c^2 = 4 r^2 Z / (25 t^2), density rho (gamma + 1) / (gamma - 1) at the shock
/// times g,
///   Z = gamma (gamma - 1) (1 - V) V^2 / (2 (gamma V - 1)),        d ln G - 3 d ln xi V / (1 - V) = d V / (1 - V),
///   d ln Z - (gamma - 1) d ln G = -(5 - 2 V) / (1 - V) d ln xi,
///   alpha = 16 pi / 25 * integral of G (V^2 / 2 + Z / (gamma (gamma - 1))) xi^4 d xi,   G = g (gamma + 1) / (gamma -
///   1),
/// from V = 2 / (gamma + 1) at the shock to 1 / gamma at the centre. alpha = 0.851 for gamma = 1.4 (also Kamm and
/// Timmes, LA-UR-07-2849).
struct Sedov {
  struct Point {
    double xi, density, pressure;  ///< r over the shock's; over the values behind the shock
  };
  double alpha = 0;
  std::vector<Point> profile;  ///< points from the shock inwards

  explicit Sedov(double gamma) {
    const double strength = (gamma + 1) / (gamma - 1);
    double log_xi = 0, log_g = 0, s = -std::log(strength);  // gamma V - 1 = exp(s)
    const double step = -1e-3;
    struct Slopes {
      double V, Z, xi, g;  // of ln xi and ln g along s
    };
    const auto at = [&](double place) {
      const double r = std::exp(place), V = (1 + r) / gamma, dV = r / gamma;
      const double dlogZ = dV * (2 / V - 1 / (1 - V)) - 1;
      const double dxi = ((1 - V) * dlogZ - (gamma - 1) * dV) / (3 * V * (gamma - 1) - (5 - 2 * V));
      return Slopes{V, gamma * (gamma - 1) * (1 - V) * V * V / (2 * r), dxi, (dV + 3 * V * dxi) / (1 - V)};
    };
    const auto energy = [&](const Slopes& slopes) {  // along s
      const double G = strength * std::exp(log_g), V = slopes.V;
      return 16 * std::numbers::pi / 25 * G * (V * V / 2 + slopes.Z / (gamma * (gamma - 1))) * std::exp(5 * log_xi) *
             slopes.xi;
    };
    const double Z_shock = at(s).Z;
    for (; log_xi > -5; s += step) {
      const Slopes here = at(s), next = at(s + step), middle = at(s + step / 2);
      profile.push_back({std::exp(log_xi), std::exp(log_g), std::exp(log_g + 2 * log_xi) * here.Z / Z_shock});
      alpha -= step / 2 * energy(here);
      log_xi += step / 6 * (here.xi + 4 * middle.xi + next.xi);
      log_g += step / 6 * (here.g + 4 * middle.g + next.g);
      alpha -= step / 2 * energy(next);
    }
  }
};

}  // namespace miniapp::test
