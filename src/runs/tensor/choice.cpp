// SPDX-License-Identifier: BSD-3-Clause
#include "runs/tensor/choice.hpp"

#include <algorithm>

#include "miniapp/core/device.hpp"

namespace miniapp::tensor {

TuningTable::Key tuning_key(const CaseSettings& o) { return {device_class(), o.problem, o.word(), o.order}; }

mesh::Shape shape_of(const CaseSettings& o) {
  if (o.mesh) return mesh::common_shape(*o.mesh).shape;
  const bool straight = o.mesh_map == MeshMap::smooth ? o.deform == 0 : o.eps == 1;
  return straight ? mesh::Shape::boxes : mesh::Shape::general;
}

Choice all_kernels(const CaseSettings& o, std::optional<Geometry> geometry, mesh::Shape shape) {
  Choice choice;
  for (const Variant& variant : all_variants()) {
    if (variant.kernel == Kernel::reference || (geometry && variant.geometry != *geometry)) continue;
    std::string reason = why_not(variant, o.problem, o.order, o.word());
    if (reason.empty() && !o.user.coefficient.empty() && !takes_coefficient(variant.kernel))
      reason = "has no coefficient";
    if (reason.empty()) reason = why_not(variant.geometry, shape, !o.user.coefficient.empty());
    if (reason.empty())
      choice.variants.push_back(variant);
    else
      choice.skipped.push_back(name(variant) + ": " + reason);
  }
  return choice;
}

std::vector<Variant> rivals(const CaseSettings& o) {
  std::vector<Variant> able;
  for (const Kernel kernel : {Kernel::lanes, Kernel::lines, Kernel::tiles})
    for (const Geometry geometry : {Geometry::computed, Geometry::stored})  // tables are of elements of any shape
      if (why_not({kernel, geometry}, o.problem, o.order, o.word()).empty()) able.push_back({kernel, geometry});
  return able;
}

Variant choose_geometry(Kernel kernel, std::optional<Geometry> geometry, const TuningTable& table,
                        const CaseSettings& o, mesh::Shape shape) {
  const std::vector<Variant> all = all_variants();
  Variant variant = *std::find_if(all.begin(), all.end(), [&](const Variant& v) { return v.kernel == kernel; });
  const std::optional<Geometry> special = special_geometry(shape, !o.user.coefficient.empty());
  if (geometry) {
    variant.geometry = *geometry;
  } else if (special && why_not({kernel, *special}, o.problem, o.order, o.word()).empty()) {
    variant.geometry = *special;
  } else if (kernel != Kernel::reference && why_not(variant, o.problem, o.order, o.word()).empty()) {
    const Variant best = fastest(table, tuning_key(o));
    if (best.kernel == kernel) return best;
  }
  return variant;
}

}  // namespace miniapp::tensor
