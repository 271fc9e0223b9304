// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "elasticity/order_integrators.hpp"
#include "elasticity/paper_integrator.hpp"

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
    case Method::products:
    case Method::split:
      return nullptr;
  }
  return nullptr;
}

}  // namespace miniapp::elasticity
