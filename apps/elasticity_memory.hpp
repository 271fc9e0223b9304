// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "elasticity_options.hpp"
#include "memory.hpp"
#include "miniapp/core/execution.hpp"

namespace miniapp::apps {

/// The size at which the command measures its copy roof.
inline constexpr double copied_bytes = runs_on_host ? 256e6 : 1e9;

/// Memory for the matrices of one order by one method: a batch of input on the host and, with its matrices, on the
/// device; all matrices where they are kept.
MemoryNeed matrices_need(const ElasticityOptions& options, int order, elasticity::Method method);

/// Memory for a cantilever of one order, at its pattern or in CG.
MemoryNeed beam_need(const ElasticityOptions& options, int order);

/// Errors: InputError where a run of these options needs more than is free.
void require_memory(const ElasticityOptions& options);

/// The options that set its size: "--elements 64, order 2,3".
std::string describe_size(const ElasticityOptions& options);

/// The largest over all orders and methods.
MemoryNeed memory_need(const ElasticityOptions& options);

}  // namespace miniapp::apps
