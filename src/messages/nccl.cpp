// SPDX-License-Identifier: BSD-3-Clause
#include "messages/nccl.hpp"

#include <cstring>
#include <mutex>
#include <string>
#include <utility>

#include "miniapp/core/error.hpp"
#include "miniapp/core/features.hpp"
#include "miniapp/core/session.hpp"

#if defined(MINIAPP_HAVE_NCCL)
#include <nccl.h>
#endif

namespace miniapp::messages {

#if defined(MINIAPP_HAVE_NCCL)

const bool nccl_is_possible = true;

struct Nccl::State {
  std::weak_ptr<const void> ranks;
  ncclComm_t communicator = nullptr;
  ~State() {
    if (communicator) ncclCommDestroy(communicator);
  }
  bool is_of(const Communicator& other) const {
    const std::weak_ptr<const void> identity = other.identity();
    return !ranks.owner_before(identity) && !identity.owner_before(ranks);
  }
};

namespace {

void check(ncclResult_t result, const char* call) {
  if (result != ncclSuccess && result != ncclInProgress)
    throw DeviceError(std::string(call) + ": " + ncclGetErrorString(result));
}

}  // namespace

Nccl::Nccl(std::unique_ptr<State> state) : state_(std::move(state)) {}
Nccl::~Nccl() = default;

std::shared_ptr<const Nccl> Nccl::of(const Communicator& ranks) {
  static std::mutex mutex;
  static std::vector<std::weak_ptr<const Nccl>> made;  // ranks drop theirs at different times
  const std::lock_guard lock(mutex);
  std::shared_ptr<const Nccl> nccl;
  for (const std::weak_ptr<const Nccl>& other : made)
    if (const auto alive = other.lock(); alive && alive->state_->is_of(ranks)) nccl = alive;
  if (ranks.of_all(Reduction::min, std::int64_t(nccl != nullptr)) == 1) return nccl;
  ncclUniqueId id;
  if (ranks.rank() == 0) check(ncclGetUniqueId(&id), "ncclGetUniqueId");
  const std::string text = ranks.from_first({reinterpret_cast<const char*>(&id), sizeof(id)});
  std::memcpy(&id, text.data(), sizeof(id));
  auto state = std::make_unique<State>();
  state->ranks = ranks.identity();
  check(ncclCommInitRank(&state->communicator, ranks.size(), id, ranks.rank()), "ncclCommInitRank");
  nccl = std::shared_ptr<const Nccl>(new Nccl(std::move(state)));
  std::erase_if(made, [](const auto& other) { return other.expired(); });
  made.push_back(nccl);
  return nccl;
}

void Nccl::swap(const Instance& instance, const std::vector<int>& others, const std::vector<std::size_t>& sent,
                const void* send, const std::vector<std::size_t>& received, void* receive, std::size_t bytes) const {
  check(ncclGroupStart(), "ncclGroupStart");
  for (std::size_t k = 0; k < others.size(); ++k) {
    check(ncclSend(static_cast<const char*>(send) + sent[k] * bytes, (sent[k + 1] - sent[k]) * bytes, ncclInt8,
                   others[k], state_->communicator, instance.stream()),
          "ncclSend");
    check(ncclRecv(static_cast<char*>(receive) + received[k] * bytes, (received[k + 1] - received[k]) * bytes, ncclInt8,
                   others[k], state_->communicator, instance.stream()),
          "ncclRecv");
  }
  check(ncclGroupEnd(), "ncclGroupEnd");
}

void Nccl::sum(const Instance& instance, double* values, int count) const {
  check(ncclAllReduce(values, values, static_cast<std::size_t>(count), ncclFloat64, ncclSum, state_->communicator,
                      instance.stream()),
        "ncclAllReduce");
}

#else

const bool nccl_is_possible = false;

struct Nccl::State {};
Nccl::Nccl(std::unique_ptr<State> state) : state_(std::move(state)) {}
Nccl::~Nccl() = default;
std::shared_ptr<const Nccl> Nccl::of(const Communicator&) {
  throw InputError("halo", "nccl", "this build has no NCCL; accepted are auto, host, device, peer");
}
void Nccl::swap(const Instance&, const std::vector<int>&, const std::vector<std::size_t>&, const void*,
                const std::vector<std::size_t>&, void*, std::size_t) const {}
void Nccl::sum(const Instance&, double*, int) const {}

#endif

}  // namespace miniapp::messages
