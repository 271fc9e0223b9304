// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/geometry/prism.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "miniapp/core/error.hpp"

namespace miniapp::geometry {
namespace {

double determinant(const double* vertices, double r, double s, double t) {
  double J[3][3], inverse[3][3];
  prism_jacobian(vertices, r, s, t, J);
  return invert(J, inverse);
}

}  // namespace

double least_determinant(const double* vertices) {
  double least = INFINITY;
  for (const auto& [r, s] : {std::pair{0.0, 0.0}, {1.0, 0.0}, {0.0, 1.0}}) {
    const double low = determinant(vertices, r, s, -1), middle = determinant(vertices, r, s, 0),
                 high = determinant(vertices, r, s, 1);
    if (std::isnan(low + middle + high)) return NAN;
    const double slope = 0.5 * (high - low), curvature = high - 2 * middle + low;
    least = std::min({least, low, high});
    if (std::fabs(slope) < curvature) least = std::min(least, middle - 0.5 * slope * slope / curvature);
  }
  return least;
}

void require_positive(const std::vector<double>& prisms) {
  for (std::size_t e = 0; e < prisms.size() / prism_numbers; ++e) {
    const double least = least_determinant(&prisms[e * prism_numbers]);
    if (least > 0) continue;
    std::ostringstream message;
    message << "element " << e << " is inverted: det J falls to " << least
            << " in it; vertices 0, 1, 2 of a prism are counter-clockwise seen from 3, 4, 5";
    throw InputError(message.str());
  }
}

}  // namespace miniapp::geometry
