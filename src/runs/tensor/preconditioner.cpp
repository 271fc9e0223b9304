// SPDX-License-Identifier: BSD-3-Clause
#include "runs/tensor/preconditioner.hpp"

#include "miniapp/core/error.hpp"
#include "miniapp/multigrid/chebyshev.hpp"
#include "miniapp/multigrid/low_order_preconditioner.hpp"
#include "miniapp/multigrid/p_multigrid.hpp"
#include "miniapp/solver/jacobi.hpp"
#include "miniapp/tensor/diagonal.hpp"
#include "runs/tensor/memory.hpp"

namespace miniapp::tensor {

template <class Real>
solver::ChosenPreconditioner<Real> make_preconditioner(const CaseSettings& o, const Discretisation& d,
                                                       measure::Phases& phases) {
  using solver::make_any;
  switch (o.preconditioner) {
    case Preconditioner::none:
      return make_any<Real, solver::Identity>();
    case Preconditioner::jacobi:
      return phases.time("jacobi",
                         [&] { return make_any<Real, solver::Jacobi<Real>>(make_diagonal(d, o.in_fixed_order())); });
    case Preconditioner::chebyshev:
      return make_any<Real, multigrid::ChebyshevPreconditioner>(d, o.multigrid.degree, phases);
    case Preconditioner::lor_amg:
      return make_any<Real, multigrid::LowOrderAmg>(multigrid::make_low_order_amg(d, phases));
    case Preconditioner::lor_ilu:
      return make_any<Real, multigrid::LowOrderIlu>(multigrid::make_low_order_ilu(d, phases));
    case Preconditioner::p_multigrid:
      return make_any<Real, multigrid::PMultigrid>(d, o.multigrid, phases);
    case Preconditioner::automatic:
      break;
  }
  throw InputError("preconditioner auto: accepted is one that it stands for, see predict_costs()");
}

solver::ChosenPreconditioner<double> make_fallback(const CaseSettings& o, const Discretisation& d,
                                                   measure::Phases& phases) {
  constexpr double of_double = 1.5;  // times what single precision takes
  if (o.ranks.is_alone() && fits(o, of_double * solve_bytes(o.with(Preconditioner::lor_amg))))
    return solver::make_any<double, multigrid::LowOrderAmgInDouble>(multigrid::make_low_order_amg<double>(d, phases));
  return phases.time("jacobi", [&] { return solver::make_any<double, solver::Jacobi<double>>(make_diagonal(d)); });
}

template solver::ChosenPreconditioner<double> make_preconditioner(const CaseSettings&, const Discretisation&,
                                                                  measure::Phases&);
template solver::ChosenPreconditioner<float> make_preconditioner(const CaseSettings&, const Discretisation&,
                                                                 measure::Phases&);

}  // namespace miniapp::tensor
