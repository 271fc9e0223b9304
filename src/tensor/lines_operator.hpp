// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/geometry/determinant.hpp"
#include "tensor/fused_operator.hpp"
#include "tensor/mass_lines_kernel.hpp"
#include "tensor/stiffness_lines_kernel.hpp"

namespace miniapp::tensor {

/// The kernels of a thread a line.
template <Problem problem, int order, class Real>
class LinesOperator : public FusedOperator<LinesOperator<problem, order, Real>, order, Real> {
  static constexpr bool mass = problem == Problem::bp1_0;

 public:
  explicit LinesOperator(const Discretisation& d)
      : FusedOperator<LinesOperator, order, Real>(d),
        tables_(d.basis),
        lambda_(static_cast<Real>(d.lambda)),
        factors_(make_factors(d)) {}

  std::size_t factor_bytes() const { return factors_.extent(0) * sizeof(Real); }

  static constexpr const char* label = "tensor/lines";
  template <class Nodes>
  auto body(const Nodes& nodes) const {
    if constexpr (mass)
      return MassLinesKernel<order, Real, Nodes>{tables_, nodes, factors_.data(), this->elements()};
    else
      return StiffnessLinesKernel<problem, order, Real, Geometry::computed, Nodes>{tables_, nodes, factors_.data(),
                                                                                   lambda_, this->elements()};
  }

 private:
  /// What an element's factors are computed from.
  static Vector<const Real> make_factors(const Discretisation& d) {
    if constexpr (mass) return geometry::make_determinants<Real>(d.trilinear);
    const Vector<Real> rounded = make_vector<Real>("tensor/lines/trilinear", d.trilinear.extent(0));
    Kokkos::deep_copy(rounded, d.trilinear);
    return rounded;
  }

  LineTables<problem, order, Real> tables_;
  Real lambda_;
  Vector<const Real> factors_;
};

}  // namespace miniapp::tensor
