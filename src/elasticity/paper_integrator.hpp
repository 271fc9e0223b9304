// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "elasticity/device_tables.hpp"
#include "miniapp/basis/prism.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/core/team_threads.hpp"
#include "miniapp/elasticity/integrator.hpp"
#include "miniapp/geometry/prism.hpp"

namespace miniapp::elasticity {

/// What prisms of one order have in common, on the device.
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
/// A team an element after the other, the matrix part by part; in a part a thread adds up its blocks of 3 x 3 entries,
/// point by point, from gradients that the team computes together for `points_at_once` points.
///   vertices (element, vertex, d), or jacobians (element, point, 10); materials (element, 2)
///   matrices (element, i, k, r, s): overwritten
/// Scratch: gradients (point, d, r), w det J; SHM: also the part (entry, block). 63 flops a block and point are the
/// paper's count; here 54 are done, the trace of a block apart.
/// Source: Banas, Plaszewski, Maciol 2014, algorithms 3 and 4.
template <int order, class Real, Storage storage, Jacobian jacobian>
struct PaperKernel {
  static constexpr int n = basis::number_of_shape_functions(order), num_points = basis::number_of_points(order);
  static constexpr int threads = 256;
  static constexpr int most_blocks = 4;  ///< of a thread in registers
  static constexpr bool in_registers = storage == Storage::registers;
  /// With CUDA's scratch as many as fit in 110 KiB, half of it, and divide the points; else the last turn may have fewer.
  static constexpr int many_points[] = {6, 18, 24, 20, 25, 21, 16};
  static constexpr int points_at_once = in_registers && has_warps ? many_points[order - 1] : 4;
  static constexpr int teams_at_once = in_registers ? 2 : 1;
  static constexpr int entries = in_registers ? 10 : 9;  ///< of a block: 3 x 3; registers keep the trace apart

  const Real *derivatives, *points, *vertices, *jacobians, *materials;
  Real* matrices;
  int used_threads, parts, blocks_a_thread, elements_a_team;
  std::int64_t elements;

  struct Scratch {
    Real* gradients;    ///< (point, d, r), times sqrt(w det J): so a block needs no weight
    Real* factors;      ///< (point; 9 (a, d)) sqrt(w det J) times the inverse Jacobian
    Real* accumulated;  ///< SHM: (entry, block)
  };
  static std::size_t scratch_bytes(const Plan& plan) {
    const std::size_t held = !in_registers ? plan.threads * plan.blocks_a_thread * entries : 0;
    return sizeof(Real) * (points_at_once * (3 * n + 9) + held);
  }

  struct Registers {
    Real block[in_registers ? most_blocks : 1][entries];
  };

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    Scratch scratch;
    scratch.gradients = static_cast<Real*>(team.scratch());
    scratch.factors = scratch.gradients + points_at_once * 3 * n;
    scratch.accumulated = scratch.factors + points_at_once * 9;
    const std::int64_t first = std::int64_t(team.league_rank()) * elements_a_team;
    TeamThreads<Registers, threads> in_parallel(team, used_threads);
    for (std::int64_t e = first; e < first + elements_a_team && e < elements; ++e)
      for (int part = 0; part < parts; ++part) {
        in_parallel.without_barrier([&](int thread, Registers& own) { clear(scratch, thread, own); });
        for (int q = 0; q < num_points; q += points_at_once) {
          in_parallel([&](int thread, Registers&) { find_factors(scratch, e, q, thread); });
          in_parallel([&](int thread, Registers&) { find_gradients(scratch, q, thread); });
          in_parallel([&](int thread, Registers& own) { accumulate(scratch, e, part, q, thread, own); });
        }
        in_parallel.without_barrier([&](int thread, Registers& own) { write(scratch, e, part, thread, own); });
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
      for (int i = thread; i < used_threads * blocks_a_thread * entries; i += used_threads) scratch.accumulated[i] = 0;
    }
  }

  /// Points of the turn that starts at q.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int turn(int q) {
    if constexpr (num_points % points_at_once == 0) return points_at_once;
    return num_points - q < points_at_once ? num_points - q : points_at_once;
  }

  /// A point a thread.
  KOKKOS_FORCEINLINE_FUNCTION void find_factors(const Scratch& scratch, std::int64_t e, int q, int thread) const {
    if constexpr (jacobian == Jacobian::computed) {
      const int k = q + thread;
      if (thread >= points_at_once || k >= num_points) return;
      scaled_inverse(vertices + e * geometry::prism_numbers, points + 4 * k, scratch.factors + 9 * thread);
    } else {
      const int left = turn(q) * 9;
      for (int i = thread; i < left; i += used_threads) {
        const Real* const point = jacobians + (e * num_points + q + i / 9) * 10;
        scratch.factors[i] = km::sqrt(point[9]) * point[i % 9];
      }
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void find_gradients(const Scratch& scratch, int q, int thread) const {
    const int left = turn(q) * n;
    for (int i = thread; i < left; i += used_threads) {
      const int k = i / n, r = i % n;
      const Real* const reference = derivatives + std::size_t(q + k) * 3 * n + r;
      const Real *const inverse = scratch.factors + 9 * k, x = reference[0], y = reference[n], z = reference[2 * n];
      for (int d = 0; d < 3; ++d)
        scratch.gradients[(3 * k + d) * n + r] = inverse[d] * x + inverse[3 + d] * y + inverse[6 + d] * z;
    }
  }

  /// Adds what point k brings to a block: add(entry, value).
  template <class Add>
  KOKKOS_FORCEINLINE_FUNCTION static void add_point(const Real* a, const Real* b, Real lambda, Real mu,
                                                    const Add& add) {
    const Real a0 = a[0], a1 = a[n], a2 = a[2 * n], b0 = b[0], b1 = b[n], b2 = b[2 * n];
    const Real l0 = lambda * a0, l1 = lambda * a1, l2 = lambda * a2, m0 = mu * a0, m1 = mu * a1, m2 = mu * a2;
    const Real both = lambda + mu;
    if constexpr (in_registers) {
      add(0, both * a0 * b0), add(4, both * a1 * b1), add(8, both * a2 * b2);
      add(9, m0 * b0), add(9, m1 * b1), add(9, m2 * b2);
    } else {
      const Real trace = m0 * b0 + m1 * b1 + m2 * b2;
      add(0, both * a0 * b0 + trace), add(4, both * a1 * b1 + trace), add(8, both * a2 * b2 + trace);
    }
    add(1, l0 * b1), add(1, m1 * b0);
    add(2, l0 * b2), add(2, m2 * b0);
    add(3, l1 * b0), add(3, m0 * b1);
    add(5, l1 * b2), add(5, m2 * b1);
    add(6, l2 * b0), add(6, m0 * b2);
    add(7, l2 * b1), add(7, m1 * b2);
  }

  KOKKOS_FORCEINLINE_FUNCTION int block(int part, int j, int thread) const {
    return (part * blocks_a_thread + j) * used_threads + thread;
  }

  KOKKOS_FORCEINLINE_FUNCTION void accumulate(const Scratch& scratch, std::int64_t e, int part, int q, int thread,
                                              Registers& own) const {
    const Real lambda = materials[2 * e], mu = materials[2 * e + 1];
    const int left = turn(q);
    const auto visit = [&](int j, const auto& add) {
      const int b = block(part, j, thread) < n * n ? block(part, j, thread) : n * n - 1, r = b / n, s = b % n;
      const Real *const of_r = scratch.gradients + r, *const of_s = scratch.gradients + s;
      for (int k = 0; k < left; ++k) add_point(of_r + 3 * k * n, of_s + 3 * k * n, lambda, mu, add);
    };
    if constexpr (in_registers) {
      MINIAPP_UNROLL_ON_DEVICE
      for (int j = 0; j < most_blocks; ++j)
        if (j < blocks_a_thread) visit(j, [&](int entry, Real value) { own.block[j][entry] += value; });
    } else {
      const int stride = used_threads * blocks_a_thread;
      for (int j = 0; j < blocks_a_thread; ++j) {
        Real* const held = scratch.accumulated + j * used_threads + thread;
        visit(j, [&](int entry, Real value) { held[entry * stride] += value; });
      }
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void write(const Scratch& scratch, std::int64_t e, int part, int thread,
                                         const Registers& own) const {
    Real* const matrix = matrices + e * (9 * n * n);
    const auto store = [&](int j, const auto& entry) {
      const int b = block(part, j, thread);
      if (b >= n * n) return;
      const Real trace = in_registers ? entry(9) : 0;
      MINIAPP_UNROLL_ON_DEVICE
      for (int c = 0; c < 9; ++c) matrix[c * (n * n) + b] = c % 4 == 0 ? entry(c) + trace : entry(c);
    };
    if constexpr (in_registers) {
      MINIAPP_UNROLL_ON_DEVICE
      for (int j = 0; j < most_blocks; ++j)
        if (j < blocks_a_thread) store(j, [&](int c) { return own.block[j][c]; });
    } else {
      const int stride = used_threads * blocks_a_thread;
      for (int j = 0; j < blocks_a_thread; ++j)
        store(j, [&](int c) { return scratch.accumulated[c * stride + j * used_threads + thread]; });
    }
  }
};

template <int order, class Real, Storage storage, Jacobian jacobian>
class PaperIntegrator : public Integrator<Real> {
 public:
  explicit PaperIntegrator(const Plan& plan) : plan_(plan), tables_(make_device_tables<Real>(order)) {
    require(storage == Storage::scratch || plan.blocks_a_thread <= Kernel::most_blocks,
            name(plan.variant) + ": a plan of " + std::to_string(plan.blocks_a_thread) +
                " blocks a thread in registers; accepted are at most " + std::to_string(Kernel::most_blocks));
    require(plan.threads <= Kernel::threads, name(plan.variant) + ": a plan of " + std::to_string(plan.threads) +
                                                 " threads; accepted are at most " + std::to_string(Kernel::threads));
    require(shape().scratch_bytes <= most_scratch_bytes(),
            name(plan.variant) + ": a team needs " + std::to_string(shape().scratch_bytes) +
                " bytes of scratch; the device has " + std::to_string(most_scratch_bytes()));
  }

  void run(const Input<Real>& input, const Vector<Real>& matrices) const override {
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
                        plan_.parts,
                        plan_.blocks_a_thread,
                        static_cast<int>(a_team),
                        elements};
    for_teams("elasticity/paper", static_cast<int>((elements + a_team - 1) / a_team), shape(), kernel);
  }
  double flops() const override { return performed_flops(plan_) * 54 / flops_a_block; }
  TeamResources resources() const override { return team_resources<Kernel>(shape()); }

 private:
  using Kernel = PaperKernel<order, Real, storage, jacobian>;
  TeamShape shape() const { return {plan_.threads, Kernel::scratch_bytes(plan_)}; }

  Plan plan_;
  DeviceTables<Real> tables_;
};

}  // namespace miniapp::elasticity
