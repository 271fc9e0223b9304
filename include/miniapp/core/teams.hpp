// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "miniapp/core/error.hpp"
#include "miniapp/core/execution.hpp"
#include "miniapp/core/instance.hpp"

/// Team-parallel loops whose team size, scratch and teams per multiprocessor are compile-time constants of the body:
///   static constexpr int threads, teams_at_once;           per team; per multiprocessor, which bounds the registers
///   static constexpr std::size_t scratch_bytes;            per team
///   KOKKOS_FUNCTION void operator()(const Team&) const     the work of one thread
///   static constexpr int teams_per_cluster                 optional, with has_clusters: teams that share a barrier, up
///                                                          to 8; the number of teams is a multiple of it
///   static constexpr bool is_resident                      optional, with CUDA: all teams run at once, up to
///                                                          resident_teams() of them, and share a barrier
///   static constexpr bool awaits                           optional: every thread calls Team::await() itself; before
///                                                          that it loads what no kernel changes any more, and stores
///                                                          to scratch alone
/// With CUDA they are launched directly instead of through Kokkos's TeamPolicy: a team may then use all scratch of a
/// multiprocessor instead of 48 KiB, the body is a kernel argument whose constants can be operands of arithmetic
/// instructions, threads have more registers, and a launch costs less (docs/results/tensor.md). With has_clusters a
/// kernel is launched while the one before it runs, and waits for its end: that hides most of the launch, and with
/// `awaits` its first loads.
namespace miniapp {

/// One thread of a team.
class Team {
 public:
#if defined(KOKKOS_ENABLE_CUDA)
  KOKKOS_FUNCTION explicit Team(void* scratch) : scratch_(scratch) {}
#if defined(__CUDA_ARCH__)
  KOKKOS_FORCEINLINE_FUNCTION int league_rank() const { return blockIdx.x; }
  KOKKOS_FORCEINLINE_FUNCTION int league_size() const { return gridDim.x; }
  KOKKOS_FORCEINLINE_FUNCTION int team_rank() const { return threadIdx.x; }
  KOKKOS_FORCEINLINE_FUNCTION int team_size() const { return blockDim.x; }
  KOKKOS_FORCEINLINE_FUNCTION void team_barrier() const { __syncthreads(); }
  /// Returns when all that kernels before this one have written is there. The loops that made what is loaded before
  /// must have been waited for, not only be before this one in the stream.
  KOKKOS_FORCEINLINE_FUNCTION void await() const {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
  }
  /// Asks for the line of the cache that all teams share which has this address.
  KOKKOS_FORCEINLINE_FUNCTION void prefetch(const void* at) const {
    asm volatile("prefetch.global.L2 [%0];" ::"l"(at));
  }
  /// A barrier among the group of `group` consecutive ranks that contains this thread; the whole team takes part if a
  /// group is larger than a warp.
  template <int group>
  KOKKOS_FORCEINLINE_FUNCTION void group_barrier() const {
    if constexpr (group <= 32)
      __syncwarp();
    else
      __syncthreads();
  }
  /// Sums value over the threads of a warp; returns true in the thread that holds the sum.
  KOKKOS_FORCEINLINE_FUNCTION bool sum(double& value) const {
    MINIAPP_UNROLL
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
    return threadIdx.x % 32 == 0;
  }
  /// Sums value over the team; every thread gets the result. Uses the first threads / 4 bytes of scratch, with a
  /// barrier before and after.
  KOKKOS_FORCEINLINE_FUNCTION void total(double& value) const {
    double* const warps = static_cast<double*>(scratch_);
    __syncthreads();
    if (sum(value)) warps[threadIdx.x / 32] = value;
    __syncthreads();
    value = 0;
    for (int warp = 0; warp < blockDim.x / 32; ++warp) value += warps[warp];
  }
  /// Whether `value` is true in any thread of the team. Implies a barrier.
  KOKKOS_FORCEINLINE_FUNCTION bool any(bool value) const { return __syncthreads_or(value); }
  KOKKOS_FORCEINLINE_FUNCTION int sum_rank() const { return (blockIdx.x * blockDim.x + threadIdx.x) / 32; }
  /// A barrier of the teams of a cluster, after which each sees what the others stored.
  KOKKOS_FORCEINLINE_FUNCTION void cluster_barrier() const {
#if __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
#endif
  }
  /// A barrier of all teams, of a resident body. *arrived is zero before and after.
  KOKKOS_FORCEINLINE_FUNCTION void league_barrier(unsigned* arrived) const {
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicAdd(arrived, 1u);
      while (*static_cast<volatile unsigned*>(arrived) < gridDim.x) {
      }
      __threadfence();
      if (atomicAdd(arrived, 1u) == 2 * gridDim.x - 1) *arrived = 0;
    }
    __syncthreads();
  }
#else  // the host pass of nvcc, which only parses
  KOKKOS_FUNCTION int league_rank() const { return 0; }
  KOKKOS_FUNCTION int league_size() const { return 1; }
  KOKKOS_FUNCTION int team_rank() const { return 0; }
  KOKKOS_FUNCTION int team_size() const { return 1; }
  KOKKOS_FUNCTION void team_barrier() const {}
  KOKKOS_FUNCTION void await() const {}
  KOKKOS_FUNCTION void prefetch(const void*) const {}
  template <int group>
  KOKKOS_FUNCTION void group_barrier() const {}
  KOKKOS_FUNCTION bool sum(double&) const { return true; }
  KOKKOS_FUNCTION void total(double&) const {}
  KOKKOS_FUNCTION bool any(bool value) const { return value; }
  KOKKOS_FUNCTION int sum_rank() const { return 0; }
  KOKKOS_FUNCTION void cluster_barrier() const {}
  KOKKOS_FUNCTION void league_barrier(unsigned*) const {}
#endif
#else
  KOKKOS_FUNCTION Team(const TeamMember& member, void* scratch) : member_(member), scratch_(scratch) {}
  KOKKOS_FORCEINLINE_FUNCTION int league_rank() const { return member_.league_rank(); }
  KOKKOS_FORCEINLINE_FUNCTION int league_size() const { return member_.league_size(); }
  KOKKOS_FORCEINLINE_FUNCTION int team_rank() const { return member_.team_rank(); }
  KOKKOS_FORCEINLINE_FUNCTION int team_size() const { return member_.team_size(); }
  KOKKOS_FORCEINLINE_FUNCTION void team_barrier() const { member_.team_barrier(); }
  KOKKOS_FORCEINLINE_FUNCTION void await() const {}
  KOKKOS_FORCEINLINE_FUNCTION void prefetch(const void*) const {}
  template <int group>
  KOKKOS_FORCEINLINE_FUNCTION void group_barrier() const {
    member_.team_barrier();
  }
  /// Sums value over the threads of the team; returns true in the thread that holds the sum.
  KOKKOS_FORCEINLINE_FUNCTION bool sum(double& value) const {
    member_.team_reduce(Kokkos::Sum<double>(value));
    return member_.team_rank() == 0;
  }
  KOKKOS_FORCEINLINE_FUNCTION void total(double& value) const { member_.team_reduce(Kokkos::Sum<double>(value)); }
  KOKKOS_FORCEINLINE_FUNCTION bool any(bool value) const {
    int all = value;
    member_.team_reduce(Kokkos::Max<int>(all));
    return all;
  }
  /// Index of this sum within the league.
  KOKKOS_FORCEINLINE_FUNCTION int sum_rank() const { return member_.league_rank(); }
#endif
  /// The team's scratch, aligned to 16 bytes.
  KOKKOS_FORCEINLINE_FUNCTION void* scratch() const { return scratch_; }

 private:
#if !defined(KOKKOS_ENABLE_CUDA)
  const TeamMember& member_;
#endif
  void* scratch_;
};

/// Reads and writes of what a GPU's cache need not keep, since it is used once in a while.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real read_past_cache(const Real* from) {
#if defined(__CUDA_ARCH__)
  return __ldcs(from);
#else
  return *from;
#endif
}
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION void write_past_cache(Real* to, Real value) {
#if defined(__CUDA_ARCH__)
  __stcs(to, value);
#else
  *to = value;
#endif
}

/// What threads of a warp tell each other, where there are any (has_warps): the first `active` threads call these
/// together.
#if defined(__CUDA_ARCH__)
KOKKOS_FORCEINLINE_FUNCTION unsigned first_threads(int active) { return 0xffffffffu >> (32 - active); }
/// The value of the thread before, in the first thread its own.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T shuffle_up(T value, int active) {
  return __shfl_up_sync(first_threads(active), value, 1);
}
/// Bit i: whether it holds in thread i.
KOKKOS_FORCEINLINE_FUNCTION unsigned ballot(bool holds, int active) {
  return __ballot_sync(first_threads(active), holds);
}
#else
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T shuffle_up(T value, int) {
  return value;
}
KOKKOS_FORCEINLINE_FUNCTION unsigned ballot(bool, int) { return 0; }
#endif

/// A team whose size and scratch are known at run time: up to Body::threads and most_scratch_bytes().
struct TeamShape {
  int threads;
  std::size_t scratch_bytes;
};

/// What the device reports about a kernel of teams.
struct TeamResources {
  int threads = 0;                ///< per team
  std::size_t scratch_bytes = 0;  ///< per team
  int registers = 0;              ///< per thread; 0 where the device does not report it
  int local_bytes = 0;            ///< per thread, local memory: spilled registers and arrays indexed at run time
  int teams_at_once = 0;          ///< per multiprocessor; 0 where the device does not report it
  double occupancy = 0;           ///< resident threads / threads that a multiprocessor can hold
};

#if defined(KOKKOS_ENABLE_CUDA)

namespace detail {

template <class Body>
concept Awaits = requires {
  requires Body::awaits;
};

template <class Body>
__global__ void __launch_bounds__(Body::threads, Body::teams_at_once) run_team(const __grid_constant__ Body body) {
  extern __shared__ __align__(16) char scratch[];
  const Team team(scratch);
#if __CUDA_ARCH__ >= 900  // the next kernel may be launched
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
  if constexpr (!Awaits<Body>) team.await();
#endif
  body(team);
}

inline void require_cuda(cudaError_t status, const char* call) {
  if (status != cudaSuccess) throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(status));
}

// nvcc 13 gives each source its own copy of a kernel. What prepares and launches it is of the source too (static),
// since a copy whose scratch was requested by another source's function cannot be launched.

/// Requests the scratch that `teams_at_once` teams need together, once per kernel.
template <class Body>
static void prepare_teams() {
  static const bool prepared = [] {
    const auto device = ExecutionSpace().cuda_device_prop();  // no reference: g++ takes it for one into a temporary
    const auto kernel = run_team<Body>;
    constexpr std::size_t reserved = 1024;  // by CUDA, per team
    const std::size_t together = Body::teams_at_once * (Body::scratch_bytes + reserved);
    const int share = static_cast<int>(std::min<std::size_t>(
        100, (100 * together + device.sharedMemPerMultiprocessor - 1) / device.sharedMemPerMultiprocessor));
    require_cuda(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, share),
                 "cudaFuncSetAttribute, carveout");
    require_cuda(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      static_cast<int>(Body::scratch_bytes)),
                 "cudaFuncSetAttribute, scratch");
    return true;
  }();
  static_cast<void>(prepared);
}

template <class Body>
constexpr bool is_resident() {
  if constexpr (requires { Body::is_resident; }) return Body::is_resident;
  return false;
}

/// How a body is launched beside its numbers of teams and threads.
template <class Body>
struct LaunchAttributes {
  cudaLaunchAttribute all[2];
  int count = 0;

  LaunchAttributes() {
    if (is_resident<Body>()) {
      all[count].id = cudaLaunchAttributeCooperative;
      all[count++].val.cooperative = 1;
    } else if (has_clusters) {
      all[count].id = cudaLaunchAttributeProgrammaticStreamSerialization;
      all[count++].val.programmaticStreamSerializationAllowed = 1;
    }
    if constexpr (requires { Body::teams_per_cluster; }) {
      all[count].id = cudaLaunchAttributeClusterDimension;
      all[count].val.clusterDim.x = Body::teams_per_cluster;
      all[count].val.clusterDim.y = all[count].val.clusterDim.z = 1;
      ++count;
    }
  }
};

template <class Body>
static void launch(const Instance& instance, const char* label, int teams, const TeamShape& shape, const Body& body) {
  std::uint64_t id = 0;
  if (Kokkos::Tools::profileLibraryLoaded()) Kokkos::Tools::beginParallelFor(label, 0, &id);
  LaunchAttributes<Body> attributes;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(teams);
  config.blockDim = dim3(shape.threads);
  config.dynamicSmemBytes = shape.scratch_bytes;
  config.stream = instance.stream();
  config.attrs = attributes.all;
  config.numAttrs = attributes.count;
  require_cuda(cudaLaunchKernelEx(&config, run_team<Body>, body), label);
  if (Kokkos::Tools::profileLibraryLoaded()) Kokkos::Tools::endParallelFor(id);
}

template <class Body>
cudaFuncAttributes attributes_of() {
  cudaFuncAttributes attributes;
  require_cuda(cudaFuncGetAttributes(&attributes, run_team<Body>), "cudaFuncGetAttributes");
  return attributes;
}

template <class Body>
TeamResources resources_of(const TeamShape& shape) {
  const cudaFuncAttributes attributes = attributes_of<Body>();
  int teams = 0;
  require_cuda(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&teams, run_team<Body>, shape.threads, shape.scratch_bytes),
      "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
  const double most = ExecutionSpace().cuda_device_prop().maxThreadsPerMultiProcessor;
  return {shape.threads, shape.scratch_bytes,         attributes.numRegs, static_cast<int>(attributes.localSizeBytes),
          teams,         teams * shape.threads / most};
}

}  // namespace detail

/// How many teams of a body the device runs at once.
template <class Body>
int resident_teams() {
  detail::prepare_teams<Body>();
  static const int teams = [] {
    int each = 0;
    detail::require_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, detail::run_team<Body>, Body::threads,
                                                                       Body::scratch_bytes),
                         "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    return each * ExecutionSpace().cuda_device_prop().multiProcessorCount;
  }();
  return teams;
}

/// Runs body(team) for all threads of `teams` teams, without waiting.
template <class Body>
void for_teams(const Instance& instance, const char* label, int teams, const Body& body) {
  if (teams == 0) return;
  detail::prepare_teams<Body>();
  detail::launch(instance, label, teams, {Body::threads, Body::scratch_bytes}, body);
}

namespace detail {

template <class Body>
static void prepare_shaped_teams() {
  static const bool prepared = [] {
    require_cuda(cudaFuncSetAttribute(run_team<Body>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      static_cast<int>(most_scratch_bytes())),
                 "cudaFuncSetAttribute, scratch");
    return true;
  }();
  static_cast<void>(prepared);
}

}  // namespace detail

/// Runs body(team) for all threads of `teams` teams of one shape, without waiting.
template <class Body>
void for_teams(const Instance& instance, const char* label, int teams, const TeamShape& shape, const Body& body) {
  if (teams == 0) return;
  detail::prepare_shaped_teams<Body>();
  detail::launch(instance, label, teams, shape, body);
}

/// Threads per team, up to `most`, such that as many teams as scratch allows at once use all registers: fewer threads
/// leave registers idle, more leave scratch idle.
template <class Body>
int threads_that_fill(std::size_t scratch_bytes, int most) {
  static const int registers = (detail::attributes_of<Body>().numRegs + 7) / 8 * 8;
  const auto device = ExecutionSpace().cuda_device_prop();  // no reference: g++ takes it for one into a temporary
  constexpr std::size_t reserved = 1024;                    // by CUDA, per team
  const int teams = std::max<int>(1, device.sharedMemPerMultiprocessor / (scratch_bytes + reserved));
  const int threads = (device.regsPerMultiprocessor / registers / teams + 31) / 32 * 32;
  return std::min(std::max(threads, 64), std::min((most + 31) / 32 * 32, Body::threads));
}

template <class Body>
TeamResources team_resources(const TeamShape& shape) {
  detail::prepare_shaped_teams<Body>();
  return detail::resources_of<Body>(shape);
}

template <class Body>
TeamResources team_resources() {
  detail::prepare_teams<Body>();
  return detail::resources_of<Body>({Body::threads, Body::scratch_bytes});
}

#else

namespace detail {

#ifdef MINIAPP_RUNS_ON_HOST
/// Calls run(body, team) for `teams` teams of one thread: one kernel of Kokkos for all bodies, since each costs the
/// compiler as much as a body.
void for_teams_of_one(const Instance& instance, const char* label, int teams, std::size_t scratch_bytes,
                      const void* body, void (*run)(const void* body, const Team& team));
#else
/// Adapts a body to Kokkos's interface.
template <class Body>
struct TeamBody {
  Body body;
  std::size_t scratch_bytes;
  KOKKOS_FUNCTION void operator()(const TeamMember& member) const {
    const int level = scratch_level(scratch_bytes);
    body(Team(member, member.team_scratch(level).get_shmem_aligned(scratch_bytes, 64)));
  }
};
#endif

}  // namespace detail

template <class Body>
int threads_that_fill(std::size_t, int most) {
  return std::min((most + 31) / 32 * 32, Body::threads);
}

template <class Body>
void for_teams(const Instance& instance, const char* label, int teams, const TeamShape& shape, const Body& body) {
  static_assert(Body::teams_at_once >= 0, "a figure of NVIDIA's registers and scratch: others choose themselves");
#ifdef MINIAPP_RUNS_ON_HOST
  detail::for_teams_of_one(instance, label, teams, shape.scratch_bytes, &body,
                           [](const void* any, const Team& team) { (*static_cast<const Body*>(any))(team); });
#else
  using Policy = Kokkos::TeamPolicy<ExecutionSpace, Kokkos::LaunchBounds<Body::threads, 1> >;
  Policy policy(instance.space(), teams, shape.threads, 1);
  policy.set_scratch_size(scratch_level(shape.scratch_bytes), Kokkos::PerTeam(shape.scratch_bytes + 64));
  using Kokkos::Experimental::WorkItemProperty;
  Kokkos::parallel_for(label, Kokkos::Experimental::require(policy, WorkItemProperty::HintLightWeight),
                       detail::TeamBody<Body>{body, shape.scratch_bytes});
#endif
}

template <class Body>
void for_teams(const Instance& instance, const char* label, int teams, const Body& body) {
  for_teams(instance, label, teams, {Body::threads, Body::scratch_bytes}, body);
}

template <class Body>
TeamResources team_resources(const TeamShape& shape) {
  return {runs_on_host ? 1 : shape.threads, shape.scratch_bytes};
}

template <class Body>
TeamResources team_resources() {
  return {runs_on_host ? 1 : Body::threads, Body::scratch_bytes};
}

#endif

#if !defined(MINIAPP_RUNS_ON_HOST)
namespace detail {

/// A GPU thread has an item.
template <class Body>
struct ItemTeam {
  static constexpr int threads = 256, teams_at_once = 8;
  static constexpr std::size_t scratch_bytes = 0;
  Body body;
  std::size_t size;
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const std::size_t i = std::size_t(team.league_rank()) * threads + team.team_rank();
    if (i < size) body(i);
  }
};

}  // namespace detail
#endif

/// Runs body(i) for i < size, without waiting: on hosts a loop of Kokkos, on GPUs teams, whose launch overlaps the
/// kernel before them.
template <class Body>
void for_items(const Instance& instance, const char* label, std::size_t size, const Body& body) {
#if defined(MINIAPP_RUNS_ON_HOST)
  Kokkos::parallel_for(label, Kokkos::RangePolicy<ExecutionSpace>(instance.space(), 0, size), body);
#else
  using Teams = detail::ItemTeam<Body>;
  for_teams(instance, label, static_cast<int>((size + Teams::threads - 1) / Teams::threads), Teams{body, size});
#endif
}

}  // namespace miniapp
