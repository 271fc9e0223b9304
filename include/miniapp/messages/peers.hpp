// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "miniapp/core/communicator.hpp"
#include "miniapp/core/execution.hpp"
#include "miniapp/core/map.hpp"

/// Messages and sums of ranks of one host whose kernels store into each other's memory: the hosts' processes, or
/// libraries of messages, have no part in them, so that they can be captured in a graph (Replay).
///
/// They run in rounds. Four bytes of a value and the number of the round make a word of 8 bytes, which is stored at
/// once: who finds the number has the value, without fences or flags (NCCL's protocol LL). The words of two rounds have
/// places of their own. A rank begins a round after it has finished the one before, for which it heard from all that it
/// sends to; so they have read what the round before that one sent, and its words may be overwritten. Kernels of one
/// rank must run in the order in which they were launched, and ranks must not wait for each other on one device.
namespace miniapp::messages {

/// Whether these ranks should store into each other's memory, by their halo(): on hosts only where that is asked for,
/// since waiting threads take cores from those that compute where ranks are more than cores.
bool uses_peers(const Communicator& ranks);

/// Memory of each rank, zeroed and of one size, that kernels of all ranks read and write: of GPUs by CUDA's handles
/// between processes, of hosts by POSIX shared memory.
class PeerMemory {
 public:
  /// Null where some rank is on another host, has its GPU in common with another one, or cannot open another's memory.
  /// Collective.
  static std::shared_ptr<const PeerMemory> make(const Communicator& ranks, std::size_t bytes);
  virtual ~PeerMemory() = default;
  /// The address of a rank's bytes in this process.
  std::uint64_t of(int rank) const { return addresses_[static_cast<std::size_t>(rank)]; }

 protected:
  std::vector<std::uint64_t> addresses_;  ///< (rank)
};

namespace detail {

/// A value in words of 8 bytes, `stride` words from each other.
template <class Real>
struct RoundWords {
  static constexpr int count = sizeof(Real) / sizeof(std::uint32_t);
  static_assert(sizeof(Real) == count * sizeof(std::uint32_t));

  KOKKOS_FORCEINLINE_FUNCTION static void store(std::uint64_t* first, std::size_t stride, Real value,
                                                std::uint32_t round) {
    std::uint32_t part[count];
    std::memcpy(part, &value, sizeof(Real));
    for (int k = 0; k < count; ++k)
      *static_cast<volatile std::uint64_t*>(first + k * stride) = std::uint64_t(part[k]) << 32 | round;
  }
  /// Waits for the words of this round.
  KOKKOS_FORCEINLINE_FUNCTION static Real load(const std::uint64_t* first, std::size_t stride, std::uint32_t round) {
    std::uint32_t part[count];
    for (bool complete = false; !complete;) {
      complete = true;
      for (int k = 0; k < count; ++k) {
        const std::uint64_t word = *static_cast<const volatile std::uint64_t*>(first + k * stride);
        complete = complete && static_cast<std::uint32_t>(word) == round;
        part[k] = static_cast<std::uint32_t>(word >> 32);
      }
#if !defined(KOKKOS_ENABLE_CUDA) && !defined(KOKKOS_ENABLE_HIP)
      if (!complete) std::this_thread::yield();  // ranks may be more than cores
#endif
    }
    Real value;
    std::memcpy(&value, part, sizeof(Real));
    return value;
  }
};

}  // namespace detail

/// Messages of fixed sizes between this rank and some others, again and again. A kernel sends all items of a round, a
/// later one receives them; or one kernel of teams does both (WholeRound).
class PeerMessages {
 public:
  /// The most teams of a kernel that both sends and receives, four per multiprocessor of an H200. Each team has the
  /// number of the last round for itself, since one may finish a round before others have read its number.
  static constexpr int most_teams = runs_on_host ? 1 : 528;

  /// send (item, value) stores an item that goes to another rank there.
  template <class Real>
  struct Sender {
    const std::uint64_t* bases;  ///< (item): words of the rank that receives it
    const Index* slots;          ///< (item): its place there
    std::size_t stride, half;    ///< words between those of a value; of a round
    std::uint32_t *begun, *finished;
    KOKKOS_FORCEINLINE_FUNCTION void operator()(std::size_t item, Real value) const {
      const std::uint32_t round = *finished + 1;
      if (item == 0) *begun = round;
      store(item, value, round);
    }
    KOKKOS_FORCEINLINE_FUNCTION void store(std::size_t item, Real value, std::uint32_t round) const {
      std::uint64_t* const words = reinterpret_cast<std::uint64_t*>(bases[item]) + round % 2 * half;
      detail::RoundWords<Real>::store(words + slots[item], stride, value, round);
    }
  };
  /// receive (item) waits for an item of another rank. Each must be received, and threads finish the round.
  template <class Real>
  struct Receiver {
    const std::uint64_t* words;
    std::size_t stride, half;
    const std::uint32_t* begun;
    std::uint32_t* finished;
    KOKKOS_FORCEINLINE_FUNCTION Real operator()(std::size_t item) const { return load(item, *begun); }
    KOKKOS_FORCEINLINE_FUNCTION Real load(std::size_t item, std::uint32_t round) const {
      return detail::RoundWords<Real>::load(words + round % 2 * half + item, stride, round);
    }
    /// By thread i of n.
    KOKKOS_FORCEINLINE_FUNCTION void finish(std::size_t i, std::size_t n) const {
      for (std::size_t team = i; team < most_teams; team += n) finished[team] = *begun;
    }
  };

  PeerMessages() = default;
  /// An item has at most `bytes`, 4 or 8. Items sent[k] .. sent[k + 1] go to the rank others[k]; received[k] ..
  /// received[k + 1] come from it. Neither is empty, and ranks name each other, so that a rank hears from all to which
  /// it sends. Not possible where PeerMemory is not. Collective.
  PeerMessages(const Communicator& ranks, const std::vector<int>& others, const std::vector<std::size_t>& sent,
               const std::vector<std::size_t>& received, std::size_t bytes);

  /// Whether ranks have memory of each other; if not, nothing else may be called.
  bool possible() const { return memory_ != nullptr; }
  /// What a kernel calls to send all items of a round, and a later one to receive them.
  template <class Real>
  Sender<Real> sender() const {
    return {bases_.data(), slots_.data(), stride_, half_, rounds_.data(), rounds_.data() + 1};
  }
  template <class Real>
  Receiver<Real> receiver() const {
    return {own_, stride_, half_, rounds_.data(), rounds_.data() + 1};
  }
  /// Memory of this rank's lists, without the words that travel [bytes].
  double bytes() const { return double(bases_.extent(0)) * (sizeof(std::uint64_t) + sizeof(Index)); }

 private:
  std::shared_ptr<const PeerMemory> memory_;
  const std::uint64_t* own_ = nullptr;
  Vector<const std::uint64_t> bases_;
  Vector<const Index> slots_;
  Vector<std::uint32_t> rounds_;  ///< begun; finished (team)
  std::size_t stride_ = 0, half_ = 0;
};

/// Sums of a few numbers of all ranks, added in the order of ranks.
class PeerSums {
 public:
  static constexpr int most = 16;

  /// One thread sends and receives each sum. Threads of several kernels may: each sum has rounds of its own.
  struct Body {
    const std::uint64_t* bases;  ///< (rank): words
    std::uint32_t* finished;     ///< (sum): round
    int rank, size;
    KOKKOS_FORCEINLINE_FUNCTION std::uint64_t* words(int at, int from, int sum, std::uint32_t round) const {
      return reinterpret_cast<std::uint64_t*>(bases[at]) + 2 * ((round % 2 * size + from) * most + sum);
    }
    KOKKOS_FORCEINLINE_FUNCTION void send(int sum, double own) const {
      const std::uint32_t round = finished[sum] + 1;
      for (int to = 0; to < size; ++to)
        if (to != rank) detail::RoundWords<double>::store(words(to, rank, sum, round), 1, own, round);
    }
    KOKKOS_FORCEINLINE_FUNCTION double receive(int sum, double own) const {
      const std::uint32_t round = ++finished[sum];
      double of_all = 0;
      for (int from = 0; from < size; ++from)
        of_all += from == rank ? own : detail::RoundWords<double>::load(words(rank, from, sum, round), 1, round);
      return of_all;
    }
  };

  PeerSums() = default;
  /// Not possible where PeerMemory is not. Collective.
  explicit PeerSums(const Communicator& ranks);

  /// Whether ranks have memory of each other; if not, nothing else may be called.
  bool possible() const { return memory_ != nullptr; }
  /// What kernels call to send and receive sums.
  Body body() const { return {bases_.data(), finished_.data(), rank_, size_}; }

 private:
  std::shared_ptr<const PeerMemory> memory_;
  Vector<const std::uint64_t> bases_;
  Vector<std::uint32_t> finished_;
  int rank_ = 0, size_ = 1;
};

}  // namespace miniapp::messages
