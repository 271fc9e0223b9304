// SPDX-License-Identifier: BSD-3-Clause
#include "apps/solver/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>

#include "apps/solver/rows.hpp"
#include "core/agree.hpp"
#include "measure/energy.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/core/region.hpp"
#include "miniapp/core/session.hpp"
#include "miniapp/core/tolerance.hpp"
#include "miniapp/linalg/matrix_market.hpp"
#include "miniapp/solver/near_null.hpp"
#include "runs/iterations.hpp"
#include "space/of_ranks.hpp"

namespace miniapp::apps {

struct EmptyLoop {
  KOKKOS_FUNCTION void operator()(const int) const {}
};

namespace {

constexpr double slides_launch = 1e-6, slides_read = 2e-6;  // [s]

/// The time from one phase that begins to the next.
class PhaseClock {
 public:
  explicit PhaseClock(measure::Phases& phases) : phases_(phases), start_(measure::now()) {}
  /// An empty name: none begins.
  void begin(const std::string& phase) {
    const double now = measure::now();
    if (!phase_.empty()) phases_.add(phase_, now - start_);
    phase_ = phase;
    start_ = now;
    region_.reset();
    if (!phase.empty()) region_.emplace(phase);
  }

 private:
  measure::Phases& phases_;
  std::string phase_;
  double start_;
  std::optional<Region> region_;
};

template <class Real>
class SolverRun {
 public:
  SolverRun(const SolverOptions& options, const MatrixChoice& choice)
      : o_(options),
        system_(figures_.phases.time("matrix", [&] { return make_system(choice, o_.ranks, o_.near_null.block); })),
        A_(figures_.phases.time("slices", [&] { return linalg::DistributedOperator<Real>(system_.matrix); })),
        rows_(system_.matrix) {
    figures_.choice = choice;
    figures_.halo = A_.halo();
    figures_.unknowns = o_.ranks.sum(std::int64_t(rows_.size()));
    figures_.entries = o_.ranks.sum(system_.matrix.num_entries());
    figures_.bytes = o_.ranks.sum(A_.bytes());
    if (choice.kind == MatrixKind::file) {
      figures_.choice.file_rows = double(figures_.unknowns);
      figures_.choice.file_entries = double(figures_.entries);
      require_memory(memory_need(o_, figures_.choice), describe_size(choice), "a smaller matrix");
      require_rows(o_, figures_.choice);
      near_null_ = figures_.phases.time("near null", [&] { return make_near_null(o_.near_null, system_.matrix); });
    }
    verify_and_time_product();
    if (!figures_.passed() || o_.verify_only) return;
    figures_.roof = measure::memory_roof(figures_.bytes / o_.ranks.size(), o_.ranks);
    time_launches();
    make_right_hand_side();
    if (choice.kind == MatrixKind::file) find_null_modes();
  }

  const MatrixFigures& figures() const { return figures_; }

  SolverResult run(const solver::SolveSettings& settings, const std::function<void(int, double)>& progress) {
    if (settings.preconditioner == solver::PreconditionerKind::automatic) return choose_and_solve(settings, progress);
    return solve_or_fall_back(settings, progress, figures_.phases);
  }

  /// What each rank has, and its times.
  void count_ranks(SolverResult& result) const {
    result.of_ranks = space::compare_ranks(o_.ranks, figures_.halo,
                                           {{"rows", double(rows_.size())},
                                            {"entries", double(system_.matrix.num_entries())},
                                            {"neighbours", double(system_.matrix.neighbours.size())},
                                            {"exchanged_bytes", double(A_.num_items()) * sizeof(Real)}},
                                           result.phases)
                          .figures;
  }

 private:
  /// The diagonal is tried first: whether it converges is seen at once. Then multigrid, and the diagonal again, to the
  /// end.
  SolverResult choose_and_solve(solver::SolveSettings settings, const std::function<void(int, double)>& progress) {
    measure::Phases phases = figures_.phases;
    const double tolerance = settings.cg.tolerance;
    const bool has_room = multigrid_fits();
    const auto predicted = phases.time("choice", [&] {
      return solver::predict_costs(solver::measure_shape(system_.matrix), tolerance, figures_.product.median,
                                   o_.ranks.size(), has_room);
    });
    std::vector<solver::Attempt> attempts = predicted;
    if (attempts.front().preconditioner == solver::PreconditionerKind::amg) std::swap(attempts[0], attempts[1]);
    if (attempts.size() > 1) attempts.push_back(attempts.front());
    std::vector<solver::GivenUp> given_up;
    double other = attempts.size() > 1 ? attempts[1].total() : 0;
    for (std::size_t k = 0;; ++k) {
      const solver::Attempt& attempt = attempts[k];
      settings.preconditioner = attempt.preconditioner;
      settings.cg.gives_up = {};
      if (k + 1 < attempts.size())
        settings.cg.gives_up = [&attempt, tolerance, other](const std::vector<double>& residuals) {
          return solver::is_hopeless(attempt, residuals, tolerance, other);
        };
      const double start = measure::now();
      SolverResult result = solve_or_fall_back(settings, progress, phases);
      const bool is_broken = !result.breakdown.empty() && k == 1;
      if (!result.is_given_up() && !is_broken) {
        result.predicted = predicted;
        if (!has_room) result.without_room = {solver::PreconditionerKind::amg};
        result.given_up = given_up;
        result.settings.cg.gives_up = {};
        return result;
      }
      const double seconds = measure::now() - start;
      phases.add("given up", seconds);
      given_up.push_back({attempt.preconditioner, result.cg ? result.cg->iterations : 0,
                          result.cg ? result.cg->relative_residual : 1, result.breakdown, seconds});
      if (result.cg) other = solver::expected_cost(attempt, result.cg->residuals, tolerance);
    }
  }

  /// Whether the memory that is free holds multigrid, on all ranks.
  bool multigrid_fits() const {
    const auto [per_unknown, per_entry] = solver::preconditioner_bytes(solver::PreconditionerKind::amg);
    const double bytes = per_unknown * double(rows_.size()) + per_entry * double(system_.matrix.num_entries());
    const bool lacks = !(sharing_ranks(o_.ranks) * bytes < double(available_memory()));
    return o_.ranks.of_all(Reduction::max, std::int64_t(lacks)) == 0;
  }

  /// Where multigrid in single precision breaks down, the result is that of cycles in double precision: single
  /// precision can make a definite matrix of condition 10^8 indefinite.
  SolverResult solve_or_fall_back(const solver::SolveSettings& settings,
                                  const std::function<void(int, double)>& progress, const measure::Phases& phases) {
    SolverResult result = attempt(settings, progress, phases);
    if (result.breakdown.empty() || settings.amg_precision == Precision::fp64 || std::is_same_v<Real, float> ||
        !solver::is_own_amg(settings.preconditioner))
      return result;
    solver::SolveSettings in_double = settings;
    in_double.amg_precision = Precision::fp64;
    SolverResult again = attempt(in_double, progress, phases);
    if (!again.breakdown.empty()) return result;
    again.single_breakdown = result.breakdown;
    return again;
  }

  /// `phases` are those before it.
  SolverResult attempt(const solver::SolveSettings& settings, const std::function<void(int, double)>& progress,
                       const measure::Phases& phases) {
    SolverResult result;
    result.settings = settings;
    result.phases = phases;
    const Region region(fmt::format("{}, {}", name_of_cg(settings), name(settings.preconditioner)));
    try {
      PhaseClock clock(result.phases);
      solver::SolveSettings with_modes = settings;
      with_modes.near_null = near_null_;
      const auto solver = make_solver(with_modes, clock);
      const auto& preconditioner = solver->preconditioner();
      result.hierarchy = preconditioner.hierarchy();
      result.preconditioner_bytes =
          o_.ranks.sum(preconditioner.traffic() > 0 ? preconditioner.traffic() : preconditioner.bytes());
      result.launch_levels = static_cast<int>(o_.ranks.of_all(Reduction::max, std::int64_t(solver->launch_levels())));
      solve(*solver, progress, result);
    } catch (const ResultError& error) {
      result.cg.reset();
      result.breakdown = error.what();
    }
    set_models(result);
    return result;
  }

  /// Errors: ResultError on all ranks where one of them throws it.
  std::unique_ptr<solver::ChosenSolver<Real>> make_solver(const solver::SolveSettings& settings, PhaseClock& clock) {
    std::unique_ptr<solver::ChosenSolver<Real>> solver;
    std::string failure;
    try {
      solver = std::make_unique<solver::ChosenSolver<Real>>(system_.matrix, A_, settings,
                                                            [&](const char* phase) { clock.begin(phase); });
    } catch (const ResultError& error) {
      failure = error.what();
    }
    const auto failed =
        o_.ranks.of_all(Reduction::min, std::int64_t(failure.empty() ? o_.ranks.size() : o_.ranks.rank()));
    if (failed < o_.ranks.size())
      throw ResultError(failure.empty() ? fmt::format("rank {}: the set-up of the preconditioner failed", failed)
                                        : failure);
    return solver;
  }

  /// of(row) for each row, on the device.
  template <class Of>
  Vector<Real> make_rows(const char* label, const Of& of) const {
    const Vector<Real> vector = make_vector<Real>(label, static_cast<std::size_t>(rows_.size()));
    const auto host = Kokkos::create_mirror_view(vector);
    for (Index row = 0; row < rows_.size(); ++row) host(row) = static_cast<Real>(of(row));
    Kokkos::deep_copy(vector, host);
    return vector;
  }

  /// Values at ghosts are found by their numbers, so that a wrong exchange shows.
  void verify_and_time_product() {
    std::optional<measure::Verifying> verification(std::in_place);
    const linalg::DistributedMatrix& matrix = system_.matrix;
    const Vector<Real> x = make_rows("x", [&](Index row) { return random_number(matrix.part.number(row), 2); }),
                       y = make_vector<Real>("y", x.extent(0));
    HostVector<Real> ghosts("ghosts", matrix.ghosts.size());
    for (std::size_t i = 0; i < matrix.ghosts.size(); ++i)
      if (matrix.ghosts[i].rank >= 0) ghosts(i) = static_cast<Real>(random_number(matrix.number(matrix.ghosts[i]), 2));
    linalg::apply<Real>(instance_, A_, x, y);
    instance_.fence();
    const auto y_host = to_host(y);
    double largest = 0;
    rows_.multiply(to_host(x), ghosts, [&](Index row, const RowSum& sum) {
      largest = std::max(largest, sum.scale);
      const double error = std::fabs(sum.product - double(y_host(row)));
      const double accepted = tolerance<Real>(std::max(1, sum.length), sum.scale);
      if (error != 0) figures_.error = worse(figures_.error, error / accepted);
    });
    figures_.error = o_.ranks.of_all(Reduction::max, figures_.error);
    largest = o_.ranks.of_all(Reduction::max, largest);
    verification.reset();
    if (largest > 0) require_single("--matrix " + figures_.choice.name(), largest, o_.precision);
    if (figures_.passed() && !o_.verify_only)
      figures_.product =
          measure::time_and_energy([&] { linalg::apply<Real>(instance_, A_, x, y); }, o_.repeat, o_.ranks);
  }

  void time_launches() {
    const Vector<double> number = make_zeros<double>("solver/number", 1);
    const Kokkos::RangePolicy<ExecutionSpace> one(instance_.space(), 0, 1);
    figures_.launch =
        measure::time([&] { Kokkos::parallel_for("solver/empty", one, EmptyLoop()); }, o_.repeat.times).median;
    double host = 0;
    figures_.read = measure::time(
                        [&] {
                          Kokkos::deep_copy(instance_.space(), host, Kokkos::subview(number, 0));
                          instance_.fence();
                        },
                        o_.repeat.times)
                        .median;
  }

  void make_right_hand_side() {
    auto masked = system_.masked.begin();
    b_ = make_rows("solver/b", [&](Index row) {
      if (masked != system_.masked.end() && *masked == row) {
        ++masked;
        return 0.;
      }
      const auto number = system_.matrix.part.number(row);
      if (o_.rhs_values) return (*o_.rhs_values)[static_cast<std::size_t>(number)];
      return o_.rhs == "random" ? random_number(number, 1) : 1;
    });
    x_ = make_vector<Real>("solver/x", b_.extent(0));
  }

  /// Tries the modes of the near-null space, one after the other; of rows that have one, ones.
  void find_null_modes() {
    const auto modes = to_host(near_null_);
    const auto rows = static_cast<std::size_t>(rows_.size());
    const std::size_t count = modes.extent(0) > 0 ? modes.extent(0) / rows : 1;
    for (std::size_t m = 0; m < count; ++m)
      try_mode([&](Index row) { return modes.extent(0) > 0 ? modes(row * count + m) : 1; });
  }

  /// Counts a mode whose product with each row is rounding of its entries; what b has of it no A x has.
  template <class Mode>
  void try_mode(const Mode& mode) {
    const Vector<Real> x = make_rows("mode", mode);
    const auto ghosts = to_host(A_.fetch(instance_, x));
    instance_.fence();
    const auto b = to_host(b_);
    HostVector<double> values("mode", x.extent(0));
    double m_m = 0, b_m = 0, b_b = 0, error = 0;
    for (Index row = 0; row < rows_.size(); ++row) {
      values(row) = mode(row);
      m_m += values(row) * values(row);
      b_m += double(b(row)) * values(row);
      b_b += double(b(row)) * double(b(row));
    }
    rows_.multiply(values, ghosts, [&](Index, const RowSum& sum) {
      if (sum.product != 0) error = std::max(error, std::fabs(sum.product) / sum.scale);
    });
    if (!(o_.ranks.of_all(Reduction::max, error) <= solver::null_rounding)) return;
    ++figures_.null_modes;
    const double norms = std::sqrt(o_.ranks.sum(m_m) * o_.ranks.sum(b_b));
    if (norms > 0) figures_.least_residual = std::max(figures_.least_residual, std::fabs(o_.ranks.sum(b_m)) / norms);
  }

  void solve(solver::ChosenSolver<Real>& solver, const std::function<void(int, double)>& progress,
             SolverResult& result) {
    const auto iterate = [&](int iterations) { solver.solve(instance_, b_, x_, {0, iterations, {}}); };
    constexpr int timed = runs_on_host ? 20 : 100;
    if (o_.no_solve) {  // as many as do not reach rounding, below which CG finds every matrix indefinite
      constexpr double above_rounding = 1e4 * std::numeric_limits<Real>::epsilon();
      int iterations = 0;
      const double seconds = measure::time_once(
          [&] {
            iterations = solver.solve(instance_, b_, x_, {above_rounding, timed, {}}).iterations;
          },
          o_.ranks);
      result.iteration = measure::time_iterations(iterate, iterations, seconds, timed, o_.repeat, o_.ranks);
      return;
    }
    solver::CgOptions options = result.settings.cg;
    options.progress = progress;
    std::vector<double> seconds;
    double took = 0;
    do {
      const Region region("solve");
      solver::CgResult cg;
      seconds.push_back(measure::time_once([&] { cg = solver.solve(instance_, b_, x_, options); }, o_.ranks));
      took += seconds.back();
      options.progress = {};
      options.gives_up = {};
      if (seconds.size() == 1) result.cg = std::move(cg);
      if (result.is_given_up()) return;
    } while (!measure::are_enough(seconds, took, o_.repeat.times, 1));
    compare_residuals(result);
    if (!o_.output.empty()) write_solution();
    result.solve = measure::summarise(std::move(seconds));
    const auto solve_again = [&] { solver.solve(instance_, b_, x_, options); };
    if (o_.repeat.energy) result.solve.joules = measure::joules(solve_again, result.solve.median, o_.ranks);
    if (result.cg->iterations == 0) return;
    if (is_pointwise(result.settings.preconditioner)) {
      result.iteration =
          measure::time_iterations(iterate, result.cg->iterations, result.solve.median, timed, o_.repeat, o_.ranks);
    } else {
      result.iteration = measure::rescale(result.solve, 1. / result.cg->iterations);
    }
  }

  /// The first rank writes what all have, in the order of the matrix. Errors: ResultError on all ranks.
  void write_solution() const {
    std::vector<std::vector<std::int64_t>> letters(
        static_cast<std::size_t>(o_.ranks.size()));  // number, bits, number, ..
    const auto x = to_host(x_);
    for (Index row = 0; row < rows_.size(); ++row) {
      letters[0].push_back(system_.matrix.part.number(row));
      letters[0].push_back(std::bit_cast<std::int64_t>(double(x(row))));
    }
    const auto received = o_.ranks.exchange(letters);
    agree<ResultError>(o_.ranks, [&] {
      if (o_.ranks.rank() > 0) return;
      std::vector<double> values(static_cast<std::size_t>(figures_.unknowns));
      for (const std::vector<std::int64_t>& letter : received)
        for (std::size_t i = 0; i < letter.size(); i += 2)
          values[static_cast<std::size_t>(letter[i])] = std::bit_cast<double>(letter[i + 1]);
      solution_file(o_.output).write(linalg::print_vector(values));
    });
  }

  void compare_residuals(SolverResult& result) const {
    const Vector<Real>& ghosts = A_.fetch(instance_, x_);
    instance_.fence();
    const auto b = to_host(b_);
    double r_r = 0, b_b = 0;
    rows_.multiply(to_host(x_), to_host(ghosts), [&](Index row, const RowSum& sum) {
      r_r += std::pow(double(b(row)) - sum.product, 2);
      b_b += std::pow(double(b(row)), 2);
    });
    r_r = o_.ranks.sum(r_r);
    b_b = o_.ranks.sum(b_b);
    result.host_residual = b_b > 0 ? std::sqrt(r_r / b_b) : 0;
  }

  void set_models(SolverResult& result) const {
    const double n = double(figures_.unknowns), bandwidth = figures_.roof.bandwidth;
    const auto& textbook = solver::textbook_cost;
    const double textbook_words = double(figures_.entries) + (2 + textbook.words) * n;
    result.textbook =
        textbook.launches * slides_launch + textbook.reads * slides_read + textbook_words * sizeof(Real) / bandwidth;
    if (!is_pointwise(result.settings.preconditioner)) return;
    IterationModel model{solver::iteration_cost(result.settings), 0, 0};
    model.bytes = figures_.bytes + model.cost.words * n * sizeof(Real);
    model.seconds = model.cost.launches * figures_.launch + model.cost.reads * figures_.read + model.bytes / bandwidth;
    result.model = model;
  }

  Instance instance_;
  const SolverOptions& o_;
  MatrixFigures figures_;
  System system_;
  linalg::DistributedOperator<Real> A_;
  HostRows rows_;
  Vector<const double> near_null_;  ///< (row, mode); empty: ones
  Vector<Real> b_, x_;
};

template <class Real>
void run(const SolverOptions& o, const MatrixChoice& choice,
         const std::function<void(const solver::SolveSettings&)>& next,
         const std::function<void(int, double)>& progress,
         const std::function<void(const MatrixFigures&, const SolverResult&)>& done) {
  SolverRun<Real> run(o, choice);
  for (const solver::SolveSettings& settings : o.solves()) {
    next(settings);
    SolverResult unsolved;
    unsolved.settings = settings;
    unsolved.phases = run.figures().phases;
    SolverResult result = run.figures().passed() && !o.verify_only ? run.run(settings, progress) : unsolved;
    run.count_ranks(result);
    done(run.figures(), result);
  }
}

}  // namespace

double SolverResult::residual_error() const { return std::fabs(host_residual - cg->true_relative_residual); }

void run_solves(const SolverOptions& o, const MatrixChoice& choice,
                const std::function<void(const solver::SolveSettings&)>& next,
                const std::function<void(int, double)>& progress,
                const std::function<void(const MatrixFigures&, const SolverResult&)>& done) {
  if (o.precision == Precision::fp64) return run<double>(o, choice, next, progress, done);
  run<float>(o, choice, next, progress, done);
}

}  // namespace miniapp::apps
