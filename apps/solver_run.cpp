// SPDX-License-Identifier: BSD-3-Clause
#include "solver_run.hpp"

#include <algorithm>
#include <cmath>

#include "measure/iterations.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/core/tolerance.hpp"
#include "miniapp/tensor/verification.hpp"

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
  }

 private:
  measure::Phases& phases_;
  std::string phase_;
  double start_;
};

/// The matrix on the host, row by row: obvious loops in double precision, for comparison.
class HostRows {
 public:
  explicit HostRows(const linalg::CsrMatrix<double>& matrix)
      : offsets_(to_host(matrix.offsets)), columns_(to_host(matrix.columns)), values_(to_host(matrix.values)) {}

  Index size() const { return static_cast<Index>(offsets_.extent(0)) - 1; }
  Index length(Index row) const { return offsets_(row + 1) - offsets_(row); }
  /// sum_j f(a_ij, x_j).
  template <class X, class F>
  double sum(Index row, const X& x, const F& f) const {
    double total = 0;
    for (Index e = offsets_(row); e < offsets_(row + 1); ++e) total += f(values_(e), double(x(columns_(e))));
    return total;
  }
  template <class X>
  double product(Index row, const X& x) const {
    return sum(row, x, [](double a, double value) { return a * value; });
  }

 private:
  decltype(to_host(Vector<Index>())) offsets_, columns_;
  decltype(to_host(Vector<double>())) values_;
};

template <class Real>
class SolverRun {
 public:
  SolverRun(const SolverOptions& options, const MatrixChoice& choice)
      : o_(options),
        system_(figures_.phases.time("matrix", [&] { return make_system(choice); })),
        A_(figures_.phases.time("slices", [&] { return linalg::MatrixOperator<Real>(system_.matrix); })),
        rows_(system_.matrix) {
    figures_.choice = choice;
    figures_.unknowns = system_.matrix.num_rows;
    figures_.entries = system_.matrix.num_entries();
    figures_.bytes = A_.bytes();
    if (choice.kind == MatrixKind::file) {
      figures_.choice.file_rows = double(figures_.unknowns);
      figures_.choice.file_entries = double(figures_.entries);
      require_memory(memory_need(o_, figures_.choice), describe_size(choice), "a smaller matrix");
    }
    verify_and_time_product();
    if (!figures_.passed()) return;
    figures_.roof = measure::copy_roof({figures_.bytes, 0});
    time_launches();
    make_right_hand_side();
  }

  const MatrixFigures& figures() const { return figures_; }

  SolverResult run(const solver::SolveSettings& settings, const std::function<void(int, double)>& progress) {
    SolverResult result;
    result.settings = settings;
    result.phases = figures_.phases;
    try {
      PhaseClock clock(result.phases);
      const auto solver =
          solver::make_solver<Real>(system_.matrix, A_, settings, [&](const char* phase) { clock.begin(phase); });
      result.hierarchy = solver->hierarchy();
      result.preconditioner_bytes = solver->preconditioner_bytes();
      result.launch_levels = solver->launch_levels();
      solve(*solver, progress, result);
    } catch (const ResultError& error) {
      result.cg.reset();
      result.breakdown = error.what();
    }
    set_models(result);
    return result;
  }

 private:
  void verify_and_time_product() {
    const Vector<Real> x = convert<Real>(tensor::random_vector(space::make_unknowns(system_.matrix.num_rows), 2)),
                       y = make_vector<Real>("y", x.extent(0));
    A_.apply(instance_, x, y);
    instance_.fence();
    const auto x_host = to_host(x), y_host = to_host(y);
    for (Index row = 0; row < rows_.size(); ++row) {
      const double scale = rows_.sum(row, x_host, [](double a, double value) { return std::fabs(a * value); });
      const double error = std::fabs(rows_.product(row, x_host) - double(y_host(row)));
      const double accepted = tolerance<Real>(std::max(1, rows_.length(row)), scale);
      if (error > 0 || std::isnan(error)) figures_.error = std::max(error / accepted, figures_.error);
    }
    if (figures_.passed()) figures_.product = measure::time([&] { A_.apply(instance_, x, y); }, o_.repeat);
  }

  void time_launches() {
    const Vector<double> number = make_zeros<double>("solver/number", 1);
    const Kokkos::RangePolicy<ExecutionSpace> one(instance_.space(), 0, 1);
    figures_.launch = measure::time([&] { Kokkos::parallel_for("solver/empty", one, EmptyLoop()); }, o_.repeat).median;
    double host = 0;
    figures_.read = measure::time(
                        [&] {
                          Kokkos::deep_copy(instance_.space(), host, Kokkos::subview(number, 0));
                          instance_.fence();
                        },
                        o_.repeat)
                        .median;
  }

  void make_right_hand_side() {
    Vector<double> b;
    if (o_.rhs == SolverRhs::random) {
      b = tensor::random_vector(system_.space, 1);
    } else {
      std::vector<double> ones(system_.space.num_entries(), 1);
      for (const Index node : system_.space.masked) ones[node] = 0;
      b = miniapp::to_device("solver/b", ones);
    }
    b_ = convert<Real>(b);
    x_ = make_vector<Real>("solver/x", b.extent(0));
  }

  void solve(solver::ChosenSolver<Real>& solver, const std::function<void(int, double)>& progress,
             SolverResult& result) {
    const auto iterate = [&](int iterations) { solver.solve(instance_, b_, x_, {0, iterations, {}}); };
    constexpr int timed = runs_on_host ? 20 : 100;
    if (o_.no_solve) {
      result.iteration = measure::time_iterations(iterate, timed, o_.repeat);
      return;
    }
    solver::CgOptions options = result.settings.cg;
    options.progress = progress;
    std::vector<double> seconds;
    for (int r = 0; r < o_.repeat; ++r) {
      const double start = measure::now();
      solver::CgResult cg = solver.solve(instance_, b_, x_, options);
      seconds.push_back(measure::now() - start);
      options.progress = {};
      if (r == 0) result.cg = std::move(cg);
    }
    compare_residuals(result);
    result.solve = measure::summarise(std::move(seconds));
    if (result.cg->iterations == 0) return;
    if (is_pointwise(result.settings.preconditioner)) {
      result.iteration = measure::time_iterations(iterate, std::min(timed, result.cg->iterations), o_.repeat);
    } else {
      result.iteration = result.solve;
      for (double* time : {&result.iteration.min, &result.iteration.median, &result.iteration.max})
        *time /= result.cg->iterations;
    }
  }

  void compare_residuals(SolverResult& result) const {
    const auto x = to_host(x_), b = to_host(b_);
    double r_r = 0, b_b = 0;
    for (Index row = 0; row < rows_.size(); ++row) {
      r_r += std::pow(double(b(row)) - rows_.product(row, x), 2);
      b_b += std::pow(double(b(row)), 2);
    }
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
  linalg::MatrixOperator<Real> A_;
  HostRows rows_;
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
    done(run.figures(), run.figures().passed() ? run.run(settings, progress) : unsolved);
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
