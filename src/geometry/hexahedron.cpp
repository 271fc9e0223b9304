// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/geometry/hexahedron.hpp"

#include <algorithm>

namespace miniapp::geometry {

Vector<const double> make_trilinear(const mesh::Mesh& mesh) {
  const Vector<double> device = make_vector<double>("geometry/trilinear", 24 * mesh.num_elements());
  const auto host = Kokkos::create_mirror_view(device);
  for (std::size_t e = 0; e < mesh.num_elements(); ++e) {
    const mesh::Trilinear c = mesh::trilinear(mesh, e);
    for (int q = 0; q < 8; ++q)
      for (int d = 0; d < 3; ++d) host(24 * e + 3 * q + d) = c[q][d];
  }
  Kokkos::deep_copy(device, host);
  return device;
}

template <class Real>
Vector<const Real> make_factors(const Vector<const double>& trilinear, const basis::Rule& rule, bool mass_only) {
  const int q = rule.size(), points = q * q * q;
  const std::size_t elements = trilinear.extent(0) / 24;
  const Vector<Real> stored = make_vector<Real>("geometry/factors", elements * points * (mass_only ? 1 : num_factors));
  Kokkos::View<double*, MemorySpace> x("points", q), w("weights", q);
  const auto x_host = Kokkos::create_mirror_view(x), w_host = Kokkos::create_mirror_view(w);
  for (int i = 0; i < q; ++i) {
    x_host(i) = rule.points[i];
    w_host(i) = rule.weights[i];
  }
  Kokkos::deep_copy(x, x_host);
  Kokkos::deep_copy(w, w_host);
  Kokkos::parallel_for(
      "geometry/factors", Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(0, elements * points),
      KOKKOS_LAMBDA(const std::int64_t flat) {
        const std::int64_t e = flat / points;
        const int point = static_cast<int>(flat % points), i = point % q, j = point / q % q, k = point / (q * q);
        double f[num_factors];
        factors(&trilinear(24 * e), x(i), x(j), x(k), w(i) * w(j) * w(k), f);
        if (mass_only) {
          stored(flat) = static_cast<Real>(f[6]);
        } else {
          for (int c = 0; c < num_factors; ++c)
            stored((e * num_factors + c) * points + point) = static_cast<Real>(f[c]);
        }
      });
  return stored;
}

template Vector<const double> make_factors(const Vector<const double>&, const basis::Rule&, bool);
template Vector<const float> make_factors(const Vector<const double>&, const basis::Rule&, bool);

namespace {

double determinant(const mesh::Trilinear& c, double r, double s, double t) {
  double J[3][3], dual[3];
  tangents(c[0].data(), r, s, t, J);
  cross(J[1], J[2], dual);
  return dot(J[0], dual);
}

/// A lower bound of det J over the element.
double bound(const mesh::Trilinear& c) {
  double b[27];
  for (int q = 0; q < 27; ++q) b[q] = determinant(c, q % 3 - 1, q / 3 % 3 - 1, q / 9 - 1);
  for (const int stride : {1, 3, 9})  // values at -1, 0, 1 to Bernstein coefficients, one direction at a time
    for (int q = 0; q < 27; ++q)
      if (q / stride % 3 == 1) b[q] = 2 * b[q] - 0.5 * (b[q - stride] + b[q + stride]);
  return *std::min_element(b, b + 27);
}

}  // namespace

std::int64_t find_inverted(const mesh::Mesh& mesh, const basis::Rule& rule) {
  std::vector<double> x = rule.points;
  x.insert(x.end(), {-1, 1});
  for (std::size_t e = 0; e < mesh.num_elements(); ++e) {
    const mesh::Trilinear c = mesh::trilinear(mesh, e);
    if (bound(c) > 0) continue;
    for (const double t : x)
      for (const double s : x)
        for (const double r : x)
          if (!(determinant(c, r, s, t) > 0)) return static_cast<std::int64_t>(e);
  }
  return -1;
}

}  // namespace miniapp::geometry
