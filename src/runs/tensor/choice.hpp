// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "miniapp/tensor/tuning.hpp"
#include "runs/tensor/settings.hpp"

/// Which kernels a case is run with.
namespace miniapp::tensor {

/// The entry of a tuning table that a case asks for, on this machine.
TuningTable::Key tuning_key(const CaseSettings& settings);

/// What the elements of all ranks have in common. Collective.
mesh::Shape shape_of(const CaseSettings& settings);

/// Variants of a case: those that can run, and why the others cannot.
struct Choice {
  std::vector<Variant> variants;
  std::vector<std::string> skipped;
};
/// All but the reference, of one geometry if it is given, on elements of a shape.
Choice all_kernels(const CaseSettings& settings, std::optional<Geometry> geometry, mesh::Shape shape);

/// Variants that may be the fastest: rungs are steps of a ladder, not rivals.
std::vector<Variant> rivals(const CaseSettings& settings);

/// A kernel with the geometry, if it is given; else with special_geometry(), where the kernel has it;
/// else with the table's where that says that the kernel is the fastest, else with the first that it supports. Whether
/// it can run is for the caller to check (why_not).
Variant choose_geometry(Kernel kernel, std::optional<Geometry> geometry, const TuningTable& table,
                        const CaseSettings& settings, mesh::Shape shape);

}  // namespace miniapp::tensor
