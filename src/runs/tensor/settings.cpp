// SPDX-License-Identifier: BSD-3-Clause
#include "runs/tensor/settings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "miniapp/mesh/generate.hpp"

namespace miniapp::tensor {
namespace {

/// The longest side of a box over the shortest, rounded down.
int slenderness(const std::array<int, 3>& box) {
  return *std::max_element(box.begin(), box.end()) / *std::min_element(box.begin(), box.end());
}

}  // namespace

void CaseSettings::set_elements(int elements) {
  const std::array<int, 3> box = mesh::cubical(elements);
  nx = box[0];
  ny = box[1];
  nz = box[2];
}

space::Boundary usual_boundary(Problem problem) {
  return has_stiffness(problem) ? space::Boundary::dirichlet : space::Boundary::neumann;
}

std::string describe_needle(const CaseSettings& o) {
  const std::array<int, 3> box{o.nx, o.ny, o.nz};
  if (slenderness(box) <= 4) return "";
  const int elements = static_cast<int>(o.elements());
  for (int apart = 1;; ++apart) {  // ends at a cube at the latest
    for (const int near :
         {elements - apart, elements > std::numeric_limits<int>::max() - apart ? 0 : elements + apart}) {
      if (near < 1) continue;
      const auto other = mesh::cubical(near);
      if (slenderness(other) == 1)
        return fmt::format("a needle: {} elements make {} at best, {} make {}", elements, fmt::join(box, " x "), near,
                           fmt::join(other, " x "));
    }
  }
}

CaseSettings CaseSettings::with(Preconditioner chosen) const {
  CaseSettings settings = *this;
  settings.preconditioner = chosen;
  if (!is_pointwise(chosen)) settings.cg = Cg::classic;
  if (chosen == Preconditioner::chebyshev) settings.multigrid.degree = multigrid::usual_polynomial_degree;
  return settings;
}

}  // namespace miniapp::tensor
