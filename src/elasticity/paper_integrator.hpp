// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/team_threads.hpp"
#include "elasticity/device_tables.hpp"
#include "miniapp/basis/prism.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/elasticity/integrator.hpp"
#include "miniapp/geometry/prism.hpp"

namespace miniapp::elasticity {

/// Tables of prisms of one order, on the device.
template <class Real>
struct DeviceTables {
  Vector<Real> derivatives;  ///< (point, direction, function)
  Vector<Real> points;       ///< (point; x, y, z, weight)
};

template <class Real>
DeviceTables<Real> make_device_tables(int order) {
  const basis::PrismTables tables = basis::make_prism_tables(order);
  const DeviceTables<Real> device{make_vector<Real>("elasticity/derivatives", tables.derivatives.size()),
                                  make_vector<Real>("elasticity/points", 4 * std::size_t(tables.num_points))};
  const auto derivatives = Kokkos::create_mirror_view(device.derivatives);
  const auto points = Kokkos::create_mirror_view(device.points);
  for (int q = 0; q < tables.num_points; ++q) {
    for (int a = 0; a < 3; ++a)
      for (int r = 0; r < tables.num_functions; ++r)
        derivatives((q * 3 + a) * tables.num_functions + r) = static_cast<Real>(tables.derivative(a, q, r));
    for (int a = 0; a < 3; ++a) points(4 * q + a) = static_cast<Real>(tables.points[q][a]);
    points(4 * q + 3) = static_cast<Real>(tables.weights[q]);
  }
  Kokkos::deep_copy(device.derivatives, derivatives);
  Kokkos::deep_copy(device.points, points);
  return device;
}

/// The paper's kernels REG_JAC, REG_NOJAC, SHM_JAC, SHM_NOJAC:
///   A_ik(r, s) = sum_q w det J (lambda d_i phi_r d_k phi_s + mu d_k phi_r d_i phi_s + mu delta_ik grad phi_r . grad
///   phi_s)
/// A team computes one element after the other, and each matrix part by part; within a part, each thread accumulates
/// its blocks of 3 x 3 entries, point by point, from gradients that the team computes together for `points_at_once`
/// points.
///   vertices (element, vertex, d), or jacobians (element, point, 10); materials (element, 2)
///   matrices (element, i, k, r, s): overwritten
/// Scratch: gradients (point, d, function), w det J; SHM: also the part (entry, block). 63 flops per block and point
/// are the paper's count. SHM executes 54: blocks b = (r, s) are distributed one by one. REG executes 36, and 9 per
/// thread: a thread has rows r, r + 1, .. of one column s (below order 3, columns of one row, whose writes are
/// contiguous), and a part needs only the gradients of its own rows and columns.
/// Source: Banas, Plaszewski, Maciol 2014, algorithms 3 and 4.
template <int order, class Real, Storage storage, Jacobian jacobian>
struct PaperKernel {
  static constexpr int n = basis::number_of_shape_functions(order), num_points = basis::number_of_points(order);
  static constexpr bool in_registers = storage == Storage::registers, cut = in_registers && has_warps && order > 3;
  static constexpr int threads = in_registers && order <= 2 ? 64 + 128 * (order - 1) : 256;
  static constexpr int teams_at_once = !in_registers ? 1 : order == 1 ? 8 : order == 2 ? 4 : 2;
  static constexpr int entries = in_registers ? 10 : 9;  ///< numbers of a block: 3 x 3, and in registers the trace

  /// REG: rows of a thread; columns of a part, a divisor of n that needs no more parts than n itself; rows of a part.
  static constexpr bool row_wise = order <= 2;
  static constexpr int most_blocks = order == 1 ? 1 : order == 2 ? 2 : 4;
  static constexpr int columns_of_orders[] = {6, 18, 40, 25, 63, 98, 32};
  static constexpr int columns = cut ? columns_of_orders[order - 1] : n;
  static constexpr int rows = cut ? most_blocks * ((threads - 1) / columns + 2) : 0;  ///< 0: among the columns
  static constexpr int functions = rows + columns;
  static constexpr int parts_of(int used_threads) {
    const int items = (n + most_blocks - 1) / most_blocks * columns;
    return n / columns * ((items + used_threads - 1) / used_threads);
  }
  static_assert(order < 3 || parts_of(threads) == (n * n + 4 * threads - 1) / (4 * threads), "the plan's");

  /// REG with CUDA: the largest divisor of the number of points that fits, together with all factors, in 110 KiB, half
  /// of the scratch.
  static constexpr int most_points() {
    if (!in_registers || !has_warps) return 4;
    int most = 1;
    for (int q = 1; q <= num_points; ++q)
      if (num_points % q == 0 && (q * 3 * functions + 9 * num_points) * sizeof(Real) <= 110 * 1024) most = q;
    return most;
  }
  static constexpr int points_at_once = most_points();
  static constexpr bool factors_once = in_registers && has_warps;  ///< for all points, where scratch has room
  static constexpr int factored_points = factors_once ? num_points : points_at_once;

  const Real *derivatives, *points, *vertices, *jacobians, *materials;
  Real* matrices;
  int used_threads, parts, blocks_per_thread, elements_per_team;
  std::int64_t elements;

  struct Scratch {
    Real* gradients;  ///< (point, d, rows and columns of the part), times sqrt(w det J), so that blocks need no weight
    Real* factors;    ///< (point; 9 (a, d)) sqrt(w det J) times the inverse Jacobian
    Real* accumulated;  ///< SHM: (entry, block)
  };
  static std::size_t scratch_bytes(const Plan& plan) {
    const std::size_t held = !in_registers ? plan.threads * plan.blocks_per_thread * entries : 0;
    return sizeof(Real) * (points_at_once * 3 * functions + factored_points * 9 + held);
  }

  struct Registers {
    Real block[in_registers ? most_blocks : 1][entries];
  };

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    Scratch scratch;
    scratch.gradients = static_cast<Real*>(team.scratch());
    scratch.factors = scratch.gradients + points_at_once * 3 * functions;
    scratch.accumulated = scratch.factors + factored_points * 9;
    const std::int64_t first = std::int64_t(team.league_rank()) * elements_per_team;
    TeamThreads<Registers, threads> in_parallel(team, used_threads);
    for (std::int64_t e = first; e < first + elements_per_team && e < elements; ++e) {
      if constexpr (factors_once)
        in_parallel([&](int thread, Registers&) { find_factors(scratch.factors, e, 0, num_points, thread); });
      for (int part = 0; part < parts; ++part) {
        in_parallel.without_barrier([&](int thread, Registers& own) { clear(scratch, thread, own); });
        for (int q = 0; q < num_points; q += points_at_once) {
          if constexpr (!factors_once)
            in_parallel([&](int thread, Registers&) { find_factors(scratch.factors, e, q, turn(q), thread); });
          in_parallel([&](int thread, Registers&) { find_gradients(scratch, part, q, thread); });
          in_parallel([&](int thread, Registers& own) { accumulate(scratch, e, part, q, thread, own); });
        }
        in_parallel.without_barrier([&](int thread, Registers& own) { write(scratch, e, part, thread, own); });
      }
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void clear(const Scratch& scratch, int thread, Registers& own) const {
    if constexpr (in_registers) {
      MINIAPP_UNROLL_ON_DEVICE
      for (int j = 0; j < most_blocks; ++j) {
        MINIAPP_UNROLL_ON_DEVICE
        for (int c = 0; c < entries; ++c) own.block[j][c] = 0;
      }
    } else {
      for (int i = thread; i < used_threads * blocks_per_thread * entries; i += used_threads)
        scratch.accumulated[i] = 0;
    }
  }

  /// Number of points of the chunk that starts at q.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int turn(int q) {
    if constexpr (num_points % points_at_once == 0) return points_at_once;
    return num_points - q < points_at_once ? num_points - q : points_at_once;
  }

  /// Computes the factors of points q, .., one point per thread.
  KOKKOS_FORCEINLINE_FUNCTION void find_factors(Real* factors, std::int64_t e, int q, int count, int thread) const {
    if constexpr (jacobian == Jacobian::computed) {
      for (int k = thread; k < count; k += used_threads)
        scaled_inverse(vertices + e * geometry::prism_numbers, points + 4 * (q + k), factors + 9 * k);
    } else {
      for (int i = thread; i < count * 9; i += used_threads) {
        const Real* const point = jacobians + (e * num_points + q + i / 9) * 10;
        factors[i] = km::sqrt(point[9]) * point[i % 9];
      }
    }
  }

  /// REG: where a part begins, and a thread's one column (row_wise: row) and first of its rows (columns).
  struct Place {
    int row, column, one, many;
    KOKKOS_FORCEINLINE_FUNCTION bool inside() const { return one < n && many < n; }
  };
  KOKKOS_FORCEINLINE_FUNCTION Place place(int part, int thread) const {
    const int parts_of_columns = parts / (n / columns), first = part % parts_of_columns * used_threads;
    const int column = part / parts_of_columns * columns, x = first + thread;
    if constexpr (row_wise) return {0, 0, x / (n / most_blocks), x % (n / most_blocks) * most_blocks};
    return {first / columns * most_blocks, column, column + x % columns, x / columns * most_blocks};
  }

  KOKKOS_FORCEINLINE_FUNCTION void find_gradients(const Scratch& scratch, int part, int q, int thread) const {
    const Place here = place(part, 0);
    const int left = turn(q) * functions;
    for (int i = thread; i < left; i += used_threads) {
      const int k = i / functions, f = i % functions;
      int r = f;
      if constexpr (cut) r = f < rows ? here.row + f : here.column + f - rows;
      if (r >= n) continue;
      const Real* const reference = derivatives + std::size_t(q + k) * 3 * n + r;
      const Real* const factors = scratch.factors + 9 * (factors_once ? q + k : k);
      for (int d = 0; d < 3; ++d)
        scratch.gradients[(3 * k + d) * functions + f] = physical_derivative<n>(factors, reference, d);
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void accumulate(const Scratch& scratch, std::int64_t e, int part, int q, int thread,
                                              Registers& own) const {
    const Real lambda = materials[2 * e], mu = materials[2 * e + 1];
    const int left = turn(q);
    if constexpr (in_registers) {
      const Place here = place(part, thread);
      if (!here.inside()) return;
      const Real *a = scratch.gradients + here.many - (cut ? here.row : 0),
                 *b = scratch.gradients + rows + here.one - (cut ? here.column : 0);
      for (int k = 0; k < left; ++k, a += 3 * functions, b += 3 * functions) add_column(a, b, lambda, mu, own);
    } else {
      const int stride = used_threads * blocks_per_thread;
      for (int j = 0; j < blocks_per_thread; ++j) {
        const int b = block(part, j, thread) < n * n ? block(part, j, thread) : n * n - 1, r = b / n, s = b % n;
        for (int k = 0; k < left; ++k)
          add_block(scratch.gradients + 3 * k * n + r, scratch.gradients + 3 * k * n + s, lambda, mu,
                    scratch.accumulated + j * used_threads + thread, stride);
      }
    }
  }

  /// REG: adds a point's contribution to the blocks of rows a and column b; with row_wise, to the transposed blocks.
  KOKKOS_FORCEINLINE_FUNCTION static void add_column(const Real* a, const Real* b, Real lambda, Real mu,
                                                     Registers& own) {
    Real l[3], m[3], both[3];
    MINIAPP_UNROLL
    for (int d = 0; d < 3; ++d) {
      const Real value = b[d * functions];
      l[d] = lambda * value, m[d] = mu * value, both[d] = l[d] + m[d];
    }
    MINIAPP_UNROLL
    for (int j = 0; j < most_blocks; ++j) {
      MINIAPP_UNROLL
      for (int i = 0; i < 3; ++i) {
        const Real value = a[i * functions + j];
        own.block[j][4 * i] += value * both[i];
        own.block[j][9] += value * m[i];
        MINIAPP_UNROLL
        for (int other = 1; other < 3; ++other) {
          const int k = (i + other) % 3;
          own.block[j][3 * i + k] += value * l[k];
          own.block[j][3 * k + i] += value * m[k];
        }
      }
    }
  }

  /// SHM: adds a point's contribution to a block, whose entries have stride `stride`.
  KOKKOS_FORCEINLINE_FUNCTION static void add_block(const Real* a, const Real* b, Real lambda, Real mu, Real* block,
                                                    int stride) {
    const Real a0 = a[0], a1 = a[n], a2 = a[2 * n], b0 = b[0], b1 = b[n], b2 = b[2 * n];
    const Real l0 = lambda * a0, l1 = lambda * a1, l2 = lambda * a2, m0 = mu * a0, m1 = mu * a1, m2 = mu * a2;
    const Real both = lambda + mu, trace = m0 * b0 + m1 * b1 + m2 * b2;
    block[0] += both * a0 * b0 + trace;
    block[1 * stride] += l0 * b1 + m1 * b0;
    block[2 * stride] += l0 * b2 + m2 * b0;
    block[3 * stride] += l1 * b0 + m0 * b1;
    block[4 * stride] += both * a1 * b1 + trace;
    block[5 * stride] += l1 * b2 + m2 * b1;
    block[6 * stride] += l2 * b0 + m0 * b2;
    block[7 * stride] += l2 * b1 + m1 * b2;
    block[8 * stride] += both * a2 * b2 + trace;
  }

  KOKKOS_FORCEINLINE_FUNCTION int block(int part, int j, int thread) const {
    return (part * blocks_per_thread + j) * used_threads + thread;
  }

  KOKKOS_FORCEINLINE_FUNCTION void write(const Scratch& scratch, std::int64_t e, int part, int thread,
                                         const Registers& own) const {
    Real* const matrix = matrices + e * (9 * n * n);
    if constexpr (in_registers) {
      const Place here = place(part, thread);
      if (!here.inside()) return;
      const auto entry = [&](int j, int c) { return own.block[j][c] + (c % 4 == 0 ? own.block[j][9] : 0); };
      MINIAPP_UNROLL_ON_DEVICE
      for (int c = 0; c < 9; ++c) {
        Real* const places = matrix + (row_wise ? c % 3 * 3 + c / 3 : c) * (n * n);
        if constexpr (row_wise && most_blocks == 2) {
          store_pair(places + here.one * n + here.many, entry(0, c), entry(1, c));
        } else {
          MINIAPP_UNROLL_ON_DEVICE
          for (int j = 0; j < most_blocks; ++j)
            if (here.many + j < n)
              places[row_wise ? here.one * n + here.many + j : (here.many + j) * n + here.one] = entry(j, c);
        }
      }
    } else {
      const int stride = used_threads * blocks_per_thread;
      for (int j = 0; j < blocks_per_thread; ++j) {
        const int b = block(part, j, thread);
        if (b >= n * n) continue;
        for (int c = 0; c < 9; ++c)
          matrix[c * (n * n) + b] = scratch.accumulated[c * stride + j * used_threads + thread];
      }
    }
  }
};

template <int order, class Real, Storage storage, Jacobian jacobian>
class PaperIntegrator : public Integrator<Real> {
 public:
  explicit PaperIntegrator(const Plan& plan) : plan_(plan), tables_(make_device_tables<Real>(order)) {
    require(plan.threads <= Kernel::threads, name(plan.variant) + ": a plan of " + std::to_string(plan.threads) +
                                                 " threads; accepted are at most " + std::to_string(Kernel::threads));
    require(shape().scratch_bytes <= most_scratch_bytes(),
            name(plan.variant) + ": a team needs " + std::to_string(shape().scratch_bytes) +
                " bytes of scratch; the device has " + std::to_string(most_scratch_bytes()));
  }

  void run(const Instance& instance, const Input<Real>& input, const Vector<Real>& matrices) const override {
    const auto elements = static_cast<std::int64_t>(input.size);
    const auto at_once = std::max<std::int64_t>(1, plan_.teams), a_team = (elements + at_once - 1) / at_once;
    if (elements == 0) return;
    const Kernel kernel{tables_.derivatives.data(),
                        tables_.points.data(),
                        input.vertices.data(),
                        input.jacobians.data(),
                        input.materials.data(),
                        matrices.data(),
                        plan_.threads,
                        storage == Storage::registers ? Kernel::parts_of(plan_.threads) : plan_.parts,
                        plan_.blocks_per_thread,
                        static_cast<int>(a_team),
                        elements};
    for_teams(instance, "elasticity/paper", static_cast<int>((elements + a_team - 1) / a_team), shape(), kernel);
  }
  double flops() const override {
    return performed_flops(plan_) * (storage == Storage::registers ? 36 + 9.0 / Kernel::most_blocks : 54) /
           flops_per_block;
  }
  TeamResources resources() const override { return team_resources<Kernel>(shape()); }

 private:
  using Kernel = PaperKernel<order, Real, storage, jacobian>;
  TeamShape shape() const { return {plan_.threads, Kernel::scratch_bytes(plan_)}; }

  Plan plan_;
  DeviceTables<Real> tables_;
};

}  // namespace miniapp::elasticity
