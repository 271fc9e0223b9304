// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/multigrid/low_order.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/uses.hpp"
#include "linalg/counted_rows.hpp"
#include "linalg/growing_row.hpp"
#include "multigrid/low_order_stencil.hpp"
#include "tensor/upright.hpp"

namespace miniapp::multigrid {
namespace {

using NodeRange = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<Index>>;
using LocalRange = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;

/// The local nodes at each node: row r is those at positions[offsets[r] .. offsets[r + 1]) of `nodes`, none for a
/// constrained node.
struct Locals {
  const Index *nodes, *offsets, *positions;
  Neighbours neighbours;

  /// Whether a column is among the neighbours of the uses first .. last - 1.
  KOKKOS_FUNCTION bool has(Index first, Index last, Index column) const {
    bool found = false;
    for (Index use = first; use < last && !found; ++use)
      neighbours.visit(positions[use], [&](const Step&, Index at) { found = found || nodes[at] == column; });
    return found;
  }
};

/// Matrices (element, i, j) of trilinear elements, node i = a + 2 b + 4 c, by 2^3 Gauss points, with `coefficient`
/// (element), unless it is empty.
Vector<double> make_element_matrices(const Vector<const double>& trilinear, const Vector<const double>& coefficient,
                                     double lambda, std::int64_t elements) {
  const Vector<double> matrices = make_vector<double>("multigrid/trilinear/matrices", 64 * elements);
  Kokkos::parallel_for(
      "multigrid/trilinear/matrices", LocalRange(0, elements), KOKKOS_LAMBDA(const std::int64_t element) {
        const double at = 0.57735026918962576;
        double A[8][8] = {};
        for (int q = 0; q < 8; ++q) {
          const double x[3] = {q & 1 ? at : -at, q & 2 ? at : -at, q & 4 ? at : -at};
          double f[geometry::num_factors], value[8], slopes[3][8];
          geometry::factors(trilinear.data() + 24 * element, x[0], x[1], x[2], 1., f);
          if (coefficient.extent(0) > 0)
            for (int c = 0; c < 6; ++c) f[c] *= coefficient(element);
          for (int i = 0; i < 8; ++i) {
            const double half[3] = {i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5};
            const double r = 0.5 + half[0] * x[0], s = 0.5 + half[1] * x[1], t = 0.5 + half[2] * x[2];
            value[i] = r * s * t;
            slopes[0][i] = half[0] * s * t;
            slopes[1][i] = r * half[1] * t;
            slopes[2][i] = r * s * half[2];
          }
          for (int i = 0; i < 8; ++i) {
            const double u = slopes[0][i], v = slopes[1][i], w = slopes[2][i];
            const double flux[3] = {f[0] * u + f[1] * v + f[2] * w, f[1] * u + f[3] * v + f[4] * w,
                                    f[2] * u + f[4] * v + f[5] * w};
            const double mass = lambda * f[6] * value[i];
            for (int j = 0; j < 8; ++j)
              A[i][j] += flux[0] * slopes[0][j] + flux[1] * slopes[1][j] + flux[2] * slopes[2][j] + mass * value[j];
          }
        }
        for (int i = 0; i < 8; ++i)
          for (int j = 0; j < 8; ++j) matrices(64 * element + 8 * i + j) = A[i][j];
      });
  return matrices;
}

/// (node): the point of a rule that is nearest to it, along one direction.
std::vector<int> nearest_points(const basis::Rule& nodes, const basis::Rule& rule) {
  std::vector<int> nearest;
  for (const double node : nodes.points) {
    const auto closer = [&](double a, double b) { return std::abs(a - node) < std::abs(b - node); };
    nearest.push_back(
        static_cast<int>(std::min_element(rule.points.begin(), rule.points.end(), closer) - rule.points.begin()));
  }
  return nearest;
}

/// A matrix with room for the different unmasked nodes next to every node.
linalg::CsrMatrix<double> make_rows(Index num_nodes, const Locals& locals, const std::string& what) {
  const Vector<Index> counts = make_vector<Index>("multigrid/low order/counts", static_cast<std::size_t>(num_nodes));
  // Those found are listed while there is room, which is enough for rows of boxes; the rest is looked for in elements.
  constexpr int room = 32;
  Kokkos::parallel_for(
      "multigrid/low order/count", NodeRange(0, num_nodes), KOKKOS_LAMBDA(const Index row) {
        const Index first = locals.offsets[row], last = locals.offsets[row + 1];
        Index found[room], count = 0;
        int listed = 0;
        for (Index use = first; use < last; ++use)
          locals.neighbours.visit(locals.positions[use], [&](const Step&, Index at) {
            const Index column = locals.nodes[at];
            if (column < 0) return;
            if (use > first) {
              bool is_old = false;
              for (int i = 0; i < listed; ++i) is_old = is_old || found[i] == column;
              if (is_old || (listed == room && locals.has(first, use, column))) return;
            }
            ++count;
            if (use + 1 < last && listed < room) found[listed++] = column;
          });
        counts(row) = first == last ? 1 : count;
      });
  return linalg::make_counted_rows<double>(counts, num_nodes, what);
}

/// Adds a surface mass to the diagonal of the matrix of one component: entries of further components are left out.
void add_to_diagonal(const linalg::CsrMatrix<double>& matrix, const SurfaceMass& surface) {
  Kokkos::parallel_for(
      "multigrid/low order/surface", NodeRange(0, static_cast<Index>(surface.entries.extent(0))),
      KOKKOS_LAMBDA(const Index i) {
        const Index row = surface.entries(i);
        if (row >= matrix.num_rows) return;
        for (Index e = matrix.offsets(row); e < matrix.offsets(row + 1); ++e)
          if (matrix.columns(e) == row) matrix.values(e) += surface.values(i);
      });
}

}  // namespace

linalg::CsrMatrix<double> make_low_order_matrix(const Discretisation& d) {
  require_upright(*d.mesh, d.trilinear, d.basis.nodes);
  const SubCells cells(d.basis.nodes);
  const bool stiffness = has_stiffness(d.problem);
  const int components = num_node_factors(stiffness);
  const auto nearest = to_device<int>("multigrid/low order/nearest", nearest_points(d.basis.nodes, d.rule()));
  const Vector<double> factors =
      make_vector<double>("multigrid/low order/factors", components * d.space.element_to_node.num_entries());
  Kokkos::parallel_for("multigrid/low order/factors",
                       LocalRange(0, static_cast<std::int64_t>(d.space.element_to_node.num_entries())),
                       FindNodeFactors{cells.view(), d.trilinear.data(), d.coefficient.data(), nearest.data(),
                                       d.rule().size(), components, stiffness ? d.lambda : 1, factors.data()});

  const Vector<const Index> nodes = d.space.element_to_node.device();
  const Uses uses = find_uses(nodes, d.space.num_nodes);
  const Locals locals{nodes.data(), uses.offsets.data(), uses.positions.data(), {cells.view().n, stiffness ? 1 : 0}};
  const linalg::CsrMatrix<double> matrix = make_rows(d.space.num_nodes, locals, "low-order matrix");
  const Couplings couplings{cells.view(), components, factors.data()};
  // The couplings of a node are summed over the elements at it, in ascending order of these. The entry on the diagonal
  // is what makes the row of the stiffness vanish on constants.
  Kokkos::parallel_for(
      "multigrid/low order/fill", NodeRange(0, d.space.num_nodes), KOKKOS_LAMBDA(const Index row) {
        linalg::GrowingRow entries{matrix.columns.data() + matrix.offsets(row),
                                   matrix.values.data() + matrix.offsets(row)};
        if (locals.offsets[row] == locals.offsets[row + 1]) entries.add(row, 1);
        for (Index use = locals.offsets[row]; use < locals.offsets[row + 1]; ++use) {
          const Index position = locals.positions[use];
          const Couplings::Node node = couplings.node(position);
          double diagonal = node.mass();
          locals.neighbours.visit(position, [&](const Step& step, Index at) {
            const double value = at == position ? 0 : node.coupling(step);
            diagonal -= value;
            if (locals.nodes[at] >= 0) entries.add(locals.nodes[at], value);
          });
          entries.add(row, diagonal);
        }
      });
  add_to_diagonal(matrix, d.surface);
  ExecutionSpace().fence();  // arrays are freed
  return matrix;
}

linalg::CsrMatrix<double> make_trilinear_matrix(const Discretisation& d) {
  require(d.order == 1 && has_stiffness(d.problem), "trilinear matrix: of order " + std::to_string(d.order) + " of " +
                                                        name(d.problem) + "; accepted is order 1 with a stiffness");
  require_upright(*d.mesh, d.trilinear, basis::gauss(2));
  return make_trilinear_matrix(d.space.element_to_node.device(), d.space.num_nodes, d.trilinear, d.mean_coefficient(),
                               d.lambda, d.surface);
}

linalg::CsrMatrix<double> make_trilinear_matrix(const Vector<const Index>& nodes, Index num_nodes,
                                                const Vector<const double>& trilinear,
                                                const Vector<const double>& coefficient, double lambda,
                                                const SurfaceMass& surface) {
  const auto elements = static_cast<std::int64_t>(nodes.extent(0) / 8);
  const Vector<double> matrices = make_element_matrices(trilinear, coefficient, lambda, elements);
  const Uses uses = find_uses(nodes, num_nodes);
  const Locals locals{nodes.data(), uses.offsets.data(), uses.positions.data(), {2, 1, true}};
  const linalg::CsrMatrix<double> matrix = make_rows(num_nodes, locals, "trilinear matrix");
  // The rows of element matrices at a node are summed in ascending order of the elements.
  Kokkos::parallel_for(
      "multigrid/trilinear/fill", NodeRange(0, num_nodes), KOKKOS_LAMBDA(const Index row) {
        linalg::GrowingRow entries{matrix.columns.data() + matrix.offsets(row),
                                   matrix.values.data() + matrix.offsets(row)};
        if (locals.offsets[row] == locals.offsets[row + 1]) entries.add(row, 1);
        for (Index use = locals.offsets[row]; use < locals.offsets[row + 1]; ++use) {
          const Index position = locals.positions[use];
          const Index* const near = locals.nodes + position / 8 * 8;
          for (int j = 0; j < 8; ++j)
            if (near[j] >= 0) entries.add(near[j], matrices(8 * std::int64_t(position) + j));
        }
      });
  add_to_diagonal(matrix, surface);
  ExecutionSpace().fence();  // arrays are freed
  return matrix;
}

}  // namespace miniapp::multigrid
