// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/tensor/element_function.hpp"

#include <vector>

#include "miniapp/core/host_ranges.hpp"
#include "miniapp/geometry/curved.hpp"

namespace miniapp::tensor {

Vector<const double> values_at(const mesh::Mesh& mesh, const basis::Rule& rule, const ElementFunction& f) {
  const int q = rule.size(), points = q * q * q;
  const std::size_t elements = mesh.num_elements();
  const Vector<double> values = make_vector<double>("tensor/values", elements * static_cast<std::size_t>(points));
  const auto host = Kokkos::create_mirror_view(values);  // on hosts the same memory
  const geometry::TensorPoints at_points(mesh, rule.points);
  const HostRanges ranges(elements, 64);
  ranges.for_each([&](int range) {
    std::vector<double> x(3 * static_cast<std::size_t>(points));
    double *const y = x.data() + points, *const z = y + points;
    for (std::size_t e = ranges.begin(range); e < ranges.end(range); ++e) {
      at_points.visit(e, [&](std::size_t i, const mesh::Point& at) {
        x[i] = at[0];
        y[i] = at[1];
        z[i] = at[2];
      });
      f.evaluate(mesh.number(e), points, x.data(), y, z, host.data() + e * points);
    }
  });
  Kokkos::deep_copy(values, host);
  return values;
}

}  // namespace miniapp::tensor
