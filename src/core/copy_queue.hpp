// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "miniapp/core/execution.hpp"
#include "miniapp/core/teams.hpp"

namespace miniapp {

/// Copies from the host to the device, overlapped with kernels where the device supports it (CUDA).
class CopyQueue {
 public:
  CopyQueue() {
#if defined(KOKKOS_ENABLE_CUDA)
    detail::require_cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
#endif
  }
  CopyQueue(const CopyQueue&) = delete;
  CopyQueue& operator=(const CopyQueue&) = delete;
  ~CopyQueue() {
#if defined(KOKKOS_ENABLE_CUDA)
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

 private:
#if defined(KOKKOS_ENABLE_CUDA)
  cudaStream_t stream_ = nullptr;
#endif
};

}  // namespace miniapp
