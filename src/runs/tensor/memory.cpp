// SPDX-License-Identifier: BSD-3-Clause
#include "runs/tensor/memory.hpp"

#include <algorithm>
#include <cmath>

#include "miniapp/core/session.hpp"
#include "miniapp/measure/roofs.hpp"
#include "miniapp/multigrid/low_order_preconditioner.hpp"
#include "miniapp/multigrid/options.hpp"
#include "miniapp/tensor/tuning.hpp"
#include "runs/partition_bytes.hpp"

namespace miniapp::tensor {
namespace {

using measure::MemoryNeed, measure::most_of, measure::program_bytes;

/// Numbers of a case on one rank that its memory depends on.
struct Sizes {
  explicit Sizes(const CaseSettings& o)
      : nodes(o.own_nodes()),
        elements(o.own_elements()),
        local(elements * std::pow(o.order + 1, 3)),
        entries(nodes * o.components),
        local_entries(local * o.components),
        word(o.word()) {}
  double nodes, elements, local;
  double entries, local_entries;  ///< entries of vectors and of E-vectors
  double word;
};

/// Bytes of a vector entry while CG runs: the vectors of the solver; b, which is the right-hand side itself in double
/// precision; in single precision the solution once more in double, for its error.
double solver_bytes(const CaseSettings& o) {
  const int compared = o.compare_jacobi ? num_vectors(Cg::fused, Preconditioner::jacobi) + 2 : 0;
  return (num_vectors(o.cg, o.preconditioner) + compared) * double(o.word()) +
         (o.precision == Precision::fp32 ? o.word() + 8 : 0);
}

/// A preconditioner made of the low-order refined matrix while CG runs, in single precision: the matrices of all levels
/// or the two triangles, and vectors.
double low_order_bytes(const CaseSettings& o, const Sizes& s) {
  if (o.lor_amg()) return 1.6 * 8 * low_order_entries(o) + 24 * s.nodes;
  return o.lor_ilu() ? 8 * (low_order_entries(o) - s.nodes) + 16 * s.nodes : 0;
}

/// Schwarz' smoother of one order: nodes beyond faces, modes, weights; on hosts a vector, on several ranks two.
double schwarz_bytes(int order, const Sizes& s, bool alone) {
  const double n = order + 1, m = n + 2, vectors = runs_on_host ? (alone ? 1 : 2) : 0;
  return 4 * (s.elements * (6 * n * n + 3 * m * m + 3 * m) + s.nodes + vectors * s.entries) +
         (runs_on_host ? 0 : 3 * s.elements);
}

/// Chebyshev's iteration of one order: the operator in single precision, its vector, the diagonal or Schwarz.
double chebyshev_bytes(const CaseSettings& o, multigrid::Smoother smoother) {
  const Sizes s(o);
  return estimated_memory(fastest(o.problem, o.order, sizeof(float)), o.problem, o.order, s.elements, s.nodes,
                          sizeof(float)) +
         4 * s.entries +
         (smoother == multigrid::Smoother::schwarz ? schwarz_bytes(o.order, s, o.ranks.is_alone()) : 4 * s.entries);
}

/// Order 1 of multigrid over orders: redundant on several ranks all of it, while it is set up with the whole mesh and
/// its element matrices; distributed what hypre has of a part.
double lowest_order_bytes(const CaseSettings& o, const CaseSettings& level, const Sizes& own) {
  const double row = has_stiffness(o.problem) ? 27 : 1;
  if (o.ranks.is_alone()) return 1.6 * 8 * row * own.nodes + 24 * own.nodes;
  const multigrid::LowestWork way = o.multigrid.lowest == multigrid::LowestWork::automatic
                                        ? multigrid::usual_lowest_work(o.ranks.size(), o.order)
                                        : o.multigrid.lowest;
  if (way == multigrid::LowestWork::distributed) return (80 * row + 300) * own.nodes;
  return (has_stiffness(o.problem) ? 1100 : 100) * level.nodes();
}

/// Polynomials and multigrid over orders while CG runs: operators in single precision, vectors, maps, the nodes that
/// elements write.
double multigrid_bytes(const CaseSettings& o, const Sizes& s) {
  // beside those, on hosts: groups of elements in single precision, of lower orders too, and the order-1 matrix's
  // making
  if (o.chebyshev())
    return 8 * s.entries + chebyshev_bytes(o, multigrid::Smoother::jacobi) +
           (runs_on_host ? 250 * s.elements + 0.6 * s.local : 0);
  if (!o.p_multigrid()) return 0;
  double sum = runs_on_host ? 1000 * s.elements : 0;
  for (const int order : multigrid::multigrid_orders(o.order, built_orders())) {
    CaseSettings level = o;
    level.order = order;
    const Sizes at(level);
    sum += 8 * at.entries + (order < o.order ? 4 * at.local : 0);
    if (order == 1)
      sum += lowest_order_bytes(o, level, at);
    else
      sum += (runs_on_host ? 0 : 4 * at.local) + chebyshev_bytes(level, o.multigrid.smoother);
  }
  return sum;
}

/// A preconditioner made of the low-order matrix while it is set up: the matrix in double precision; its assembly;
/// those of an interpolation and their products, or what sweeps keep of the lower triangle.
double low_order_setup_bytes(const CaseSettings& o, const Sizes& s) {
  if (!is_low_order(o.preconditioner)) return 0;
  const double matrix = 12 * low_order_entries(o), lower = (low_order_entries(o) + s.nodes) / 2;
  if (!has_stiffness(o.problem)) return matrix + std::max(12 * s.local, o.lor_ilu() ? 44 * lower : 0);
  return std::max(matrix + 60 * s.local, o.lor_amg() ? 3 * matrix : matrix + 44 * lower);
}

/// Vectors of the verification: a random vector, y and what is expected; the first two once more in single precision.
double verification_bytes(const CaseSettings& o) { return 8 + 8 + 8 + (o.precision == Precision::fp32 ? 8 : 0); }

/// What there is of a case while its kernels run: on the host the mesh and Z, on the device the elements' geometry and
/// the right-hand side; where that is not the host, Z again. With Jacobi the diagonal.
MemoryNeed case_need(const CaseSettings& o, const Sizes& s) {
  const double map = 4 * s.local;
  return {56 * s.elements + map, 192 * s.elements + (o.jacobi() ? 16 : 8) * s.entries + (runs_on_host ? 0 : map)};
}

/// Memory of the host while nodes are numbered [bytes]: the mesh with the edges and faces of elements while they are
/// sorted, or with Z, two numbers per node and what is known of edges and faces.
double numbering_bytes(const Sizes& s) {
  return 56 * s.elements + std::max(400 * s.elements, 4 * s.local + 5 * s.nodes + 110 * s.elements);
}

/// Copies of nodes that the parts of several threads share, of all components, and where rows have them
/// (lane_copies.hpp): of the elements beside cuts across a box, at most of all.
double copies_bytes(const CaseSettings& o, const Sizes& s) {
  const double n = o.order + 1, cuts = runs_on_host ? std::max(0, platform().concurrency - 1) : 0;
  const double beside = std::min(s.elements, 1.5 * cuts * std::pow(s.elements, 2. / 3));
  return beside * n * n * (24 + o.components * o.word());
}

/// While a kernel runs, beside vectors of so many bytes.
MemoryNeed kernel_need(const CaseSettings& o, const Variant& variant, double vectors) {
  const Sizes s(o);
  // a batch of the reference: factors, and values at points
  const double points = std::min(s.elements * std::pow(o.order + 2, 3), runs_on_host ? 65536. : 4194304.);
  MemoryNeed need = case_need(o, s);
  need.device += 15 * 8 * points + vectors + (variant.kernel == Kernel::lanes ? copies_bytes(o, s) : 0) +
                 estimated_memory(variant, o.problem, o.order, s.elements, s.nodes, o.word()) +
                 (o.assembly ? (2 * s.word + 64) * s.local_entries : 0) + (o.components > 1 ? 4 * s.local_entries : 0) +
                 (variant.kernel == Kernel::reference ? 16 * (s.entries - s.nodes) : 0);
  need.host += program_bytes;
  const double parts = graph::partition_bytes(o.partition, double(o.elements()), 3, o.ranks.size());
  return most_of({{program_bytes + parts, 0}, {program_bytes + numbering_bytes(s), 0}, need});
}

}  // namespace

double low_order_entries(const CaseSettings& o) {
  const double p = o.order;
  return multigrid::num_low_order_entries({o.nx * p + 1, o.ny * p + 1, o.nz * p + 1}, has_stiffness(o.problem),
                                          o.boundary == space::Boundary::dirichlet);
}

double operator_bytes(const CaseSettings& o, const Variant& variant) {
  const Sizes s(o);
  return 2 * s.word * s.entries + estimated_memory(variant, o.problem, o.order, s.elements, s.nodes, o.word());
}

MemoryNeed operator_need(const CaseSettings& o, const Variant& variant) {
  return kernel_need(o, variant, verification_bytes(o) * Sizes(o).entries);
}

MemoryNeed memory_need(const CaseSettings& o, const Variant& variant) {
  const Sizes s(o);
  const bool alone = o.times_alone(variant);
  double vectors = verification_bytes(o) * s.entries;
  if (o.solves())
    vectors = std::max({vectors, solver_bytes(o) * s.entries + low_order_bytes(o, s) + multigrid_bytes(o, s),
                        low_order_setup_bytes(o, s)});
  if (alone)
    vectors = std::max(
        vectors, (2 * s.word + (o.precision == Precision::fp32 ? 8 : 0)) * s.entries + 2 * s.word * s.local_entries);
  const double copied =
      std::min(cost(o.problem, o.order, s.elements, o.word(), o.components).bytes, measure::most_copied);
  return most_of({{program_bytes, alone ? copied : 0}, kernel_need(o, variant, vectors)});
}

}  // namespace miniapp::tensor
