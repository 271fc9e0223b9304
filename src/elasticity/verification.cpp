// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/elasticity/verification.hpp"

#include <algorithm>
#include <cmath>

#include "miniapp/core/tolerance.hpp"
#include "miniapp/geometry/prism.hpp"

namespace miniapp::elasticity {

std::vector<std::size_t> sample_of(std::size_t elements) {
  if (elements == 0) return {};
  std::vector<std::size_t> sample = {0, elements / 2, elements - 1};
  sample.erase(std::unique(sample.begin(), sample.end()), sample.end());
  return sample;
}

template <class Real>
double error_over_tolerance(const basis::PrismTables& tables, const Prisms& prisms, std::size_t e,
                            const Vector<Real>& matrix) {
  const std::vector<double> expected = reference_matrix(tables, &prisms.vertices[geometry::prism_numbers * e],
                                                        {prisms.materials[2 * e], prisms.materials[2 * e + 1]});
  const auto found = to_host(matrix);
  double scale = 0, worst = 0;
  for (const double value : expected) scale = std::max(scale, std::fabs(value));
  for (std::size_t i = 0; i < expected.size(); ++i) worst = worse(worst, std::fabs(double(found(i)) - expected[i]));
  return worst / tolerance<Real>(tables.num_points, scale);
}
template double error_over_tolerance(const basis::PrismTables&, const Prisms&, std::size_t, const Vector<double>&);
template double error_over_tolerance(const basis::PrismTables&, const Prisms&, std::size_t, const Vector<float>&);

}  // namespace miniapp::elasticity
