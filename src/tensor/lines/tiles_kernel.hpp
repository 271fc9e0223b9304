// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/core/teams.hpp"
#include "miniapp/geometry/line.hpp"
#include "tensor/line_tables.hpp"
#include "tensor/lines/line_nodes.hpp"
#include "tensor/lines/warp_tile.hpp"

namespace miniapp::tensor {

/// Tables that lanes read at different addresses, which the constant bank would serve one after the other.
struct TileTables {
  static constexpr int n = 8;
  Pair<double> derivative[32], transposed[32];  ///< right factors of products with D^T and with D
  double x[n], weight[n];

  explicit TileTables(const basis::TensorBasis& b) {
    for (int lane = 0; lane < 32; ++lane) {
      const int g = lane / 4, t = lane % 4;
      derivative[lane] = {b.derivative(g, 2 * t), b.derivative(g, 2 * t + 1)};
      transposed[lane] = {b.derivative(2 * t, g), b.derivative(2 * t + 1, g)};
    }
    for (int i = 0; i < n; ++i) {
      x[i] = b.nodes.points[i];
      weight[i] = b.nodes.weights[i];
    }
  }
};

/// BP3.5 of order 7 with one warp per element: derivatives in r and s are products of 8 x 8 tiles on FP64 tensor cores,
/// two planes at a time; derivatives in t are even-odd along columns in registers. Lane 4 g + t owns the columns (i, j)
/// = (2 t, g) and (2 t + 1, g). u and its derivative in s are kept in scratch, so that the geometry of two columns fits
/// in registers.
///   trilinear  (element, 24) coefficients of the map
/// Scratch: two cubes per warp. Bytes per element: vectors, 4 n^3 for the map, 192 for the geometry.
template <class Nodes>
struct TilesKernel {
  static constexpr int order = 7, n = 8, plane = n * n, cube = n * n * n;
  using Tables = LineTables<Problem::bp3_5, order, double>;
  using Line = geometry::StiffnessLine<double>;
  static constexpr int elements_per_team = 2, threads = 32 * elements_per_team;
  static constexpr int teams_at_once = 6;  ///< 168 registers per thread; 128 cause spills, 255 leave too few warps
  static constexpr std::size_t scratch_bytes = elements_per_team * (2 * cube + 24) * sizeof(double);
  static constexpr std::size_t scratch_traffic = 11 * cube * sizeof(double);  ///< per element

  Tables tables;
  const TileTables* lanes;
  Nodes nodes;
  const double* trilinear;
  double lambda;
  int elements;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const int warp = team.team_rank() / 32, lane = team.team_rank() % 32;
    const int wanted = team.league_rank() * elements_per_team + warp;
    const bool active = wanted < elements;
    const int e = active ? wanted : elements - 1;
    double* const U = static_cast<double*>(team.scratch()) + warp * (2 * cube);
    double* const K = static_cast<double*>(team.scratch()) + elements_per_team * 2 * cube + warp * 24;
    if (lane < 24) K[lane] = trilinear[std::size_t(e) * 24 + lane];
    nodes.for_components([&] { team.template group_barrier<32>(); },
                         [&](const auto& component) { apply_component(team, component, e, active, lane, U, K); });
  }

  /// One component of an element; a warp without an element only takes part in the barriers.
  template <class Component>
  KOKKOS_FORCEINLINE_FUNCTION void apply_component(const Team& team, const Component& component, int e, bool active,
                                                   int lane, double* U, const double* K) const {
    const int g = lane / 4, t = lane % 4;
    double* const S = U + cube;
    const int own = at(2 * t, g), low = at(g, 2 * t), high = at(g, 2 * t + 1);

    double x[n], y[n];  // the two columns
    MINIAPP_UNROLL
    for (int k = 0; k < n; ++k) {
      const Pair<double> u = component.load_pair(e, k * plane + g * n + 2 * t);
      x[k] = u.first;
      y[k] = u.second;
    }
    MINIAPP_UNROLL
    for (int k = 0; k < n; ++k) pair(U + k * plane + own) = {x[k], y[k]};
    team.template group_barrier<32>();

    const Pair<double> D = lanes->derivative[lane], DT = lanes->transposed[lane];
    multiply_columns(U, S, low, high, D);
    derive<false>(x);
    derive<false>(y);
    const Line line_x = make_line(K, 2 * t, g), line_y = make_line(K, 2 * t + 1, g);
    team.template group_barrier<32>();
    double energy = 0;
    MINIAPP_UNROLL
    for (int k = 0; k < n; k += 2) {
      double *const u = U + k * plane + own, *const s = S + k * plane + own;
      Pair<double> value[2] = {pair(u), pair(u + plane)}, slope[2] = {};
      WarpTile::multiply(value, D, slope);
      MINIAPP_UNROLL
      for (int i = 0; i < 2; ++i) {
        Pair<double> slope_s = pair(s + i * plane);
        energy += apply_line(line_x, k + i, slope[i].first, slope_s.first, x[k + i], value[i].first);
        energy += apply_line(line_y, k + i, slope[i].second, slope_s.second, y[k + i], value[i].second);
        pair(s + i * plane) = slope_s;
      }
      WarpTile::multiply(slope, DT, value);
      pair(u) = value[0];
      pair(u + plane) = value[1];
    }
    team.template group_barrier<32>();
    multiply_columns(S, S, low, high, DT);
    derive<true>(x);
    derive<true>(y);
    team.template group_barrier<32>();
    if (active) {
      MINIAPP_UNROLL
      for (int k = 0; k < n; ++k) {
        const Pair<double> a = pair(U + k * plane + own), b = pair(S + k * plane + own);
        component.add_pair(e, k * plane + g * n + 2 * t, {x[k] + (a.first + b.first), y[k] + (a.second + b.second)});
      }
    }
    component.add_energy(team, active ? energy : 0);
  }

  /// Multiplies grad u by G and u by lambda W at node k of a column. Returns grad u . G grad u + u . lambda W u.
  KOKKOS_FORCEINLINE_FUNCTION double apply_line(const Line& line, int k, double& a, double& b, double& c,
                                                double& u) const {
    const double slope_a = a, slope_b = b, slope_c = c, value = u;
    u *= line.apply(tables.x[k], tables.weight[k], a, b, c);
    return Nodes::with_energy ? slope_a * a + slope_b * b + slope_c * c + value * u : 0;
  }

  /// Each plane of `to` = matrix * plane of `from`: the transposed planes are left factors.
  KOKKOS_FORCEINLINE_FUNCTION static void multiply_columns(const double* from, double* to, int low, int high,
                                                           const Pair<double>& matrix) {
    MINIAPP_UNROLL
    for (int k = 0; k < n; k += 2) {
      const double* const f = from + k * plane;
      const Pair<double> value[2] = {{f[low], f[high]}, {f[plane + low], f[plane + high]}};
      Pair<double> result[2] = {};
      WarpTile::multiply(value, matrix, result);
      double* const r = to + k * plane;
      r[low] = result[0].first;
      r[high] = result[0].second;
      r[plane + low] = result[1].first;
      r[plane + high] = result[1].second;
    }
  }

  /// x = D x or D^T x along a column.
  template <bool transpose>
  KOKKOS_FORCEINLINE_FUNCTION void derive(double (&x)[n]) const {
    double y[n];
    if constexpr (transpose)
      apply_transposed(tables.derivative, x, y);
    else
      apply(tables.derivative, x, y);
    MINIAPP_UNROLL
    for (int k = 0; k < n; ++k) x[k] = y[k];
  }

  KOKKOS_FORCEINLINE_FUNCTION Line make_line(const double* K, int i, int j) const {
    using namespace geometry;
    const double x = lanes->x[i], y = lanes->x[j], weight = lanes->weight[i] * lanes->weight[j];
    return Line::make<along_r, along_s, along_t>(K, x, y, weight, lambda);
  }

  /// Index of (i, j) in a plane of scratch. Pairs stay together; accesses along rows and columns are free of bank
  /// conflicts.
  KOKKOS_FORCEINLINE_FUNCTION static int at(int i, int j) {
    return 16 * (j / 2) + 8 * ((j ^ j / 2) & 1) + (i ^ (j & 4));
  }
  KOKKOS_FORCEINLINE_FUNCTION static Pair<double>& pair(double* at) { return *reinterpret_cast<Pair<double>*>(at); }
};

}  // namespace miniapp::tensor
