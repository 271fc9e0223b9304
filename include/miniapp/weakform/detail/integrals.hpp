// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "miniapp/core/instance.hpp"
#include "miniapp/mesh/mesh.hpp"
#include "miniapp/space/space.hpp"
#include "miniapp/weakform/detail/item_kernels.hpp"

/// The integrals of a form over a cell, and over a side, behind one interface for loops that take both:
///   load(i, state), what f0, f1 or b0 read beside u;   nodes(i, v);   integrate(state, u, r)
namespace miniapp::weakform::detail {

template <Form F, class Real>
struct CellIntegral {
  static constexpr int vertices = F::dim + 1;
  struct State {
    VertexRows<F, Real> rows;
    OwnRow<F, Real> own;
  };
  FormData<F, Real> data;

  KOKKOS_FORCEINLINE_FUNCTION Index size() const { return data.size; }
  KOKKOS_FORCEINLINE_FUNCTION Index node(Index cell, int v) const { return data.cells[cell].id[v]; }
  KOKKOS_FORCEINLINE_FUNCTION void load(Index cell, State& state) const {
    data.load_vertices(cell, state.rows);
    data.load_own(cell, state.own);
  }
  template <class S>
  KOKKOS_FORCEINLINE_FUNCTION void integrate(const State& state, const S (&u)[vertices][F::components],
                                             Real (&r)[vertices][F::components]) const {
    detail::integrate(data.form, state.rows, state.own, u, r);
  }
};

/// Sides on the device.
template <int dim>
struct SideIds {
  Index node[dim];  ///< in the order of mesh::Cell::side(): counter-clockwise as seen from outside, or along the edge
  Index cell;
};

/// Errors: InputError where a mesh is not of simplices, or a side is none of a cell of its.
void require_sides(const mesh::Mesh& mesh, const std::vector<mesh::CellSide>& sides);
/// Sides by the nodes of a space, ~node where it is constrained.
template <int dim>
std::vector<SideIds<dim>> make_side_ids(const space::Space& space, const std::vector<mesh::CellSide>& sides);

/// Barycentric coordinate v of point q of a side.
template <int dim>
KOKKOS_FORCEINLINE_FUNCTION constexpr double side_point(int q, int v) {
  if (dim == 3) return basis::simplex_point<2, 3>(q, v);
  constexpr double near = 0.788675134594812882;  // (1 + 3^(-1/2)) / 2
  return q == v ? near : 1 - near;
}

/// r_v,c = w sum_q phi_v(q) b0_c,   w = measure of the side / dim
template <Form F, class Real>
struct SideIntegral {
  static constexpr int dim = F::dim, vertices = dim, row = Sizes<F>::row, num_outer = side_coefficients<F>();
  struct State {
    Real rows[vertices][row], own[Sizes<F>::own];
    Index side;
  };
  FormData<F, Real> data;
  const SideIds<dim>* sides;
  const Real* values;  ///< (side, point, side_coefficients)
  Index count;

  KOKKOS_FORCEINLINE_FUNCTION Index size() const { return count; }
  KOKKOS_FORCEINLINE_FUNCTION Index node(Index side, int v) const { return sides[side].node[v]; }
  KOKKOS_FORCEINLINE_FUNCTION void load(Index side, State& state) const {
    for (int v = 0; v < vertices; ++v) data.vertices.load(node(side, v), state.rows[v]);
    data.load_own(sides[side].cell, state.own);
    state.side = side;
  }
  template <class S>
  KOKKOS_FORCEINLINE_FUNCTION void integrate(const State& state, const S (&u)[vertices][F::components],
                                             Real (&r)[vertices][F::components]) const {
    Real n[dim];
    const Real weight = normal(state.rows, n) / dim;
    for (int v = 0; v < vertices; ++v)
      for (int c = 0; c < F::components; ++c) r[v][c] = 0;
    for (int q = 0; q < dim; ++q) {
      Real x[dim] = {}, k[outer_coefficients<F>] = {};
      S here[F::components], b0[F::components];
      for (int c = 0; c < F::components; ++c) here[c] = Real(side_point<dim>(q, 0)) * u[0][c];
      for (int v = 0; v < vertices; ++v) {
        const Real phi = Real(side_point<dim>(q, v));
        for (int d = 0; d < dim; ++d) x[d] += phi * state.rows[v][d];
        for (int i = dim; i < row; ++i) k[i - dim] += phi * state.rows[v][i];
        for (int c = 0; v > 0 && c < F::components; ++c) here[c] += phi * u[v][c];
      }
      for (int i = 0; i < cell_coefficients<F>(); ++i) k[row - dim + i] = state.own[i];
      for (int i = 0; i < num_outer; ++i)
        k[row - dim + cell_coefficients<F>() + i] = values[(std::size_t(state.side) * dim + q) * num_outer + i];
      call_b0(data.form, x, here, n, k, b0);
      for (int v = 0; v < vertices; ++v)
        for (int c = 0; c < F::components; ++c) r[v][c] += weight * Real(side_point<dim>(q, v)) * result_of(b0[c]);
    }
  }

 private:
  /// The unit vector out of the cell; returns the length or area.
  static KOKKOS_FORCEINLINE_FUNCTION Real normal(const Real (&rows)[vertices][row], Real (&n)[dim]) {
    Real a[dim], b[dim], squares = 0;
    for (int d = 0; d < dim; ++d) {
      a[d] = rows[1][d] - rows[0][d];
      b[d] = rows[vertices - 1][d] - rows[0][d];
    }
    if constexpr (dim == 2) {
      n[0] = a[1];
      n[1] = -a[0];
    } else {
      for (int d = 0; d < 3; ++d) n[d] = a[(d + 1) % 3] * b[(d + 2) % 3] - a[(d + 2) % 3] * b[(d + 1) % 3];
    }
    for (int d = 0; d < dim; ++d) squares += n[d] * n[d];
    const Real length = km::sqrt(squares);
    for (int d = 0; d < dim; ++d) n[d] /= length;
    return dim == 2 ? length : length / 2;
  }
};

/// Adds what an integral makes of u, or of u + w eps, to r: a work item per cell or side.
template <Form F, class Real, Action action, class Integral>
struct AddIntegral {
  Integral integral;
  KOKKOS_FUNCTION void operator()(const Index i) const {
    constexpr int vertices = Integral::vertices;
    typename Integral::State state;
    Number<Real, action> u[vertices][F::components];
    Real r[vertices][F::components];
    integral.load(i, state);
    for (int v = 0; v < vertices; ++v) integral.data.load_node(integral.node(i, v), u[v]);
    integral.integrate(state, u, r);
    for (int v = 0; v < vertices; ++v)
      for (int c = 0; c < F::components; ++c) add_to(integral.data.r(integral.node(i, v), c), r[v][c]);
  }
};
template <Form F, class Real, Action action, class Integral>
void add_integrals(const Instance& instance, const Integral& integral) {
  Kokkos::parallel_for(
      "weakform/sides",
      Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<Index>>(instance.space(), 0, integral.size()),
      AddIntegral<F, Real, action, Integral>{integral});
}

}  // namespace miniapp::weakform::detail
