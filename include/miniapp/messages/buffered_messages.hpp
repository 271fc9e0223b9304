// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "miniapp/core/communicator.hpp"
#include "miniapp/core/instance.hpp"

namespace miniapp::messages {

/// Messages of fixed sizes between buffers on the devices of ranks, again and again, by a library. By `halo`:
///   host    buffers are copied to the host, which sends and receives by MPI, and back
///   device  MPI takes the buffers where they are
///   nccl    NCCL sends and receives as part of the instance, which the host need not wait for
/// A host's buffers are on it, and only host is possible.
class BufferedMessages {
 public:
  BufferedMessages() = default;
  /// Of items of at most `bytes` each. Items sent[k] .. sent[k + 1] go to the rank others[k], which sends received[k]
  /// .. received[k + 1] to this one. How they travel is ranks.halo(); automatic and peer: device, if MPI says that it
  /// takes pointers of devices, else host. Collective. Errors: InputError where that is not possible.
  BufferedMessages(const Communicator& ranks, std::vector<int> others, std::vector<std::size_t> sent,
                   std::vector<std::size_t> received, std::size_t bytes);

  /// How they travel: host, device or nccl.
  Halo halo() const;
  /// Whether swap() waits for the instance.
  bool waits() const { return halo() != Halo::nccl; }
  /// Buffers on the device, (item).
  template <class Real>
  Real* send() const {
    return static_cast<Real*>(send_buffer());
  }
  template <class Real>
  const Real* received() const {
    return static_cast<const Real*>(receive_buffer());
  }
  /// Sends and receives items of `bytes` each: those that the instance has stored so far, for what is submitted to it
  /// later. Calls `meanwhile`, where it waits, after messages have begun.
  void swap(const Instance& instance, std::size_t bytes, const std::function<void()>& meanwhile = {}) const;
  /// The same in two steps: what is submitted to the instance between them runs beside the messages.
  void start(const Instance& instance, std::size_t bytes) const;
  void finish(const Instance& instance, std::size_t bytes) const;

  struct State;

 private:
  void* send_buffer() const;
  const void* receive_buffer() const;
  std::shared_ptr<State> state_;
};

/// Its buffers, where kernels take a PeerMessages::Sender or Receiver too.
template <class Real>
struct ToBuffer {
  Real* buffer;
  KOKKOS_FUNCTION void operator()(const std::size_t item, Real value) const { buffer[item] = value; }
};
template <class Real>
struct FromBuffer {
  const Real* buffer;
  KOKKOS_FUNCTION Real operator()(const std::size_t item) const { return buffer[item]; }
  KOKKOS_FUNCTION void finish(std::size_t, std::size_t) const {}
};

}  // namespace miniapp::messages
