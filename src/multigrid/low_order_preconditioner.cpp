// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/multigrid/low_order_preconditioner.hpp"

#include "miniapp/solver/chow_patel.hpp"

namespace miniapp::multigrid {

solver::AmgOptions low_order_amg_options() {
  solver::AmgOptions options;
  options.strength = 0.04;
  options.cycle = solver::Cycle::v;
  options.interpolation = 2;
  return options;
}

double num_low_order_entries(const std::array<double, 3>& nodes, bool stiffness, bool masked) {
  double all = 1, free = 1, between = 1, couplings = 1;
  for (const double side : nodes) {
    const double own = masked ? std::max(0., side - 2) : side, lines = std::max(0., own - 1);
    all *= side;
    free *= own;
    between *= lines;
    couplings *= own + 2 * lines;
  }
  return all + (stiffness ? couplings - free - 8 * between : 0);
}

template <class Real>
LowOrderPreconditioner<solver::Amg<Real>> make_low_order_amg(const Discretisation& d, measure::Phases& phases,
                                                             const solver::AmgOptions& options) {
  linalg::CsrMatrix<double> matrix = phases.time("low-order matrix", [&] { return make_low_order_matrix(d); });
  return {d, phases.time("amg", [&] { return std::make_unique<solver::Amg<Real>>(std::move(matrix), options); })};
}
template LowOrderAmg make_low_order_amg<float>(const Discretisation&, measure::Phases&, const solver::AmgOptions&);
template LowOrderAmgInDouble make_low_order_amg<double>(const Discretisation&, measure::Phases&,
                                                        const solver::AmgOptions&);

LowOrderIlu make_low_order_ilu(const Discretisation& d, measure::Phases& phases) {
  const linalg::CsrMatrix<double> matrix = phases.time("low-order matrix", [&] { return make_low_order_matrix(d); });
  return {d, phases.time("factors", [&] {
            return std::make_unique<solver::NeumannFactors<float>>(
                solver::chow_patel(matrix, solver::Incomplete::ic0, low_order_sweeps), low_order_terms);
          })};
}

}  // namespace miniapp::multigrid
