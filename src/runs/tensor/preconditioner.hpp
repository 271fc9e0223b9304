// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/measure/stopwatch.hpp"
#include "miniapp/solver/any_preconditioner.hpp"
#include "runs/tensor/settings.hpp"

namespace miniapp::tensor {

/// The preconditioner that a case has chosen, of type Identity, Jacobi<Real>, ChebyshevPreconditioner, LowOrderAmg,
/// LowOrderIlu or PMultigrid. `d` must outlive it. Times the phases of its set-up. Collective. Errors: those of its
/// type.
template <class Real>
solver::ChosenPreconditioner<Real> make_preconditioner(const CaseSettings& settings, const Discretisation& d,
                                                       measure::Phases& phases);

/// What replaces multigrid over orders and on the low-order matrix where they break down in single precision, of type
/// LowOrderAmgInDouble, or, on several ranks and where memory does not suffice for that, Jacobi<double>. Errors: as
/// solver::Amg and make_diagonal().
solver::ChosenPreconditioner<double> make_fallback(const CaseSettings& settings, const Discretisation& d,
                                                   measure::Phases& phases);

}  // namespace miniapp::tensor
