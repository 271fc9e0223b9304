// SPDX-License-Identifier: BSD-3-Clause
/// Properties of kernels that are known without running them: names, ideas, what this build can run, memory.
#include <algorithm>

#include "miniapp/tensor/element_operator.hpp"
#include "tensor/ladder/ladder_rules.hpp"

namespace miniapp::tensor {
namespace {

bool takes(Kernel kernel, Geometry geometry) {
  if (kernel == Kernel::lines || kernel == Kernel::lanes) return true;
  if (geometry == Geometry::affine || geometry == Geometry::boxes) return false;
  return (geometry == Geometry::stored) == is_rung(kernel);
}

std::string why_not(Kernel kernel, Problem problem, int order, int word) {
  if (kernel == Kernel::reference) return "";
  const std::vector<int> orders = built_orders();
  if (std::find(orders.begin(), orders.end(), order) == orders.end())
    return "this build holds no kernels of order " + std::to_string(order) + " (MINIAPP_ORDERS)";
  if (kernel == Kernel::lines && runs_on_host) return "needs a GPU: a thread owns a line of nodes across team barriers";
  if (kernel == Kernel::tiles) {
    if (!has_warps) return "needs CUDA: it works on the matrix tiles of a warp";
    if (problem != Problem::bp3_5 || order != 7) return "exists for BP3.5 of order 7, whose lines fill tiles of 8 x 8";
    if (word != sizeof(double)) return "exists in double precision only";
  }
  if (kernel == Kernel::lanes && !runs_on_host)
    return "needs a host back end: it works on the processor's vector registers";
  if (is_rung(kernel)) return rung_why_not(problem, rung_index(kernel), order, word);
  return "";
}

}  // namespace

std::string idea(Kernel kernel, Problem problem) {
  switch (kernel) {
    case Kernel::reference:
      return "obvious loops in double precision, intermediates in main memory: what all others are verified against";
    case Kernel::lines:
      return "one thread per line of nodes, even-odd; gather and scatter fused";
    case Kernel::tiles:
      return "one warp per element, derivatives as products of 8 x 8 tiles on FP64 tensor cores";
    case Kernel::lanes:
      return "elements in the lanes of vector registers, even-odd; gather and scatter fused";
    default:
      return rung_idea(problem, rung_index(kernel));
  }
}

std::vector<Kernel> kernels() {
  int rungs = 0;
  for (const Problem problem : members<Problem>()) rungs = std::max(rungs, number_of_rungs(problem));
  std::vector<Kernel> all{Kernel::reference};
  for (int number = 1; number <= rungs; ++number) all.push_back(rung(number));
  all.insert(all.end(), {Kernel::lines, Kernel::tiles, Kernel::lanes});
  return all;
}

std::vector<Variant> all_variants() {
  std::vector<Variant> variants;
  for (const Kernel kernel : kernels())
    for (const Geometry geometry : members<Geometry>())
      if (takes(kernel, geometry)) variants.push_back({kernel, geometry});
  return variants;
}

std::string name(const Variant& variant) { return name(variant.kernel) + ", " + name(variant.geometry); }

std::string why_not(const Variant& variant, Problem problem, int order, int word) {
  const std::string reason = why_not(variant.kernel, problem, order, word);
  if (!reason.empty() || takes(variant.kernel, variant.geometry)) return reason;
  return is_rung(variant.kernel) ? "reads stored factors only" : "computes its factors only";
}

std::string why_not(Geometry geometry, mesh::Shape shape, bool has_coefficient) {
  if (geometry == Geometry::computed || geometry == Geometry::stored) return "";
  if (has_coefficient) return "has no coefficient";
  if (geometry == Geometry::boxes) return shape == mesh::Shape::boxes ? "" : "is of elements with right angles";
  return shape != mesh::Shape::general ? "" : "is of elements with parallel edges";
}

std::optional<Geometry> special_geometry(mesh::Shape shape, bool has_coefficient) {
  for (const Geometry geometry : {Geometry::boxes, Geometry::affine})
    if (why_not(geometry, shape, has_coefficient).empty()) return geometry;
  return {};
}

std::string accepted_geometries(mesh::Shape shape, bool has_coefficient) {
  std::string names = "stored, computed";
  for (const Geometry geometry : {Geometry::affine, Geometry::boxes})
    if (why_not(geometry, shape, has_coefficient).empty()) names += ", " + name(geometry);
  return names;
}

double estimated_memory(const Variant& variant, Problem problem, int order, double elements, double nodes, int word) {
  const double n = order + 1, q = quadrature_points(problem, order), local = elements * n * n * n;
  const bool stiffness = has_stiffness(problem);
  const double map = 4 * local;
  const double factors =
      word * elements * q * q * q * (stiffness ? 7 : 1) * (variant.geometry == Geometry::stored ? 1 : 0);
  switch (variant.kernel) {
    case Kernel::reference:
      return (runs_on_host ? 0 : 2 * map) + 16 * nodes;
    case Kernel::lines:
    case Kernel::tiles:
      return map + factors + word * elements * 27;
    case Kernel::lanes: {
      // per row: first node, masks and Onto; plus every node of at most eight groups that remain incomplete at the end
      // of a box, with empty lanes
      const double lines = variant.geometry == Geometry::computed ? word * elements * q * q * (stiffness ? 15 : 3)
                           : variant.geometry == Geometry::affine ? word * elements * (stiffness ? 7 : 4)
                           : variant.geometry == Geometry::boxes  ? word * elements * 4
                                                                  : 0;
      const double not_full = std::min(8., elements) * (64. / word);
      return (1 + not_full / elements) * (10 * elements * n * n + factors + lines) + 4.5 * not_full * n * n * n;
    }
    default:
      return 8 * (local + nodes) + 2 * word * local + factors +
             word * elements * intermediate_words(problem, rung_index(variant.kernel), order);
  }
}

}  // namespace miniapp::tensor
