// SPDX-License-Identifier: BSD-3-Clause
#include "runs/weakform/memory.hpp"

#include "miniapp/core/execution.hpp"

namespace miniapp::weakform {
namespace {

/// What a strategy keeps or sorts while it is bound, with maps of the mesh and of the space, per corner of a cell:
///   miniapp weakform --elements 400k --verify-only --kernel .. [--dim 2]
double corner_bytes(Strategy strategy) {
  return strategy == Strategy::owner ? 58 : strategy == Strategy::fans ? 43 : strategy == Strategy::tiles ? 38 : 30;
}
/// The Jacobian and multigrid while that is set up, per node and pair of components; GMRES, per node:
///   miniapp weakform --solve --elements 200k --tolerance 0.1 --form .. [--dim 2]
/// On GPUs by the sizes of what the pattern of the Jacobian is made from (zero_matrix.cpp), where these are more.
double block_bytes(int dim, int components) { return dim == 2 ? 420 : components > 1 ? 830 : runs_on_host ? 450 : 550; }
constexpr double gmres_bytes = 620;
/// Coordinates of a node; what is right at an entry, with its tolerances; METIS's graph per cell, an edge per pair of
/// cells at a vertex.
constexpr double node_bytes = 146, entry_bytes = 66, metis_bytes[] = {150, 1200};

}  // namespace

measure::MemoryNeed memory_need(FormKind kind, const FormSettings& o, const Way& way) {
  const FormFacts form = facts(kind, o.dim);
  const Strategy strategy = way.options.strategy;
  const double boxes = o.boxes() / o.ranks.size(), cells = boxes * (o.dim == 2 ? 2 : 6), corners = cells * (o.dim + 1);
  double nodes = 1. / o.ranks.size();
  for (int d = 0; d < o.dim; ++d) nodes *= o.sides[d] + 1.;
  const double entries = nodes * form.components, word = word_bytes(o.precision);
  measure::MemoryNeed need{measure::program_bytes + corners * corner_bytes(strategy) + nodes * node_bytes +
                           entries * entry_bytes};
  if (way.reorder == graph::Reorder::metis) need.host += cells * metis_bytes[o.dim - 2];
  if (o.solve)
    (runs_on_host ? need.host : need.device) +=
        entries * form.components * block_bytes(o.dim, form.components) + (form.symmetric ? 0 : gmres_bytes * nodes);
  if (strategy == Strategy::transposed)  // geometry, points, E-vectors of u, w and r
    need.device += word * (cells * (o.dim * o.dim + 1 + form.points * (o.dim + 1)) + 3 * corners * form.components);
  if (!runs_on_host)  // the map, a plan or the table and the keys of edges, vertices and vectors
    need.device += (strategy == Strategy::fans ? 32 : 16) * corners + word * ((o.dim + 1) * nodes + 3 * entries);
  return measure::most_of({measure::partition_need(o.partition, o.boxes(), o.dim, o.ranks.size()), need});
}

}  // namespace miniapp::weakform
