// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "miniapp/core/teams.hpp"

namespace miniapp {

/// Work of one instance that is launched again and again. With CUDA it becomes a graph at the second call, which a
/// single launch starts; elsewhere it is simply called. Another instance starts anew. The work may launch kernels, copy
/// and fill on the device; it must neither wait, allocate, nor change its arguments from call to call.
class Replay {
 public:
  Replay() = default;
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;
  ~Replay() { reset(); }

  /// Forgets what was recorded.
  void reset() {
#if defined(KOKKOS_ENABLE_CUDA)
    if (graph_) cudaGraphExecDestroy(graph_);
    graph_ = nullptr;
#endif
    calls_ = 0;
  }

  template <class Work>
  void run(const Instance& instance, const Work& work) {
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
    work();  // the first call prepares kernels and buffers: a recording cannot
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
  std::optional<Instance> instance_;  ///< keeps what recorded work points to
};

}  // namespace miniapp
