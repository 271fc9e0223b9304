// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/field.hpp"
#include "miniapp/core/teams.hpp"
#include "miniapp/indirect/element_map.hpp"
#include "miniapp/weakform/detail/cell.hpp"

/// Strategies with a thread per quadrature point or per basis function, which add atomically.
namespace miniapp::weakform::detail {

template <class Real>
KOKKOS_FORCEINLINE_FUNCTION void add_to(Real& sum, Real value) {
  if constexpr (has_one_thread)
    sum += value;
  else
    Kokkos::atomic_add(&sum, value);
}

/// The arrays of a form: vertices (node, row), coordinates and coefficients; own (cell, cell_coefficients); u, w, r
/// (node, component).
template <Form F, class Real>
struct FormData {
  F form;
  const indirect::Ids<F::dim + 1>* cells;
  FieldPointer<const Real, Sizes<F>::row, Layout::aos> vertices;
  FieldPointer<const Real, Sizes<F>::own, Layout::aos> own;
  FieldPointer<const Real, F::components, Layout::aos> u, w;
  FieldPointer<Real, F::components, Layout::aos> r;
  Index size;  ///< cells

  KOKKOS_FORCEINLINE_FUNCTION void load_vertices(Index cell, VertexRows<F, Real>& to) const {
    MINIAPP_UNROLL
    for (int v = 0; v <= F::dim; ++v) vertices.load(cells[cell].id[v], to[v]);
  }
  KOKKOS_FORCEINLINE_FUNCTION void load_own([[maybe_unused]] Index cell, OwnRow<F, Real>& to) const {
    if constexpr (cell_coefficients<F>() > 0) own.load(cell, to);
  }
  template <class S>
  KOKKOS_FORCEINLINE_FUNCTION void load(Index cell, S (&to)[F::dim + 1][F::components]) const {
    MINIAPP_UNROLL
    for (int v = 0; v <= F::dim; ++v) load_node(cells[cell].id[v], to[v]);
  }
  template <class S>
  KOKKOS_FORCEINLINE_FUNCTION void load_node(Index node, S (&to)[F::components]) const {
    MINIAPP_UNROLL
    for (int c = 0; c < F::components; ++c) {
      if constexpr (std::is_same_v<S, Real>)
        to[c] = u(node, c);
      else
        to[c] = {u(node, c), w(node, c)};
    }
  }
};

/// What an item of work is: all that a cell adds at one quadrature point, or for one basis function.
enum class Item { point, function };

/// Items [0, cells * items per cell), one per thread:
///   point q:      r_v,c += w (phi_v(q) f0_c + grad phi_v . f1_c)   for all v
///   function v:   the same for one v, summed over all q
template <Form F, class Real, Action action, Item item>
struct ItemKernel {
  static constexpr int threads = 128, teams_at_once = 4;
  static constexpr std::size_t scratch_bytes = 0;
  static constexpr int dim = F::dim, components = F::components;
  static constexpr int items = item == Item::point ? F::points : dim + 1;
  using S = Number<Real, action>;
  FormData<F, Real> data;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const std::int64_t first = std::int64_t(team.league_rank()) * threads,
                       left = std::int64_t(data.size) * items - first;
    const int here = left < threads ? static_cast<int>(left) : threads;
    for (int i = team.team_rank(); i < here; i += team.team_size())
      run(static_cast<Index>((first + i) / items), static_cast<int>((first + i) % items));
  }

  KOKKOS_FORCEINLINE_FUNCTION void run(Index cell, int which) const {
    VertexRows<F, Real> vertices;
    OwnRow<F, Real> own;
    S u[dim + 1][components], grad[components][dim];
    data.load_vertices(cell, vertices);
    data.load_own(cell, own);
    data.load(cell, u);
    const CellGeometry<dim, Real> geometry = make_geometry<F>(vertices);
    gradient<F>(u, geometry.inverse, grad);
    if constexpr (item == Item::point) {
      Real r[dim + 1][components] = {};
      MINIAPP_UNROLL
      for (int v = 0; v <= dim; ++v) add_point(vertices, own, u, grad, geometry, which, v, r[v]);
      MINIAPP_UNROLL
      for (int v = 0; v <= dim; ++v) scatter(cell, v, r[v]);
    } else {
      Real r[components] = {};
      for (int q = 0; q < F::points; ++q) add_point(vertices, own, u, grad, geometry, q, which, r);
      scatter(cell, which, r);
    }
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void add_point(const VertexRows<F, Real>& vertices, const OwnRow<F, Real>& own,
                                             const S (&u)[dim + 1][components], const S (&grad)[components][dim],
                                             const CellGeometry<dim, Real>& geometry, int q, int v,
                                             Real (&r)[components]) const {
    PointRow<F, Real> at;
    S f0[components], f1[components][dim];
    interpolate_row<F>(vertices, own, q, at);
    evaluate(data.form, at, u, grad, q, f0, f1);
    MINIAPP_UNROLL
    for (int c = 0; c < components; ++c) {
      Real sum = Real(basis::simplex_point<dim, F::points>(q, v)) * result_of(f0[c]);
      MINIAPP_UNROLL
      for (int d = 0; d < dim; ++d) sum += slope(geometry.inverse, v, d) * result_of(f1[c][d]);
      r[c] += geometry.weight * sum;
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void scatter(Index cell, int v, const Real (&r)[components]) const {
    const Index node = data.cells[cell].id[v];
    MINIAPP_UNROLL
    for (int c = 0; c < components; ++c) add_to(data.r(node, c), r[c]);
  }
};

}  // namespace miniapp::weakform::detail
