// SPDX-License-Identifier: BSD-3-Clause
#include "runs/streaming/suite.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace miniapp::streaming {
namespace {

constexpr Test all_tests[] = {
    {0, "empty launch", 0, 0}, {1, "copy", 2, 2},    {2, "axpby", 3, 2},
    {3, "norm", 1, 1},         {4, "dot", 2, 2},     {5, "update", 6, 4},
    {6, "gather", 0, 0},       {7, "scatter", 0, 0}, {8, "gather of a scatter", 0, 0},
};

}  // namespace

double local_nodes(const std::vector<int>& sides, int order) {
  return double(sides[0]) * sides[1] * sides[2] * std::pow(order + 1, 3);
}
double global_nodes(const std::vector<int>& sides, int order) {
  return (double(sides[0]) * order + 1) * (double(sides[1]) * order + 1) * (double(sides[2]) * order + 1);
}

const Test& find_test(int number) { return all_tests[number]; }

double model_bytes(const Test& test, double local, double global, int word) {
  const double scatter = (local + global) * word + 4 * local, gather = scatter + 4 * (global + 1);
  return test.number == 6 ? gather : test.number == 7 ? scatter : gather + scatter;
}

std::vector<std::size_t> vector_sizes(const Test& test, const SuiteSettings& o) {
  const double entry = test.words * o.word();
  const auto least = static_cast<std::size_t>(std::ceil(o.min_bytes / entry)),
             most = static_cast<std::size_t>(o.max_bytes / entry), samples = static_cast<std::size_t>(o.samples);
  std::vector<std::size_t> sizes;
  if (least > most || most - least + 1 < samples) return sizes;
  for (std::size_t s = 0; s < samples; ++s) {  // small sizes are apart by one at least
    const double part = samples > 1 ? double(s) / double(samples - 1) : 1;
    const auto size = static_cast<std::size_t>(o.min_bytes * std::pow(o.max_bytes / o.min_bytes, part) / entry);
    const std::size_t next = sizes.empty() ? least : sizes.back() + 1;
    sizes.push_back(std::min(std::max(size, next), most - (samples - 1 - s)));
  }
  return sizes;
}

std::vector<std::vector<int>> mesh_sizes(const Test& test, int order, const SuiteSettings& o) {
  if (!o.mesh.empty()) return {o.mesh};
  std::vector<std::vector<int>> cubes;
  for (int side = 2;; side = std::max(side + 1, static_cast<int>(1.2 * side))) {
    const std::vector<int> cube(3, side);
    const double local = local_nodes(cube, order);
    const bool more = o.elements > 0 ? double(side) * side * side <= static_cast<double>(o.elements)
                                     : model_bytes(test, local, global_nodes(cube, order), o.word()) <= o.max_bytes;
    if (!more || local > std::numeric_limits<std::int32_t>::max()) return cubes;
    cubes.push_back(cube);
  }
}

double memory_need(const Test& test, int order, const SuiteSettings& o) {
  if (!test.on_mesh()) return test.words == 0 ? 0 : o.max_bytes / test.words * (test.vectors + (runs_on_host ? 3 : 0));
  const std::vector<int> sides = mesh_sizes(test, order, o).back();
  const double local = local_nodes(sides, order), global = global_nodes(sides, order);
  return (local + global) * o.word() * (test.number == 8 ? 2 : 1) + 32 * local + 24 * global;
}

}  // namespace miniapp::streaming
