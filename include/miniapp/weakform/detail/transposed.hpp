// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>

#include "miniapp/core/detail/async_copy.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/weakform/detail/item_kernels.hpp"

/// Quadrature with thread transposition, in the paper's data model: geometry, points, coefficients and results are
/// stored cell by cell (E-vectors), and the kernel neither gathers nor scatters:
///   geometry (cell, d^2 + 1): inverse, w;   points (cell, q, at_point): x, k;   u, w, r (cell, v, component)
/// A batch has one cell per thread of the team. Coefficients and geometry of the next batch are copied to scratch while
/// this one is computed:
///   barrier;   thread per quadrature point: f0, f1, to scratch;   barrier;   thread per coefficient: r
namespace miniapp::weakform::detail {

/// Threads of a block of the paper: the least common multiple of points and coefficients of a cell.
template <Form F>
inline constexpr int block_threads = std::lcm(F::points, Sizes<F>::coefficients);

template <Form F, class Real, Action action>
struct TransposedKernel {
  static constexpr int threads = 512, teams_at_once = 1;
  static constexpr int dim = F::dim, components = F::components, coefficients = Sizes<F>::coefficients,
                       at_point = Sizes<F>::at_point;
  static constexpr int inputs = action == Action::jacobian ? 2 : 1;  ///< vectors that are read
  static constexpr int geometry_words = dim * dim + 1, flux_words = components * (dim + 1) * F::points;
  using S = Number<Real, action>;
  F form;
  const Real *geometry, *points, *u, *w;
  Real* r;
  Index size;  ///< cells
  int batch, batches;

  /// Odd, so that threads of a warp that write one entry of their cells use different banks.
  static KOKKOS_FORCEINLINE_FUNCTION int stride(int batch) { return batch | 1; }
  /// Words of n numbers per cell, of which arrays in pieces of 16 bytes may follow.
  static KOKKOS_FORCEINLINE_FUNCTION int room(int n, int batch) { return (n * batch + 3) / 4 * 4; }
  /// Words that are copied for a batch.
  static KOKKOS_FORCEINLINE_FUNCTION int copied(int batch) {
    return inputs * room(coefficients, batch) + room(geometry_words, batch);
  }
  /// Two batches, the slopes of function 0 (cell, d), and fluxes (entry, cell).
  static std::size_t scratch_of(int batch) {
    return sizeof(Real) * (2 * copied(batch) + room(dim, batch) + std::size_t(flux_words) * stride(batch));
  }

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    Real next[at_point] = {};
    begin(team, 0, next);
    for (int b = 0; b < batches; ++b) {
      const std::int64_t first = first_of(team, b);
      if (first >= size) return;
      Real at[at_point];
      MINIAPP_UNROLL
      for (int i = 0; i < at_point; ++i) at[i] = next[i];
      wait_for_copies();
      team.team_barrier();
      begin(team, b + 1, next);
      run(team, b, first, at);
    }
  }

 private:
  struct alignas(16) Piece {
    char bytes[16];
  };

  KOKKOS_FORCEINLINE_FUNCTION std::int64_t first_of(const Team& team, int b) const {
    return (std::int64_t(team.league_rank()) * batches + b) * batch;
  }
  KOKKOS_FORCEINLINE_FUNCTION int cells_from(std::int64_t first) const {
    return static_cast<int>(size - first < batch ? size - first : batch);
  }
  KOKKOS_FORCEINLINE_FUNCTION Real* values_of(const Team& team, int b) const {
    return static_cast<Real*>(team.scratch()) + b % 2 * copied(batch);
  }

  /// Issues the loads of batch b: copies to scratch, and the thread's first point to a register.
  KOKKOS_FORCEINLINE_FUNCTION void begin(const Team& team, int b, Real (&at)[at_point]) const {
    const std::int64_t first = first_of(team, b);
    if (b == batches || first >= size) return;
    const int here = cells_from(first);
    Real* const values = values_of(team, b);
    copy<coefficients>(team, u + first * coefficients, here, values);
    if constexpr (inputs == 2)
      copy<coefficients>(team, w + first * coefficients, here, values + room(coefficients, batch));
    copy<geometry_words>(team, geometry + first * geometry_words, here, values + inputs * room(coefficients, batch));
    if (team.team_rank() < here * F::points) load_point(first, team.team_rank(), at);
  }
  template <int n>
  KOKKOS_FORCEINLINE_FUNCTION void copy(const Team& team, const Real* from, int here, Real* to) const {
    constexpr int words = 16 / sizeof(Real);
    const int whole = batch * n % words == 0 ? here * n / words : 0;  // from and to are then aligned
    for (int i = team.team_rank(); i < whole; i += team.team_size())
      copy_async(reinterpret_cast<Piece*>(to) + i, reinterpret_cast<const Piece*>(from) + i);
    for (int i = whole * words + team.team_rank(); i < here * n; i += team.team_size()) copy_async(to + i, from + i);
  }
  KOKKOS_FORCEINLINE_FUNCTION void load_point(std::int64_t first, int i, Real (&at)[at_point]) const {
    FieldPointer<const Real, at_point, Layout::aos>{points, 0}.load(first * F::points + i, at);
  }

  KOKKOS_FORCEINLINE_FUNCTION void run(const Team& team, int b, std::int64_t first, Real (&at)[at_point]) const {
    const int here = cells_from(first);
    const Real *const values = values_of(team, b), *const geometries = values + inputs * room(coefficients, batch);
    Real* const first_slopes = values_of(team, 0) + 2 * copied(batch);
    Real* const fluxes = first_slopes + room(dim, batch);
    for (int i = team.team_rank(); i < here * F::points; i += team.team_size()) {
      if (i != team.team_rank()) load_point(first, i, at);
      evaluate_point(values, geometries, at, i / F::points, i % F::points, first_slopes, fluxes);
    }
    team.team_barrier();
    for (int i = team.team_rank(); i < here * coefficients; i += team.team_size())
      r[first * coefficients + i] = coefficient(geometries, first_slopes, fluxes, i / coefficients, i % coefficients);
  }
  KOKKOS_FORCEINLINE_FUNCTION void evaluate_point(const Real* values, const Real* geometries,
                                                  const Real (&at)[at_point], int cell, int q, Real* first_slopes,
                                                  Real* fluxes) const {
    const int step = stride(batch);
    Real flat[geometry_words], inverse[dim][dim], u_of[coefficients];
    S local[dim + 1][components], grad[components][dim], f0[components], f1[components][dim];
    FieldPointer<const Real, geometry_words, Layout::aos>{geometries, 0}.load(cell, flat);
    FieldPointer<const Real, coefficients, Layout::aos>{values, 0}.load(cell, u_of);
    MINIAPP_UNROLL
    for (int k = 0; k < dim * dim; ++k) inverse[k / dim][k % dim] = flat[k];
    if constexpr (inputs == 1) {
      MINIAPP_UNROLL
      for (int k = 0; k < coefficients; ++k) local[k / components][k % components] = u_of[k];
    } else {
      Real w_of[coefficients];
      FieldPointer<const Real, coefficients, Layout::aos>{values + room(coefficients, batch), 0}.load(cell, w_of);
      MINIAPP_UNROLL
      for (int k = 0; k < coefficients; ++k) local[k / components][k % components] = {u_of[k], w_of[k]};
    }
    gradient<F>(local, inverse, grad);
    evaluate(form, at, local, grad, q, f0, f1);
    const Real weight = flat[dim * dim];
    Real* const to = fluxes + q * components * (dim + 1) * step + cell;
    MINIAPP_UNROLL
    for (int c = 0; c < components; ++c) {
      to[c * (dim + 1) * step] = weight * result_of(f0[c]);
      MINIAPP_UNROLL
      for (int d = 0; d < dim; ++d) to[(c * (dim + 1) + 1 + d) * step] = weight * result_of(f1[c][d]);
    }
    if (q > 0) return;
    MINIAPP_UNROLL
    for (int d = 0; d < dim; ++d) first_slopes[cell * dim + d] = slope<dim>(inverse, 0, d);
  }
  KOKKOS_FORCEINLINE_FUNCTION Real coefficient(const Real* geometries, const Real* first_slopes, const Real* fluxes,
                                               int cell, int k) const {
    const int step = stride(batch), v = k / components, c = k % components;
    const Real* const row = v > 0 ? geometries + cell * geometry_words + (v - 1) * dim : first_slopes + cell * dim;
    Real slopes[dim], sum = 0;
    MINIAPP_UNROLL
    for (int d = 0; d < dim; ++d) slopes[d] = row[d];
    MINIAPP_UNROLL
    for (int q = 0; q < F::points; ++q) {
      const Real* const from = fluxes + (q * components + c) * (dim + 1) * step + cell;
      sum += Real(basis::simplex_point<dim, F::points>(q, v)) * from[0];
      MINIAPP_UNROLL
      for (int d = 0; d < dim; ++d) sum += slopes[d] * from[(1 + d) * step];
    }
    return sum;
  }
};

/// The E-vectors of a form, and the kernel between a gather and an atomic scatter.
template <Form F, class Real>
class Transposed {
 public:
  static constexpr int dim = F::dim, components = F::components, coefficients = Sizes<F>::coefficients,
                       at_point = Sizes<F>::at_point;

  Transposed() = default;
  /// blocks 0: what makes about 192 threads, or as many as fit. Errors: fewer blocks, batches below 1; more blocks than
  /// threads or scratch allow, with the most that fit (InputError).
  Transposed(const FormData<F, Real>& data, int blocks, int batches) : batches_(batches) {
    require(batches >= 1, "batches", batches, "accepted are 1 and more");
    constexpr int threads = block_threads<F>;
    const int most = most_blocks();
    require(most >= 1 && blocks >= 0 && blocks <= most, "blocks",
            std::to_string(blocks) + " of " + std::to_string(threads) + " threads",
            "accepted are 1 to " + std::to_string(most) + ", whose cells fit in scratch");
    batch_ = threads * (blocks > 0 ? blocks : std::clamp(192 / threads, 1, most));
    const std::size_t cells = data.size;
    geometry_ = make_vector<Real>("weakform/geometry", cells * (dim * dim + 1));
    points_ = make_vector<Real>("weakform/points", cells * F::points * at_point);
    for (Vector<Real>* const vector : {&u_, &w_, &r_})
      *vector = make_vector<Real>("weakform/E-vector", cells * coefficients);
    store_geometry(data);
  }

  /// Bytes of one run of the kernel alone: each E-vector once.
  template <Action action>
  double bytes() const {
    const double vectors = (action == Action::jacobian ? 3. : 2.) * r_.extent(0);
    return sizeof(Real) * (geometry_.extent(0) + points_.extent(0) + vectors);
  }

  template <Action action>
  void run(const Instance& instance, const FormData<F, Real>& data) const {
    gather(instance, data, data.u, u_);
    if constexpr (action == Action::jacobian) gather(instance, data, data.w, w_);
    run_kernel<action>(instance, data);
    scatter(instance, data);
  }
  /// The paper's part of run(): from E-vectors to an E-vector.
  template <Action action>
  void run_kernel(const Instance& instance, const FormData<F, Real>& data) const {
    using Kernel = TransposedKernel<F, Real, action>;
    const Kernel kernel{data.form, geometry_.data(), points_.data(), u_.data(), w_.data(),
                        r_.data(), data.size,        batch_,         batches_};
    const std::int64_t chunk = std::int64_t(batch_) * batches_;
    for_teams(instance, "weakform/transposed", static_cast<int>((data.size + chunk - 1) / chunk),
              {batch_, Kernel::scratch_of(batch_)}, kernel);
  }

  // public, since nvcc requires it for functions that contain kernels

  /// Geometry and points again, after coefficients have changed.
  void store_geometry(const FormData<F, Real>& data) const {
    const auto to = geometry_, points = points_;
    Kokkos::parallel_for(
        "weakform/geometry", Kokkos::RangePolicy<ExecutionSpace>(0, data.size), KOKKOS_LAMBDA(const Index cell) {
          VertexRows<F, Real> vertices;
          OwnRow<F, Real> own;
          data.load_vertices(cell, vertices);
          data.load_own(cell, own);
          const CellGeometry<dim, Real> geometry = make_geometry<F>(vertices);
          const std::size_t first = std::size_t(cell) * (dim * dim + 1);
          for (int k = 0; k < dim * dim; ++k) to(first + k) = geometry.inverse[k / dim][k % dim];
          to(first + dim * dim) = geometry.weight;
          for (int q = 0; q < F::points; ++q) {
            PointRow<F, Real> at;
            interpolate_row<F>(vertices, own, q, at);
            for (int i = 0; i < at_point; ++i) points((std::size_t(cell) * F::points + q) * at_point + i) = at[i];
          }
        });
  }
  void gather(const Instance& instance, const FormData<F, Real>& data,
              const FieldPointer<const Real, components, Layout::aos>& from, const Vector<Real>& to) const {
    Kokkos::parallel_for(
        "weakform/gather", Kokkos::RangePolicy<ExecutionSpace>(instance.space(), 0, data.size),
        KOKKOS_LAMBDA(const Index cell) {
          for (int k = 0; k < coefficients; ++k)
            to(std::size_t(cell) * coefficients + k) = from(data.cells[cell].id[k / components], k % components);
        });
  }
  void scatter(const Instance& instance, const FormData<F, Real>& data) const {
    const auto from = r_;
    Kokkos::parallel_for(
        "weakform/scatter", Kokkos::RangePolicy<ExecutionSpace>(instance.space(), 0, data.size),
        KOKKOS_LAMBDA(const Index cell) {
          for (int k = 0; k < coefficients; ++k)
            add_to(data.r(data.cells[cell].id[k / components], k % components),
                   Real(from(std::size_t(cell) * coefficients + k)));
        });
  }

 private:
  /// Most blocks of a team for which scratch suffices in the Jacobian's action, which needs most.
  static int most_blocks() {
    using Kernel = TransposedKernel<F, Real, Action::jacobian>;
    int most = Kernel::threads / block_threads<F>;
    while (most > 0 && Kernel::scratch_of(most * block_threads<F>) > most_scratch_bytes()) --most;
    return most;
  }

  int batch_ = 0, batches_ = 0;
  Vector<Real> geometry_, points_, u_, w_, r_;
};

}  // namespace miniapp::weakform::detail
