// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/core/session.hpp"
#include "miniapp/core/teams.hpp"
#include "miniapp/elasticity/planner.hpp"

namespace miniapp::elasticity {
namespace {
constexpr std::size_t kib = 1024, mib = 1024 * kib, gib = 1024 * mib;
}

DeviceLimits gtx_580() {
  return {"GeForce GTX 580", 16, 48 * kib, 1536 * mib, 384 * mib, 512, 8, 65535, 1, Reserve::full_teams};
}

DeviceLimits hd_5870() { return {"Radeon HD 5870", 20, 32 * kib, 1 * gib, 128 * mib, 256, 8, 65535}; }

DeviceLimits h200() {  // no limit on arrays; as many threads as are resident at once
  return {"H200", 132, 227 * kib, 140'000'000'000, 140'000'000'000, 256, 8, 132 * 2048, 1, Reserve::blocks, 4, 4};
}

DeviceLimits this_device() {
  const Platform here = platform();
  if (here.concurrency == 0) return h200();  // no device: only options are checked
  // on a host, input that is being prepared shares this memory
  const std::size_t memory = runs_on_host ? available_memory() / 3 * 2 : available_memory() / 5 * 4;
  DeviceLimits limits{here.device, here.concurrency, most_scratch_bytes() - 1024, memory, memory, 256, 8, 1 << 30};
#if defined(KOKKOS_ENABLE_CUDA)
  const auto device = ExecutionSpace().cuda_device_prop();
  limits.units = device.multiProcessorCount;
  limits.threads_per_kernel = std::int64_t(limits.units) * device.maxThreadsPerMultiProcessor;
#endif
  limits.blocks_in_registers = limits.points_at_once = 4;
  return limits;
}

}  // namespace miniapp::elasticity
