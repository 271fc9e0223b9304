// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/weakform/detail/fans.hpp"
#ifdef MINIAPP_RUNS_ON_HOST
#include "miniapp/indirect/detail/lane_kernel.hpp"
#endif

/// Fans on a host, one in each lane of vector registers. A node of a fan of six tetrahedra is loaded, transposed and
/// added to once, where cells in lanes do so three times:
///   values (node, component, lane) <- rows of nodes;   f of cell 0, 1, .. in all lanes;   rows <- sums, fan by fan
/// Some groups of lanes pass each of the three steps together, since only independent work fills the time in which a
/// step waits for its own results. The form remains scalar: the compiler vectorises the loop over lanes.
namespace miniapp::weakform::detail {

#ifdef MINIAPP_RUNS_ON_HOST

template <Form F, class Real, Action action>
struct FanLanes : FanKernel<F, Real, action> {
  using Scalar = FanKernel<F, Real, action>;
  using Scalar::dim, Scalar::components, Scalar::row, Scalar::arity, Scalar::ring, Scalar::most_cells, Scalar::threads;
  using typename Scalar::S;
  static constexpr int width = lane_width<Real>, groups = 2;
  /// The nodes of a fan, for tetrahedra with the first of the ring again behind the last: cell k has nodes 0, 1, k + 2
  /// and k + 3.
  static constexpr int nodes = dim == 2 ? arity : arity + 1;

  struct Group {
    template <int n>
    using Values = Real[nodes][n][width];
    alignas(register_bytes) Values<row> vertices;
    Values<components> u, r;
    Values<action == Action::jacobian ? components : 1> w;
    Real present[most_cells][width];  ///< 1 where the fan has the cell, else 0; not set where all fans have all cells
    int cells;                        ///< 1 + the last cell that a fan has
    bool whole;                       ///< whether all fans have all cells
  };

  void operator()(const Team& team) const {
    const Index first = team.league_rank() * threads;
    run_range(first, this->size - first < threads ? this->size : first + threads);
  }
  void run_range(Index fan, Index end) const {
    for (; fan + groups * width <= end; fan += groups * width) run_groups(fan);
    for (; fan < end; ++fan) this->run(this->fans[fan]);
  }

 private:
  void run_groups(Index first) const {
    Group all[groups];
    for (int g = 0; g < groups; ++g) load(first + g * width, all[g]);
    for (Group& group : all)
      if (group.whole)
        integrate_cells<true>(group);
      else
        integrate_cells<false>(group);
    for (int g = 0; g < groups; ++g) add(first + g * width, all[g]);
  }

  Index node(Index fan, int i) const {
    const Index id = this->fans[fan].id[i];
    return i == 0 && id < 0 ? ~id : id;
  }
  [[gnu::always_inline]] void load(Index first, Group& group) const {
    MINIAPP_UNROLL
    for (int i = 0; i < arity; ++i) {
      const auto load_values = [&]<class Field, int n>(const Field& field, Real(&to)[nodes][n][width]) {
        Lanes<Real> rows[n];
        indirect::load_lanes(
            field, [&](int l) { return node(first + l, i); }, rows);
        indirect::store_lanes(rows, to[i]);
        if (nodes > arity && i == 2) indirect::store_lanes(rows, to[nodes - 1]);
      };
      load_values(this->data.vertices, group.vertices);
      load_values(this->data.u, group.u);
      if constexpr (action == Action::jacobian) load_values(this->data.w, group.w);
    }
    const Lanes<Real> zeros[components] = {};
    MINIAPP_UNROLL
    for (int i = 0; i < nodes; ++i) indirect::store_lanes(zeros, group.r[i]);
    group.whole = true;
    group.cells = most_cells;
    MINIAPP_UNROLL
    for (int l = 0; l < width; ++l) group.whole &= is_whole(this->fans[first + l]);
    if (!group.whole) find_cells(first, group);
  }
  /// A tetrahedron closes only a fan that has all others.
  static bool is_whole(const indirect::Ids<arity>& ids) { return dim == 2 ? ids.id[3] != ids.id[2] : ids.id[0] < 0; }
  void find_cells(Index first, Group& group) const {
    group.cells = 0;
    for (int cell = 0; cell < most_cells; ++cell)
      for (int l = 0; l < width; ++l) {
        const indirect::Ids<arity>& ids = this->fans[first + l];
        const bool has = Scalar::has_cell(ids, ids.id[0] < 0, cell);
        group.present[cell][l] = has;
        if (has) group.cells = cell + 1;
      }
  }

  template <bool whole>
  [[gnu::always_inline]] void integrate_cells(Group& group) const {
    for (int cell = 0; cell < (whole ? most_cells : group.cells); ++cell) {
      MINIAPP_INDEPENDENT
      for (int l = 0; l < width; ++l) {
        Real vertices[dim + 1][row], r[dim + 1][components];
        S u[dim + 1][components];
        MINIAPP_UNROLL
        for (int v = 0; v <= dim; ++v) {
          const int i = place(cell, v);
          MINIAPP_UNROLL
          for (int d = 0; d < row; ++d) vertices[v][d] = group.vertices[i][d][l];
          MINIAPP_UNROLL
          for (int c = 0; c < components; ++c)
            if constexpr (action == Action::jacobian)
              u[v][c] = {group.u[i][c][l], group.w[i][c][l]};
            else
              u[v][c] = group.u[i][c][l];
        }
        integrate(this->data.form, vertices, OwnRow<F, Real>{}, u, r);
        MINIAPP_UNROLL
        for (int v = 0; v <= dim; ++v) {
          MINIAPP_UNROLL
          for (int c = 0; c < components; ++c)
            group.r[place(cell, v)][c][l] += whole || group.present[cell][l] > 0 ? r[v][c] : 0;
        }
      }
    }
  }
  /// The place among `nodes` of vertex v of a cell. Unlike FanKernel::place() it is the last one, not the first of the
  /// ring, for the last vertex of the last tetrahedron.
  static constexpr int place(int cell, int v) { return dim == 2 ? Scalar::place(cell, v) : v < 2 ? v : cell + v; }

  [[gnu::always_inline]] void add(Index first, const Group& group) const {
    MINIAPP_UNROLL
    for (int i = 0; i < arity; ++i) {
      MINIAPP_UNROLL
      for (int l = 0; l < width; ++l) {
        const Index to = node(first + l, i);
        MINIAPP_UNROLL
        for (int c = 0; c < components; ++c)
          add_to(this->data.r(to, c), group.r[i][c][l] + (nodes > arity && i == 2 ? group.r[nodes - 1][c][l] : 0));
      }
    }
  }
};

/// The fan kernel of a host; a GPU uses FanKernel.
template <Form F, class Real, Action action>
using FansKernel = FanLanes<F, Real, action>;
#else
template <Form F, class Real, Action action>
using FansKernel = FanKernel<F, Real, action>;
#endif

}  // namespace miniapp::weakform::detail
