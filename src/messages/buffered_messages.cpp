// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/messages/buffered_messages.hpp"

#include <csignal>
#include <mutex>
#include <string>
#include <utility>

#include <unistd.h>

#include "core/copy_queue.hpp"
#include "messages/nccl.hpp"
#include "miniapp/core/error.hpp"

namespace miniapp::messages {

struct BufferedMessages::State {
  Halo halo = Halo::host;
  std::vector<int> others;
  std::vector<std::size_t> sent, received;
  Communicator::Messages messages;
  Vector<double> send, receive;
  PinnedVector<double> send_host, receive_host;  ///< copies of send and receive on the host
  CopyQueue queue;
  std::shared_ptr<const Nccl> nccl;

  /// What `items` of `bytes` each take of a buffer.
  template <class View>
  static View used(const View& buffer, std::size_t items, std::size_t bytes) {
    return View(buffer.data(), (items * bytes + sizeof(double) - 1) / sizeof(double));
  }
  bool copies() const { return !runs_on_host && halo == Halo::host; }
  void start(std::size_t bytes) const {
    messages.start(copies() ? send_host.data() : send.data(), copies() ? receive_host.data() : receive.data(), bytes);
  }
  void send_by_nccl(const Instance& instance, std::size_t bytes) const {
    nccl->swap(instance, others, sent, send.data(), received, receive.data(), bytes);
  }
};

namespace {

constexpr char crash[] =
    "miniapp: --halo device: MPI ended with a segmentation fault, so that it does not take pointers of GPUs; "
    "accepted are auto, host, nccl, peer\n";

void report_crash(int) {
  [[maybe_unused]] const auto written = write(STDERR_FILENO, crash, sizeof(crash) - 1);
  _exit(2);
}

/// Sends a number from each device to those of the next rank and the one before: MPI that does not know of devices may
/// crash.
void try_device_pointers(const Communicator& ranks) {
  static std::mutex mutex;
  static bool has_passed = false;  // collectively
  const std::lock_guard lock(mutex);
  if (has_passed) return;
  const int size = ranks.size(), next = (ranks.rank() + 1) % size, before = (ranks.rank() + size - 1) % size;
  std::vector<int> others = {before};
  std::vector<std::size_t> offsets = {0, 1};
  if (next != before) {
    others.push_back(next);
    offsets.push_back(2);
  }
  const auto own = to_device("messages/try", std::vector<double>(2, 1. + ranks.rank()));
  const Vector<double> other = make_zeros<double>("messages/try", 2);
  const Communicator::Messages messages(ranks, others, offsets, offsets);
  ExecutionSpace().fence();
  const auto usual = std::signal(SIGSEGV, report_crash);
  messages.start(own.data(), other.data(), sizeof(double));
  messages.finish();
  std::signal(SIGSEGV, usual);
  const bool arrived = to_host(other)(0) == 1. + before;
  require(ranks.of_all(Reduction::min, std::int64_t(arrived)) == 1, "halo", "device",
          "MPI does not send from device to device what it should; accepted are auto, host, nccl, peer");
  has_passed = true;
}

Halo choose(const Communicator& ranks) {
  if (runs_on_host) return Halo::host;
  switch (ranks.halo()) {
    case Halo::device:
      try_device_pointers(ranks);
      return Halo::device;
    case Halo::nccl:
    case Halo::host:
      return ranks.halo();
    default:
      return mpi_takes_device_pointers() ? Halo::device : Halo::host;
  }
}

}  // namespace

BufferedMessages::BufferedMessages(const Communicator& ranks, std::vector<int> others, std::vector<std::size_t> sent,
                                   std::vector<std::size_t> received, std::size_t bytes)
    : state_(std::make_shared<State>()) {
  State& s = *state_;
  s.halo = choose(ranks);
  if (s.halo == Halo::nccl) s.nccl = Nccl::of(ranks);
  s.messages = {ranks, others, sent, received};
  const auto make = [&](std::size_t items) {
    return make_vector<double>("messages/buffer", (items * bytes + sizeof(double) - 1) / sizeof(double));
  };
  s.send = make(sent.back());
  s.receive = make(received.back());
  if (s.halo == Halo::host) {
    s.send_host = Kokkos::create_mirror_view(PinnedSpace(), s.send);
    s.receive_host = Kokkos::create_mirror_view(PinnedSpace(), s.receive);
  }
  s.others = std::move(others);
  s.sent = std::move(sent);
  s.received = std::move(received);
}

Halo BufferedMessages::halo() const { return state_ ? state_->halo : Halo::host; }
void* BufferedMessages::send_buffer() const { return state_->send.data(); }
const void* BufferedMessages::receive_buffer() const { return state_->receive.data(); }

void BufferedMessages::swap(const Instance& instance, std::size_t bytes, const std::function<void()>& meanwhile) const {
  const State& s = *state_;
  if (s.halo == Halo::nccl) return s.send_by_nccl(instance, bytes);
  if (s.copies())
    Kokkos::deep_copy(instance.space(), State::used(s.send_host, s.sent.back(), bytes),
                      State::used(s.send, s.sent.back(), bytes));
  instance.fence();
  s.start(bytes);
  if (meanwhile) meanwhile();
  s.messages.finish();
  if (s.copies())
    Kokkos::deep_copy(instance.space(), State::used(s.receive, s.received.back(), bytes),
                      State::used(s.receive_host, s.received.back(), bytes));
}

void BufferedMessages::start(const Instance& instance, std::size_t bytes) const {
  const State& s = *state_;
  if (s.halo == Halo::nccl) return;
  s.queue.follow(instance);
  if (s.copies()) s.queue.start_to_host(s.send_host.data(), State::used(s.send, s.sent.back(), bytes));
  if constexpr (runs_on_host) s.start(bytes);
}

void BufferedMessages::finish(const Instance& instance, std::size_t bytes) const {
  const State& s = *state_;
  if (s.halo == Halo::nccl) return s.send_by_nccl(instance, bytes);
  if constexpr (!runs_on_host) {
    s.queue.wait();
    s.start(bytes);
  }
  s.messages.finish();
  if (s.copies())
    s.queue.copy(State::used(s.receive, s.received.back(), bytes), static_cast<const double*>(s.receive_host.data()));
}

}  // namespace miniapp::messages
