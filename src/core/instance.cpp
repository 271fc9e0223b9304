// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/core/instance.hpp"

#include <algorithm>

namespace miniapp {

struct Instance::State {
  ExecutionSpace space;
  Vector<double> partial;
  Vector<unsigned> finished;
  Mailbox mailbox;
};

Instance::Instance(const ExecutionSpace& space) : state_(std::make_shared<State>(State{space, {}, {}, {}})) {
#if defined(KOKKOS_ENABLE_CUDA)
  stream_ = space.cuda_stream();
#endif
}

const ExecutionSpace& Instance::space() const { return state_->space; }

Instance::SumScratch Instance::sum_scratch(std::size_t size) const {
  constexpr std::size_t enough = 1 << 16;  // for any loop on today's devices: a captured graph keeps the address
  if (state_->finished.extent(0) == 0) state_->finished = Vector<unsigned>("core/finished", 1);
  if (state_->partial.extent(0) < size) {
    fence();  // a running loop may still use the old buffer
    state_->partial = Vector<double>("core/partial", std::max(enough, 2 * size));
  }
  return {state_->partial.data(), state_->finished.data()};
}

Mailbox& Instance::mailbox() const { return state_->mailbox; }

}  // namespace miniapp
