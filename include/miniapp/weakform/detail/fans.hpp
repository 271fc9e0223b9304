// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/weakform/detail/item_kernels.hpp"

/// Fans: cells around a common edge (a, b), computed by one thread, which reads and adds to each of their nodes once.
///   dim 3: cell i is (a, b, p_i, p_i+1), i = 0 .. ring - 2; in a closed fan also (a, b, p_ring-1, p_0)
///   dim 2: (a, b, p_0) and (b, a, p_1)
/// A fan is (a, b, p_0, .., p_ring-1), ~a where it is closed; one of fewer cells repeats its last p.
namespace miniapp::weakform::detail {

/// Cells (cell, v) as fans (fan, 2 + ring), each cell in one of them. A cell goes to the edge that most of its
/// neighbours choose, at first their longest one; fans follow their lowest node. O(cells) and a sort, on the device.
///   vertices (node, row): coordinates, then anything
Vector<Index> make_fans(const Vector<const Index>& cells, int dim, const Vector<const double>& vertices, int row,
                        int ring);
Vector<Index> make_fans(const Vector<const Index>& cells, int dim, const Vector<const float>& vertices, int row,
                        int ring);

/// Nodes around the edge: what a form's values leave registers for. All six cells around the diagonal of a cube make a
/// fan with one component.
template <Form F>
inline constexpr int fan_ring = F::dim == 2          ? 2
                                : F::components == 1 ? 6
                                                     : 3;

template <Form F, class Real, Action action>
struct FanKernel {
  static constexpr int threads = 128, teams_at_once = sizeof(Real) == 4 && action == Action::residual ? 5 : 3;
  static constexpr std::size_t scratch_bytes = 0;
  static constexpr int dim = F::dim, components = F::components, row = Sizes<F>::row, ring = fan_ring<F>,
                       arity = 2 + ring, most_cells = dim == 2 ? 2 : ring;
  using S = Number<Real, action>;
  FormData<F, Real> data;
  const indirect::Ids<arity>* fans;
  Index size;  ///< fans

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const Index first = team.league_rank() * threads, here = size - first < threads ? size - first : threads;
    for (Index i = team.team_rank(); i < here; i += team.team_size()) run(fans[first + i]);
  }

 protected:
  /// The place in a fan of vertex v of its cell.
  static KOKKOS_FORCEINLINE_FUNCTION constexpr int place(int cell, int v) {
    if (dim == 2) return cell == 0 ? v : v == 2 ? 3 : 1 - v;
    return v < 2 ? v : 2 + (cell + v - 2) % ring;
  }
  /// Whether a fan has a cell; `closed` as for tetrahedra.
  static KOKKOS_FORCEINLINE_FUNCTION bool has_cell(const indirect::Ids<arity>& ids, bool closed, int cell) {
    if (dim == 2) return cell == 0 || ids.id[3] != ids.id[2];
    return cell + 1 < ring ? ids.id[2 + cell] != ids.id[2 + (cell + 1) % ring] : closed;
  }

  KOKKOS_FORCEINLINE_FUNCTION void run(indirect::Ids<arity> ids) const {
    const bool closed = ids.id[0] < 0;
    if (closed) ids.id[0] = ~ids.id[0];
    Real vertices[arity][row], r[arity][components] = {};
    S u[arity][components];
    MINIAPP_UNROLL
    for (int i = 0; i < arity; ++i) {
      data.vertices.load(ids.id[i], vertices[i]);
      data.load_node(ids.id[i], u[i]);
    }
    MINIAPP_UNROLL
    for (int cell = 0; cell < most_cells; ++cell)
      if (has_cell(ids, closed, cell)) add_cell(cell, vertices, u, r);
    MINIAPP_UNROLL
    for (int i = 0; i < arity; ++i) {
      if (i > 2 && ids.id[i] == ids.id[i - (i > 0)]) continue;
      MINIAPP_UNROLL
      for (int c = 0; c < components; ++c) add_to(data.r(ids.id[i], c), r[i][c]);
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void add_cell(int cell, const Real (&vertices)[arity][row],
                                            const S (&u)[arity][components], Real (&r)[arity][components]) const {
    Real x[dim + 1][row], local[dim + 1][components];
    S at[dim + 1][components];
    MINIAPP_UNROLL
    for (int v = 0; v <= dim; ++v) {
      MINIAPP_UNROLL
      for (int d = 0; d < row; ++d) x[v][d] = vertices[place(cell, v)][d];
      MINIAPP_UNROLL
      for (int c = 0; c < components; ++c) at[v][c] = u[place(cell, v)][c];
    }
    integrate(data.form, x, OwnRow<F, Real>{}, at, local);
    MINIAPP_UNROLL
    for (int v = 0; v <= dim; ++v) {
      MINIAPP_UNROLL
      for (int c = 0; c < components; ++c) r[place(cell, v)][c] += local[v][c];
    }
  }
};

}  // namespace miniapp::weakform::detail
