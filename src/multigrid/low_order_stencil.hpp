// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <vector>

#include "miniapp/basis/quadrature.hpp"
#include "miniapp/core/execution.hpp"
#include "miniapp/core/map.hpp"
#include "miniapp/geometry/hexahedron.hpp"

/// The arithmetic of low-order refined elements. The map of an element is linear along each direction, so an edge of a
/// sub-cell at node v is h_a x_a(v), where h_a is the distance of the nodes on [-1, 1] and x_a the tangent at v: all
/// sub-cells of an element that meet at v share one Jacobian. Their sum at v, with u(v + a) the next node along a, is
///
///   sum_a P_aa ((u(v + a) - u(v))^2 / h_a + (u(v) - u(v - a))^2 / h_-a)
///     + 2 sum_(a < b) P_ab (u(v + a) - u(v - a)) (u(v + b) - u(v - b)) + W u(v)^2
///
/// where terms of nodes outside the element are left out, with v in their place (u(v + a) - u(v) at the low end); and,
/// with H_a = h_a + h_-a, the product of all H_b with b not in (a, c), and G and W of geometry::factors with weight
/// 1/8:
///   P_ac = G_ac product of H_b,  W = lambda W product of all H_b.
namespace miniapp::multigrid {

/// The step from a node to its neighbour: -1, 0 or 1 along (r, s, t), not all three different from 0.
struct Step {
  int along[3];
};

/// The sub-intervals between the nodes of a direction, for kernels.
struct SubIntervals {
  int n;
  const double* points;     ///< (i)
  const double* inverse_h;  ///< (i): of the interval from node i to i + 1
  const double* H;          ///< (i): length of the intervals at node i
  KOKKOS_FORCEINLINE_FUNCTION int points_of_element() const { return n * n * n; }
};

/// Owns the arrays that these point to.
class SubCells {
 public:
  explicit SubCells(const basis::Rule& nodes) : n_(nodes.size()) {
    const std::vector<double>& x = nodes.points;
    std::vector<double> inverse, both;
    for (int i = 0; i < n_; ++i) {
      both.push_back(x[std::min(i + 1, n_ - 1)] - x[std::max(i - 1, 0)]);
      if (i + 1 < n_) inverse.push_back(1 / (x[i + 1] - x[i]));
    }
    points_ = to_device("multigrid/low order/points", x);
    inverse_h_ = to_device("multigrid/low order/inverse h", inverse);
    H_ = to_device("multigrid/low order/H", both);
  }
  SubIntervals view() const { return {n_, points_.data(), inverse_h_.data(), H_.data()}; }

 private:
  int n_;
  Vector<double> points_, inverse_h_, H_;
};

/// Visits the neighbours of a local node inside its element, itself included, the step along r fastest.
struct Neighbours {
  int n;
  int reach;             ///< 1, or 0 for the node alone
  bool corners = false;  ///< whether opposite corners of sub-cells are neighbours

  /// Calls to(step, position) with positions of the map (element, local node).
  template <class Visit>
  KOKKOS_FORCEINLINE_FUNCTION void visit(Index position, const Visit& to) const {
    const int local = position % (n * n * n), i = local % n, j = local / n % n, k = local / (n * n);
    for (int c = -reach; c <= reach; ++c) {
      if (k + c < 0 || k + c >= n) continue;
      for (int b = -reach; b <= reach; ++b) {
        if (j + b < 0 || j + b >= n) continue;
        for (int a = -reach; a <= reach; ++a)
          if (i + a >= 0 && i + a < n && (corners || a * b * c == 0))
            to(Step{{a, b, c}}, position + a + n * (b + n * c));
      }
    }
  }
};

/// Numbers per node: P as rr, rs, rt, ss, st, tt, then W; W alone without a stiffness.
constexpr int num_node_factors(bool stiffness) { return stiffness ? geometry::num_factors : 1; }

/// Stores these numbers, (element, component, local node).
struct FindNodeFactors {
  SubIntervals intervals;
  const double* trilinear;    ///< (element, 24)
  const double* coefficient;  ///< (element, point of the operator's rule); null: 1
  const int* nearest;         ///< (node): its nearest point along a direction
  int q;                      ///< points of a direction
  int components;             ///< num_node_factors()
  double lambda;
  double* factors;

  KOKKOS_FUNCTION void operator()(const std::int64_t position) const {
    const int n = intervals.n, points = n * n * n;
    const std::int64_t e = position / points;
    const int local = static_cast<int>(position % points), i[3] = {local % n, local / n % n, local / (n * n)};
    const double H[3] = {intervals.H[i[0]], intervals.H[i[1]], intervals.H[i[2]]};
    double f[geometry::num_factors];
    geometry::factors(trilinear + 24 * e, intervals.points[i[0]], intervals.points[i[1]], intervals.points[i[2]], 0.125,
                      f);
    if (coefficient) {
      const double k = coefficient[((e * q + nearest[i[2]]) * q + nearest[i[1]]) * q + nearest[i[0]]];
      for (int c = 0; c < 6; ++c) f[c] *= k;
    }
    double* const to = factors + e * components * points + local;
    if (components > 1) {
      to[0] = f[0] * (H[1] * H[2]);
      to[points] = f[1] * H[2];
      to[2 * points] = f[2] * H[1];
      to[3 * points] = f[3] * (H[2] * H[0]);
      to[4 * points] = f[4] * H[0];
      to[5 * points] = f[5] * (H[0] * H[1]);
    }
    to[(components - 1) * points] = lambda * f[6] * (H[0] * H[1] * H[2]);
  }
};

/// The entries of an element's matrix.
struct Couplings {
  SubIntervals intervals;
  int components;  ///< num_node_factors()
  const double* factors;

  /// A local node.
  struct Node {
    const Couplings& of;
    const double* factors;  ///< factors of its element
    int i[3], local;

    KOKKOS_FORCEINLINE_FUNCTION const double* component(int c) const {
      return factors + c * of.intervals.points_of_element();
    }
    /// The component of P_ab, a < b.
    KOKKOS_FORCEINLINE_FUNCTION const double* mixed(int a, int b) const { return component(a + b == 3 ? 4 : a + b); }
    /// What a node at the end of its line has on itself in u(v + b) - u(v - b).
    KOKKOS_FORCEINLINE_FUNCTION int end(int b) const { return (i[b] == of.intervals.n - 1) - (i[b] == 0); }

    KOKKOS_FORCEINLINE_FUNCTION double mass() const { return component(of.components - 1)[local]; }

    /// The entry of this node and that after a step: along an edge of sub-cells or across one of their faces.
    KOKKOS_FORCEINLINE_FUNCTION double coupling(const Step& step) const {
      const int n = of.intervals.n;
      const auto& [r, s, t] = step.along;
      if (r == 0 && s == 0) return edge<2>(t, n * n);
      if (r == 0 && t == 0) return edge<1>(s, n);
      if (s == 0 && t == 0) return edge<0>(r, 1);
      if (r == 0) return across(mixed(1, 2), s, n, t, n * n);
      return s == 0 ? across(mixed(0, 2), r, 1, t, n * n) : across(mixed(0, 1), r, 1, s, n);
    }

   private:
    template <int a>
    KOKKOS_FORCEINLINE_FUNCTION double edge(int sign, int stride) const {
      constexpr int b = a == 0 ? 1 : 0, c = a == 2 ? 1 : 2, own = a == 0 ? 0 : a == 1 ? 3 : 5;
      const int other = local + sign * stride;
      const double* const P = component(own);
      double sum = -(P[local] + P[other]) * of.intervals.inverse_h[sign > 0 ? i[a] : i[a] - 1];
      if (const int at = sign * end(b); at != 0) {
        const double* const Q = mixed(a < b ? a : b, a < b ? b : a);
        sum += at * (Q[local] - Q[other]);
      }
      if (const int at = sign * end(c); at != 0) {
        const double* const Q = mixed(a < c ? a : c, a < c ? c : a);
        sum += at * (Q[local] - Q[other]);
      }
      return sum;
    }
    KOKKOS_FORCEINLINE_FUNCTION double across(const double* P, int sign_a, int stride_a, int sign_b,
                                              int stride_b) const {
      return -sign_a * sign_b * (P[local + sign_a * stride_a] + P[local + sign_b * stride_b]);
    }
  };

  KOKKOS_FORCEINLINE_FUNCTION Node node(Index position) const {
    const int n = intervals.n, points = n * n * n, local = position % points;
    return {*this,
            factors + std::int64_t(position / points) * components * points,
            {local % n, local / n % n, local / (n * n)},
            local};
  }
};

}  // namespace miniapp::multigrid
