// SPDX-License-Identifier: BSD-3-Clause
#include "runs/tensor/choice.hpp"

#include <algorithm>

#include "miniapp/core/device.hpp"

namespace miniapp::tensor {

TuningTable::Key tuning_key(const CaseSettings& o) { return {device_class(), o.problem, o.word(), o.order}; }

std::string why_no_boxes(const CaseSettings& o) {
  const bool straight = o.mesh_map == MeshMap::smooth ? o.deform == 0 : o.eps == 1;
  return why_no_boxes(
      o.mesh ? o.ranks.of_all(Reduction::min, std::int64_t(mesh::consists_of_boxes(*o.mesh))) > 0 : straight,
      !o.user.coefficient.empty());
}

Choice all_kernels(const CaseSettings& o, std::optional<Geometry> geometry, const std::string& no_boxes) {
  Choice choice;
  for (const Variant& variant : all_variants()) {
    if (variant.kernel == Kernel::reference || (geometry && variant.geometry != *geometry)) continue;
    std::string reason = why_not(variant, o.problem, o.order, o.word());
    if (reason.empty() && !o.user.coefficient.empty() && !takes_coefficient(variant.kernel))
      reason = "has no coefficient";
    if (reason.empty() && variant.geometry == Geometry::boxes) reason = no_boxes;
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
    for (const Geometry geometry : {Geometry::computed, Geometry::stored})  // tables are of elements that are no boxes
      if (why_not({kernel, geometry}, o.problem, o.order, o.word()).empty()) able.push_back({kernel, geometry});
  return able;
}

Variant choose_geometry(Kernel kernel, std::optional<Geometry> geometry, const TuningTable& table,
                        const CaseSettings& o, bool boxes) {
  const std::vector<Variant> all = all_variants();
  Variant variant = *std::find_if(all.begin(), all.end(), [&](const Variant& v) { return v.kernel == kernel; });
  if (geometry) {
    variant.geometry = *geometry;
  } else if (boxes && why_not({kernel, Geometry::boxes}, o.problem, o.order, o.word()).empty()) {
    variant.geometry = Geometry::boxes;
  } else if (kernel != Kernel::reference && why_not(variant, o.problem, o.order, o.word()).empty()) {
    const Variant best = fastest(table, tuning_key(o));
    if (best.kernel == kernel) return best;
  }
  return variant;
}

}  // namespace miniapp::tensor
