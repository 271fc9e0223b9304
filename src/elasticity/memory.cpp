// SPDX-License-Identifier: BSD-3-Clause
#include "elasticity/memory.hpp"

#include <algorithm>

#include "miniapp/basis/prism.hpp"
#include "miniapp/elasticity/assembly.hpp"
#include "miniapp/measure/roofs.hpp"

namespace miniapp::elasticity {
namespace {

using measure::MemoryNeed, measure::most_of, measure::program_bytes;

/// Pairs of nodes that have a prism in common, of cells[0] x cells[1] x cells[2] cells of two prisms. Triangles couple
/// all of their nodes; a shared edge counts its pairs twice, a vertex inside 6 times less 6.
double count_blocks(const Cantilever& beam) {
  const double p = beam.order, in_triangle = (p + 1) * (p + 2) / 2, on_edge = p + 1, nx = beam.nx, ny = beam.ny;
  const double flat =
      2 * nx * ny * in_triangle * in_triangle - (3 * nx * ny - nx - ny) * on_edge * on_edge + (nx - 1) * (ny - 1);
  return flat * (beam.nz * on_edge * on_edge - (beam.nz - 1));
}

}  // namespace

MemoryNeed matrices_need(const MatrixSettings& o, int order, Method method) {
  const auto plan = make_plan(order, o.limits, variant_of(method), o.precision, o.elements_of(order));
  const double batch = double(plan.elements), word = double(o.word()), single = o.word() == 4 ? 1 : 0;
  // vertices and Lame's constants in double; what the device takes, where it is not the same
  const double prepared =
      reads_jacobians(method) ? 10 * word * basis::number_of_points(order) + 2 * word * single : 20 * word * single;
  MemoryNeed need{program_bytes + batch * (160 + prepared), double(plan.input_bytes) + batch * o.matrix_bytes(order)};
  if (o.output == Output::host) need.host += double(o.elements_of(order)) * o.matrix_bytes(order);
  return most_of({{program_bytes, copied_bytes}, need});
}

double most_entries(const BeamSettings& o, int order) {
  Cantilever beam = o.beam;
  beam.order = order;
  return 9 * (count_blocks(beam) + (beam.nx * order + 1.) * (beam.ny * order + 1.) * (beam.nz * order + 1.));
}

MemoryNeed beam_need(const BeamSettings& o, int order) {
  Cantilever beam = o.beam;
  beam.order = order;
  const double cells = double(beam.nx) * beam.ny * beam.nz, prisms = 2 * cells, word = double(o.word());
  const double nodes = (beam.nx * order + 1.) * (beam.ny * order + 1.) * (beam.nz * order + 1.);
  const double functions = basis::number_of_shape_functions(order), blocks = count_blocks(beam);
  // mesh: vertices and cells; numbering: the map; the pattern, whose columns' array doubles as it grows, with the map's
  // transpose
  const double mesh = 24 * cells + 24 * prisms + 4 * functions * prisms,
               pattern = 12 * blocks + 12 * nodes + 8 * functions * prisms;
  const double matrix = blocks * (9 * word + 4) + 8 * nodes + (runs_on_host ? 0 : 4 * functions * prisms);
  // prisms twice on the host, once on the device; a batch of matrices; vectors of 3 numbers per node: the load, b, u,
  // r, p, q, z, base, the preconditioner, u in double
  const double batch = std::min(double(AssemblyOptions().batch_bytes), o.matrix_bytes(order) * prisms),
               vectors = 3 * nodes * (7 * word + 8) +
                         (o.preconditioner == ElasticPreconditioner::jacobi ? 12 : 9) * nodes * (8 + word);
  // the matrix by entries, interpolations of six modes and their products while multigrid is set up; then its levels
  const double multigrid = o.preconditioner == ElasticPreconditioner::amg && !o.verify_only ? 400 * blocks : 0;
  const double copied = o.verify_only ? 0 : std::min(blocks * (9 * word + 4), measure::most_copied);
  return most_of({{program_bytes + mesh + pattern, copied},
                  {program_bytes + mesh + pattern, matrix},
                  {program_bytes + mesh + 320 * prisms + 24 * nodes, matrix + batch + 20 * word * prisms + vectors},
                  {program_bytes + mesh + 320 * prisms + 24 * nodes, matrix + multigrid + vectors}});
}

void keep_room_for_output(MatrixSettings& o, const std::vector<int>& orders) {
  if (!runs_on_host || o.output != Output::host) return;
  double kept = 0;
  for (const int order : orders) kept = std::max(kept, o.matrix_bytes(order) * double(o.elements_of(order)));
  const double all = double(o.limits.memory_bytes), least = all / 16;  // what is not there is refused elsewhere
  o.limits.memory_bytes = o.limits.array_bytes = static_cast<std::size_t>(std::max(least, all - kept));
}

}  // namespace miniapp::elasticity
