// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/weakform/intensity.hpp"

#include "miniapp/core/error.hpp"

namespace miniapp::weakform {

Intensity model_intensity(int dim, int coefficients, int components, int points) {
  require(dim >= 1 && coefficients >= 1 && components >= 1 && points >= 1,
          "model_intensity: accepted are arguments of 1 and more");
  const double d = dim, Nbt = coefficients, Ncomp = components, Nq = points;
  return {(2 + (2 + 2 * d) * d) * Nbt * Nq + 2 * d * Ncomp * Nq + (2 + 2 * d) * d * Nq * Nbt,
          (d * d + 1) + Nbt + (d + 1) * Nq};
}

}  // namespace miniapp::weakform
