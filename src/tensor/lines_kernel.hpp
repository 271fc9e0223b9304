// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/geometry/line.hpp"
#include "miniapp/tensor/element_operator.hpp"
#include "tensor/line_tables.hpp"

namespace miniapp::tensor {

/// Places of a cube of extent (ni, nj, nk) in scratch, so that threads along any axis meet different memory banks.
template <int ni, int nj, int nk>
struct ScratchCube {
  static constexpr bool swizzled = ni == 8 && nj == 8;
  static constexpr int row = ni % 2 ? ni : ni + 1;
  static constexpr int plane = swizzled ? 72 : row * nj;
  static constexpr int size = plane * nk;
  KOKKOS_FORCEINLINE_FUNCTION static int at(int i, int j, int k) {
    if constexpr (swizzled)
      return k * plane + j * 8 + (i ^ j);
    else
      return k * plane + j * row + i;
  }
};

/// Nodes of elements in global vectors: gather and scatter fused into the kernel.
template <int n, class Real>
struct GlobalNodes {
  Vector<const mesh::Index> map;  ///< (element, node), ~node where masked
  Vector<const Real> x;
  Vector<Real> y;
  KOKKOS_FORCEINLINE_FUNCTION Real load(int e, int node) const {
    const mesh::Index g = map(std::size_t(e) * (n * n * n) + node);
    return g >= 0 ? x(g) : Real(0);
  }
  /// `inside`: no other element shares the node.
  KOKKOS_FORCEINLINE_FUNCTION void add(int e, int node, bool inside, Real value) const {
    const mesh::Index g = map(std::size_t(e) * (n * n * n) + node);
    if (inside)
      y(g) = value;
    else if (g >= 0)
      Kokkos::atomic_add(&y(g), value);
  }
};

/// Nodes of elements in E-vectors (element, node).
template <int n, class Real>
struct LocalNodes {
  Vector<const Real> x;
  Vector<Real> y;
  KOKKOS_FORCEINLINE_FUNCTION Real load(int e, int node) const { return x(std::size_t(e) * (n * n * n) + node); }
  KOKKOS_FORCEINLINE_FUNCTION void add(int e, int node, bool, Real value) const {
    y(std::size_t(e) * (n * n * n) + node) = value;
  }
};

/// The element operators with a thread a line of nodes: lines change direction through team scratch, everything else
/// stays in registers across barriers, contractions are even-odd, geometry is computed from 24 coefficients an element.
/// A team works on some elements at once. Scratch: two cubes an element (BP1.0: one) and its coefficients. Bytes an
/// element: vectors, 4 n^3 for the map, 192 for the geometry. For GPUs: the team's rank is the thread, local arrays are
/// its registers.
template <Problem problem, int order, class Real, class Nodes>
struct LinesKernel {
  using Tables = LineTables<problem, order, Real>;
  static constexpr int n = order + 1, m = order + 2, q = Tables::q;
  static constexpr int lines = q * q;  ///< an element, in the widest phase
  static constexpr int elements_a_team = lines >= 128 ? 1 : 128 / lines;
  static constexpr int threads = (lines * elements_a_team + 31) / 32 * 32;
  /// That a thread may use, by measurement on an H200 (docs/results/tensor.md): more teams at once win over a few
  /// spills.
  static constexpr int registers = problem == Problem::bp1_0 ? (order < 12 ? 80 : 72) : (order < 13 ? 128 : 168);
  static constexpr int teams_at_once = 65536 / (registers * threads) > 0 ? 65536 / (registers * threads) : 1;
  using Cube = ScratchCube<q, q, q>;
  static constexpr int cubes = problem == Problem::bp1_0 ? 1 : 2;
  static constexpr int element_scratch = cubes * Cube::size + 24;
  static constexpr int scratch_bytes = elements_a_team * element_scratch * sizeof(Real);
  using Line = std::conditional_t<problem == Problem::bp1_0, geometry::MassLine<Real>, geometry::StiffnessLine<Real>>;

  Tables tables;
  Nodes nodes;
  Vector<const Real> trilinear;
  Real lambda;
  int elements;

  /// One line of one element: the place of a thread in a phase that has extent1 * extent2 lines an element.
  struct Place {
    int element;      ///< global, or -1 where the thread has nothing to do
    int a, b;         ///< of the line, a fastest
    Real *A, *B, *K;  ///< cubes (BP1.0 has no B) and coefficients
  };

  template <int extent1, int extent2>
  KOKKOS_FORCEINLINE_FUNCTION Place place(const TeamMember& team, Real* scratch) const {
    const int thread = team.team_rank(), local = thread / (extent1 * extent2), line = thread % (extent1 * extent2);
    const int element = team.league_rank() * elements_a_team + local;
    Real* const A = scratch + local * element_scratch;
    return {local < elements_a_team && element < elements ? element : -1,
            line % extent1,
            line / extent1,
            A,
            A + Cube::size,
            A + cubes * Cube::size};
  }

  KOKKOS_FUNCTION void operator()(const TeamMember& team) const {
    constexpr int bytes = scratch_bytes;  // Kokkos takes a reference, which nvcc cannot make to a static member
    Real* const scratch = static_cast<Real*>(team.team_scratch(scratch_level(bytes)).get_shmem_aligned(bytes, 16));
    const Place p = place<q, q>(team, scratch);
    if (p.element >= 0)
      for (int c = p.b * q + p.a; c < 24; c += q * q) p.K[c] = trilinear(std::size_t(p.element) * 24 + c);
    if constexpr (problem == Problem::bp3_5)
      collocated(team, p);
    else
      gauss(team, scratch, p);
  }

  /// BP3.5: a thread owns the line (i, j) = (a, b) along t.
  KOKKOS_FORCEINLINE_FUNCTION void collocated(const TeamMember& team, const Place& p) const {
    Real u[q];
    if (p.element >= 0) {
      MINIAPP_UNROLL
      for (int k = 0; k < n; ++k) u[k] = nodes.load(p.element, (k * n + p.b) * n + p.a);
      MINIAPP_UNROLL
      for (int k = 0; k < n; ++k) p.A[at(p.a, p.b, k)] = u[k];
    }
    team.team_barrier();
    apply_points(team, p, u);
    if (p.element >= 0) add_column(p, u);
  }

  /// BP1.0 and BP3.0: up in t, s and r; at the points a thread owns the line (j, k) = (a, b) along r; down in r, s and
  /// t. A thread that reads a line writes the same one, so that one cube serves all of it.
  KOKKOS_FORCEINLINE_FUNCTION void gauss(const TeamMember& team, Real* scratch, const Place& p) const {
    const Place column = place<n, n>(team, scratch), row = place<n, m>(team, scratch);
    Real node[n], point[m];
    if (column.element >= 0) {
      MINIAPP_UNROLL
      for (int k = 0; k < n; ++k) node[k] = nodes.load(column.element, (k * n + column.b) * n + column.a);
      apply(tables.interpolation, node, point);
      MINIAPP_UNROLL
      for (int k = 0; k < m; ++k) column.A[Cube::at(column.a, column.b, k)] = point[k];
    }
    team.team_barrier();
    if (row.element >= 0) {
      MINIAPP_UNROLL
      for (int j = 0; j < n; ++j) node[j] = row.A[Cube::at(row.a, j, row.b)];
      apply(tables.interpolation, node, point);
      MINIAPP_UNROLL
      for (int j = 0; j < m; ++j) row.A[Cube::at(row.a, j, row.b)] = point[j];
    }
    team.team_barrier();
    if (p.element >= 0) {
      MINIAPP_UNROLL
      for (int i = 0; i < n; ++i) node[i] = p.A[Cube::at(i, p.a, p.b)];
      apply(tables.interpolation, node, point);
    }
    if constexpr (problem == Problem::bp1_0) {
      if (p.element >= 0) apply_mass(p, point);
    } else {
      if (p.element >= 0) {
        MINIAPP_UNROLL
        for (int i = 0; i < m; ++i) p.A[at(p.a, p.b, i)] = point[i];
      }
      team.team_barrier();
      apply_points(team, p, point);
    }
    if (p.element >= 0) {
      apply_transposed(tables.interpolation, point, node);
      MINIAPP_UNROLL
      for (int i = 0; i < n; ++i) p.A[Cube::at(i, p.a, p.b)] = node[i];
    }
    team.team_barrier();
    if (row.element >= 0) {
      MINIAPP_UNROLL
      for (int j = 0; j < m; ++j) point[j] = row.A[Cube::at(row.a, j, row.b)];
      apply_transposed(tables.interpolation, point, node);
      MINIAPP_UNROLL
      for (int j = 0; j < n; ++j) row.A[Cube::at(row.a, j, row.b)] = node[j];
    }
    team.team_barrier();
    if (column.element >= 0) {
      MINIAPP_UNROLL
      for (int k = 0; k < m; ++k) point[k] = column.A[Cube::at(column.a, column.b, k)];
      apply_transposed(tables.interpolation, point, node);
      add_column(column, node);
    }
  }

  /// u = w det J u on a line along r.
  KOKKOS_FORCEINLINE_FUNCTION void apply_mass(const Place& p, Real (&u)[q]) const {
    const auto line = make_line(p);
    MINIAPP_UNROLL
    for (int i = 0; i < q; ++i) u[i] *= line.at(tables.x[i], tables.weight[i]);
  }

  /// u = (D^T G D + lambda W) u on the line (a, b) that the thread owns along c. Cube A holds u on entry; the slopes
  /// along a and b pass through the cubes B and A. The last reads of scratch are of the thread's own line.
  KOKKOS_FORCEINLINE_FUNCTION void apply_points(const TeamMember& team, const Place& p, Real (&u)[q]) const {
    const bool active = p.element >= 0;
    Real x[q], y[q], flux[q];
    if (active) {
      along_a<false>(p.A, p.B, p, x, y);
      MINIAPP_UNROLL
      for (int k = 0; k < q; ++k) x[k] = p.A[at(p.a, k, p.b)];
      apply(tables.derivative, x, y);
    }
    team.team_barrier();  // A may be overwritten
    if (active) {
      MINIAPP_UNROLL
      for (int k = 0; k < q; ++k) p.A[at(p.a, k, p.b)] = y[k];
      apply(tables.derivative, u, flux);
    }
    team.team_barrier();
    if (active) {
      const auto line = make_line(p);
      MINIAPP_UNROLL
      for (int k = 0; k < q; ++k) {
        Real &a = p.B[at(p.a, p.b, k)], &b = p.A[at(p.a, p.b, k)];
        Real slope_a = a, slope_b = b;
        u[k] *= line.apply(tables.x[k], tables.weight[k], slope_a, slope_b, flux[k]);
        a = slope_a;
        b = slope_b;
      }
    }
    team.team_barrier();
    if (active) {
      along_a<true>(p.B, p.B, p, x, y);
      MINIAPP_UNROLL
      for (int k = 0; k < q; ++k) x[k] = p.A[at(p.a, k, p.b)];
      apply_transposed(tables.derivative, x, y);
      MINIAPP_UNROLL
      for (int k = 0; k < q; ++k) p.A[at(p.a, k, p.b)] = y[k];
      apply_transposed(tables.derivative, flux, x);
    }
    team.team_barrier();
    if (active) {
      MINIAPP_UNROLL
      for (int k = 0; k < q; ++k) u[k] += x[k] + (p.A[at(p.a, p.b, k)] + p.B[at(p.a, p.b, k)]);
    }
  }

  /// A line along a from one cube through D, or its transpose, to another.
  template <bool transposed>
  KOKKOS_FORCEINLINE_FUNCTION void along_a(const Real* from, Real* to, const Place& p, Real (&x)[q],
                                           Real (&y)[q]) const {
    MINIAPP_UNROLL
    for (int k = 0; k < q; ++k) x[k] = from[at(k, p.a, p.b)];
    if constexpr (transposed)
      apply_transposed(tables.derivative, x, y);
    else
      apply(tables.derivative, x, y);
    MINIAPP_UNROLL
    for (int k = 0; k < q; ++k) to[at(k, p.a, p.b)] = y[k];
  }

  /// Adds the column (a, b) along t to the nodes.
  KOKKOS_FORCEINLINE_FUNCTION void add_column(const Place& p, const Real (&v)[n]) const {
    const bool side = p.a == 0 || p.a == order || p.b == 0 || p.b == order;
    MINIAPP_UNROLL
    for (int k = 0; k < n; ++k) nodes.add(p.element, (k * n + p.b) * n + p.a, !side && k > 0 && k < order, v[k]);
  }

  /// Place of the point (a, b, c) in scratch: c is t for BP3.5 and r for the others.
  KOKKOS_FORCEINLINE_FUNCTION static int at(int a, int b, int c) {
    if constexpr (Tables::collocated)
      return Cube::at(a, b, c);
    else
      return Cube::at(c, a, b);
  }

  KOKKOS_FORCEINLINE_FUNCTION Line make_line(const Place& p) const {
    using namespace geometry;
    const Real* const K = p.K;
    const Real weight = tables.weight[p.a] * tables.weight[p.b];
    if constexpr (problem == Problem::bp1_0)
      return Line::template make<along_s, along_t, along_r>(K, tables.x[p.a], tables.x[p.b], weight);
    else if constexpr (problem == Problem::bp3_0)
      return Line::template make<along_s, along_t, along_r>(K, tables.x[p.a], tables.x[p.b], weight, lambda);
    else
      return Line::template make<along_r, along_s, along_t>(K, tables.x[p.a], tables.x[p.b], weight, lambda);
  }
};

template <Problem problem, int order, class Real>
class LinesOperator : public ElementOperator<Real> {
  static constexpr int n = order + 1;
  template <class Nodes>
  using Body = LinesKernel<problem, order, Real, Nodes>;

 public:
  explicit LinesOperator(const Discretisation& d)
      : elements_(static_cast<int>(d.mesh.num_elements())),
        tables_(d.basis),
        lambda_(static_cast<Real>(d.lambda)),
        trilinear_(make_vector<Real>("tensor/lines/trilinear", d.trilinear.extent(0))),
        map_(streaming::make_node_map(d.numbering.element_to_node)) {
    Kokkos::deep_copy(trilinear_, d.trilinear);
  }

  void apply(const Vector<const Real>& x, const Vector<Real>& y) const override {
    Kokkos::deep_copy(ExecutionSpace(), y, Real(0));
    apply_to_zero(x, y);
  }
  void apply_to_zero(const Vector<const Real>& x, const Vector<Real>& y) const override {
    run(GlobalNodes<n, Real>{map_, x, y});
  }
  void apply_local(const Vector<const Real>& u, const Vector<Real>& v) const override {
    run(LocalNodes<n, Real>{u, v});
  }
  Vector<const mesh::Index> local_nodes() const override { return map_; }
  typename ElementOperator<Real>::Memory memory() const override {
    return {trilinear_.extent(0) * sizeof(Real), map_.extent(0) * sizeof(mesh::Index), 0};
  }

 private:
  template <class Nodes>
  void run(const Nodes& nodes) const {
    using Functor = Body<Nodes>;
    using Policy = Kokkos::TeamPolicy<ExecutionSpace, Kokkos::LaunchBounds<Functor::threads, Functor::teams_at_once>>;
    Policy policy((elements_ + Functor::elements_a_team - 1) / Functor::elements_a_team, Functor::threads, 1);
    policy.set_scratch_size(scratch_level(Functor::scratch_bytes), Kokkos::PerTeam(Functor::scratch_bytes + 16));
    // light weight: the functor travels as a kernel argument, so that its tables are read from the constant bank
    using Kokkos::Experimental::WorkItemProperty;
    Kokkos::parallel_for("tensor/lines", Kokkos::Experimental::require(policy, WorkItemProperty::HintLightWeight),
                         Functor{tables_, nodes, trilinear_, lambda_, elements_});
  }

  int elements_;
  LineTables<problem, order, Real> tables_;
  Real lambda_;
  Vector<Real> trilinear_;
  streaming::NodeMap map_;
};

}  // namespace miniapp::tensor
