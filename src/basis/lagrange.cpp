// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/basis/lagrange.hpp"

namespace miniapp::basis {

Matrix lagrange_values(const std::vector<double>& nodes, const std::vector<double>& points) {
  const int n = static_cast<int>(nodes.size()), m = static_cast<int>(points.size());
  Matrix values(m, n);
  for (int a = 0; a < m; ++a) {
    for (int i = 0; i < n; ++i) {
      double product = 1;
      for (int k = 0; k < n; ++k)
        if (k != i) product *= (points[a] - nodes[k]) / (nodes[i] - nodes[k]);
      values(a, i) = product;
    }
  }
  return values;
}

Matrix lagrange_derivatives(const std::vector<double>& nodes, const std::vector<double>& points) {
  const int n = static_cast<int>(nodes.size()), m = static_cast<int>(points.size());
  Matrix derivatives(m, n);
  for (int a = 0; a < m; ++a) {
    for (int i = 0; i < n; ++i) {
      double sum = 0;  // product rule: one factor differentiated at a time
      for (int d = 0; d < n; ++d) {
        if (d == i) continue;
        double product = 1 / (nodes[i] - nodes[d]);
        for (int k = 0; k < n; ++k)
          if (k != i && k != d) product *= (points[a] - nodes[k]) / (nodes[i] - nodes[k]);
        sum += product;
      }
      derivatives(a, i) = sum;
    }
  }
  return derivatives;
}

}  // namespace miniapp::basis
