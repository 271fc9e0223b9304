// SPDX-License-Identifier: BSD-3-Clause
#include "runs/elasticity/memory.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "miniapp/basis/prism.hpp"
#include "miniapp/elasticity/assembly.hpp"
#include "miniapp/measure/roofs.hpp"
#include "runs/partition_bytes.hpp"

namespace miniapp::elasticity {
namespace {

using measure::MemoryNeed, measure::most_of, measure::program_bytes;

/// The sides of a rank's part of a beam in cells, about: cut across the longest side, again and again, or layers, rows
/// or pieces of them.
std::array<double, 3> part_of(const BeamSettings& o) {
  const double nx = o.beam.nx, ny = o.beam.ny, nz = o.beam.nz;
  if (o.partition == graph::Partition::linear) {
    const double cells = std::ceil(nx * ny * nz / o.ranks.size());
    return {std::min(nx, cells), std::min(ny, std::ceil(cells / nx)), std::ceil(cells / (nx * ny))};
  }
  std::array<double, 3> sides{nx, ny, nz};
  for (double left = o.ranks.size(); left > 1; left /= 2)
    *std::max_element(sides.begin(), sides.end()) /= std::min(2., left);
  for (double& side : sides) side = std::ceil(side);
  return sides;
}

/// Pairs of nodes that have a prism in common, of nx x ny x nz cells of two prisms. Triangles couple all of their
/// nodes; a shared edge counts its pairs twice, a vertex inside 6 times less 6.
double count_blocks(const std::array<double, 3>& sides, double p) {
  const auto [nx, ny, nz] = sides;
  const double in_triangle = (p + 1) * (p + 2) / 2, on_edge = p + 1;
  const double flat =
      2 * nx * ny * in_triangle * in_triangle - (3 * nx * ny - nx - ny) * on_edge * on_edge + (nx - 1) * (ny - 1);
  return flat * (nz * on_edge * on_edge - (nz - 1));
}

double count_nodes(const std::array<double, 3>& sides, double p) {
  return (sides[0] * p + 1) * (sides[1] * p + 1) * (sides[2] * p + 1);
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

double most_nodes(const BeamSettings& o, int order) { return count_nodes(part_of(o), order); }

double most_entries(const BeamSettings& o, int order) {
  const std::array<double, 3> sides = part_of(o);
  return 9 * (count_blocks(sides, order) + count_nodes(sides, order));
}

MemoryNeed beam_need(const BeamSettings& o, int order) {
  const std::array<double, 3> sides = part_of(o);
  const double cells = sides[0] * sides[1] * sides[2], prisms = 2 * cells, word = double(o.word());
  const double nodes = count_nodes(sides, order), blocks = count_blocks(sides, order);
  const double functions = basis::number_of_shape_functions(order);
  // mesh: vertices and cells, of parts also their numbers; numbering: the map; the pattern, whose columns' array
  // doubles as it grows, with the map's transpose
  const double mesh = 24 * cells + 24 * prisms + 4 * functions * prisms + (o.ranks.is_alone() ? 0 : 112 * cells),
               pattern = 12 * blocks + 12 * nodes + 8 * functions * prisms;
  const double matrix = blocks * (9 * word + 4) + 8 * nodes + (runs_on_host ? 0 : 4 * functions * prisms);
  // prisms twice on the host, once on the device; a batch of matrices; vectors of 3 numbers per node: the load, b, u,
  // r, p, q, z, base, the preconditioner, u in double
  const double batch = std::min(double(AssemblyOptions().batch_bytes), o.matrix_bytes(order) * prisms),
               vectors = 3 * nodes * (7 * word + 8) +
                         (o.preconditioner == ElasticPreconditioner::jacobi ? 12 : 9) * nodes * (8 + word);
  // the matrix by entries, interpolations of six modes and their products while multigrid is set up; then its levels;
  // hypre's rows twice more
  const bool amg = o.preconditioner == ElasticPreconditioner::amg && !o.verify_only;
  const double multigrid = amg ? (o.ranks.is_alone() ? 400 : 600) * blocks : 0;
  const double copied = o.verify_only ? 0 : std::min(blocks * (9 * word + 4), measure::most_copied);
  const double parts =
      graph::partition_bytes(o.partition, double(o.beam.nx) * o.beam.ny * o.beam.nz, 3, o.ranks.size());
  return most_of({{program_bytes + parts, 0},
                  {program_bytes + mesh + pattern, copied},
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
