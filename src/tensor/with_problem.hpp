// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "miniapp/tensor/problem.hpp"

namespace miniapp::tensor {

/// body.template operator()<p>() for the problem p: the one step from a problem at run time to one at compile time.
template <std::size_t first = 0, class Body>
auto with_problem(Problem problem, const Body& body) {
  constexpr auto problems = members<Problem>();
  if constexpr (first + 1 < problems.size())
    if (problem != problems[first]) return with_problem<first + 1>(problem, body);
  return body.template operator()<problems[first]>();
}

}  // namespace miniapp::tensor
