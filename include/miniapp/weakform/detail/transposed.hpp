// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>

#include "miniapp/core/error.hpp"
#include "miniapp/weakform/detail/item_kernels.hpp"

/// Quadrature with thread transposition, in the paper's data model: geometry, points, coefficients and results are
/// stored cell by cell (E-vectors), and the kernel neither gathers nor scatters:
///   geometry (cell, d^2 + 1): inverse, w;   points (cell, q, d + 1): x, kappa;   u, w, r (cell, v, component)
/// A batch has one cell per thread of the team. In scratch, each (entry, cell of the batch):
///   coefficients <- u;   barrier;   thread per quadrature point: f0, f1;   barrier;   thread per coefficient: r
namespace miniapp::weakform::detail {

/// Threads of a block of the paper: the least common multiple of points and coefficients of a cell.
template <Form F>
inline constexpr int block_threads = std::lcm(F::points, Sizes<F>::coefficients);

template <Form F, class Real, Action action>
struct TransposedKernel {
  static constexpr int threads = 512, teams_at_once = 1;
  static constexpr int dim = F::dim, components = F::components, coefficients = Sizes<F>::coefficients;
  static constexpr int inputs = action == Action::jacobian ? 2 : 1;  ///< vectors that are read
  static constexpr int geometry_words = dim * dim + 1, flux_words = components * (dim + 1) * F::points;
  static constexpr int words = inputs * coefficients + geometry_words + flux_words;  ///< of scratch, per cell
  using S = Number<Real, action>;
  F form;
  const Real *geometry, *points, *u, *w;
  Real* r;
  Index size;  ///< cells
  int batch, batches;

  /// Odd, so that threads of a warp that read one entry of their cells use different banks.
  static KOKKOS_FORCEINLINE_FUNCTION int stride(int batch) { return batch | 1; }
  static std::size_t scratch_of(int batch) { return sizeof(Real) * words * stride(batch); }

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    for (int b = 0; b < batches; ++b) {
      const std::int64_t first = (std::int64_t(team.league_rank()) * batches + b) * batch;
      if (first >= size) return;
      run(team, first, static_cast<int>(size - first < batch ? size - first : batch));
    }
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void run(const Team& team, std::int64_t first, int here) const {
    Real* const values = static_cast<Real*>(team.scratch());
    Real* const geometries = values + inputs * coefficients * stride(batch);
    Real* const fluxes = geometries + geometry_words * stride(batch);
    team.team_barrier();  // the batch before may still be read
    copy<coefficients>(team, u + first * coefficients, here, values);
    if constexpr (inputs == 2)
      copy<coefficients>(team, w + first * coefficients, here, values + coefficients * stride(batch));
    copy<geometry_words>(team, geometry + first * geometry_words, here, geometries);
    team.team_barrier();
    for (int i = team.team_rank(); i < here * F::points; i += team.team_size())
      evaluate_point(values, geometries, first, i / F::points, i % F::points, fluxes);
    team.team_barrier();
    for (int i = team.team_rank(); i < here * coefficients; i += team.team_size())
      r[first * coefficients + i] = coefficient(geometries, fluxes, i / coefficients, i % coefficients);
  }
  template <int n>
  KOKKOS_FORCEINLINE_FUNCTION void copy(const Team& team, const Real* from, int here, Real* to) const {
    for (int i = team.team_rank(); i < here * n; i += team.team_size()) to[i % n * stride(batch) + i / n] = from[i];
  }
  KOKKOS_FORCEINLINE_FUNCTION void evaluate_point(const Real* values, const Real* geometries, std::int64_t first,
                                                  int cell, int q, Real* fluxes) const {
    const int step = stride(batch);
    Real inverse[dim][dim], at[dim + 1];
    S local[dim + 1][components], grad[components][dim], f0[components], f1[components][dim];
    MINIAPP_UNROLL
    for (int k = 0; k < dim * dim; ++k) inverse[k / dim][k % dim] = geometries[k * step + cell];
    MINIAPP_UNROLL
    for (int k = 0; k < coefficients; ++k) {
      if constexpr (inputs == 1)
        local[k / components][k % components] = values[k * step + cell];
      else
        local[k / components][k % components] = {values[k * step + cell], values[(coefficients + k) * step + cell]};
    }
    MINIAPP_UNROLL
    for (int d = 0; d <= dim; ++d) at[d] = points[((first + cell) * F::points + q) * (dim + 1) + d];
    gradient<F>(local, inverse, grad);
    evaluate(form, at, local, grad, q, f0, f1);
    const Real weight = geometries[dim * dim * step + cell];
    Real* const to = fluxes + std::size_t(q) * components * (dim + 1) * step + cell;
    MINIAPP_UNROLL
    for (int c = 0; c < components; ++c) {
      to[c * (dim + 1) * step] = weight * result_of(f0[c]);
      MINIAPP_UNROLL
      for (int d = 0; d < dim; ++d) to[(c * (dim + 1) + 1 + d) * step] = weight * result_of(f1[c][d]);
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION Real coefficient(const Real* geometries, const Real* fluxes, int cell, int k) const {
    const int step = stride(batch), v = k / components, c = k % components;
    Real slopes[dim], sum = 0;
    MINIAPP_UNROLL
    for (int d = 0; d < dim; ++d) {
      const Real* const column = geometries + d * step + cell;
      slopes[d] = column[(v > 0 ? v - 1 : 0) * dim * step];
      for (int a = 1; v == 0 && a < dim; ++a) slopes[d] += column[a * dim * step];
      if (v == 0) slopes[d] = -slopes[d];
    }
    for (int q = 0; q < F::points; ++q) {
      const Real* const from = fluxes + (std::size_t(q) * components + c) * (dim + 1) * step + cell;
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
  static constexpr int dim = F::dim, components = F::components, coefficients = Sizes<F>::coefficients;

  Transposed() = default;
  /// blocks 0: what makes about 128 threads, or as many as fit. Errors: fewer blocks, batches below 1; more blocks than
  /// threads or scratch allow, with the most that fit (InputError).
  Transposed(const FormData<F, Real>& data, int blocks, int batches) : batches_(batches) {
    require(batches >= 1, "batches " + std::to_string(batches) + ": accepted are 1 and more");
    constexpr int threads = block_threads<F>;
    const int most = most_blocks();
    require(most >= 1 && blocks >= 0 && blocks <= most, "blocks " + std::to_string(blocks) + " of " +
                                                            std::to_string(threads) + " threads: accepted are 1 to " +
                                                            std::to_string(most) + ", whose cells fit in scratch");
    batch_ = threads * (blocks > 0 ? blocks : std::clamp(128 / threads, 1, most));
    const std::size_t cells = data.size;
    geometry_ = make_vector<Real>("weakform/geometry", cells * (dim * dim + 1));
    points_ = make_vector<Real>("weakform/points", cells * F::points * (dim + 1));
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

  void store_geometry(const FormData<F, Real>& data) const {
    const auto to = geometry_, points = points_;
    Kokkos::parallel_for(
        "weakform/geometry", Kokkos::RangePolicy<ExecutionSpace>(0, data.size), KOKKOS_LAMBDA(const Index cell) {
          Real vertices[dim + 1][dim + 1];
          data.load_vertices(cell, vertices);
          const CellGeometry<dim, Real> geometry = make_geometry<F>(vertices);
          const std::size_t first = std::size_t(cell) * (dim * dim + 1);
          for (int k = 0; k < dim * dim; ++k) to(first + k) = geometry.inverse[k / dim][k % dim];
          to(first + dim * dim) = geometry.weight;
          for (int q = 0; q < F::points; ++q) {
            Real at[dim + 1];
            interpolate<F>(vertices, q, at);
            for (int d = 0; d <= dim; ++d) points((std::size_t(cell) * F::points + q) * (dim + 1) + d) = at[d];
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
  /// For the Jacobian's action, which needs most.
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
