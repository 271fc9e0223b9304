// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/execution.hpp"
#include "miniapp/geometry/hexahedron.hpp"
#include "miniapp/tensor/element_operator.hpp"

namespace miniapp::tensor {

enum class Axis { r, s, t };

/// A small dense matrix in plain arrays: (row, column).
template <class Real, int rows_, int columns_>
struct DenseMatrix {
  static constexpr int rows = rows_, columns = columns_;
  Real entries[rows_ * columns_];
  explicit DenseMatrix(const basis::Matrix& host) {
    for (int i = 0; i < rows * columns; ++i) entries[i] = static_cast<Real>(host.entries[i]);
  }
};

/// Transforms one axis of a cube in scratch: out(.., r, ..) = sum_c A(r, c) in(.., c, ..), A transposed on request,
/// added to `out` on request. ni, nj, nk are the extents of `out`, i fastest. The team shares the outputs; when it
/// returns, every thread may read them.
template <Axis axis, bool transposed, bool accumulate, int nk, int nj, int ni, class Matrix, class Real>
KOKKOS_INLINE_FUNCTION void contract(const TeamMember& team, const Matrix& A, const Real* in, Real* out) {
  constexpr int terms = transposed ? Matrix::rows : Matrix::columns;
  constexpr int row_stride = transposed ? 1 : Matrix::columns, term_stride = transposed ? Matrix::columns : 1;
  Kokkos::parallel_for(Kokkos::TeamThreadRange(team, nk * nj * ni), [&](int flat) {
    const int i = flat % ni, j = flat / ni % nj, k = flat / (ni * nj);
    const int row = axis == Axis::r ? i : axis == Axis::s ? j : k;
    // the same place in `in`, whose extent along the axis is `terms`
    const int first = axis == Axis::r ? (k * nj + j) * terms : axis == Axis::s ? k * terms * ni + i : j * ni + i;
    const int stride = axis == Axis::r ? 1 : axis == Axis::s ? ni : nj * ni;
    Real sum = accumulate ? out[flat] : Real(0);
    for (int c = 0; c < terms; ++c) sum += A.entries[row * row_stride + c * term_stride] * in[first + c * stride];
    out[flat] = sum;
  });
  team.team_barrier();
}

/// One team an element, intermediates in team scratch, factors stored; gather and scatter are kernels of their own.
///   u, v  (e, k, j, i)          nodal values, i fastest; v is overwritten
///   factors (e, component, point)  see geometry::make_factors; W alone for BP1.0
/// Scratch: 2 cubes of m^3 for BP1.0, 4 of q^3 for the others. Cost: tensor::cost().
/// Source: Swirydowicz et al., IJHPCA 2019, the kernels with the whole cube in scratch.
template <Problem problem, int order, class Real>
struct TeamKernel {
  static constexpr int n = order + 1, m = order + 2;
  static constexpr bool gauss = problem != Problem::bp3_5, stiffness = problem != Problem::bp1_0;
  static constexpr int q = gauss ? m : n, points = q * q * q;
  static constexpr int scratch_bytes = (stiffness ? 4 : 2) * points * sizeof(Real);

  DenseMatrix<Real, m, n> I;
  DenseMatrix<Real, q, q> D;
  Real lambda;
  Vector<const Real> factors, u;
  Vector<Real> v;

  KOKKOS_INLINE_FUNCTION void operator()(const TeamMember& team) const {
    const std::size_t e = team.league_rank();
    constexpr int bytes = scratch_bytes;  // Kokkos takes a reference, which nvcc cannot make to a static member
    Real* const scratch = static_cast<Real*>(team.team_scratch(scratch_level(bytes)).get_shmem(bytes));
    Real *const a = scratch, *const b = scratch + points;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n * n * n),
                         [&](int node) { a[node] = u(e * n * n * n + node); });
    team.team_barrier();
    if constexpr (gauss) {
      contract<Axis::r, false, false, n, n, m>(team, I, a, b);
      contract<Axis::s, false, false, n, m, m>(team, I, b, a);
      contract<Axis::t, false, false, m, m, m>(team, I, a, b);
      if constexpr (stiffness)
        apply_points(team, e, b, a, scratch + 2 * points);
      else
        apply_mass(team, e, b);
      contract<Axis::t, true, false, n, m, m>(team, I, b, a);
      contract<Axis::s, true, false, n, n, m>(team, I, a, b);
      contract<Axis::r, true, false, n, n, n>(team, I, b, a);
    } else {
      apply_points(team, e, a, b, scratch + 2 * points);
    }
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n * n * n),
                         [&](int node) { v(e * n * n * n + node) = a[node]; });
  }

  /// x = W x.
  KOKKOS_INLINE_FUNCTION void apply_mass(const TeamMember& team, std::size_t e, Real* x) const {
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, points), [&](int p) { x[p] *= factors(e * points + p); });
    team.team_barrier();
  }

  /// x = (D^T G D + lambda W) x; gr and the two cubes at `rest` are overwritten.
  KOKKOS_INLINE_FUNCTION void apply_points(const TeamMember& team, std::size_t e, Real* x, Real* gr, Real* rest) const {
    Real *const gs = rest, *const gt = rest + points;
    contract<Axis::r, false, false, q, q, q>(team, D, x, gr);
    contract<Axis::s, false, false, q, q, q>(team, D, x, gs);
    contract<Axis::t, false, false, q, q, q>(team, D, x, gt);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, points), [&](int p) {
      const Real* const G = &factors(e * geometry::num_factors * points + p);
      const Real r = gr[p], s = gs[p], t = gt[p];
      gr[p] = G[0] * r + G[points] * s + G[2 * points] * t;
      gs[p] = G[points] * r + G[3 * points] * s + G[4 * points] * t;
      gt[p] = G[2 * points] * r + G[4 * points] * s + G[5 * points] * t;
      x[p] *= lambda * G[6 * points];
    });
    team.team_barrier();
    contract<Axis::r, true, true, q, q, q>(team, D, gr, x);
    contract<Axis::s, true, true, q, q, q>(team, D, gs, x);
    contract<Axis::t, true, true, q, q, q>(team, D, gt, x);
  }
};

template <Problem problem, int order, class Real>
class TeamOperator : public ElementOperator<Real> {
  using Body = TeamKernel<problem, order, Real>;

 public:
  explicit TeamOperator(const Discretisation& d)
      : elements_(d.mesh.num_elements()),
        body_{DenseMatrix<Real, order + 2, order + 1>(d.basis.interpolation),
              DenseMatrix<Real, Body::q, Body::q>(Body::gauss ? d.basis.point_derivative : d.basis.derivative),
              static_cast<Real>(d.lambda),
              geometry::make_factors<Real>(d.trilinear, d.rule(), !Body::stiffness),
              {},
              {}},
        map_(streaming::make_node_map(d.numbering.element_to_node)),
        map_bytes_(streaming::node_map_bytes(d.numbering.element_to_node)),
        rows_(streaming::make_node_rows(d.numbering.element_to_node, d.numbering.num_nodes)),
        u_(make_vector<Real>("tensor/team/u", d.num_local())),
        v_(make_vector<Real>("tensor/team/v", d.num_local())) {}

  void apply(const Vector<const Real>& x, const Vector<Real>& y) const override {
    streaming::scatter<Real>(map_, x, u_);
    apply_local(u_, v_);
    streaming::gather<Real>(rows_, v_, y);
  }

  void apply_local(const Vector<const Real>& u, const Vector<Real>& v) const override {
    Body body = body_;
    body.u = u;
    body.v = v;
    TeamPolicy policy(elements_, team_size());
    policy.set_scratch_size(scratch_level(Body::scratch_bytes), Kokkos::PerTeam(Body::scratch_bytes + 64));
    Kokkos::parallel_for("tensor/team", policy, body);
  }

  Vector<const mesh::Index> local_nodes() const override { return map_; }

  typename ElementOperator<Real>::Memory memory() const override {
    return {body_.factors.extent(0) * sizeof(Real),
            map_bytes_ + (rows_.offsets.extent(0) + rows_.positions.extent(0)) * sizeof(std::int64_t),
            (u_.extent(0) + v_.extent(0)) * sizeof(Real)};
  }

 private:
  /// A thread a column of points, in whole warps, at most 256.
  static int team_size() {
    if (runs_on_host) return 1;
    const int threads = (Body::q * Body::q + 31) / 32 * 32;
    return threads < 256 ? threads : 256;
  }

  int elements_;
  Body body_;
  streaming::NodeMap map_;
  std::size_t map_bytes_;
  streaming::NodeRows rows_;
  Vector<Real> u_, v_;
};

}  // namespace miniapp::tensor
