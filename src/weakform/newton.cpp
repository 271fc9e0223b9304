// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/weakform/newton.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <memory>

#include "miniapp/linalg/vectors.hpp"
#include "miniapp/solver/reliable_residual.hpp"
#include "weakform/newton_system.hpp"

namespace miniapp::weakform {
namespace {

/// lift = prescribed - u at held unknowns.
template <class Real>
struct MakeLift {
  const Index* held;
  const Real *prescribed, *u;
  Real* lift;
  KOKKOS_FUNCTION void operator()(const Index i) const { lift[held[i]] = prescribed[held[i]] - u[held[i]]; }
};

/// v = 0 at held unknowns.
template <class Real>
struct ClearHeld {
  const Index* held;
  Real* v;
  KOKKOS_FUNCTION void operator()(const Index i) const { v[held[i]] = 0; }
};

template <class Body>
void for_held(const Instance& instance, const Vector<const Index>& held, const Body& body) {
  Kokkos::parallel_for("weakform/held",
                       Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<Index>>(
                           instance.space(), 0, static_cast<Index>(held.extent(0))),
                       body);
}

/// The Jacobian at u, with columns of constrained nodes, for estimate_floor().
template <class Real>
struct Action {
  const detail::NewtonProblem<Real>& problem;
  Vector<const Real> u;
  const space::Space& space() const { return problem.unknowns; }
  void apply(const Instance& instance, const Vector<const Real>& x, const Vector<Real>& y) const {
    problem.action(instance, u, x, y);
    for_held(instance, problem.held, ClearHeld<Real>{problem.held.data(), y.data()});
  }
  double bytes() const { return 0; }
};

/// The vectors of Newton's method, and what it does with them.
template <class Real>
class Iteration {
 public:
  Iteration(const Instance& instance, const detail::NewtonProblem<Real>& problem, const Vector<const Real>& prescribed,
            const Vector<Real>& u, const NewtonOptions& options)
      : instance_(instance),
        problem_(problem),
        options_(options),
        system_(problem.system ? problem.system : detail::make_system(problem)),
        u_(u) {
    for (Vector<Real>* const vector : {&r_, &d_, &q_, &lift_, &trial_})
      *vector = make_zeros<Real>("weakform/newton", u.extent(0));
    for_held(instance, problem.held, MakeLift<Real>{problem.held.data(), prescribed.data(), u.data(), lift_.data()});
    lifts_ = norm(lift_) != 0;  // also where it is NaN, so that the residual tells
  }

  bool lifts() const { return lifts_; }  ///< whether prescribed values are still to be reached

  /// |r(v) + J(v) left lift|; leaves that vector in r. May be NaN.
  double residual(const Vector<const Real>& v, double left) {
    problem_.residual(instance_, v, r_);
    if (lifts_ && left > 0) {
      problem_.action(instance_, v, lift_, q_);
      linalg::axpby<Real>(instance_, Real(left), q_, Real(1), r_);
    }
    problem_.unknowns.exchange.sum(instance_, r_);
    for_held(instance_, problem_.held, ClearHeld<Real>{problem_.held.data(), r_.data()});
    return norm(r_);
  }
  double residual() { return residual(u_, 1); }
  /// |r| at u + t d.
  double residual_after(double t) {
    linalg::copy<Real>(instance_, u_, trial_);
    linalg::axpby<Real>(instance_, Real(t), d_, Real(1), trial_);
    return residual(trial_, 1 - t);
  }
  /// Finds d from the vector that the last residual() has left.
  LinearOutcome find_step() {
    const LinearOutcome outcome = system_->solve(instance_, problem_.assemble(instance_, u_), r_, d_, options_);
    linalg::axpby<Real>(instance_, Real(lifts_ ? 1 : 0), lift_, Real(-1), d_);
    return outcome;
  }
  /// Takes the step of the last residual_after(t).
  void accept(double t) {
    linalg::copy<Real>(instance_, trial_, u_);
    if (!lifts_) return;
    lifts_ = t < 1;
    linalg::axpby<Real>(instance_, Real(0), lift_, Real(1 - t), lift_);
  }
  /// The |r| that the rounding of u alone leaves, or of the displaced points x + u, since their distances are what the
  /// form computes with. Overwrites d, trial and q.
  double floor() {
    linalg::copy<Real>(instance_, u_, d_);
    if (problem_.places.extent(0) > 0) linalg::axpby<Real>(instance_, Real(1), problem_.places, Real(1), d_);
    return solver::estimate_floor<Real>(instance_, Action<Real>{problem_, u_}, d_, trial_, q_);
  }

 private:
  double norm(const Vector<const Real>& of) const {
    return std::sqrt(linalg::dot<Real>(instance_, problem_.unknowns, of, of));
  }

  const Instance& instance_;
  const detail::NewtonProblem<Real>& problem_;
  const NewtonOptions& options_;
  std::shared_ptr<LinearSystem<Real>> system_;
  Vector<Real> u_, r_, d_, q_, lift_, trial_;
  bool lifts_ = false;
};

/// `sizes`: of the vectors that are given.
void check(std::size_t size, std::initializer_list<std::size_t> sizes, const NewtonOptions& options) {
  for (const std::size_t entries : sizes)
    require(entries == size,
            "a vector of " + std::to_string(entries) + " entries: accepted are " + std::to_string(size));
  const auto positive = [](double value, const std::string& what) {
    require(value > 0 && value < 1, what, std::to_string(value), "accepted are numbers between 0 and 1");
  };
  positive(options.tolerance, "tolerance");
  positive(options.linear_tolerance, "linear_tolerance");
  positive(options.shortest_step, "shortest_step");
  require(options.max_iterations >= 1, "max_iterations", options.max_iterations, "accepted are 1 and more");
  require(options.max_linear_iterations >= 1, "max_linear_iterations", options.max_linear_iterations,
          "accepted are 1 and more");
}

template <class Real>
NewtonResult take_steps(const Instance& instance, const detail::NewtonProblem<Real>& problem,
                        const Vector<const Real>& prescribed, const Vector<Real>& u, const NewtonOptions& options) {
  check(problem.unknowns.num_entries(), {prescribed.extent(0), u.extent(0)}, options);
  Iteration<Real> iteration(instance, problem, prescribed, u, options);
  NewtonResult result;
  const auto record = [&](double norm) {
    result.residuals.push_back(norm);
    if (options.progress) options.progress(static_cast<int>(result.steps.size()), norm);
  };
  const auto end = [&](NewtonVerdict verdict, const std::string& remark = {}) {
    result.verdict = verdict;
    if (!remark.empty()) result.remark = remark;
    return result;
  };
  /// Whether rounding forbids a smaller residual.
  const auto is_at_floor = [&](double norm) {
    result.floor = iteration.floor();
    return norm <= std::min(solver::floor_slack * result.floor, solver::largest_stagnation * result.residuals.front());
  };
  double norm = iteration.residual();
  record(norm);
  if (!std::isfinite(norm)) return end(NewtonVerdict::diverged, "the residual of the first guess is not finite");
  while (iteration.lifts() || norm > options.tolerance * result.residuals.front()) {
    const std::string step = std::to_string(result.steps.size() + 1);
    if (static_cast<int>(result.steps.size()) == options.max_iterations) return end(NewtonVerdict::unconverged);
    const LinearOutcome linear = iteration.find_step();
    if (!linear.failure.empty()) return end(NewtonVerdict::broke_down, "step " + step + ": " + linear.failure);
    if (!linear.single_breakdown.empty()) result.single_breakdown = "step " + step + ": " + linear.single_breakdown;
    if (linear.verdict == solver::Verdict::unconverged)
      result.remark = "step " + step + ": the linear solve ended unconverged";

    double t = 1, next = iteration.residual_after(t);
    // While prescribed values change, |r| may grow: no step length is known to make it smaller.
    const auto accepts = [&] { return std::isfinite(next) && (iteration.lifts() || next <= (1 - 1e-4 * t) * norm); };
    while (!accepts() && t / 2 >= options.shortest_step) next = iteration.residual_after(t /= 2);
    if (!accepts()) {
      if (is_at_floor(norm)) return end(NewtonVerdict::stagnated);
      return end(NewtonVerdict::diverged, "step " + step + ": no step length makes the residual smaller");
    }
    iteration.accept(t);
    result.steps.push_back({t, linear.iterations, linear.sets_up});
    record(next);
    const bool hardly_falls = next > norm / 2;
    norm = next;
    if (hardly_falls && norm > options.tolerance * result.residuals.front() && is_at_floor(norm))
      return end(NewtonVerdict::stagnated);
  }
  return end(NewtonVerdict::converged);
}

}  // namespace

int NewtonResult::linear_iterations() const {
  int sum = 0;
  for (const NewtonStep& step : steps) sum += step.linear_iterations;
  return sum;
}

int NewtonResult::set_ups() const {
  return static_cast<int>(
      std::count_if(steps.begin(), steps.end(), [](const NewtonStep& step) { return step.sets_up; }));
}

std::vector<Index> detail::held_unknowns(const space::Space& space, const std::vector<char>& held) {
  std::vector<char> flags = held.empty() ? std::vector<char>(space.num_entries(), 0) : held;
  for (const Index node : space.masked)
    for (int c = 0; c < space.components; ++c) flags[space.entry(node, c)] = 1;
  std::vector<Index> unknowns;
  for (std::size_t i = 0; i < flags.size(); ++i)
    if (flags[i]) unknowns.push_back(static_cast<Index>(i));
  return unknowns;
}

template <class Real>
std::shared_ptr<LinearSystem<Real>> detail::make_system(const NewtonProblem<Real>& problem) {
  return std::make_shared<LinearSystem<Real>>(problem.unknowns, problem.near_null, problem.symmetric);
}
template std::shared_ptr<LinearSystem<float>> detail::make_system(const NewtonProblem<float>&);
template std::shared_ptr<LinearSystem<double>> detail::make_system(const NewtonProblem<double>&);

template <class Real>
NewtonResult detail::run_newton(const Instance& instance, const NewtonProblem<Real>& problem,
                                const Vector<const Real>& prescribed, const Vector<Real>& u,
                                const NewtonOptions& options) {
  return take_steps(instance, problem, prescribed, u, options);
}

template NewtonResult detail::run_newton(const Instance&, const NewtonProblem<float>&, const Vector<const float>&,
                                         const Vector<float>&, const NewtonOptions&);
template NewtonResult detail::run_newton(const Instance&, const NewtonProblem<double>&, const Vector<const double>&,
                                         const Vector<double>&, const NewtonOptions&);

}  // namespace miniapp::weakform
