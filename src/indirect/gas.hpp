// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "indirect/bind.hpp"

/// The state of an ideal gas for the loops' cases.
namespace miniapp::indirect {

/// What is wrong with the gas of a cell, whose rho, rho u and rho E are the fields of `state`; empty: nothing.
///   p = (gamma - 1) (rho E - |rho u|^2 / (2 rho)), gamma = 1.4
template <int dim>
std::string why_no_gas(const std::vector<FieldValues>& state, std::size_t cell) {
  double square = 0;
  for (int d = 0; d < dim; ++d) square += std::pow(state[1].values[cell * dim + d], 2);
  const double p = 0.4 * (state[2].values[cell] - square / (2 * state[0].values[cell]));
  return p > 0 ? "" : fmt::format("its pressure would be {:g} Pa; accepted are numbers > 0", p);
}

/// Fields of q, by names that end alike.
template <int dim>
std::vector<NamedValues> gas_fields(int values, const std::string& ending, Sign of_density) {
  return {{{"density" + ending, Site::cells, 1, of_density}, values, 0},
          {{"momentum" + ending, Site::cells, dim}, values, 1},
          {{"energy" + ending, Site::cells, 1}, values, dim + 1}};
}

}  // namespace miniapp::indirect
