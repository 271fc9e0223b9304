// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/tensor/options.hpp"
#include "report/record.hpp"
#include "runs/tensor/kernel_run.hpp"

namespace miniapp::apps {

/// The record of a kernel: `base` and its results, docs/record.md.
report::Json to_record(const report::Json& base, const TensorOptions& options, const tensor::Case& problem,
                       const tensor::KernelResult& result);

}  // namespace miniapp::apps
