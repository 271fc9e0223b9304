// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "miniapp/geometry/determinant.hpp"
#include "tensor/lines/fused_operator.hpp"
#include "tensor/lines/mass_lines_kernel.hpp"
#include "tensor/lines/stiffness_lines_kernel.hpp"

namespace miniapp::tensor {

/// Factors at points (i, j, k) for lines along r: (element, component, i, k, j), components in the order (s, t, r).
template <int q, int components, class Real>
struct TurnFactors {
  Vector<const Real> from;
  Vector<Real> to;
  KOKKOS_FUNCTION void operator()(std::int64_t flat) const {
    constexpr int points = q * q * q;
    constexpr int source[7] = {3, 4, 1, 5, 2, 0, 6};  // ss, st, sr, tt, tr, rr, W
    const int point = static_cast<int>(flat % points), j = point % q, k = point / q % q, i = point / (q * q);
    const int component = static_cast<int>(flat / points % components);
    const std::int64_t element = flat / (points * components);
    to(flat) = from((element * components + (components == 1 ? 0 : source[component])) * points + i + q * (j + q * k));
  }
};

/// The kernels with one thread per line. `varies`: those that read k beside their lines.
template <Problem problem, Geometry geometry, int order, class Real, bool varies = false>
class LinesOperator : public FusedOperator<LinesOperator<problem, geometry, order, Real, varies>, order, Real> {
  static constexpr bool mass = !has_stiffness(problem);
  static constexpr int q = quadrature_points(problem, order, geometry);
  static constexpr std::size_t points = std::size_t(q) * q * q;

 public:
  explicit LinesOperator(const Discretisation& d)
      : FusedOperator<LinesOperator, order, Real>(d),
        tables_(geometry == Geometry::affine && !is_collocated(problem) ? basis::TensorBasis(order, q) : d.basis),
        lambda_(static_cast<Real>(d.lambda)),
        factors_(make_factors(d)),
        coefficient_(make_coefficient(d)),
        factors_per_element_(factors_.extent(0) / std::max<std::size_t>(1, d.mesh->num_elements())) {}

  std::size_t factor_bytes() const { return (factors_.extent(0) + coefficient_.extent(0)) * sizeof(Real); }

  static constexpr const char* label = "tensor/lines";
  template <class Nodes>
  auto body(const Nodes& nodes, int first, int count) const {
    const Real* const factors = factors_.data() + first * factors_per_element_;
    if constexpr (mass)
      return MassLinesKernel<order, Real, geometry, Nodes>{tables_, nodes, factors, count};
    else
      return StiffnessLinesKernel<problem, order, Real, geometry, varies, Nodes>{
          tables_, nodes, factors, varies ? coefficient_.data() + first * points : nullptr, lambda_, count};
  }

 private:
  void update_factors(bool has_changed) override {
    const Discretisation& d = this->discretisation();
    lambda_ = static_cast<Real>(d.lambda);
    if (!has_changed) return;
    if constexpr (geometry == Geometry::stored) factors_ = make_factors(d);
    coefficient_ = make_coefficient(d);
  }
  /// What the kernel reads of each element.
  static Vector<const Real> make_factors(const Discretisation& d) {
    if constexpr (geometry == Geometry::stored)
      return make_line_factors(d);
    else if constexpr (geometry == Geometry::affine)
      return geometry::make_factors<Real>(d.trilinear, basis::centre(), false);
    else if constexpr (mass)
      return geometry::make_determinants<Real>(d.trilinear);
    else
      return make_maps(d);
  }
  /// Stored factors (element, component, c, b, a), in the order in which the threads of a team read them; see
  /// StiffnessLinesKernel. For lines along r the directions of geometry::make_factors are permuted.
  static Vector<const Real> make_line_factors(const Discretisation& d) {
    return turned < mass ? 1 : geometry::num_factors > (d.make_factors<Real>(mass));
  }
  /// The coefficient (element, c, b, a), unless it is in the factors.
  static Vector<const Real> make_coefficient(const Discretisation& d) {
    if constexpr (varies) return turned<1>(convert<Real>(d.coefficient));
    return {};
  }
  static Vector<const Real> make_maps(const Discretisation& d) { return convert<Real>(d.trilinear); }
  template <int components>
  static Vector<const Real> turned(const Vector<const Real>& from) {
    if constexpr (is_collocated(problem)) return from;
    const Vector<Real> to = make_vector<Real>("tensor/lines/factors", from.extent(0));
    Kokkos::parallel_for("tensor/lines/factors",
                         Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(0, from.extent(0)),
                         TurnFactors<order + 2, components, Real>{from, to});
    return to;
  }

  LineTables<problem, order, Real, q> tables_;
  Real lambda_;
  Vector<const Real> factors_, coefficient_;
  std::size_t factors_per_element_;
};

}  // namespace miniapp::tensor
