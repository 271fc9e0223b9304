// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>

#include "miniapp/core/detail/mailbox.hpp"
#include "miniapp/core/execution.hpp"

namespace miniapp {

/// An execution instance, the first argument of everything that launches loops. Work submitted to one instance runs in
/// the order of submission; work of different instances may run concurrently. With CUDA and HIP an instance is a
/// stream. It owns the buffers that loops need, room for partial sums and a mailbox for the host, so that instances do
/// not interfere. Copies refer to the same instance. It must be destroyed before Kokkos is finalised.
class Instance {
 public:
  /// Work runs on the stream of Kokkos's default instance.
  Instance() : Instance(ExecutionSpace()) {}
  /// Work runs on the stream of `space`.
  explicit Instance(const ExecutionSpace& space);

  const ExecutionSpace& space() const;
  /// Waits for all work submitted so far.
  void fence() const { space().fence(); }
  bool operator==(const Instance&) const = default;
#if defined(KOKKOS_ENABLE_CUDA)
  cudaStream_t stream() const { return stream_; }
#endif

  /// Room on the device for `size` partial results, and a counter that is zero between loops.
  struct SumScratch {
    double* partial;
    unsigned* finished;
  };
  SumScratch sum_scratch(std::size_t size) const;
  /// Receives the result of a loop that the host waits for.
  Mailbox& mailbox() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
#if defined(KOKKOS_ENABLE_CUDA)
  cudaStream_t stream_;  // cached: asking Kokkos for it costs a tenth of a launch
#endif
};

/// Begin after what was submitted to the instance: all entries of a device array get a value, or those of another one.
template <class T>
void fill(const Instance& instance, const Vector<T>& vector, std::type_identity_t<T> value) {
  detail::fill<T>(instance.space(), vector, value);
}
template <class T>
void copy_entries(const Instance& instance, const Vector<T>& to, const Vector<T>& from) {
  detail::require_same_size(to.extent(0), from.extent(0));
  detail::copy_bytes(instance.space(), to.data(), from.data(), to.extent(0) * sizeof(T));
}

}  // namespace miniapp
