// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "miniapp/tensor/element_operator.hpp"

namespace miniapp::tensor {

/// True for the rungs of the ladders.
constexpr bool is_rung(Kernel kernel) { return kernel >= Kernel::rung1; }
/// 0 for the first rung.
constexpr int rung_index(Kernel kernel) { return static_cast<int>(kernel) - static_cast<int>(Kernel::rung1); }

/// How many rungs the ladder of a problem has (ladder.hpp).
int number_of_rungs(Problem problem);
/// One sentence on what the rung does. Each keeps the ideas of those before it, but for the change from one thread per
/// point to one per column. Where the ladder has no such rung, that.
std::string rung_idea(Problem problem, int rung);
/// Empty if the rung exists for the problem, the order and words of `word` bytes; else why not.
std::string rung_why_not(Problem problem, int rung, int order, int word);
/// Numbers per element that the rung keeps in main memory; 0 where the ladder has no such rung.
int intermediate_words(Problem problem, int rung, int order);

}  // namespace miniapp::tensor
