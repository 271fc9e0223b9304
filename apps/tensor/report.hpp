// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/tensor/options.hpp"
#include "report/rows.hpp"
#include "runs/tensor/kernel_run.hpp"

namespace miniapp::apps {

/// The problem, for people.
report::Page describe(const TensorOptions& options, const tensor::Case& problem);

/// A kernel and its record, for people.
report::Page describe(const TensorOptions& options, const tensor::KernelResult& result, const report::Json& record);

/// What stands above the table of several cases: what they have in common.
std::string sweep_heading(const std::vector<TensorOptions>& cases);

/// What was wrong with it, for the program's last line; empty where nothing was: the kernel or CG's verdict.
std::string what_was_wrong(const TensorOptions& options, const tensor::KernelResult& result);

/// One row per kernel and case: the ladder of --kernel all, the curve of --sweep. Percentages are of the roofs by the
/// data sheet, by copying, and of scratch; "-" stands where the device does not report it. With the idea of each kernel
/// as the last column where it is no sweep.
std::vector<report::Column> tensor_columns(const std::vector<TensorOptions>& cases);

}  // namespace miniapp::apps
