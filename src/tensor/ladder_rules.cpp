// SPDX-License-Identifier: BSD-3-Clause
#include "tensor/ladder_rules.hpp"

#include "miniapp/core/device.hpp"

namespace miniapp::tensor {
namespace {

/// Each rung keeps the ideas of those before it, but for the change from one thread per point to one per column.
struct Ideas {
  const char* rung[8];
};
constexpr Ideas mass{
    {"reference: one thread per column, slice by slice, only I in scratch, intermediates in main memory",
     "intermediates are two slices in scratch", "each thread keeps its columns of u and v in registers",
     "inputs are declared as never written", "rows in scratch are padded against bank conflicts",
     "all loops are unrolled", "one thread per line, the whole cube in scratch: five barriers",
     "half of I is read, each entry used twice"}};
constexpr Ideas collocated{{"reference: one thread per node, only D in scratch, fluxes in main memory",
                            "u and its fluxes are cubes in scratch",
                            "one thread per column, slice by slice in scratch; v summed in main memory",
                            "each thread keeps its columns of u and v in registers",
                            "inputs are declared as never written", "all loops are unrolled",
                            "rows in scratch are padded against bank conflicts",
                            "factors are loaded ahead of the barrier"}};
constexpr Ideas gauss{
    {"reference: one thread per point, only I and D in scratch, intermediates in main memory",
     "intermediates are cubes in scratch", "one thread per column, slice by slice in scratch; columns in main memory",
     "each thread keeps its columns in registers", "rows in scratch are padded against bank conflicts",
     "all loops are unrolled", "interpolation with one thread per line, the whole cube in scratch: fewer barriers",
     "half of I is read, each entry used twice"}};

}  // namespace

std::string rung_idea(Problem problem, int rung) {
  const Ideas& ideas = problem == Problem::bp1_0 ? mass : problem == Problem::bp3_0 ? gauss : collocated;
  return ideas.rung[rung];
}

std::string rung_why_not(Problem problem, int rung, int order, int word) {
  if (word != sizeof(double)) return "exists in double precision only, the paper's";
  const int q = problem == Problem::bp3_5 ? order + 1 : order + 2;
  if (has_stiffness(problem) && rung < 2 && q * q * q > max_threads)
    return std::string("has one thread per point, and a team has at most ") + std::to_string(max_threads) +
           ": exists up to order " + (problem == Problem::bp3_5 ? "9" : "8");
  return "";
}

int intermediate_cubes(Problem problem, int rung) {
  if (rung == 0) return problem == Problem::bp1_0 ? 2 : problem == Problem::bp3_0 ? 4 : 3;
  return problem == Problem::bp3_0 && rung == 2 ? 2 : 0;
}

}  // namespace miniapp::tensor
