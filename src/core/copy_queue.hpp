// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "miniapp/core/execution.hpp"
#include "miniapp/core/teams.hpp"

namespace miniapp {

/// Copies between the host and the device, overlapped with kernels where the device supports it (CUDA).
class CopyQueue {
 public:
  CopyQueue() {
#if defined(KOKKOS_ENABLE_CUDA)
    detail::require_cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    detail::require_cuda(cudaEventCreateWithFlags(&ready_, cudaEventDisableTiming), "cudaEventCreateWithFlags");
#endif
  }
  CopyQueue(const CopyQueue&) = delete;
  CopyQueue& operator=(const CopyQueue&) = delete;
  ~CopyQueue() {
#if defined(KOKKOS_ENABLE_CUDA)
    cudaEventDestroy(ready_);
    cudaStreamDestroy(stream_);
#endif
  }

  /// Copies to.size() values and returns when they have arrived. Running kernels continue; they must not use `to`.
  template <class T>
  void copy(const Vector<T>& to, const T* from) const {
#if defined(KOKKOS_ENABLE_CUDA)
    detail::require_cuda(cudaMemcpyAsync(to.data(), from, to.size() * sizeof(T), cudaMemcpyHostToDevice, stream_),
                         "cudaMemcpyAsync");
    detail::require_cuda(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
#else
    Kokkos::deep_copy(to, Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(from, to.size()));
#endif
  }

  /// What is asked for next begins once the instance has done what was submitted to it so far.
  void follow(const Instance& instance) const {
#if defined(KOKKOS_ENABLE_CUDA)
    detail::require_cuda(cudaEventRecord(ready_, instance.stream()), "cudaEventRecord");
    detail::require_cuda(cudaStreamWaitEvent(stream_, ready_, 0), "cudaStreamWaitEvent");
#else
    instance.fence();
#endif
  }
  /// Begins to copy from.size() values to pinned memory of the host, which stays untouched until wait().
  template <class T>
  void start_to_host(T* to, const Vector<T>& from) const {
#if defined(KOKKOS_ENABLE_CUDA)
    detail::require_cuda(cudaMemcpyAsync(to, from.data(), from.size() * sizeof(T), cudaMemcpyDeviceToHost, stream_),
                         "cudaMemcpyAsync");
#else
    if constexpr (!runs_on_host) Kokkos::deep_copy(HostVector<T>(to, from.size()), from);
#endif
  }
  /// Waits for all of that.
  void wait() const {
#if defined(KOKKOS_ENABLE_CUDA)
    detail::require_cuda(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
#endif
  }

 private:
#if defined(KOKKOS_ENABLE_CUDA)
  cudaStream_t stream_ = nullptr;
  cudaEvent_t ready_ = nullptr;
#endif
};

}  // namespace miniapp
