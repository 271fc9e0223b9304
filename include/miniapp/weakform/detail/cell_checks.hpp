// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>

#include "miniapp/core/instance.hpp"
#include "miniapp/weakform/detail/item_kernels.hpp"

namespace miniapp::weakform::detail {

/// The first cell where an integral of a form is not finite; the largest number if there is none.
template <Form F, class Real>
std::int64_t first_not_finite(const FormData<F, Real>& data) {
  constexpr int dim = F::dim, components = F::components;
  constexpr Real most = std::numeric_limits<Real>::max();
  std::int64_t first;
  Kokkos::parallel_reduce(
      "weakform/finite", Kokkos::RangePolicy<ExecutionSpace>(0, data.size),
      KOKKOS_LAMBDA(const Index cell, std::int64_t& least) {
        VertexRows<F, Real> vertices;
        OwnRow<F, Real> own;
        Real u[dim + 1][components], r[dim + 1][components];
        data.load_vertices(cell, vertices);
        data.load_own(cell, own);
        data.load(cell, u);
        integrate(data.form, vertices, own, u, r);
        bool finite = true;
        for (int v = 0; v <= dim; ++v)
          for (int c = 0; c < components; ++c) finite = finite && km::fabs(r[v][c]) <= most;
        if (!finite && cell < least) least = cell;
      },
      Kokkos::Min<std::int64_t>(first));
  return first;
}

/// Functors, since clients compile them: for a lambda nvcc emits pointers in every translation unit, and the linker
/// mixes them up.

template <int width, class Real, int row>
struct SetColumn {
  const Real* values;
  int from;
  FieldPointer<Real, row, Layout::aos> rows;
  int to;
  KOKKOS_FUNCTION void operator()(const std::size_t i) const { rows(i, to) = values[i * width + from]; }
};
/// Column `to` of rows (node, row) = column `from` of values (node, width).
template <int width, class Real, int row>
void set_column(const Instance& instance, const Vector<const Real>& values, int from,
                const FieldPointer<Real, row, Layout::aos>& rows, int to) {
  Kokkos::parallel_for("weakform/coefficient",
                       Kokkos::RangePolicy<ExecutionSpace>(instance.space(), 0, values.extent(0) / width),
                       SetColumn<width, Real, row>{values.data(), from, rows, to});
}

template <int components, class Real>
struct ClearNodes {
  const Index* nodes;
  Real* r;
  KOKKOS_FUNCTION void operator()(const std::size_t i) const {
    for (int c = 0; c < components; ++c) r[std::size_t(nodes[i]) * components + c] = 0;
  }
};
/// r = 0 at these nodes: r (node, component).
template <int components, class Real>
void clear_nodes(const Instance& instance, const Vector<Index>& nodes, const Vector<Real>& r) {
  Kokkos::parallel_for("weakform/masked", Kokkos::RangePolicy<ExecutionSpace>(instance.space(), 0, nodes.extent(0)),
                       ClearNodes<components, Real>{nodes.data(), r.data()});
}

}  // namespace miniapp::weakform::detail
