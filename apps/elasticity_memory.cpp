// SPDX-License-Identifier: BSD-3-Clause
#include "elasticity_memory.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "miniapp/basis/prism.hpp"
#include "miniapp/core/session.hpp"
#include "miniapp/elasticity/assembly.hpp"
#include "miniapp/measure/roofs.hpp"
#include "report/table.hpp"

namespace miniapp::apps {
namespace {

/// Pairs of nodes that have a prism in common, of cells[0] x cells[1] x cells[2] cells of two prisms. Triangles couple
/// all of their nodes; a shared edge counts its pairs twice, a vertex inside 6 times less 6.
double count_blocks(const elasticity::Cantilever& beam) {
  const double p = beam.order, in_triangle = (p + 1) * (p + 2) / 2, on_edge = p + 1, nx = beam.nx, ny = beam.ny;
  const double flat =
      2 * nx * ny * in_triangle * in_triangle - (3 * nx * ny - nx - ny) * on_edge * on_edge + (nx - 1) * (ny - 1);
  return flat * (beam.nz * on_edge * on_edge - (beam.nz - 1));
}

}  // namespace

MemoryNeed matrices_need(const ElasticityOptions& o, int order, elasticity::Method method) {
  const auto plan =
      elasticity::make_plan(order, o.limits, elasticity::variant_of(method), o.precision, o.elements_of(order));
  const double batch = double(plan.elements), word = double(o.word()), single = o.word() == 4 ? 1 : 0;
  // vertices and Lame's constants in double; what the device takes, where it is not the same
  const double prepared = elasticity::reads_jacobians(method)
                              ? 10 * word * basis::number_of_points(order) + 2 * word * single
                              : 20 * word * single;
  MemoryNeed need{program_bytes + batch * (160 + prepared), double(plan.input_bytes) + batch * o.matrix_bytes(order)};
  if (o.output == elasticity::Output::host) need.host += double(o.elements_of(order)) * o.matrix_bytes(order);
  return most_of({{program_bytes, copied_bytes}, need});
}

MemoryNeed beam_need(const ElasticityOptions& o, int order) {
  elasticity::Cantilever beam = o.beam;
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
  const double batch = std::min(double(elasticity::AssemblyOptions().batch_bytes), o.matrix_bytes(order) * prisms),
               vectors = 3 * nodes * (7 * word + 8) +
                         (o.preconditioner == elasticity::ElasticPreconditioner::jacobi ? 12 : 9) * nodes * (8 + word);
  const double copied = o.verify_only ? 0 : std::min(blocks * (9 * word + 4), measure::most_copied);
  return most_of({{program_bytes + mesh + pattern, copied},
                  {program_bytes + mesh + pattern, matrix},
                  {program_bytes + mesh + 320 * prisms + 24 * nodes, matrix + batch + 20 * word * prisms + vectors}});
}

MemoryNeed memory_need(const ElasticityOptions& o) {
  std::vector<MemoryNeed> runs;
  for (const int order : o.orders) {
    if (o.solve) runs.push_back(beam_need(o, order));
    for (const elasticity::Method method : o.methods)
      if (!o.solve && elasticity::why_not(method, order).empty()) runs.push_back(matrices_need(o, order, method));
  }
  return most_of(runs);
}

std::string describe_size(const ElasticityOptions& o) {
  const std::string order = fmt::format("--order {}", fmt::join(o.orders, ","));
  if (o.solve) return fmt::format("--cells {}x{}x{}, {}", o.beam.nx, o.beam.ny, o.beam.nz, order);
  return fmt::format("--elements {}, {}, --output-matrices {}", o.elements > 0 ? fmt::format("{}", o.elements) : "auto",
                     order, name(o.output));
}

void require_memory(const ElasticityOptions& options) {
  const double free = double(runs_on_host ? free_host_memory() : available_memory());
  for (const int order : options.orders) {
    ElasticityOptions o = options;
    o.orders = {order};
    if (o.solve) {
      const double nodes = (o.beam.nx * order + 1.) * (o.beam.ny * order + 1.) * (o.beam.nz * order + 1.);
      require(nodes < 7e8, fmt::format("{}: {:.3g} nodes; accepted are fewer than 7e8", describe_size(o), nodes));
      require_memory(beam_need(o, order), describe_size(o), "fewer cells");
      continue;
    }
    const std::string fewer = fmt::format("at most {:.0f} elements, or --output-matrices none",
                                          std::max(0., 0.6 * free / o.matrix_bytes(order)));
    if (o.output == elasticity::Output::device) {
      const double kept = o.matrix_bytes(order) * double(o.elements_of(order));
      require_memory({0, kept}, describe_size(o), fewer);
    }
    for (const elasticity::Method method : o.methods)
      if (elasticity::why_not(method, order).empty())
        require_memory(matrices_need(o, order, method), describe_size(o), fewer);
  }
}

}  // namespace miniapp::apps
