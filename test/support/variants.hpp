// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "support/problems.hpp"

namespace miniapp::test {

inline constexpr double lambda = 1.7;

/// The variants that this build can run on `d` in the precision of Real, without the reference.
template <class Real>
std::vector<Variant> variants(const Discretisation& d) {
  std::vector<Variant> able;
  for (const Variant& variant : tensor::all_variants())
    if (variant.kernel != Kernel::reference && tensor::why_not(variant, d, sizeof(Real)).empty())
      able.push_back(variant);
  return able;
}

}  // namespace miniapp::test
