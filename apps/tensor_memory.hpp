// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "memory.hpp"
#include "tensor_options.hpp"

namespace miniapp::apps {

/// What a kernel's run takes at most at one time: to measure its copy roof, to number the nodes, to verify it, to solve
/// or to time it, whichever is most. Vectors of the size of x are counted one by one, in tensor_memory.cpp.
MemoryNeed memory_need(const TensorOptions& options, const tensor::Variant& variant);

/// The same of its verification and of timing the whole operator, without CG and roofs: what miniapp tune does.
MemoryNeed operator_need(const TensorOptions& options, const tensor::Variant& variant);

/// The options that set its size: "16 x 16 x 16 elements of --order 7".
std::string describe_size(const TensorOptions& options);

/// The largest of all kernels of a run: they come one after the other.
MemoryNeed memory_need(const TensorOptions& options);

}  // namespace miniapp::apps
