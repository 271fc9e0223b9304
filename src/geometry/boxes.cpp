// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/geometry/boxes.hpp"

#include "miniapp/geometry/hexahedron.hpp"

namespace miniapp::geometry {
namespace {

struct SetBoxes {
  Vector<const double> trilinear;
  Vector<double> boxes;

  KOKKOS_FUNCTION void operator()(const std::int64_t e) const {
    double J[3][3];
    tangents(trilinear.data() + 24 * e, 0., 0., 0., J);
    const double det = determinant(J);
    double* const box = boxes.data() + num_box_factors * e;
    for (int a = 0; a < 3; ++a) box[a] = det / dot(J[a], J[a]);
    box[3] = det;
  }
};

using Elements = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;

}  // namespace

Vector<const double> make_boxes(const Vector<const double>& trilinear) {
  const std::size_t elements = trilinear.extent(0) / 24;
  const Vector<double> boxes = make_vector<double>("geometry/boxes", num_box_factors * elements);
  Kokkos::parallel_for("geometry/boxes", Elements(0, elements), SetBoxes{trilinear, boxes});
  return boxes;
}

}  // namespace miniapp::geometry
