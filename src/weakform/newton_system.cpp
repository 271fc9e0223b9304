// SPDX-License-Identifier: BSD-3-Clause
#include "weakform/newton_system.hpp"

#include <limits>
#include <type_traits>

#include "miniapp/linalg/matrix_operator.hpp"
#include "miniapp/solver/cg.hpp"
#include "miniapp/solver/distributed_amg.hpp"
#include "miniapp/solver/gmres.hpp"
#include "miniapp/solver/jacobi.hpp"

namespace miniapp::weakform {
namespace {

using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<Index>>;

/// S(i, j) = (A(i, j) + A(j, i)) / 2 for a symmetric pattern.
linalg::CsrMatrix<double> symmetric_part(const Instance& instance, const linalg::CsrMatrix<double>& A) {
  linalg::CsrMatrix<double> result = A;
  result.values = make_vector<double>("weakform/symmetric part", A.values.extent(0));
  Kokkos::parallel_for(
      "weakform/symmetric part", Range(instance.space(), 0, A.num_rows), KOKKOS_LAMBDA(const Index row) {
        for (Index e = A.offsets(row); e < A.offsets(row + 1); ++e) {
          const Index other = A.columns(e);
          Index low = A.offsets(other);
          for (Index left = A.offsets(other + 1) - low; left > 1; left -= left / 2)
            low += left / 2 * (A.columns(low + left / 2) <= row);
          result.values(e) = (A.values(e) + A.values(low)) / 2;
        }
      });
  return result;
}

/// The diagonal of the sum of all ranks' matrices. Collective. Errors: ResultError where an entry is not positive, on
/// all ranks.
Vector<double> positive_diagonal(const Instance& instance, const linalg::CsrMatrix<double>& A,
                                 const space::Exchange& exchange) {
  const Vector<double> result = linalg::diagonal(A);
  exchange.sum(instance, result);
  instance.fence();
  const auto host = to_host(result);
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max(), ranks_apart = std::int64_t(1) << 32;
  std::int64_t first = none;
  for (std::size_t i = host.extent(0); i-- > 0;)
    if (!(host(i) > 0)) first = exchange.ranks().rank() * ranks_apart + static_cast<std::int64_t>(i);
  first = exchange.ranks().of_all(Reduction::min, first);
  if (first < none)
    throw ResultError("entry " + std::to_string(first % ranks_apart) +
                      (exchange.empty() ? "" : " of rank " + std::to_string(first / ranks_apart)) +
                      " of the Jacobian's diagonal is not positive");
  return result;
}

solver::AmgOptions amg_options(int components) {
  solver::AmgOptions options;
  options.block = components;
  if (components > 1) options.strength = 0;  // as elasticity, whose iterations it halves
  return options;
}

}  // namespace

template <class Real>
LinearOutcome LinearSystem<Real>::iterate(const Instance& instance, const linalg::CsrMatrix<double>& J,
                                          const solver::AnyPreconditioner<Real>& preconditioner,
                                          const Vector<const Real>& b, const Vector<Real>& d,
                                          const NewtonOptions& options) const {
  const linalg::MatrixOperator<Real> A(J, unknowns_.exchange);
  if (!symmetric_) {
    solver::GmresWorkspace<Real> work(b.extent(0));
    const auto result = solver::gmres<Real>(instance, A, preconditioner, b, d, work,
                                            {options.linear_tolerance, options.max_linear_iterations});
    return {result.iterations, result.verdict};
  }
  solver::CgWorkspace<Real> work(b.extent(0), true);
  const auto result = solver::cg<Real>(instance, A, preconditioner, b, d, work,
                                       {options.linear_tolerance, options.max_linear_iterations, {}});
  return {result.iterations, result.verdict, result.verdict == solver::Verdict::diverged ? "CG diverged" : ""};
}

template <class Real>
solver::ChosenPreconditioner<Real> LinearSystem<Real>::make_preconditioner(const Instance& instance,
                                                                           const linalg::CsrMatrix<double>& J,
                                                                           LinearPreconditioner kind) const {
  using solver::make_any;
  if (kind == LinearPreconditioner::none) return make_any<Real, solver::Identity>();
  if (kind == LinearPreconditioner::jacobi)
    return make_any<Real, solver::Jacobi<Real>>(positive_diagonal(instance, J, unknowns_.exchange));
  positive_diagonal(instance, J, unknowns_.exchange);
  const linalg::CsrMatrix<double> S = symmetric_ ? J : symmetric_part(instance, J);
  instance.fence();
  return make_any<Real, solver::DistributedAmg>(S, unknowns_, amg_options(unknowns_.components), near_null_, cycles_);
}

template <class Real>
LinearOutcome LinearSystem<Real>::solve(const Instance& instance, const linalg::CsrMatrix<double>& J,
                                        const Vector<const Real>& b, const Vector<Real>& d,
                                        const NewtonOptions& options) try {
  if (options.preconditioner != LinearPreconditioner::none)
    instance.fence();  // preconditioners are set up on the default instance
  const bool keeps = options.preconditioner == LinearPreconditioner::amg;
  if (options.preconditioner != kind_ || options.linear_tolerance != tolerance_) kept_.reset();
  if (options.amg_precision != asked_) {
    kept_.reset();
    cycles_ = asked_ = options.amg_precision;
  }
  kind_ = options.preconditioner;
  tolerance_ = options.linear_tolerance;
  if (kept_ && keeps) {
    try {
      const LinearOutcome outcome = iterate(instance, J, *kept_, b, d, options);
      const bool serves = outcome.iterations <= kept_growth * first_iterations_ + kept_slack;
      const bool solved =
          outcome.verdict == solver::Verdict::converged || outcome.verdict == solver::Verdict::stagnated;
      if (!serves || !solved) kept_.reset();
      if (solved) return outcome;
    } catch (const ResultError&) {  // the system is not the one that it was set up for
      kept_.reset();
    }
  }
  const auto start_anew = [&] {
    kept_ = make_preconditioner(instance, J, options.preconditioner);
    LinearOutcome outcome = iterate(instance, J, *kept_, b, d, options);
    first_iterations_ = outcome.iterations;
    outcome.sets_up = keeps;
    return outcome;
  };
  // Single precision can make a definite matrix of condition 10^8 indefinite.
  const bool falls_back = keeps && cycles_ == Precision::fp32 && std::is_same_v<Real, double>;
  if (!falls_back) return start_anew();
  std::string failure;
  try {
    const LinearOutcome outcome = start_anew();
    if (outcome.failure.empty()) return outcome;
    failure = outcome.failure;
  } catch (const ResultError& error) {
    failure = error.what();
  }
  cycles_ = Precision::fp64;
  LinearOutcome outcome = start_anew();
  if (outcome.failure.empty()) outcome.single_breakdown = failure;
  return outcome;
} catch (const ResultError& error) {
  return {0, solver::Verdict::diverged, error.what()};
} catch (const InputError& error) {  // of matrices that Amg cannot take
  return {0, solver::Verdict::diverged, error.what()};
}

template class LinearSystem<float>;
template class LinearSystem<double>;

}  // namespace miniapp::weakform
