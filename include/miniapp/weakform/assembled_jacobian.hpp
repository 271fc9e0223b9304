// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>

#include "miniapp/linalg/csr_matrix.hpp"
#include "miniapp/weakform/residual.hpp"

namespace miniapp::weakform {

/// A matrix of zeros that has an entry for each two unknowns of one cell, row node components + component, also for
/// its zeros; rows and columns of constrained nodes have the block on the diagonal only. All rows of a node have the
/// same columns, as solver::Amg wants them. A host makes the pattern by linalg::make_block_pattern(), a GPU by a sparse
/// product. Errors: a space of layout soa with several components, or more than 2^31 - 1 entries (InputError).
linalg::CsrMatrix<double> make_zero_matrix(const space::Space& space);

namespace detail {

/// Adds the Jacobian of a cell, or of a side, to a matrix: one work item each. Column (v, c) is the action on the unit
/// vector of that coefficient, in dual numbers. An entry finds its place in the row by bisection, once per two nodes,
/// so that no table of places is stored.
template <Form F, class Real, class Integral>
struct AddJacobian {
  static constexpr int vertices = Integral::vertices, components = F::components;
  Integral integral;
  const Index* nodes;  ///< from i * stride on those of item i: node, ~node where it is constrained
  int stride;
  const Index *offsets, *columns;
  double* values;

  KOKKOS_FUNCTION void operator()(const Index item) const {
    typename Integral::State state;
    Real u[vertices][components], column[vertices][components];
    Dual<Real> both[vertices][components];
    integral.load(item, state);
    for (int v = 0; v < vertices; ++v) integral.data.load_node(integral.node(item, v), u[v]);
    const Index* const own = nodes + std::int64_t(item) * stride;
    for (int w = 0; w < vertices; ++w) {
      if (own[w] < 0) continue;
      Index places[vertices];  // of column (w, 0) in the rows of each node
      for (int v = 0; v < vertices; ++v) places[v] = own[v] < 0 ? 0 : find(own[v] * components, own[w] * components);
      for (int k = 0; k < components; ++k) {
        for (int v = 0; v < vertices; ++v)
          for (int c = 0; c < components; ++c) both[v][c] = {u[v][c], Real(v == w && c == k ? 1 : 0)};
        integral.integrate(state, both, column);
        for (int v = 0; v < vertices; ++v) {
          if (own[v] < 0) continue;
          for (int c = 0; c < components; ++c)
            add_to(values[offsets[own[v] * components + c] + places[v] + k], double(column[v][c]));
        }
      }
    }
  }
  /// How many entries of a row precede a column that it has.
  KOKKOS_FUNCTION Index find(Index row, Index column) const {
    const Index* const begin = columns + offsets[row];
    Index low = 0;
    for (Index left = offsets[row + 1] - offsets[row]; left > 1; left -= left / 2)
      low += left / 2 * (begin[low + left / 2] <= column);
    return low;
  }
};

/// Rows of constrained nodes, which have the block on the diagonal only, become those of the identity.
struct SetIdentityRows {
  const Index *masked, *offsets;
  double* values;
  int components;
  KOKKOS_FUNCTION void operator()(const Index i) const {
    for (int c = 0; c < components; ++c) values[offsets[masked[i] * components + c] + c] = 1;
  }
};

/// Rows and columns of single unknowns that are held become those of the identity.
struct HoldUnknowns {
  const char* held;  ///< (unknown): 0 free, 1 held, 2 held and of this rank
  const Index *offsets, *columns;
  double* values;
  KOKKOS_FUNCTION void operator()(const Index row) const {
    for (Index e = offsets[row]; e < offsets[row + 1]; ++e)
      if (held[row] || held[columns[e]]) values[e] = columns[e] == row && held[row] == 2;
  }
};

}  // namespace detail

/// Constrained nodes that this rank owns.
std::vector<Index> owned_masked(const space::Space& space);

/// Flags of unknowns as HoldUnknowns takes them; none where no free node has any that is held. Errors: InputError where
/// `held` is neither empty nor a flag for each unknown.
std::vector<char> mark_held(const space::Space& space, const std::vector<char>& held);

/// The Jacobian of a residual at u as a matrix, J(i, j) = d r_i / d u_j, unknown node components + component; rows and
/// columns of constrained nodes are those of the identity. Where the mesh is distributed it is what this rank adds to
/// that: the integrals over its cells, and ones at the constrained nodes that it owns. The pattern is made once, the
/// numbers by each assemble(), where loops run: by atomic additions where there is more than one thread, so that
/// results then differ by rounding from run to run. The integrals over cells are in Real, their sums in double
/// precision. Keeps a reference to the residual, which must outlive it. Memory: 12 bytes per entry, 4 bytes per cell
/// and vertex. Errors: as make_zero_matrix(); a space of other nodes than the residual's (InputError).
///
/// `held` (unknown): 1 for single components of nodes that are held too (space/held.hpp); empty: none.
///
///   AssembledJacobian jacobian(residual, space);
///   jacobian.assemble(instance, u);
///   solver::Amg<double> amg(jacobian.matrix());
template <Form F, class Real = double>
class AssembledJacobian {
 public:
  AssembledJacobian(const Residual<F, Real>& residual, const space::Space& space, const std::vector<char>& held = {})
      : residual_(residual),
        nodes_(space.element_to_node.device()),
        sides_(to_device("weakform/sides", detail::make_side_ids<F::dim>(space, residual.sides()))),
        masked_(to_device("weakform/masked", owned_masked(space))),
        held_(to_device("weakform/held", mark_held(space, held))),
        matrix_(make_zero_matrix(space)) {
    require(
        std::size_t(matrix_.num_rows) == residual.num_entries() && space.element_to_node.size() == residual.num_cells(),
        "a space of " + std::to_string(matrix_.num_rows) + " unknowns: accepted is the residual's, of " +
            std::to_string(residual.num_entries()));
  }

  /// Overwrites the numbers of the matrix with those at u (node, component), without waiting.
  void assemble(const Instance& instance, const Vector<const Real>& u) {
    using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<Index>>;
    require(u.extent(0) == residual_.num_entries(), "a vector of " + std::to_string(u.extent(0)) +
                                                        " entries: accepted are " +
                                                        std::to_string(residual_.num_entries()));
    Kokkos::deep_copy(instance.space(), matrix_.values, 0.0);
    add(instance, residual_.cell_integral(u), nodes_.data(), F::dim + 1);
    if constexpr (has_b0<F>()) {
      constexpr int stride = sizeof(detail::SideIds<F::dim>) / sizeof(Index);
      add(instance, residual_.side_integral(u), reinterpret_cast<const Index*>(sides_.data()), stride);
    }
    Kokkos::parallel_for(
        "weakform/identity rows", Range(instance.space(), 0, static_cast<Index>(masked_.extent(0))),
        detail::SetIdentityRows{masked_.data(), matrix_.offsets.data(), matrix_.values.data(), F::components});
    if (held_.extent(0) > 0)
      Kokkos::parallel_for(
          "weakform/hold", Range(instance.space(), 0, matrix_.num_rows),
          detail::HoldUnknowns{held_.data(), matrix_.offsets.data(), matrix_.columns.data(), matrix_.values.data()});
  }
  /// The matrix of the last assemble(); its vectors are overwritten by the next one.
  const linalg::CsrMatrix<double>& matrix() const { return matrix_; }

 private:
  template <class Integral>
  void add(const Instance& instance, const Integral& integral, const Index* nodes, int stride) const {
    Kokkos::parallel_for(
        "weakform/assemble",
        Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<Index>>(instance.space(), 0, integral.size()),
        detail::AddJacobian<F, Real, Integral>{integral, nodes, stride, matrix_.offsets.data(), matrix_.columns.data(),
                                               matrix_.values.data()});
  }

  const Residual<F, Real>& residual_;
  Vector<const Index> nodes_;
  Vector<const detail::SideIds<F::dim>> sides_;
  Vector<Index> masked_;
  Vector<char> held_;
  linalg::CsrMatrix<double> matrix_;
};

}  // namespace miniapp::weakform
