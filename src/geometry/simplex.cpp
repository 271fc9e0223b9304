// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/geometry/simplex.hpp"

#include <limits>
#include <sstream>

#include "miniapp/core/error.hpp"
#include "miniapp/core/execution.hpp"
#include "miniapp/core/tolerance.hpp"

namespace miniapp::geometry {
namespace {

/// The edges from vertex 0 of a cell have this det J, and this product of lengths [m^dim].
struct Size {
  double det, scale;
};

template <int dim>
KOKKOS_INLINE_FUNCTION Size size_of(const double* points, const Index* vertices) {
  double x[dim + 1][dim], inverse[dim][dim], scale = 1;
  for (int v = 0; v <= dim; ++v)
    for (int d = 0; d < dim; ++d) x[v][d] = points[3 * std::size_t(vertices[v]) + d];
  for (int a = 1; a <= dim; ++a) {
    double square = 0;
    for (int d = 0; d < dim; ++d) square += (x[a][d] - x[0][d]) * (x[a][d] - x[0][d]);
    scale *= km::sqrt(square);
  }
  return {invert_simplex<dim>(x, inverse), scale};
}

/// Of det J, in multiples of Size::scale.
double rounding(int dim) { return tolerance<double>(dim * dim, 1); }

/// The first cell whose det J is not above the tolerance; the largest number if there is none.
template <int dim>
std::int64_t first_wrong(const double* points, const Index* cells, std::size_t num_cells) {
  const double limit = rounding(dim);
  std::int64_t first;
  Kokkos::parallel_reduce(
      "geometry/inverted simplices", Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(0, num_cells),
      KOKKOS_LAMBDA(const std::int64_t e, std::int64_t& least) {
        const Size size = size_of<dim>(points, cells + (dim + 1) * e);
        if (!(size.det > limit * size.scale) && e < least) least = e;
      },
      Kokkos::Min<std::int64_t>(first));
  return first;
}

}  // namespace

void require_positive_simplices(const mesh::Mesh& mesh) {
  const bool plane = mesh.kind == mesh::CellKind::triangle;
  require(plane || mesh.kind == mesh::CellKind::tetrahedron,
          "a mesh of kind " + name(mesh.kind) + ": accepted are triangles and tetrahedra");
  const Vector<const Index> cells = read_on_device("geometry/cells", mesh.element_to_vertex.entries);
  const Vector<const mesh::Point> vertices = read_on_device("geometry/vertices", mesh.vertices);
  const auto* const points = reinterpret_cast<const double*>(vertices.data());  // (vertex, d)
  const std::int64_t e = plane ? first_wrong<2>(points, cells.data(), mesh.num_elements())
                               : first_wrong<3>(points, cells.data(), mesh.num_elements());
  if (e >= static_cast<std::int64_t>(mesh.num_elements())) return;
  const auto* const on_host = reinterpret_cast<const double*>(mesh.vertices.data());
  const Size size =
      plane ? size_of<2>(on_host, mesh.element_to_vertex[e]) : size_of<3>(on_host, mesh.element_to_vertex[e]);
  std::ostringstream message;
  const bool is_inverted = size.det < -rounding(plane ? 2 : 3) * size.scale;
  message << "element " << e << (is_inverted ? " is inverted" : " has no volume beyond rounding") << ": det J is "
          << size.det << ", the lengths of the edges multiply to " << size.scale << "; vertices of a "
          << name(mesh.kind) << (plane ? " are counter-clockwise" : ": 0, 1, 2 are counter-clockwise as seen from 3");
  throw InputError(message.str());
}

}  // namespace miniapp::geometry
