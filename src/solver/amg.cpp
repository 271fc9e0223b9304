// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/solver/amg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>

#include "core/agree.hpp"
#include "linalg/gathered.hpp"
#include "miniapp/core/detail/replay.hpp"
#include "miniapp/linalg/ghosts.hpp"
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

/// The modes (own row, mode) that the matrix of all ranks maps to zero. Collective.
std::vector<int> find_null(const linalg::GhostedMatrix& matrix, const Vector<const double>& modes_here, int modes) {
  if (matrix.ranks.is_alone())
    return matrix.rows.num_rows > 0 ? find_null_modes(matrix.rows, modes_here) : std::vector<int>();
  std::vector<std::int64_t> is_null(static_cast<std::size_t>(modes), matrix.rows.num_rows == 0);
  const Vector<double> with_ghosts = linalg::append_values(modes_here, modes, matrix.rows.num_rows, matrix);
  if (matrix.rows.num_rows > 0)
    for (const int m : find_null_modes(matrix.rows, with_ghosts)) is_null[static_cast<std::size_t>(m)] = 1;
  matrix.ranks.reduce(Reduction::min, is_null.data(), modes);
  std::vector<int> found;
  for (int m = 0; m < modes; ++m)
    if (is_null[static_cast<std::size_t>(m)]) found.push_back(m);
  return found;
}

/// The aggregates that rank 0 has, of nodes that all ranks have. Sums on GPUs round differently from run to run, and a
/// coupling that is rounding may be found by one rank alone; but all must interpolate from the same aggregates.
/// Collective.
Aggregates take_first(const Communicator& ranks, const Aggregates& own) {
  const auto host = to_host(own.of_node);
  const std::string bytes =
      ranks.from_first({reinterpret_cast<const char*>(host.data()), host.extent(0) * sizeof(Index)});
  std::vector<Index> of_node(bytes.size() / sizeof(Index));
  std::memcpy(of_node.data(), bytes.data(), bytes.size());
  const Index last = of_node.empty() ? -1 : *std::max_element(of_node.begin(), of_node.end());
  return {to_device("solver/aggregates", of_node), last + 1};
}

/// make_scaling() on all ranks; the bound of rows is that of all. Collective. Errors: those of one, on all.
amg::Scaling scale_on_all(const linalg::CsrMatrix<double>& matrix, int level, const Communicator& ranks) {
  amg::Scaling scaling;
  const auto scale = [&] { scaling = amg::make_scaling(matrix, level, ranks); };
  if (level == 0)
    agree(ranks, scale);
  else
    agree<ResultError>(ranks, scale);
  scaling.row_bound = ranks.of_all(Reduction::max, scaling.row_bound);
  return scaling;
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

/// How a level that every rank has meets the finer one, of which each has a part.
template <class Real>
struct Amg<Real>::Gathering {
  linalg::Gathered values;
  Vector<const Index>
      numbers;        ///< (own row, then ghost of the finer level's interpolation): its row in the whole level
  Vector<Real> f, x;  ///< (own row); as numbers

  /// Of the rows that this rank has of `matrix`. Collective.
  explicit Gathering(const linalg::GhostedMatrix& matrix) {
    const std::vector<std::int64_t> first = matrix.ranks.offsets(matrix.rows.num_rows);
    const auto rows = static_cast<std::size_t>(matrix.rows.num_rows);
    std::vector<Index> own(rows), all;
    std::iota(own.begin(), own.end(), 0);
    const auto number = [&](int rank, Index row) {
      return rank < 0 ? 0 : static_cast<Index>(first[static_cast<std::size_t>(rank)]) + row;
    };
    for (const Index row : own) all.push_back(number(matrix.ranks.rank(), row));
    const std::vector<std::int64_t> of_own(all.begin(), all.end());
    for (const linalg::Place& ghost : matrix.ghosts) all.push_back(number(ghost.rank, ghost.row));
    values = {matrix.ranks, own, of_own, static_cast<std::size_t>(first.back()), sizeof(Real)};
    numbers = to_device("solver/amg/numbers", all);
    f = make_vector<Real>("solver/amg", rows);
    x = make_vector<Real>("solver/amg", all.size());
  }
  double bytes() const {
    return values.bytes() + double(sizeof(Index)) * double(numbers.extent(0)) +
           double(f.extent(0) + x.extent(0)) * sizeof(Real);
  }
};

/// A level: f is its right-hand side. x holds the result of a cycle. x, other and before have places for ghosts.
template <class Real>
struct Amg<Real>::Level {
  linalg::SlicedMatrix<Real> A, P, R;  ///< P: from the next level to this one; R: from this one to the next
  bool is_complete = false;            ///< whether it has what cycles need beside P and R
  linalg::Ghosts<Real> ghosts;         ///< of a level that ranks share
  std::unique_ptr<Gathering> gathering;
  Vector<Real> scale;  ///< S
  Vector<Real> f, x, other, d;
  bool is_visited_twice = false;  ///< if there is a coarser one
  Vector<Real> residual, before;  ///< what the second visit starts from
  Vector<Real> inverse;           ///< (row, column) of the coarsest level, where it is solved directly
  std::vector<amg::Step<Real>> steps;
#if defined(KOKKOS_ENABLE_CUDA)
  std::optional<amg::ClusterRows> small;           ///< A again, if one kernel can do all steps
  std::optional<amg::ClusterTransfers> transfers;  ///< P and R again, if one kernel can do this level and the next one
#endif
  mutable Replay cycles;  ///< the cycle of the first level

  double bytes() const {
    double matrices = gathering ? gathering->bytes() : 0;
    for (const auto* matrix : {&A, &P, &R}) matrices += matrix->bytes();
#if defined(KOKKOS_ENABLE_CUDA)
    if (small) matrices += small->bytes();
    if (transfers) matrices += transfers->bytes();
#endif
    return matrices + double(scale.extent(0) + f.extent(0) + x.extent(0) + other.extent(0) + d.extent(0) +
                             residual.extent(0) + before.extent(0) + inverse.extent(0)) *
                          sizeof(Real);
  }
  /// Where the finer level puts what this rank has of f.
  const Vector<Real>& own_f() const { return gathering ? gathering->f : f; }
  /// f, of what ranks have of it.
  void enter(const Instance& instance) const {
    if (gathering) gathering->values.template run<Real>(instance, gathering->f, f);
  }
  /// x of this rank's unknowns, and of ghosts if the finer level needs them.
  const Vector<Real>& leave(const Instance& instance, bool with_ghosts) const {
    if (!gathering) {
      if (with_ghosts) ghosts.fetch(instance, x);
      return x;
    }
    const Gathering& g = *gathering;
    linalg::for_entries(instance, "solver/amg/take own", g.x.extent(0),
                        amg::Take<Real, Real>{g.numbers.data(), x.data(), g.x.data()});
    return g.x;
  }
};

template <class Real>
Amg<Real>::~Amg() = default;

template <class Real>
Amg<Real>::Amg(linalg::CsrMatrix<double> matrix, const AmgOptions& options, const Vector<const double>& near_null)
    : Amg(linalg::make_ghosted(std::move(matrix)), options, near_null) {}

template <class Real>
Amg<Real>::Amg(linalg::GhostedMatrix matrix, const AmgOptions& o, const Vector<const double>& near_null,
               std::optional<Vector<const Index>> entries)
    : entries_(std::move(entries)) {
  const KeepMemory keep;
  const Communicator ranks = matrix.ranks;
  const auto rows = static_cast<std::size_t>(matrix.rows.num_rows);
  agree(ranks, [&] {
    require(
        matrix.rows.num_columns == matrix.rows.num_rows + static_cast<Index>(matrix.ghosts.size()),
        fmt::format("AMG: a matrix of {} columns: accepted are as many as rows, {}", matrix.rows.num_columns, rows));
    require_blocks(matrix.rows, o.block);
    require(near_null.extent(0) == 0 || (rows > 0 && near_null.extent(0) % rows == 0),
            fmt::format("AMG: a near-null space of {} numbers: accepted are multiples of {}, one per unknown and mode",
                        near_null.extent(0), rows));
  });
  int block = o.block;
  const auto modes = static_cast<int>(
      ranks.of_all(Reduction::max, std::int64_t(near_null.extent(0) > 0 ? near_null.extent(0) / rows : 1)));
  Vector<const double> modes_here = near_null;
  if (near_null.extent(0) == 0) {
    const Vector<double> ones = make_vector<double>("solver/ones", rows);
    fill(ones, 1.0);
    modes_here = ones;
  }
  factor_ = amg::bring_to_one(matrix.rows, ranks);
  const std::vector<int> null = find_null(matrix, modes_here, modes);
  double strength = o.strength;
  std::unique_ptr<Gathering> gathering;
  const auto gather = [&] {
    gathering = std::make_unique<Gathering>(matrix);
    modes_here = to_device("solver/modes", ranks.gather(to_vector(modes_here)));
    matrix = linalg::make_ghosted(linalg::gather_rows(matrix));
  };
  while (true) {
    const auto unknowns = matrix.ranks.sum(std::int64_t(matrix.rows.num_rows));
    if (!matrix.ranks.is_alone() && unknowns <= std::max(o.replicated, o.coarsest)) gather();
    const bool small = unknowns <= o.coarsest;
    add_level(matrix, o, small, small ? take_modes(modes_here, modes, null) : Columns(), std::move(gathering));
    if (small || static_cast<int>(infos_.size()) >= o.max_levels) break;
    o.begin("aggregation");
    const bool alone = matrix.ranks.is_alone();
    Couplings couplings = strong_couplings(matrix.rows, block, strength, matrix);
    Aggregates aggregates = alone ? aggregate(couplings, o.aggregation) : aggregate_own(couplings, o.aggregation);
    if (alone && !ranks.is_alone()) aggregates = take_first(ranks, aggregates);
    const auto coarse = matrix.ranks.sum(std::int64_t(aggregates.count) * modes);
    if (coarse == 0) break;  // a diagonal matrix: its level is solved by one step
    if (double(coarse) > 0.8 * double(unknowns)) {
      if (unknowns > most_direct) break;
      if (!alone) gather();
      levels_.pop_back();
      infos_.pop_back();
      add_level(matrix, o, true, take_modes(modes_here, modes, null), std::move(gathering));
      break;
    }
    o.begin("interpolation");
    const double omega = 4 / (3 * infos_.back().largest_eigenvalue);
    Interpolation to_fine = make_interpolation(matrix, couplings, aggregates, modes_here, modes, block, omega,
                                               infos_.size() == 1 ? o.interpolation : 0);
    modes_here = to_fine.coarse;
    couplings = {};  // what is no longer needed would be a tenth of the set-up's memory
    aggregates = {};
    o.begin("coarse matrix");
    linalg::GalerkinProduct product = linalg::galerkin_product(matrix, std::exchange(to_fine.P, {}), modes, block);
    o.begin("slices");
#if defined(KOKKOS_ENABLE_CUDA)
    if (levels_.back()->small) levels_.back()->transfers = amg::make_cluster_transfers(product.P.rows, product.R);
#endif
    levels_.back()->R = linalg::SlicedMatrix<Real>(std::exchange(product.R, {}));
    levels_.back()->P = linalg::SlicedMatrix<Real>(std::exchange(product.P, {}).rows);
    complete_level(matrix, o);  // not before the rows of R and P have gone, which would be a tenth of the memory more
    matrix = std::move(product.coarse);
    if (modes > 1) fill_empty_diagonal(matrix.rows);
    block = modes;
    strength /= 2;
  }
  complete_level(matrix, o);
  const Level& last = *levels_.back();
  if (last.inverse.extent(0) == 0 && infos_.back().entries > infos_.back().unknowns)
    remark_ = fmt::format("the coarsest level of {} unknowns does not coarsen further: it is smoothed, not solved",
                          infos_.back().unknowns);
  o.begin("");
}

template <class Real>
void Amg<Real>::add_level(const linalg::GhostedMatrix& of_ranks, const AmgOptions& o, bool solved,
                          const std::vector<std::vector<double>>& null, std::unique_ptr<Gathering> gathering) {
  Level* const level = levels_.emplace_back(std::make_unique<Level>()).get();
  level->gathering = std::move(gathering);
  const linalg::CsrMatrix<double>& matrix = of_ranks.rows;
  const Communicator& ranks = of_ranks.ranks;
  AmgLevel info{ranks.sum(std::int64_t(matrix.num_rows)), ranks.sum(matrix.num_entries()), 0};
  const Index n = matrix.num_rows;
  o.begin(solved ? "coarsest" : "smoother");
  if (solved) {
    level->inverse = to_device<Real>("solver/inverse", invert_semidefinite(amg::to_dense(matrix), n, null));
    level->f = make_level_vector<Real>(n);
    level->x = make_level_vector<Real>(matrix.num_columns);
    level->is_complete = true;
  } else {
    const amg::Scaling scaling = scale_on_all(matrix, static_cast<int>(levels_.size()) - 1, ranks);
    const Vector<const Real> inverse_diagonal = convert<Real>(scaling.inverse_diagonal);
    info.largest_eigenvalue = scaling.row_bound;
    if (scaling.row_bound > 2) {
      complete_level(of_ranks, o);
      o.begin("smoother");
      space::Space space = space::make_unknowns(n);
      if (!ranks.is_alone()) space.exchange = space::Exchange(ranks, {}, space.num_entries());
      const auto product = [&](const Instance& instance, const Vector<Real>& x, const Vector<Real>& y) {
        if (!ranks.is_alone()) {
          linalg::copy<Real>(instance, x, slice(level->x, 0, x.extent(0)));
          level->ghosts.fetch(instance, level->x);
        }
        linalg::for_rows<Real>(instance, "solver/eigenvalue", level->A, ranks.is_alone() ? x : level->x,
                               linalg::StoreProduct<Real>{y.data()});
      };
      info.largest_eigenvalue = std::min(scaling.row_bound, largest_eigenvalue<Real>(product, space, inverse_diagonal));
    }
    level->scale = o.smoother == Smoother::l1_jacobi ? convert<Real>(scaling.inverse_row_sum)
                                                     : convert<Real>(scaling.inverse_diagonal);
    const bool diagonal = info.entries == info.unknowns;
    level->steps = diagonal ? std::vector<amg::Step<Real>>{{Real(1), Real(0)}}
                            : make_steps<Real>(o.smoother, o.sweeps, info.largest_eigenvalue);
#if defined(KOKKOS_ENABLE_CUDA)
    if constexpr (std::is_same_v<Real, float>)
      if (!diagonal && ranks.is_alone()) level->small = amg::make_cluster_rows(matrix, level->steps.size());
#endif
    level->is_visited_twice = levels_.size() == 1 ? o.cycles == 2 : o.cycle == Cycle::w;
    if (level->is_visited_twice) {
      level->residual = make_level_vector<Real>(n);
      level->before = make_level_vector<Real>(n);
    }
  }
  infos_.push_back(info);
}

template <class Real>
void Amg<Real>::complete_level(const linalg::GhostedMatrix& matrix, const AmgOptions& o) {
  Level& level = *levels_.back();
  if (std::exchange(level.is_complete, true)) return;
  o.begin("slices");
  const Index n = matrix.rows.num_rows, with_ghosts = matrix.rows.num_columns;
  level.A = linalg::SlicedMatrix<Real>(matrix.rows);
  if (!matrix.ranks.is_alone()) level.ghosts = linalg::Ghosts<Real>(matrix);
  level.f = make_level_vector<Real>(n);
  level.d = make_level_vector<Real>(n);
  for (auto* vector : {&level.x, &level.other}) *vector = make_level_vector<Real>(with_ghosts);
}

template <class Real>
double Amg<Real>::bytes() const {
  double sum = 0;
  for (const auto& level : levels_) sum += level->bytes();
  return sum;
}

template <class Real>
bool Amg<Real>::is_visited_twice(std::size_t l) const {
  return levels_[l]->is_visited_twice && l + 1 < levels_.size();
}

/// x = B f with one or two cycles B: x += B (f - A x).
template <class Real>
void Amg<Real>::solve(const Instance& instance, std::size_t l, const Vector<const Real>& f,
                      const Vector<Real>& x) const {
  cycle(instance, l, f, x);
  if (!is_visited_twice(l)) return;
  const Level& level = *levels_[l];
  level.ghosts.fetch(instance, x);
  linalg::for_rows<Real>(instance, "solver/amg/residual", level.A, x,
                         linalg::StoreResidual<Real>{f.data(), level.residual.data()});
  const Vector<Real> own_x = slice(x, 0, level.before.extent(0));
  linalg::copy<Real>(instance, own_x, level.before);
  cycle(instance, l, level.residual, x);
  linalg::axpby<Real>(instance, Real(1), level.before, Real(1), own_x);
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
    level.ghosts.fetch(instance, x);
    linalg::for_rows<Real>(
        instance, "solver/amg/smooth", level.A, x,
        amg::SmoothingStep<Real>{level.steps[s], level.scale.data(), f.data(), x.data(), level.d.data(), other.data()});
    std::swap(x, other);
  };
  for (std::size_t s = 1; s < steps; ++s) step(s);
  if (is_last) return;
  level.ghosts.fetch(instance, x);
  linalg::for_rows<Real>(instance, "solver/amg/residual", level.A, x,
                         linalg::StoreResidual<Real>{f.data(), other.data()});
  level.ghosts.fetch(instance, other);
  const Level& coarse = *levels_[l + 1];
  linalg::for_rows<Real>(instance, "solver/amg/restrict", level.R, other,
                         linalg::StoreProduct<Real>{coarse.own_f().data()});
  coarse.enter(instance);
  solve(instance, l + 1, coarse.f, coarse.x);
  linalg::for_rows<Real>(instance, "solver/amg/correct", level.P, coarse.leave(instance, true),
                         amg::Add<Real>{x.data()});
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
  solve(instance, l + 1, coarse.f, coarse.x);
  linalg::for_rows<float>(instance, "solver/amg/correct", level.P, coarse.x, amg::Add<float>{to.data()});
  amg::smooth_in_cluster(instance, *level.small, level.steps, level.scale, f, to, {}, false);
}
#endif

template <class Real>
bool Amg<Real>::waits() const {
  return std::any_of(levels_.begin(), levels_.end(), [](const auto& level) {
    return level->ghosts.waits() || (level->gathering && level->gathering->values.waits());
  });
}

template <class Real>
template <class Outer>
void Amg<Real>::take(const Instance& instance, const Vector<const Outer>& r) const {
  const Vector<Real>& f = levels_.front()->own_f();
  if (entries_)
    linalg::for_entries(instance, "solver/amg/enter", f.extent(0),
                        amg::Take<Outer, Real>{entries_->data(), r.data(), f.data()});
  else
    linalg::for_entries(instance, "solver/amg/enter", f.extent(0), Convert<Outer, Real>{r.data(), f.data()});
}

template <class Real>
template <class Outer>
void Amg<Real>::put(const Instance& instance, const Vector<Real>& x, const Vector<Outer>& z) const {
  linalg::for_entries(instance, "solver/amg/leave", levels_.front()->own_f().extent(0),
                      amg::Put<Real, Outer>{entries_->data(), factor_, x.data(), z.data()});
}

template <class Real>
template <class Outer>
double Amg<Real>::apply(const Instance& instance, const space::Space& space, const Vector<const Outer>& r,
                        const Vector<Outer>& z, double) const {
  const Level& first = *levels_.front();
  take<Outer>(instance, r);
  first.cycles.run(
      instance,
      [&] {
        first.enter(instance);
        solve(instance, 0, first.f, first.x);
      },
      !waits());
  const Vector<Real>& x = first.leave(instance, false);
  if (!entries_)
    return linalg::sum_all(instance, space, "solver/amg/leave",
                           Leave<Outer, Real>{r.data(), x.data(), z.data(), factor_});
  put(instance, x, z);
  space.exchange.copy_from_owners(instance, z);
  return linalg::dot<Outer>(instance, space, r, z);
}

template <class Real>
void Amg<Real>::run(const Instance& instance, const Vector<const Real>& r, const Vector<Real>& z) const {
  if (entries_) {
    const Level& first = *levels_.front();
    take<Real>(instance, r);
    first.enter(instance);
    solve(instance, 0, first.f, first.x);
    return put(instance, first.leave(instance, false), z);
  }
  solve(instance, 0, r, z);
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
