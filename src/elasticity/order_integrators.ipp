// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "elasticity/order_integrators.hpp"
#include "elasticity/paper_integrator.hpp"
#if defined(MINIAPP_RUNS_ON_HOST)
#include "elasticity/host_products.hpp"
#include "elasticity/host_split.hpp"
#elif defined(KOKKOS_ENABLE_CUDA)
#include "elasticity/device_products.hpp"
#include "elasticity/device_split.hpp"
#endif

namespace miniapp::elasticity {

template <int order, class Real>
std::unique_ptr<Integrator<Real>> make_order_integrator(Method method, const Plan& plan) {
  switch (method) {
    case Method::reg_jac:
      return std::make_unique<PaperIntegrator<order, Real, Storage::registers, Jacobian::computed>>(plan);
    case Method::reg_nojac:
      return std::make_unique<PaperIntegrator<order, Real, Storage::registers, Jacobian::read>>(plan);
    case Method::shm_jac:
      return std::make_unique<PaperIntegrator<order, Real, Storage::scratch, Jacobian::computed>>(plan);
    case Method::shm_nojac:
      return std::make_unique<PaperIntegrator<order, Real, Storage::scratch, Jacobian::read>>(plan);
#if defined(MINIAPP_RUNS_ON_HOST)
    case Method::products:
      return std::make_unique<host::HostIntegrator<HostProducts<order, Real>, Real>>(order);
    case Method::split:
      return std::make_unique<host::HostIntegrator<HostSplit<order, Real>, Real>>(order);
#elif defined(KOKKOS_ENABLE_CUDA)
    case Method::products:
      return std::make_unique<ProductsIntegrator<order, Real>>(plan);
    case Method::split:
      return std::make_unique<SplitIntegrator<order, Real>>();
#else
    case Method::products:
    case Method::split:
      return nullptr;
#endif
  }
  return nullptr;
}

}  // namespace miniapp::elasticity
