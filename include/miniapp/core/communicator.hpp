// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace miniapp {

enum class Reduction { sum, min, max };

/// How values between parts of a mesh travel from device to device.
enum class Halo {
  automatic,  ///< on GPUs peer where that is possible, else device if MPI says that it can; else host
  host,       ///< by messages of the host
  device,     ///< by MPI, which takes pointers of devices
  nccl,       ///< by NCCL
  peer,       ///< ranks of one host store into each other's memory
};
constexpr auto names(Halo) { return std::array{"auto", "host", "device", "nccl", "peer"}; }
constexpr auto descriptions(Halo) {
  return std::array{"on GPUs peer where that is possible, else device if MPI says that it can; on processors host",
                    "by messages of the host", "MPI sends from GPU to GPU", "NCCL does",
                    "ranks of one host store into each other's memory, of GPUs by CUDA"};
}

/// The spread of a figure over ranks.
struct Spread {
  double min = 0, mean = 0, max = 0;
};

/// The processes that work on one problem, "ranks", numbered from 0: MPI's communicator, or this process alone. Every
/// function but rank() and size() is collective: all ranks call it in the same order. Alone, none does anything.
/// Copies refer to the same communicator. It must be destroyed before the Session ends.
class Communicator {
 public:
  /// This process alone.
  Communicator() = default;
  /// All processes that a launcher such as mpirun started together with this one, while a Session exists; else this
  /// process alone.
  static Communicator world();

  int rank() const { return rank_; }
  int size() const { return size_; }
  bool is_alone() const { return size_ == 1; }
  /// Owned by the communicator to which copies refer: the same, and alive, as long as it is.
  std::weak_ptr<const void> identity() const { return std::shared_ptr<const void>(state_); }
  /// A communicator of these ranks whose halos travel as `halo` says.
  Communicator through(Halo halo) const {
    Communicator ranks = *this;
    ranks.halo_ = halo;
    return ranks;
  }
  Halo halo() const { return halo_; }
  /// Ranks that share this one's memory.
  int size_of_node() const;

  /// values[i] becomes the sum, the least or the largest over ranks, the same to the last bit on all of them.
  void reduce(Reduction reduction, double* values, int count) const;
  void reduce(Reduction reduction, std::int64_t* values, int count) const;
  /// Reduces one number.
  template <class T>
  T of_all(Reduction reduction, T value) const {
    reduce(reduction, &value, 1);
    return value;
  }
  template <class T>
  T sum(T value) const {
    return of_all(Reduction::sum, value);
  }
  Spread spread(double value) const;
  void barrier() const;
  /// The text that a rank has.
  std::string from(int rank, const std::string& text) const;
  std::string from_first(const std::string& text) const { return from(0, text); }
  /// Sends to[r] to each rank r; returns what each rank sent to this one. For set-up: it takes O(ranks).
  std::vector<std::vector<std::int64_t>> exchange(const std::vector<std::vector<std::int64_t>>& to) const;

  /// offsets[r] .. offsets[r + 1]: the items of rank r among those of all, where this rank has `count`.
  std::vector<std::int64_t> offsets(std::int64_t count) const;
  /// Copies the items of all ranks, of `bytes` each, to `all` on every rank. Both arrays are on the host.
  void gather(const void* own, void* all, const std::vector<std::int64_t>& offsets, std::size_t bytes) const;
  /// The items of all ranks, in the order of ranks, on every rank. Collective.
  template <class T>
  std::vector<T> gather(const std::vector<T>& own) const {
    const std::vector<std::int64_t> starts = offsets(static_cast<std::int64_t>(own.size()));
    std::vector<T> all(static_cast<std::size_t>(starts.back()));
    gather(own.data(), all.data(), starts, sizeof(T));
    return all;
  }

  /// Whether all ranks call this within `seconds`; a rank that does not is at work, or waits for another one.
  bool all_arrive_within(double seconds) const;
  /// Ends all ranks with this exit code, whatever they do.
  [[noreturn]] void abort(int exit_code) const;

  /// Messages of fixed sizes between this rank and some others, again and again. One at a time is under way.
  class Messages {
   public:
    Messages() = default;
    /// Items sent[k] .. sent[k + 1] go to the rank ranks[k], received[k] .. received[k + 1] come from it.
    Messages(const Communicator& communicator, std::vector<int> ranks, std::vector<std::size_t> sent,
             std::vector<std::size_t> received);
    /// Messages where as many items come from each rank as go to it.
    Messages(const Communicator& communicator, std::vector<int> ranks, const std::vector<std::size_t>& offsets)
        : Messages(communicator, std::move(ranks), offsets, offsets) {}
    /// Begins to send and to receive items of `bytes` each. Both arrays stay untouched until finish(). They are on the
    /// host, or where MPI takes pointers to.
    void start(const void* send, void* receive, std::size_t bytes) const;
    /// Waits for all messages.
    void finish() const;

   private:
    struct State;
    std::shared_ptr<State> state_;
  };

 private:
  friend struct CommunicatorAccess;
  struct State;
  explicit Communicator(std::shared_ptr<State> state);
  std::shared_ptr<State> state_;
  int rank_ = 0, size_ = 1;
  Halo halo_ = Halo::automatic;
};

/// Whether this build has MPI.
extern const bool ranks_are_possible;

/// Whether MPI says that it takes pointers of GPUs; many that do cannot say so.
bool mpi_takes_device_pointers();

/// Whether a launcher such as mpirun started this process, known before a Session exists, in builds with MPI.
bool is_launched();
/// The rank that it gave to this process; 0 without one.
int launched_rank();
/// The number of processes that a launcher says it has started, also in builds without MPI; 0 where none says so.
int launched_size();

}  // namespace miniapp
