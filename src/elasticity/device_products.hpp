// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <type_traits>

#include "elasticity/paper_integrator.hpp"
#include "elasticity/scaled_gradients.hpp"
#include "elasticity/tile_products.hpp"
#include "elasticity/whole_products.hpp"

/// Method `products` on devices: P_ab(r, s) = sum_q F_a(q, r) F_b(q, s), F_a(q, r) = sqrt(w det J) d_a phi_r, and
///   A_ik(r, s) = lambda P_ik + mu P_ki + delta_ik mu (P_00 + P_11 + P_22), A_ik(r, s) = A_ki(s, r).
/// An entry of P costs one multiply-add per point, lambda and mu are applied once, and half of the entries of A are
/// copies. Requires w > 0. Orders up to 3: WholeProducts. From order 4: ScaledGradients, then TileProducts.
namespace miniapp::elasticity {

template <int order, class Real, bool cores = has_double_cores&& std::is_same_v<Real, double>>
class ProductsIntegrator : public Integrator<Real> {
 public:
  explicit ProductsIntegrator(const Plan& plan)
      : tables_(make_device_tables<Real>(order)),
        slice_size_(std::min<std::size_t>(plan.elements, 1'000'000'000 / (sizeof(Real) * Gradients::numbers))) {
    if constexpr (!whole) F_ = make_vector<Real>("elasticity/F", slice_size_ * Gradients::numbers);
  }

  void run(const Instance& instance, const Input<Real>& input, const Vector<Real>& matrices) const override {
    const Real *const derivatives = tables_.derivatives.data(), *const points = tables_.points.data();
    if constexpr (whole) {
      for_teams(instance, "elasticity/products", static_cast<int>(input.size),
                Kernel{derivatives, points, input.vertices.data(), input.materials.data(), matrices.data()});
    } else {
      for (std::size_t begin = 0; begin < input.size; begin += slice_size_) {
        const auto size = static_cast<int>(std::min(slice_size_, input.size - begin));
        for_teams(instance, "elasticity/gradients", size * Gradients::groups,
                  Gradients{derivatives, points, input.vertices.data() + 18 * begin, F_.data()});
        for_teams(instance, "elasticity/products", size * Kernel::pairs,
                  Kernel{F_.data(), input.materials.data() + 2 * begin, matrices.data() + begin * 9 * n * n});
      }
    }
  }
  double flops() const override { return 18.0 * n * n * basis::number_of_points(order) / 2; }
  TeamResources resources() const override { return team_resources<Kernel>(); }

 private:
  static constexpr bool whole = order <= 3;
  static constexpr std::size_t n = basis::number_of_shape_functions(order);
  using Gradients = ScaledGradients<order, Real>;
  using Kernel = std::conditional_t<whole, WholeProducts<order, Real, cores>, TileProducts<order, Real, cores>>;
  DeviceTables<Real> tables_;
  std::size_t slice_size_;  ///< elements whose F is in memory at once, 1 GB in total
  Vector<Real> F_;
};

}  // namespace miniapp::elasticity
