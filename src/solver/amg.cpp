// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/solver/amg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/offsets.hpp"
#include "miniapp/core/detail/replay.hpp"
#include "miniapp/linalg/sparse_products.hpp"
#include "miniapp/solver/near_null.hpp"
#include "solver/amg_kernels.hpp"
#include "solver/cluster_cycle.hpp"
#include "solver/dense_inverse.hpp"
#include "solver/largest_eigenvalue.hpp"
#include "solver/precision.hpp"
#include "solver/smoothed_aggregation.hpp"

namespace miniapp::solver {
namespace {

constexpr Index most_direct = 1500;  // unknowns of a level that does not coarsen and yet is solved directly

template <class Real>
Vector<Real> make_level_vector(Index size) {
  return make_zeros<Real>("solver/amg", static_cast<std::size_t>(size));
}

/// Some columns of modes (unknown, mode).
Columns take_modes(const Vector<const double>& modes, int count, const std::vector<int>& chosen) {
  if (chosen.empty()) return {};
  const auto host = to_host(modes);
  Columns columns(chosen.size());
  for (std::size_t c = 0; c < chosen.size(); ++c)
    for (std::size_t i = chosen[c]; i < host.extent(0); i += count) columns[c].push_back(host(i));
  return columns;
}

/// The steps of `sweeps` sweeps, for eigenvalues of S A up to `largest`.
template <class Real>
std::vector<amg::Step<Real>> make_steps(Smoother smoother, int sweeps, double largest) {
  std::vector<amg::Step<Real>> steps;
  if (smoother != Smoother::chebyshev) {
    const double damping = smoother == Smoother::jacobi ? 4 / (3 * largest) : 1;
    steps.assign(static_cast<std::size_t>(sweeps), {static_cast<Real>(damping), Real(0)});
    return steps;
  }
  // Y. Saad, Iterative methods for sparse linear systems, algorithm 12.1. The steps of multigrid/chebyshev.hpp, by the
  // roots of such polynomials, are other numbers and keep no d, so that nothing can be shared.
  const double from = largest / 4, to = 1.1 * largest, centre = (to + from) / 2, half = (to - from) / 2;
  double rho = half / centre;
  steps.push_back({static_cast<Real>(1 / centre), Real(0)});
  while (static_cast<int>(steps.size()) < sweeps) {
    const double next = 1 / (2 * centre / half - rho);
    steps.push_back({static_cast<Real>(2 * next / half), static_cast<Real>(next * rho)});
    rho = next;
  }
  return steps;
}

}  // namespace

/// A level: f is its right-hand side. x holds the result of a cycle.
template <class Real>
struct Amg<Real>::Level {
  linalg::SlicedMatrix<Real> A, P, R;  ///< P: from the next level to this one; R: from this one to the next
  Vector<Real> scale;                  ///< S
  Vector<Real> f, x, other, d;
  Vector<Real> residual, before;  ///< what the second visit of a W-cycle starts from
  Vector<Real> inverse;           ///< (row, column) of the coarsest level, where it is solved directly
  std::vector<amg::Step<Real>> steps;
#if defined(KOKKOS_ENABLE_CUDA)
  std::optional<amg::ClusterRows> small;           ///< A again, if one kernel can do all steps
  std::optional<amg::ClusterTransfers> transfers;  ///< P and R again, if one kernel can do this level and the next one
#endif
  mutable Replay cycles;  ///< the cycle of the first level

  double bytes() const {
    double matrices = 0;
    for (const auto* matrix : {&A, &P, &R}) matrices += matrix->bytes();
    return matrices + double(scale.extent(0) + f.extent(0) + x.extent(0) + other.extent(0) + d.extent(0) +
                             residual.extent(0) + before.extent(0) + inverse.extent(0)) *
                          sizeof(Real);
  }
};

template <class Real>
Amg<Real>::~Amg() = default;

template <class Real>
Amg<Real>::Amg(linalg::CsrMatrix<double> matrix, const AmgOptions& o, const Vector<const double>& near_null) {
  require(matrix.num_rows == matrix.num_columns,
          fmt::format("AMG: a matrix of {} columns: accepted are as many as rows, {}", matrix.num_columns,
                      matrix.num_rows));
  require_blocks(matrix, o.block);
  const auto rows = static_cast<std::size_t>(matrix.num_rows);
  require(near_null.extent(0) == 0 || (rows > 0 && near_null.extent(0) % rows == 0),
          fmt::format("AMG: a near-null space of {} numbers: accepted are multiples of {}, one per unknown and mode",
                      near_null.extent(0), rows));
  int block = o.block, modes = 1;
  Vector<const double> modes_here = near_null;
  if (near_null.extent(0) > 0) {
    modes = static_cast<int>(near_null.extent(0) / rows);
  } else {
    const Vector<double> ones = make_vector<double>("solver/ones", rows);
    Kokkos::deep_copy(ones, 1.0);
    modes_here = ones;
  }
  factor_ = amg::bring_to_one(matrix);
  const std::vector<int> null = rows > 0 ? find_null_modes(matrix, modes_here) : std::vector<int>();
  double strength = o.strength;
  while (true) {
    const bool small = matrix.num_rows <= o.coarsest;
    add_level(matrix, o, small, small ? take_modes(modes_here, modes, null) : Columns());
    if (small || static_cast<int>(infos_.size()) >= o.max_levels) break;
    o.begin("aggregation");
    const Couplings couplings = strong_couplings(matrix, block, strength);
    const Aggregates aggregates = aggregate(couplings, o.aggregation);
    const Index coarse = aggregates.count * modes;
    if (coarse == 0) break;  // a diagonal matrix: its level is solved by one step
    if (coarse > 0.8 * matrix.num_rows) {
      if (matrix.num_rows <= most_direct) {
        levels_.pop_back();
        infos_.pop_back();
        add_level(matrix, o, true, take_modes(modes_here, modes, null));
      }
      break;
    }
    o.begin("interpolation");
    const double omega = 4 / (3 * infos_.back().largest_eigenvalue);
    const Interpolation to_fine = make_interpolation(matrix, couplings, aggregates, modes_here, modes, block, omega,
                                                     infos_.size() == 1 ? o.interpolation : 0);
    const linalg::CsrMatrix<double>& P = to_fine.P;
    const linalg::CsrMatrix<double> R = transpose(P);
    o.begin("coarse matrix");
    matrix = galerkin_product(R, matrix, P);
    if (modes > 1) fill_empty_diagonal(matrix);
    o.begin("slices");
    levels_.back()->P = linalg::SlicedMatrix<Real>(P);
    levels_.back()->R = linalg::SlicedMatrix<Real>(R);
#if defined(KOKKOS_ENABLE_CUDA)
    if (levels_.back()->small) levels_.back()->transfers = amg::make_cluster_transfers(P, R);
#endif
    modes_here = to_fine.coarse;
    block = modes;
    strength /= 2;
  }
  const Level& last = *levels_.back();
  if (last.inverse.extent(0) == 0 && infos_.back().entries > infos_.back().unknowns)
    remark_ = fmt::format("the coarsest level of {} unknowns does not coarsen further: it is smoothed, not solved",
                          infos_.back().unknowns);
  o.begin("");
}

template <class Real>
void Amg<Real>::add_level(const linalg::CsrMatrix<double>& matrix, const AmgOptions& o, bool solved,
                          const std::vector<std::vector<double>>& null) {
  auto level = std::make_unique<Level>();
  AmgLevel info{matrix.num_rows, matrix.num_entries(), 0};
  const Index n = matrix.num_rows;
  o.begin(solved ? "coarsest" : "slices");
  level->f = make_level_vector<Real>(n);
  level->x = make_level_vector<Real>(n);
  if (solved) {
    level->inverse = to_device<Real>("solver/inverse", invert_semidefinite(amg::to_dense(matrix), n, null));
  } else {
    level->A = linalg::SlicedMatrix<Real>(matrix);
    level->other = make_level_vector<Real>(n);
    level->d = make_level_vector<Real>(n);
    o.begin("smoother");
    const amg::Scaling scaling = amg::make_scaling(matrix, static_cast<int>(levels_.size()));
    const Vector<const Real> inverse_diagonal = convert<Real>(scaling.inverse_diagonal);
    info.largest_eigenvalue = scaling.row_bound;
    if (scaling.row_bound > 2)
      info.largest_eigenvalue =
          std::min(scaling.row_bound, largest_eigenvalue<Real>(
                                          [&](const Instance& instance, const Vector<Real>& x, const Vector<Real>& y) {
                                            linalg::for_rows<Real>(instance, "solver/eigenvalue", level->A, x,
                                                                   linalg::StoreProduct<Real>{y.data()});
                                          },
                                          space::make_unknowns(n), inverse_diagonal));
    level->scale = o.smoother == Smoother::l1_jacobi ? convert<Real>(scaling.inverse_row_sum)
                                                     : convert<Real>(scaling.inverse_diagonal);
    const bool diagonal = matrix.num_entries() == n;
    level->steps = diagonal ? std::vector<amg::Step<Real>>{{Real(1), Real(0)}}
                            : make_steps<Real>(o.smoother, o.sweeps, info.largest_eigenvalue);
#if defined(KOKKOS_ENABLE_CUDA)
    if constexpr (std::is_same_v<Real, float>)
      if (!diagonal) level->small = amg::make_cluster_rows(matrix, level->steps.size());
#endif
    if (o.cycle == Cycle::w && !levels_.empty()) {
      level->residual = make_level_vector<Real>(n);
      level->before = make_level_vector<Real>(n);
    }
  }
  levels_.push_back(std::move(level));
  infos_.push_back(info);
}

template <class Real>
double Amg<Real>::bytes() const {
  double sum = 0;
  for (const auto& level : levels_) sum += level->bytes();
  return sum;
}

template <class Real>
bool Amg<Real>::is_visited_twice(std::size_t l) const {
  return levels_[l]->residual.extent(0) > 0 && l + 1 < levels_.size();
}

/// x = B f with one or two cycles B: x += B (f - A x).
template <class Real>
void Amg<Real>::solve(const Instance& instance, std::size_t l) const {
  const Level& level = *levels_[l];
  cycle(instance, l, level.f, level.x);
  if (!is_visited_twice(l)) return;
  linalg::for_rows<Real>(instance, "solver/amg/residual", level.A, level.x,
                         linalg::StoreResidual<Real>{level.f.data(), level.residual.data()});
  linalg::copy<Real>(instance, level.x, level.before);
  cycle(instance, l, level.residual, level.x);
  linalg::axpby<Real>(instance, Real(1), level.before, Real(1), level.x);
}

/// to = B f.
template <class Real>
void Amg<Real>::cycle(const Instance& instance, std::size_t l, const Vector<const Real>& f,
                      const Vector<Real>& to) const {
  const Level& level = *levels_[l];
  if (level.inverse.extent(0) > 0) return amg::multiply_dense<Real>(instance, level.inverse, f, to);
  const bool is_last = l + 1 == levels_.size();
#if defined(KOKKOS_ENABLE_CUDA)
  if constexpr (std::is_same_v<Real, float>)
    if (level.small && !is_last) return small_cycle(instance, l, f, to);
#endif
  // x and other take turns; the last pass writes `to`
  Vector<Real> x = to, other = level.other;
  const std::size_t steps = level.steps.size(), passes = is_last ? steps - 1 : 2 * steps - 1;
  if (passes % 2 == 1) std::swap(x, other);
  linalg::for_entries(instance, "solver/amg/first", f.extent(0),
                      amg::FirstStep<Real>{level.steps[0], level.scale.data(), f.data(), x.data(), level.d.data()});
  const auto step = [&](std::size_t s) {
    linalg::for_rows<Real>(
        instance, "solver/amg/smooth", level.A, x,
        amg::SmoothingStep<Real>{level.steps[s], level.scale.data(), f.data(), x.data(), level.d.data(), other.data()});
    std::swap(x, other);
  };
  for (std::size_t s = 1; s < steps; ++s) step(s);
  if (is_last) return;
  linalg::for_rows<Real>(instance, "solver/amg/residual", level.A, x,
                         linalg::StoreResidual<Real>{f.data(), other.data()});
  const Level& coarse = *levels_[l + 1];
  linalg::for_rows<Real>(instance, "solver/amg/restrict", level.R, other, linalg::StoreProduct<Real>{coarse.f.data()});
  solve(instance, l + 1);
  linalg::for_rows<Real>(instance, "solver/amg/correct", level.P, coarse.x, amg::Add<Real>{x.data()});
  for (std::size_t s = 0; s < steps; ++s) step(s);
}

#if defined(KOKKOS_ENABLE_CUDA)
/// cycle() on a level that is smoothed by one kernel before and one after the coarser levels, or done with the coarsest
/// one in one kernel.
template <>
void Amg<float>::small_cycle(const Instance& instance, std::size_t l, const Vector<const float>& f,
                             const Vector<float>& to) const {
  const Level &level = *levels_[l], &coarse = *levels_[l + 1];
  if (level.transfers && coarse.inverse.extent(0) > 0)
    return amg::cycle_in_cluster(instance, *level.small, *level.transfers, coarse.inverse, level.steps, level.scale, f,
                                 to);
  amg::smooth_in_cluster(instance, *level.small, level.steps, level.scale, f, to, level.other, true);
  linalg::for_rows<float>(instance, "solver/amg/restrict", level.R, level.other,
                          linalg::StoreProduct<float>{coarse.f.data()});
  solve(instance, l + 1);
  linalg::for_rows<float>(instance, "solver/amg/correct", level.P, coarse.x, amg::Add<float>{to.data()});
  amg::smooth_in_cluster(instance, *level.small, level.steps, level.scale, f, to, {}, false);
}
#endif

template <class Real>
template <class Outer>
double Amg<Real>::apply(const Instance& instance, const space::Space& space, const Vector<const Outer>& r,
                        const Vector<Outer>& z, double) const {
  const Level& first = *levels_.front();
  linalg::for_entries(instance, "solver/amg/enter", first.f.extent(0), Convert<Outer, Real>{r.data(), first.f.data()});
  first.cycles.run(instance, [&] { solve(instance, 0); });
  return linalg::sum_all(instance, space, "solver/amg/leave",
                         Leave<Outer, Real>{r.data(), first.x.data(), z.data(), factor_});
}

template <class Real>
void Amg<Real>::run(const Instance& instance, const Vector<const Real>& r, const Vector<Real>& z) const {
  cycle(instance, 0, r, z);  // the first level is visited once
  if (factor_ != 1)
    linalg::for_entries(instance, "solver/amg/scale", z.extent(0), amg::Multiply<Real>{factor_, z.data(), z.data()});
}

template class Amg<double>;
template class Amg<float>;
template double Amg<double>::apply(const Instance&, const space::Space&, const Vector<const double>&,
                                   const Vector<double>&, double) const;
template double Amg<float>::apply(const Instance&, const space::Space&, const Vector<const double>&,
                                  const Vector<double>&, double) const;
template double Amg<double>::apply(const Instance&, const space::Space&, const Vector<const float>&,
                                   const Vector<float>&, double) const;
template double Amg<float>::apply(const Instance&, const space::Space&, const Vector<const float>&,
                                  const Vector<float>&, double) const;

}  // namespace miniapp::solver
