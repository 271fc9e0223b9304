// SPDX-License-Identifier: BSD-3-Clause
#include "tensor/ladder_rules.hpp"

namespace miniapp::tensor {
namespace {

/// Slices, one after the other.
constexpr const char* mass_ideas[] = {"reference: threads on slices, only I in scratch, intermediates in main memory",
                                      "intermediates are two slices in scratch",
                                      "a thread keeps its columns of u and v in registers",
                                      "inputs are declared as never written",
                                      "rows in scratch are padded against bank conflicts",
                                      "all loops are unrolled",
                                      "a thread a line, the whole cube in scratch: five barriers",
                                      "half of I is read, each entry used twice"};

/// Rungs with a thread a point.
bool is_cubic(Problem problem, int rung) { return has_stiffness(problem) && rung < 2; }

int points(Problem problem, int order) { return problem == Problem::bp3_5 ? order + 1 : order + 2; }

}  // namespace

std::string rung_idea(Problem problem, int rung) { return problem == Problem::bp1_0 ? mass_ideas[rung] : "is not written yet for this problem"; }

std::string rung_why_not(Problem problem, int rung, int order, int word) {
  if (word != sizeof(double)) return "exists in double precision only, the paper's";
  if (problem != Problem::bp1_0) return "is not written yet for this problem";
  const int q = points(problem, order);
  if (is_cubic(problem, rung) && q * q * q > max_threads)
    return "has a thread a point, " + std::to_string(q * q * q) + " at order " + std::to_string(order) +
           "; a team has at most " + std::to_string(max_threads);
  return "";
}

int intermediate_cubes(Problem problem, int rung) { return problem == Problem::bp1_0 && rung == 0 ? 2 : 0; }

}  // namespace miniapp::tensor
