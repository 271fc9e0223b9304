// SPDX-License-Identifier: BSD-3-Clause
#include "runs/weakform/memory.hpp"

#include <algorithm>
#include <cmath>

#include "miniapp/core/execution.hpp"
#include "runs/partition_bytes.hpp"

namespace miniapp::weakform {
namespace {

/// Bytes per corner of a cell while a strategy is bound: the map of the mesh, of the order and of the space, and its
/// plan. Measured, as are the other numbers here; owner keeps cells between blocks twice, and the edges of cells are
/// sorted for fans.
double bytes_per_corner(Strategy strategy) {
  switch (strategy) {
    case Strategy::owner:
      return 58;
    case Strategy::fans:
      return 43;
    case Strategy::tiles:
      return 38;
    case Strategy::cells:
      return 31;
    default:
      return 29;
  }
}

/// Bytes per node of the assembled Jacobian, of multigrid and their making, and of GMRES where it is needed.
double newton_bytes(int dim, const FormFacts& form) {
  const double per_entry = dim == 2 ? (form.components > 1 ? 440 : 400) : form.components > 1 ? 830 : 450;
  return per_entry * form.components * form.components + (form.symmetric ? 0 : 620);
}

/// METIS's graph has an edge for each pair of cells at a vertex.
double metis_bytes(int dim) { return dim == 2 ? 150 : 1200; }

}  // namespace

measure::MemoryNeed memory_need(FormKind kind, const FormSettings& o, const Way& way) {
  const FormFacts form = facts(kind, o.dim);
  const Strategy strategy = way.options.strategy;
  const double boxes = o.boxes() / o.ranks.size(), cells = boxes * (o.dim == 2 ? 2 : 6);
  double of_all = 1;  // nodes of the whole mesh; a part is about a cube, where the mesh is no needle
  for (int d = 0; d < o.dim; ++d) of_all *= o.sides[d] + 1.;
  const double nodes = std::max(of_all / o.ranks.size(), std::pow(std::pow(boxes, 1. / o.dim) + 1, o.dim)),
               entries = nodes * form.components, corners = cells * (o.dim + 1), word = word_bytes(o.precision);
  measure::MemoryNeed need;
  need.host = measure::program_bytes + corners * bytes_per_corner(strategy) + 146 * nodes + 50 * entries;
  if (way.reorder == graph::Reorder::metis) need.host += cells * metis_bytes(o.dim);
  if (o.solve) need.host += newton_bytes(o.dim, form) * nodes;
  if (strategy == Strategy::transposed)  // geometry, points, E-vectors of u, w and r
    need.device = word * (cells * (o.dim * o.dim + 1 + form.points * (o.dim + 1)) + 3 * corners * form.components);
  if (!runs_on_host)  // the map, a plan or the table and the keys of edges, vertices and vectors
    need.device += (strategy == Strategy::fans ? 32 : 16) * corners + word * ((o.dim + 1) * nodes + 3 * entries);
  const double parts = graph::partition_bytes(o.partition, o.boxes(), o.dim, o.ranks.size());
  return measure::most_of({{measure::program_bytes + parts, 0}, need});
}

}  // namespace miniapp::weakform
