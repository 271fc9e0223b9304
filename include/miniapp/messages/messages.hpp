// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "miniapp/core/communicator.hpp"
#include "miniapp/core/instance.hpp"
#include "miniapp/messages/buffered_messages.hpp"
#include "miniapp/messages/peers.hpp"

namespace miniapp::messages {

class Nccl;

namespace detail {

/// Functors, since clients compile them: for a lambda nvcc emits pointers in every translation unit, and the linker
/// mixes them up.

/// Runs body (i, send) for i < size. Further threads send sums, one each.
template <class Send, class Body>
struct SendItems {
  Send send;
  Body body;
  std::size_t size;
  PeerSums::Body sums;
  const double* own;
  KOKKOS_FUNCTION void operator()(const std::size_t i) const {
    if (i < size)
      body(i, send);
    else
      sums.send(static_cast<int>(i - size), own[i - size]);
  }
};

/// own (sum) = the sum of all ranks.
struct ReceiveSums {
  PeerSums::Body sums;
  bool are_sent;
  double* own;
  KOKKOS_FUNCTION void operator()(const int sum) const {
    if (!are_sent) sums.send(sum, own[sum]);
    own[sum] = sums.receive(sum, own[sum]);
  }
};

/// Runs body (i, receive) for i < size. Further threads receive sums, one each.
template <class Receive, class Body>
struct ReceiveItems {
  Receive receive;
  Body body;
  std::size_t size;
  ReceiveSums sums;
  KOKKOS_FUNCTION void operator()(const std::size_t i) const {
    if (i >= size) return sums(static_cast<int>(i - size));
    body(i, receive);
    if (i == 0) receive.finish();
  }
};

}  // namespace detail

/// Why values cannot travel in this way in this build, with what is accepted; empty: they can.
std::string why_not(Halo halo);

/// Messages of fixed sizes between this rank and some others, and sums over all ranks, again and again. The transport
/// is chosen once, by ranks.halo(): stores into each other's memory (peers.hpp), or buffers that a library sends
/// (buffered_messages.hpp). A round is send() and receive(), or start() and finish() with other work between them.
/// Kernels of both sides are bodies, which serve every transport:
///   send:     body (i, send) calls send (item, value), so that each item is sent once
///   receive:  body (i, receive) uses receive (item), so that each item is received at least once
/// With peers and NCCL nothing waits on the host, so that a Replay may record rounds. With peers the sums of a round
/// travel in the kernels of its values. On one rank nothing may be sent, and sums stay as they are.
class Messages {
 public:
  Messages() = default;
  /// Items have at most `bytes` each, 4 or 8. Items sent[k] .. sent[k + 1] go to the rank others[k], which sends
  /// received[k] .. received[k + 1] to this one; ranks name each other. Buffers are used where some message is empty.
  /// Collective. Errors: InputError where ranks.halo() is not possible.
  Messages(const Communicator& ranks, std::vector<int> others, std::vector<std::size_t> sent,
           std::vector<std::size_t> received, std::size_t bytes);

  /// How values travel: not automatic.
  Halo halo() const { return peers_.possible() ? Halo::peer : buffers_.halo(); }
  /// Whether receive() and reduce() wait for the instance.
  bool waits() const { return !ranks_.is_alone() && !peers_.possible() && buffers_.waits(); }
  /// Memory of this rank's lists [bytes], without what travels.
  double bytes() const { return peers_.bytes(); }

  /// Sends by body (i, send), i < size. The same round's receive() makes sums[0 .. count) on the device those of all
  /// ranks; with peers they are sent here.
  template <class Real, class Body>
  void send(const Instance& instance, const char* label, std::size_t size, const Body& body,
            const double* sums = nullptr, int count = 0) const {
    require_few(count);
    if (peers_.possible()) return send_by<Real>(instance, label, size, body, peers_.sender<Real>(), sums, count);
    send_by<Real>(instance, label, size, body, ToBuffer<Real>{buffers_.send<Real>()}, nullptr, 0);
  }
  /// Receives by body (i, receive), i < size, and completes sums.
  template <class Real, class Body>
  void receive(const Instance& instance, const char* label, std::size_t size, const Body& body, double* sums = nullptr,
               int count = 0) const {
    if (peers_.possible())
      return receive_of_peers<Real>(instance, label, size, body, {sums_.body(), true, sums}, count);
    if (waits()) copy_sums(instance, sums, count);
    buffers_.swap(instance, sizeof(Real), [&] { sum_copied(count); });
    receive_from_buffer<Real>(instance, label, size, body);
    if (waits()) return return_sums(instance, sums, count);
    reduce(instance, sums, count);
  }

  /// send() without sums. What is submitted to the instance until finish() runs beside the messages.
  template <class Real, class Body>
  void start(const Instance& instance, const char* label, std::size_t size, const Body& body) const {
    send<Real>(instance, label, size, body);
    if (!peers_.possible()) buffers_.start(instance, sizeof(Real));
  }
  /// Receives what start() sent; sums[0 .. count) on the device become those of all ranks.
  template <class Real, class Body>
  void finish(const Instance& instance, const char* label, std::size_t size, const Body& body, double* sums = nullptr,
              int count = 0) const {
    require_few(count);
    if (peers_.possible())
      return receive_of_peers<Real>(instance, label, size, body, {sums_.body(), false, sums}, count);
    buffers_.finish(instance, sizeof(Real));
    receive_from_buffer<Real>(instance, label, size, body);
    reduce(instance, sums, count);
  }

  /// sums[0 .. count) on the device become those of all ranks. Errors: more than PeerSums::most (InputError).
  void reduce(const Instance& instance, double* sums, int count) const;

 private:
  using Items = Kokkos::RangePolicy<ExecutionSpace>;
  static void require_few(int count);
  template <class Real, class Body, class Send>
  void send_by(const Instance& instance, const char* label, std::size_t size, const Body& body, const Send& send,
               const double* sums, int count) const {
    Kokkos::parallel_for(label, Items(instance.space(), 0, size + static_cast<std::size_t>(count)),
                         detail::SendItems<Send, Body>{send, body, size, sums_.body(), sums});
  }
  template <class Real, class Body>
  void receive_of_peers(const Instance& instance, const char* label, std::size_t size, const Body& body,
                        const detail::ReceiveSums& sums, int count) const {
    Kokkos::parallel_for(
        label, Items(instance.space(), 0, size + static_cast<std::size_t>(count)),
        detail::ReceiveItems<PeerMessages::Receiver<Real>, Body>{peers_.receiver<Real>(), body, size, sums});
  }
  template <class Real, class Body>
  void receive_from_buffer(const Instance& instance, const char* label, std::size_t size, const Body& body) const {
    Kokkos::parallel_for(label, Items(instance.space(), 0, size),
                         detail::ReceiveItems<FromBuffer<Real>, Body>{{buffers_.received<Real>()}, body, size, {}});
  }
  /// Copies sums to the host and back, without waiting; what is copied becomes that of all ranks.
  void copy_sums(const Instance& instance, const double* sums, int count) const;
  void return_sums(const Instance& instance, double* sums, int count) const;
  void sum_copied(int count) const;

  Communicator ranks_;
  PeerMessages peers_;
  PeerSums sums_;             ///< possible where peers_ is
  BufferedMessages buffers_;  ///< where these are not
  std::shared_ptr<const Nccl> nccl_;
  PinnedVector<double> host_sums_;
};

}  // namespace miniapp::messages
