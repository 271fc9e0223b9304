// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "miniapp/core/communicator.hpp"
#include "miniapp/core/instance.hpp"
#include "miniapp/core/teams.hpp"
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
    receive.finish(i, size);
  }
};

/// A round that one kernel of a GPU sends and receives; a thread has the indices first, first + stride, ..
template <class Real, class Send, class Receive>
struct WholeRound {
  PeerMessages::Sender<Real> sender;
  PeerMessages::Receiver<Real> receiver;
  std::size_t sent, received;
  Send send;
  Receive receive;
  ReceiveSums sums;
  int num_sums;

  std::size_t size() const { return std::max(sent, received); }
  /// What no kernel changes.
  KOKKOS_FORCEINLINE_FUNCTION void prefetch(const Team& team, std::size_t first) const {
    if (first < sent) {
      send.prefetch(team, first);
      team.prefetch(sender.bases + first);
      team.prefetch(sender.slots + first);
    }
    if (first < received) receive.prefetch(team, first);
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t number(const Team& team) const {
    return sender.finished[team.league_rank()] + 1;
  }
  KOKKOS_FORCEINLINE_FUNCTION void send_all(std::uint32_t round, std::size_t first, std::size_t stride) const {
    if (first < std::size_t(num_sums)) sums.sums.send(static_cast<int>(first), sums.own[first]);
    for (std::size_t i = first; i < sent; i += stride)
      send(i, [&](std::size_t item, Real value) { sender.store(item, value, round); });
  }
  KOKKOS_FORCEINLINE_FUNCTION void receive_all(std::uint32_t round, std::size_t first, std::size_t stride) const {
    for (std::size_t i = first; i < received; i += stride)
      receive(i, [&](std::size_t item) { return receiver.load(item, round); });
    if (first < std::size_t(num_sums)) sums(static_cast<int>(first));
  }
  /// After all threads of the team know the round; the first team does it for teams that do not run.
  KOKKOS_FORCEINLINE_FUNCTION void finish(const Team& team, std::uint32_t round) const {
    if (team.team_rank() == 0) sender.finished[team.league_rank()] = round;
    if (team.league_rank() > 0) return;
    for (int t = team.league_size() + team.team_rank(); t < PeerMessages::most_teams; t += team.team_size())
      sender.finished[t] = round;
  }
};

/// No round.
struct NoRound {
  static std::size_t size() { return 0; }
  KOKKOS_FORCEINLINE_FUNCTION static void prefetch(const Team&, std::size_t) {}
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t number(const Team&) { return 0; }
  KOKKOS_FORCEINLINE_FUNCTION static void send_all(std::uint32_t, std::size_t, std::size_t) {}
  KOKKOS_FORCEINLINE_FUNCTION static void receive_all(std::uint32_t, std::size_t, std::size_t) {}
  KOKKOS_FORCEINLINE_FUNCTION static void finish(const Team&, std::uint32_t) {}
};

/// One or two rounds in one kernel of a GPU. Each team sends all that it sends before it waits, and all teams run at
/// once, so that ranks do not wait for each other in vain.
template <class A, class B>
struct RoundTeam {
  static constexpr int threads = 256, teams_at_once = 4;
  static constexpr bool awaits = true;
  static constexpr std::size_t scratch_bytes = 0;
  A a;
  B b;

  /// All run at once.
  int num_teams() const {
#if defined(KOKKOS_ENABLE_CUDA)
    const int most = std::min(resident_teams<RoundTeam>(), int(PeerMessages::most_teams));
#else
    const int most = 1;  // without CUDA there are no peers on GPUs
#endif
    return static_cast<int>(std::clamp<std::size_t>((std::max(a.size(), b.size()) + threads - 1) / threads, 1, most));
  }
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const std::size_t first = std::size_t(team.league_rank()) * threads + team.team_rank(),
                      stride = std::size_t(team.league_size()) * threads;
    a.prefetch(team, first);
    b.prefetch(team, first);
    team.await();
    const std::uint32_t round_a = a.number(team), round_b = b.number(team);
    a.send_all(round_a, first, stride);
    b.send_all(round_b, first, stride);
    a.receive_all(round_a, first, stride);
    b.receive_all(round_b, first, stride);
    team.team_barrier();
    a.finish(team, round_a);
    b.finish(team, round_b);
  }
};

}  // namespace detail

/// Why values cannot travel in this way in this build, with what is accepted; empty: they can.
std::string why_not(Halo halo);

/// What travels in a round: send (i, ..) is called for i < sent, receive (i, ..) for i < received; the latter may
/// change what send (i, ..) of the same i has read, and nothing that another i reads. prefetch (team, i) of both asks
/// for what they read and no kernel changes.
template <class Send, class Receive>
struct Round {
  std::size_t sent;
  Send send;
  std::size_t received;
  Receive receive;
};
template <class Send, class Receive>
Round(std::size_t, Send, std::size_t, Receive) -> Round<Send, Receive>;  // clang 14 wants to be told

/// Messages of fixed sizes between this rank and some others, and sums over all ranks, again and again. The transport
/// is chosen once, by ranks.halo(): stores into each other's memory (peers.hpp), or buffers that a library sends
/// (buffered_messages.hpp). A round is exchange(), or start() and finish() with other work between them.
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
  /// Whether exchange(), finish() and reduce() wait for the instance.
  bool waits() const { return !ranks_.is_alone() && !peers_.possible() && buffers_.waits(); }
  /// Memory of this rank's lists [bytes], without what travels.
  double bytes() const { return peers_.bytes(); }

  /// Sends and receives; sums[0 .. count) on the device become those of all ranks. With peers GPUs do it in one kernel.
  template <class Real, class Send, class Receive>
  void exchange(const Instance& instance, const char* label, const Round<Send, Receive>& round, double* sums = nullptr,
                int count = 0) const {
    require_few(count);
    if constexpr (!runs_on_host) {
      using Teams = detail::RoundTeam<detail::WholeRound<Real, Send, Receive>, detail::NoRound>;
      if (peers_.possible()) return run_teams(instance, label, Teams{whole<Real>(round, sums, count), {}});
    }
    if (peers_.possible()) {
      send_by<Real>(instance, label, round.sent, round.send, peers_.sender<Real>(), sums, count);
      receive_of_peers<Real>(instance, label, round.received, round.receive, {sums_.body(), true, sums}, count);
    } else {
      send_by<Real>(instance, label, round.sent, round.send, ToBuffer<Real>{buffers_.send<Real>()}, nullptr, 0);
      if (waits()) copy_sums(instance, sums, count);
      buffers_.swap(instance, sizeof(Real), [&] { sum_copied(count); });
      receive_from_buffer<Real>(instance, label, round.received, round.receive);
      if (waits()) return return_sums(instance, sums, count);
      reduce(instance, sums, count);
    }
  }
  /// A round of these and one of other messages of the same ranks, which sends nothing that the first changes.
  template <class Real, class SendA, class ReceiveA, class SendB, class ReceiveB>
  void exchange_both(const Instance& instance, const char* label, const Round<SendA, ReceiveA>& round,
                     const Messages& others, const Round<SendB, ReceiveB>& round_of_others) const {
    if constexpr (!runs_on_host) {
      using A = detail::WholeRound<Real, SendA, ReceiveA>;
      using B = detail::WholeRound<Real, SendB, ReceiveB>;
      if (peers_.possible() && others.peers_.possible())
        return run_teams(
            instance, label,
            detail::RoundTeam<A, B>{whole<Real>(round, nullptr, 0), others.whole<Real>(round_of_others, nullptr, 0)});
    }
    exchange<Real>(instance, label, round);
    others.exchange<Real>(instance, label, round_of_others);
  }

  /// Sends. What is submitted to the instance until finish() runs beside the messages.
  template <class Real, class Body>
  void start(const Instance& instance, const char* label, std::size_t size, const Body& body) const {
    if (peers_.possible()) return send_by<Real>(instance, label, size, body, peers_.sender<Real>(), nullptr, 0);
    send_by<Real>(instance, label, size, body, ToBuffer<Real>{buffers_.send<Real>()}, nullptr, 0);
    buffers_.start(instance, sizeof(Real));
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

  /// With peers a kernel of the caller's may stand for finish() and reduce(), after a start(): it receives each item at
  /// least once, calls Receiver::finish(), and has one thread per sum.
  bool has_peers() const { return peers_.possible(); }
  template <class Real>
  PeerMessages::Receiver<Real> peer_receiver() const {
    return peers_.receiver<Real>();
  }
  PeerSums::Body peer_sums() const { return sums_.body(); }

  /// sums[0 .. count) on the device become those of all ranks. Errors: more than PeerSums::most (InputError).
  void reduce(const Instance& instance, double* sums, int count) const;

 private:
  static void require_few(int count);
  template <class Real, class Body, class Send>
  void send_by(const Instance& instance, const char* label, std::size_t size, const Body& body, const Send& send,
               const double* sums, int count) const {
    for_items(instance, label, size + static_cast<std::size_t>(count),
              detail::SendItems<Send, Body>{send, body, size, sums_.body(), sums});
  }
  template <class Real, class Body>
  void receive_of_peers(const Instance& instance, const char* label, std::size_t size, const Body& body,
                        const detail::ReceiveSums& sums, int count) const {
    for_items(instance, label, size + static_cast<std::size_t>(count),
              detail::ReceiveItems<PeerMessages::Receiver<Real>, Body>{peers_.receiver<Real>(), body, size, sums});
  }
  template <class Real, class Send, class Receive>
  detail::WholeRound<Real, Send, Receive> whole(const Round<Send, Receive>& round, double* sums, int count) const {
    return {peers_.sender<Real>(), peers_.receiver<Real>(),    round.sent, round.received, round.send,
            round.receive,         {sums_.body(), true, sums}, count};
  }
  template <class Teams>
  static void run_teams(const Instance& instance, const char* label, const Teams& teams) {
    for_teams(instance, label, teams.num_teams(), teams);
  }
  template <class Real, class Body>
  void receive_from_buffer(const Instance& instance, const char* label, std::size_t size, const Body& body) const {
    for_items(instance, label, size,
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
