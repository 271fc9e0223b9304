// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/geometry/hexahedron.hpp"

#include "miniapp/core/error.hpp"

namespace miniapp::geometry {

Vector<const double> make_trilinear(const mesh::Mesh& mesh) {
  require(mesh.kind == mesh::CellKind::hexahedron, "a mesh of kind " + name(mesh.kind) + ": accepted are hexahedra");
  const std::size_t elements = mesh.num_elements();
  const Vector<double> coefficients = make_vector<double>("geometry/trilinear", 24 * elements);
  const Vector<const Index> cells = read_on_device("geometry/cells", mesh.element_to_vertex.entries);
  const Vector<const mesh::Point> vertices = read_on_device("geometry/vertices", mesh.vertices);
  const auto* const points = reinterpret_cast<const double*>(vertices.data());  // (vertex, d)
  Kokkos::parallel_for(
      "geometry/trilinear", Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(0, elements),
      KOKKOS_LAMBDA(const std::int64_t e) {
        double x[8][3];
        for (int v = 0; v < 8; ++v)
          for (int d = 0; d < 3; ++d) x[v][d] = points[3 * std::size_t(cells(8 * e + v)) + d];
        for (int q = 0; q < 8; ++q)
          for (int d = 0; d < 3; ++d) {
            double sum = 0;
            for (int v = 0; v < 8; ++v) {  // (-1)^(directions of q in which v is at -1)
              const int low = q & ~v;
              sum += ((low ^ low >> 1 ^ low >> 2) & 1 ? -x[v][d] : x[v][d]) / 8;
            }
            coefficients(24 * e + 3 * q + d) = sum;
          }
      });
  return coefficients;
}

template <class Real>
Vector<const Real> make_factors(const Vector<const double>& trilinear, const basis::Rule& rule, bool mass_only,
                                const Vector<const double>& coefficient) {
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
        if (coefficient.extent(0) > 0)
          for (int c = 0; c < 6; ++c) f[c] *= coefficient(flat);
        if (mass_only) {
          stored(flat) = static_cast<Real>(f[6]);
        } else {
          for (int c = 0; c < num_factors; ++c)
            stored((e * num_factors + c) * points + point) = static_cast<Real>(f[c]);
        }
      });
  return stored;
}

template Vector<const double> make_factors(const Vector<const double>&, const basis::Rule&, bool,
                                           const Vector<const double>&);
template Vector<const float> make_factors(const Vector<const double>&, const basis::Rule&, bool,
                                          const Vector<const double>&);

namespace {

KOKKOS_INLINE_FUNCTION double trilinear_determinant(const double* c, double r, double s, double t) {
  double J[3][3];
  tangents(c, r, s, t, J);
  return determinant(J);
}

/// Whether a lower bound of det J over the element is positive.
KOKKOS_INLINE_FUNCTION bool is_positive(const double* c) {
  double b[27];
  for (int q = 0; q < 27; ++q) b[q] = trilinear_determinant(c, q % 3 - 1, q / 3 % 3 - 1, q / 9 - 1);
  // from values at -1, 0, 1 to Bernstein coefficients, one direction at a time
  for (int stride = 1; stride <= 9; stride *= 3)
    for (int q = 0; q < 27; ++q)
      if (q / stride % 3 == 1) b[q] = 2 * b[q] - 0.5 * (b[q - stride] + b[q + stride]);
  bool positive = true;
  for (int q = 0; q < 27; ++q) positive = positive && b[q] > 0;
  return positive;
}

}  // namespace

std::int64_t find_inverted(const Vector<const double>& trilinear, const basis::Rule& rule) {
  std::vector<double> x = rule.points;
  x.insert(x.end(), {-1, 1});
  const Vector<const double> points = to_device("geometry/points", x);
  const std::int64_t elements = static_cast<std::int64_t>(trilinear.extent(0) / 24);
  std::int64_t first = elements;
  Kokkos::parallel_reduce(
      "geometry/inverted", Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(0, elements),
      KOKKOS_LAMBDA(const std::int64_t e, std::int64_t& least) {
        const double* const c = &trilinear(24 * e);
        if (e >= least || is_positive(c)) return;
        const int n = static_cast<int>(points.extent(0));
        for (int q = 0; e < least && q < n * n * n; ++q)
          if (!(trilinear_determinant(c, points(q % n), points(q / n % n), points(q / (n * n))) > 0)) least = e;
      },
      Kokkos::Min<std::int64_t>(first));
  return first < elements ? first : -1;
}

}  // namespace miniapp::geometry
