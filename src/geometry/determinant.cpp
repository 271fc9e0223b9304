// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/geometry/determinant.hpp"

namespace miniapp::geometry {

template <class Real>
Vector<const Real> make_determinants(const Vector<const double>& trilinear) {
  const std::size_t elements = trilinear.extent(0) / 24;
  const Vector<Real> coefficients = make_vector<Real>("geometry/determinants", 27 * elements);
  Kokkos::parallel_for(
      "geometry/determinants", Kokkos::RangePolicy<ExecutionSpace>(0, elements), KOKKOS_LAMBDA(const int e) {
        double c[27];
        for (int q = 0; q < 27; ++q) {  // values at -1, 0, 1 in each direction
          double J[3][3], dual[3];
          tangents(&trilinear(24 * std::size_t(e)), q % 3 - 1.0, q / 3 % 3 - 1.0, q / 9 - 1.0, J);
          cross(J[1], J[2], dual);
          c[q] = dot(J[0], dual);
        }
        for (int stride = 1; stride <= 9; stride *= 3) {  // to monomials, one direction at a time
          for (int q = 0; q < 27; ++q) {
            if (q / stride % 3 != 1) continue;
            const double low = c[q - stride], middle = c[q], high = c[q + stride];
            c[q - stride] = middle;
            c[q] = 0.5 * (high - low);
            c[q + stride] = 0.5 * (high + low) - middle;
          }
        }
        for (int q = 0; q < 27; ++q) coefficients(27 * std::size_t(e) + q) = static_cast<Real>(c[q]);
      });
  return coefficients;
}

template Vector<const double> make_determinants(const Vector<const double>&);
template Vector<const float> make_determinants(const Vector<const double>&);

}  // namespace miniapp::geometry
