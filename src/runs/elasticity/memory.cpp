// SPDX-License-Identifier: BSD-3-Clause
#include "runs/elasticity/memory.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "miniapp/basis/prism.hpp"
#include "miniapp/elasticity/assembly.hpp"
#include "miniapp/mesh/entities.hpp"

namespace miniapp::elasticity {
namespace {

using measure::MemoryNeed, measure::program_bytes;

/// Measured on 40 x 10 x 10 cells of order 1 and 10 x 8 x 8 of order 3 (2026-11-27):
///   miniapp elasticity --solve --order 1|3 --cells .. --preconditioner jacobi|amg --tolerance 0.9 --repeat 1
/// A prism's vertices and geometry; words of a node's vectors in CG; multigrid per block of 3 x 3 numbers, and on ranks
/// with the rows that they share [bytes].
constexpr double prism_bytes = 360, vector_words = 48, amg_bytes = 400, shared_amg_bytes = 600;

}  // namespace

MemoryNeed matrices_need(const MatrixSettings& o, int order, Method method) {
  const auto plan = make_plan(order, o.limits, variant_of(method), o.precision, o.elements_of(order));
  const double batch = double(plan.elements), word = double(o.word());
  // vertices and Lame's constants in double precision; what the device takes, Jacobians or the same in single precision
  const double prepared = reads_jacobians(method) ? 10 * word * basis::number_of_points(order) : 80;
  MemoryNeed need{program_bytes + batch * (160 + prepared), double(plan.input_bytes) + batch * o.matrix_bytes(order)};
  if (o.output == Output::host) need.host += double(o.elements_of(order)) * o.matrix_bytes(order);
  return measure::most_of({{program_bytes, copied_bytes}, need});
}

SystemSize size_of(const BeamSettings& o, int order) {
  std::array<double, 3> sides{double(o.beam.nx), double(o.beam.ny), double(o.beam.nz)};
  double& longest = *std::max_element(sides.begin(), sides.end());
  longest = std::ceil(longest / o.ranks.size());
  const auto [nx, ny, nz] = sides;
  const double p = order, in_triangle = (p + 1) * (p + 2) / 2, on_edge = p + 1;
  // triangles couple all of their nodes; a shared edge counts its pairs twice, a vertex inside 6 times less 6
  const double flat =
      2 * nx * ny * in_triangle * in_triangle - (3 * nx * ny - nx - ny) * on_edge * on_edge + (nx - 1) * (ny - 1);
  return {2 * nx * ny * nz, (nx * p + 1) * (ny * p + 1) * (nz * p + 1), flat * (nz * on_edge * on_edge - (nz - 1))};
}

SystemSize size_of(const mesh::Mesh& mesh, int order) {
  const double p = order, inner = p - 1, triangle = (p + 1) * (p + 2) / 2, square = (p + 1) * (p + 1),
               prism = triangle * (p + 1), elements = double(mesh.num_elements());
  const mesh::Entities faces = mesh::find_faces(mesh);
  const auto face_of = to_host(faces.of_cell), uses = to_host(faces.multiplicity);
  double triangles = 0, squares = 0, shared_triangles = 0, shared_squares = 0;
  for (std::size_t place = 0; place < face_of.extent(0); ++place) {
    const bool is_triangle = place % static_cast<std::size_t>(faces.slots) < 2;
    const double part = 1. / uses(face_of(place));
    (is_triangle ? triangles : squares) += part;
    (is_triangle ? shared_triangles : shared_squares) += 1 - part;
  }
  const double edges = double(mesh::find_edges(mesh).size()), vertices = double(mesh.vertices.size());
  const double nodes = vertices + inner * edges + inner * (inner - 1) / 2 * triangles + inner * inner * squares +
                       inner * inner * (inner - 1) / 2 * elements;
  const double outer_triangles = triangles - shared_triangles, outer_squares = squares - shared_squares,
               outer_edges = (3 * outer_triangles + 4 * outer_squares) / 2,
               outer_vertices = outer_edges - outer_triangles - outer_squares + 2;  // Euler's, without holes
  // pairs of nodes on a shared side count twice; those on an edge inside as often as on its sides, less one; at a
  // vertex inside once more than on its sides, less its edges
  const double blocks = elements * prism * prism - shared_triangles * triangle * triangle -
                        shared_squares * square * square + (edges - outer_edges) * (p + 1) * (p + 1) -
                        (vertices - outer_vertices);
  return {elements, nodes, blocks};
}

namespace {

/// The pattern and the matrix; a batch of element matrices, or multigrid.
MemoryNeed system_need(const SolveSettings& o, const SystemSize& size, int order) {
  const auto& [prisms, nodes, blocks] = size;
  const double word = double(o.word()), map = 4 * basis::number_of_shape_functions(order) * prisms;
  const bool amg = o.preconditioner == ElasticPreconditioner::amg && !o.verify_only;
  const double batch = std::min(double(AssemblyOptions().batch_bytes), o.matrix_bytes(order) * prisms),
               multigrid = amg ? blocks * (o.ranks.is_alone() ? amg_bytes : shared_amg_bytes) : 0;
  return {program_bytes + prism_bytes * prisms + map, (runs_on_host ? 0 : map) + blocks * (9 * word + 16) +
                                                          vector_words * word * nodes + std::max(batch, multigrid)};
}

}  // namespace

MemoryNeed beam_need(const BeamSettings& o, int order) {
  const double all = double(o.beam.nx) * o.beam.ny * o.beam.nz;
  return measure::most_of(
      {measure::partition_need(o.partition, all, 3, o.ranks.size()), system_need(o, size_of(o, order), order)});
}

MemoryNeed body_need(const SolveSettings& o, const mesh::Mesh& mesh, int order) {
  return system_need(o, size_of(mesh, order), order);
}

void keep_room_for_output(MatrixSettings& o, const std::vector<int>& orders) {
  if (!runs_on_host || o.output != Output::host) return;
  double kept = 0;
  for (const int order : orders) kept = std::max(kept, o.matrix_bytes(order) * double(o.elements_of(order)));
  const double all = double(o.limits.memory_bytes), least = all / 16;  // what is not there is refused elsewhere
  o.limits.memory_bytes = o.limits.array_bytes = static_cast<std::size_t>(std::max(least, all - kept));
}

}  // namespace miniapp::elasticity
