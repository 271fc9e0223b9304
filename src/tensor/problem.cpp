// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/tensor/problem.hpp"

#include "miniapp/core/error.hpp"

namespace miniapp::tensor {

ProblemChoice parse_problem(const std::string& text) {
  if (text == "1.0") return {Problem::bp1_0, false};
  if (text == "3.0") return {Problem::bp3_0, false};
  if (text == "3.5") return {Problem::bp3_5, false};
  if (text == "bp1") return {Problem::bp1_0, true};
  if (text == "bp3") return {Problem::bp3_0, true};
  if (text == "bp5") return {Problem::bp3_5, true};
  if (text == "bp2") return {Problem::bp1_0, true, 3};
  if (text == "bp4") return {Problem::bp3_0, true, 3};
  if (text == "bp6") return {Problem::bp3_5, true, 3};
  throw InputError("bp: unknown problem '" + text + "'; accepted are 1.0, 3.0, 3.5 (CEED: bp1 .. bp6)");
}

measure::Cost cost(Problem problem, int order, double elements, int word, int components) {
  const double n = order + 1, m = order + 2, n3 = n * n * n, m3 = m * m * m;
  const double bytes = elements * word, applied = elements * components;
  const double interpolation = 2 * (m * n * n * n + m * m * n * n + m * m * m * n);
  switch (problem) {
    case Problem::bp1_0:
      return {bytes * (2 * components * n3 + m3), applied * (2 * interpolation + m3)};
    case Problem::bp3_0:
      return {bytes * (2 * components * n3 + 7 * m3), applied * (2 * interpolation + 12 * m * m3 + 20 * m3)};
    case Problem::bp3_5:
      return {bytes * (2 * components + 7) * n3, applied * (12 * n * n3 + 20 * n3)};
  }
  return {};
}

}  // namespace miniapp::tensor
