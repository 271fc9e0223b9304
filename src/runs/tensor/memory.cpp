// SPDX-License-Identifier: BSD-3-Clause
#include "runs/tensor/memory.hpp"

#include <algorithm>
#include <cmath>

#include "miniapp/core/session.hpp"
#include "miniapp/measure/roofs.hpp"
#include "miniapp/multigrid/low_order_preconditioner.hpp"

namespace miniapp::tensor {
namespace {

/// (preconditioner): what it takes beside the vectors of CG [bytes]. Peaks less that of `none`:
///   miniapp --bp 3.0|1.0 --preconditioner .. --elements E --order 1|2|3|7 --tolerance 0.9 --repeat 1
constexpr struct {
  double of_stiffness, of_mass;      ///< per point on a face of an element, of which there are (order + 2)^2
  double per_entry;                  ///< bytes per entry of a vector
  double per_low_order_entry;        ///< bytes per entry of the low-order matrix
} bytes_of[] = {{0, 0, 0, 0},        // none
                {0, 0, 8, 0},        // jacobi
                {80, 35, 16, 0},     // chebyshev
                {0, 0, 0, 34},       // lor-amg
                {0, 0, 0, 34},       // lor-ilu
                {165, 100, 24, 0}};  // p-multigrid

/// What several ranks have of order 1 of multigrid, per element: all of it, of all ranks, or their part.
constexpr double redundant_bytes = 1100, distributed_bytes = 1500;

}  // namespace

double solve_bytes(const CaseSettings& o) {
  // what does not fit is not chosen
  if (o.preconditioner == Preconditioner::automatic) return solve_bytes(o.with(Preconditioner::jacobi));
  const auto& bytes = bytes_of[static_cast<int>(o.preconditioner)];
  // in single precision b, which is the right-hand side itself in double precision, and the solution once more
  const double vectors = o.word() * (num_vectors(o.cg, o.preconditioner) + (o.compare_jacobi ? 8 : 0)) +
                         (o.precision == Precision::fp32 ? 12 : 0);
  const double own =
      (vectors + bytes.per_entry) * o.own_nodes() * o.components +
      (has_stiffness(o.problem) ? bytes.of_stiffness : bytes.of_mass) * o.own_elements() * std::pow(o.order + 2, 2) +
      bytes.per_low_order_entry * low_order_entries(o);
  if (!o.p_multigrid() || o.ranks.is_alone()) return own;
  multigrid::LowestWork lowest = o.multigrid.lowest;
  if (lowest == multigrid::LowestWork::automatic)
    lowest = multigrid::usual_lowest_work(double(o.elements()), o.ranks.size());
  return own + (lowest == multigrid::LowestWork::redundant ? redundant_bytes * double(o.elements())
                                                           : distributed_bytes * o.own_elements());
}

bool fits(const CaseSettings& o, double bytes) {
  const bool lacks = !(sharing_ranks(o.ranks) * bytes < double(available_memory()));
  return o.ranks.of_all(Reduction::max, std::int64_t(lacks)) == 0;
}

double low_order_entries(const CaseSettings& o) {
  return multigrid::num_low_order_entries(o.nodes_along(), has_stiffness(o.problem),
                                          o.boundary == space::Boundary::dirichlet);
}

double operator_bytes(const CaseSettings& o, const Variant& variant) {
  const double nodes = o.own_nodes();
  return 2 * o.word() * nodes * o.components +
         estimated_memory(variant, o.problem, o.order, o.own_elements(), nodes, o.word());
}

measure::MemoryNeed memory_need(const CaseSettings& o, const Variant& variant) {
  const double elements = o.own_elements(), local = elements * std::pow(o.order + 1, 3) * o.components,
               entries = o.own_nodes() * o.components, word = o.word();
  const bool alone = o.times_alone(variant);
  double vectors = 24 * entries;  // a random one, y, and what is expected
  if (alone) vectors = std::max(vectors, 2 * word * (entries + local));
  if (o.solves()) vectors = std::max(vectors, solve_bytes(o));
  // a batch of the reference, 15 values per point; a plan, 64 bytes per local entry and two E-vectors
  const double batch = 15 * 8 * std::min(elements * std::pow(o.order + 2, 3), runs_on_host ? 65536. : 4194304.),
               plan = o.assembly ? (64 + 2 * word) * local : 0;
  // a function of a user's problem at the quadrature points: one on the host, those that are kept where loops run
  const double at_points = o.is_given() ? 8 * elements * std::pow(o.order + 2, 3) : 0,
               // nodes of curved elements, and the factors that the diagonal takes
      curved = o.mesh && !o.mesh->curved.empty() ? 24. * double(o.mesh->curved.nodes.size()) + 7 * at_points : 0,
               kept = at_points * (1. + (o.user.coefficient.empty() ? 0 : 2) + !!o.user.exact) + curved;
  const double copied =
      std::min(cost(o.problem, o.order, elements, o.word(), o.components).bytes, measure::most_copied());
  if (o.verify_only && o.is_given()) {  // the known problem beside it
    CaseSettings known = o;
    known.verify_only = false;
    vectors += memory_need(known, variant).device - measure::program_bytes;
  }
  // the mesh, on GPUs with its edges and faces while nodes are numbered, and Z; geometry, the right-hand side
  return measure::most_of({measure::partition_need(o.partition, double(o.elements()), 3, o.ranks.size()),
                           {measure::program_bytes, alone ? copied : 0},
                           {measure::program_bytes + (runs_on_host ? 56 : 456) * elements + 4 * local + at_points,
                            kept + 192 * elements + 8 * entries + (runs_on_host ? 0 : 4 * local) + batch + plan +
                                vectors + estimated_memory(variant, o.problem, o.order, elements, entries, o.word())}});
}

}  // namespace miniapp::tensor
