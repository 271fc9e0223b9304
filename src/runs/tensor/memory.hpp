// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "runs/memory_need.hpp"
#include "runs/tensor/settings.hpp"

namespace miniapp::tensor {

/// Entries of the low-order refined matrix of a case.
double low_order_entries(const CaseSettings& settings);

/// What a kernel's run takes at most at one time, within about a quarter: to measure its copy roof, to verify it, to
/// solve or to time it, whichever is most. Arrays that are known are counted; a table in memory.cpp has the rest.
measure::MemoryNeed memory_need(const CaseSettings& settings, const Variant& variant);

/// What a solve takes on one rank, with the preconditioner and its set-up [bytes].
double solve_bytes(const CaseSettings& settings);

/// Whether every rank has `bytes` of free memory beside the other ranks of its host. Collective.
bool fits(const CaseSettings& settings, double bytes);

/// Estimate of what an application of the operator moves on one rank at least [bytes]: vectors and the kernel's arrays.
double operator_bytes(const CaseSettings& settings, const Variant& variant);

}  // namespace miniapp::tensor
