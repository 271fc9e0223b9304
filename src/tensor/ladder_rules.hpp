// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "miniapp/tensor/element_operator.hpp"

namespace miniapp::tensor {

/// True for the rungs of the ladders.
constexpr bool is_rung(Kernel kernel) { return kernel >= Kernel::rung1 && kernel <= Kernel::rung8; }
/// 0 for the first rung.
constexpr int rung_index(Kernel kernel) { return static_cast<int>(kernel) - static_cast<int>(Kernel::rung1); }

/// One sentence on what the rung does, its own idea last.
std::string rung_idea(Problem problem, int rung);
/// Empty where the rung exists for the problem, the order and words of `word` bytes; else why not.
std::string rung_why_not(Problem problem, int rung, int order, int word);
/// Cubes of points per element that the rung keeps in main memory.
int intermediate_cubes(Problem problem, int rung);

}  // namespace miniapp::tensor
