// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "miniapp/core/communicator.hpp"
#include "miniapp/core/instance.hpp"

namespace miniapp::messages {

/// Whether this build has NCCL.
extern const bool nccl_is_possible;

/// NVIDIA's library of messages between GPUs, of one host or of several. Its operations are part of an instance, like
/// kernels; a Replay may record them.
class Nccl {
 public:
  /// The ranks' only one; made by the first call, which takes up to a second. Collective. Errors: InputError in builds
  /// without NCCL; DeviceError where ranks share a device.
  static std::shared_ptr<const Nccl> of(const Communicator& ranks);
  ~Nccl();

  /// Items of `bytes` each on the device: sent[k] .. sent[k + 1] go to the rank others[k], received[k] .. received[k +
  /// 1] come from it.
  void swap(const Instance& instance, const std::vector<int>& others, const std::vector<std::size_t>& sent,
            const void* send, const std::vector<std::size_t>& received, void* receive, std::size_t bytes) const;
  /// values[0 .. count) on the device become their sums over ranks, the same on all of them.
  void sum(const Instance& instance, double* values, int count) const;

 private:
  struct State;
  explicit Nccl(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace miniapp::messages
