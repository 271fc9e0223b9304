// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tensor/lines/fused_operator.hpp"
#include "tensor/lines/tiles_kernel.hpp"

namespace miniapp::tensor {

/// BP3.5 of order 7 by TilesKernel.
class TilesOperator : public FusedOperator<TilesOperator, 7, double> {
 public:
  explicit TilesOperator(const Discretisation& d)
      : FusedOperator(d), tables_(d.basis), lanes_(make_lanes(d.basis)), trilinear_(d.trilinear), lambda_(d.lambda) {}

  std::size_t factor_bytes() const { return trilinear_.extent(0) * sizeof(double); }

  static constexpr const char* label = "tensor/tiles";
  template <class Nodes>
  TilesKernel<Nodes> body(const Nodes& nodes, int first, int count) const {
    return {tables_, lanes_.data(), nodes, trilinear_.data() + std::size_t(first) * 24, lambda_, count};
  }

 private:
  void update_factors(bool) override { lambda_ = this->discretisation().lambda; }
  using DeviceTables = Kokkos::View<TileTables, MemorySpace>;
  static DeviceTables make_lanes(const basis::TensorBasis& basis) {
    const DeviceTables device(Kokkos::view_alloc(Kokkos::WithoutInitializing, "tensor/tiles/tables"));
    const TileTables host(basis);
    Kokkos::deep_copy(device, Kokkos::View<const TileTables, Kokkos::HostSpace>(&host));
    return device;
  }

  LineTables<Problem::bp3_5, 7, double> tables_;
  DeviceTables lanes_;
  Vector<const double> trilinear_;
  double lambda_;
};

}  // namespace miniapp::tensor
