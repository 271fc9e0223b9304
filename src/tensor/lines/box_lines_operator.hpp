// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "miniapp/geometry/boxes.hpp"
#include "tensor/lines/box_lines_kernel.hpp"
#include "tensor/lines/fused_operator.hpp"

namespace miniapp::tensor {

/// The numbers of boxes (element, num_box_factors), rounded, the last times `mass`.
template <class Real>
struct RoundBoxes {
  Vector<const double> from;
  Vector<Real> to;
  double mass;
  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    const bool is_mass = i % geometry::num_box_factors == geometry::num_box_factors - 1;
    to(i) = static_cast<Real>(is_mass ? mass * from(i) : from(i));
  }
};

/// The operators on boxes by BoxLinesKernel.
template <Problem problem, int order, class Real>
class BoxLinesOperator : public FusedOperator<BoxLinesOperator<problem, order, Real>, order, Real> {
 public:
  explicit BoxLinesOperator(const Discretisation& d)
      : FusedOperator<BoxLinesOperator, order, Real>(d), tables_(d.basis), boxes_(make_boxes(d)) {}

  std::size_t factor_bytes() const { return boxes_.extent(0) * sizeof(Real); }

  static constexpr const char* label = "tensor/boxes";
  template <class Nodes>
  BoxLinesKernel<problem, order, Real, Nodes> body(const Nodes& nodes, int first, int count) const {
    return {tables_, nodes, boxes_.data() + std::size_t(first) * geometry::num_box_factors, count};
  }

 private:
  void update_factors(bool) override { boxes_ = make_boxes(this->discretisation()); }
  static Vector<const Real> make_boxes(const Discretisation& d) {
    const Vector<const double> from = geometry::make_boxes(d.trilinear);
    const Vector<Real> to = make_vector<Real>("tensor/boxes", from.extent(0));
    Kokkos::parallel_for("tensor/boxes", Kokkos::RangePolicy<ExecutionSpace>(0, from.extent(0)),
                         RoundBoxes<Real>{from, to, has_stiffness(problem) ? d.lambda : 1});
    return to;
  }

  BoxTables<problem, order, Real> tables_;
  Vector<const Real> boxes_;
};

}  // namespace miniapp::tensor
