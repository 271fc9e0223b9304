// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "miniapp/core/teams.hpp"

namespace miniapp {

/// Work of one instance that is launched repeatedly. With CUDA the second call captures it as a graph, which later
/// calls start by a single launch; elsewhere it is simply called. A call with another instance captures it again. The
/// work may launch kernels, copy and fill on the device; it must not wait, allocate, or change its arguments between
/// calls.
class Replay {
 public:
  Replay() = default;
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;
  ~Replay() { reset(); }

  /// Discards the captured graph.
  void reset() {
#if defined(KOKKOS_ENABLE_CUDA)
    if (graph_) cudaGraphExecDestroy(graph_);
    graph_ = nullptr;
#endif
    calls_ = 0;
  }

  /// Without `can_capture`, for work that waits, calls it.
  template <class Work>
  void run(const Instance& instance, const Work& work, bool can_capture = true) {
    if (!can_capture) return work();
    if (instance_ != instance) reset();
    instance_ = instance;
#if defined(KOKKOS_ENABLE_CUDA)
    if (calls_ == 1) record(work);
    if (calls_ >= 1) {
      detail::require_cuda(cudaGraphLaunch(graph_, instance.stream()), "cudaGraphLaunch");
      ++calls_;
      return;
    }
#endif
    work();  // the first call loads kernels and allocates buffers, which a capture cannot
    ++calls_;
  }

 private:
#if defined(KOKKOS_ENABLE_CUDA)
  template <class Work>
  void record(const Work& work) {
    const cudaStream_t stream = instance_->stream();
    cudaGraph_t graph;
    detail::require_cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
    work();
    detail::require_cuda(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture");
    detail::require_cuda(cudaGraphInstantiate(&graph_, graph, 0), "cudaGraphInstantiate");
    cudaGraphDestroy(graph);
  }
  cudaGraphExec_t graph_ = nullptr;
#endif
  int calls_ = 0;
  std::optional<Instance> instance_;  ///< keeps alive what the captured work refers to
};

}  // namespace miniapp
