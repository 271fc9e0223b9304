// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/messages/peers.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "core/node.hpp"
#include "messages/lent_memory.hpp"
#include "miniapp/core/kept_memory.hpp"
#include "miniapp/core/session.hpp"

#if !defined(KOKKOS_ENABLE_CUDA) && !defined(KOKKOS_ENABLE_HIP) && defined(__linux__)
#define MINIAPP_HAS_SHARED_MEMORY
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <random>
#include <string>
#endif

namespace miniapp::messages {
namespace {

/// Words of each rank to all others.
[[maybe_unused]] std::vector<std::vector<std::int64_t>> tell_all(const Communicator& ranks,
                                                                 const std::vector<std::int64_t>& words) {
  return ranks.exchange(std::vector<std::vector<std::int64_t>>(static_cast<std::size_t>(ranks.size()), words));
}

#if defined(KOKKOS_ENABLE_CUDA)

static_assert(sizeof(cudaIpcMemHandle_t) % sizeof(std::int64_t) == 0);

template <class T>
std::vector<std::int64_t> to_words(const T& value) {
  std::vector<std::int64_t> words(sizeof(T) / sizeof(std::int64_t));
  std::memcpy(words.data(), &value, sizeof(T));
  return words;
}

bool have_own_devices(const Communicator& ranks) {
  return ranks.of_all(Reduction::max, std::int64_t(sharing_ranks(ranks))) == 1;
}

class MemoryOfRanks : public PeerMemory {
 public:
  /// Whether this rank could open the memory of all. CUDA gives away allocations of 2 MiB as a whole.
  bool open(const Communicator& ranks, std::size_t bytes) {
    constexpr std::size_t page = std::size_t(1) << 21;
    cudaIpcMemHandle_t handle = {};
    const auto take = [&] { return cudaMalloc(&own_, (bytes + page - 1) / page * page) == cudaSuccess; };
    bool able = take();
    if (!able && miniapp::detail::free_kept_arrays(true)) {
      cudaGetLastError();  // forgets the error
      able = take();
    }
    able = able && cudaMemset(own_, 0, bytes) == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess &&
           cudaIpcGetMemHandle(&handle, own_) == cudaSuccess;
    const auto handles = tell_all(ranks, to_words(handle));  // after all are zero
    for (int rank = 0; rank < ranks.size() && able; ++rank) {
      void* memory = own_;
      if (rank != ranks.rank()) {
        std::memcpy(&handle, handles[rank].data(), sizeof(handle));
        able = cudaIpcOpenMemHandle(&memory, handle, cudaIpcMemLazyEnablePeerAccess) == cudaSuccess;
        if (able) opened_.push_back(memory);
      }
      addresses_.push_back(reinterpret_cast<std::uint64_t>(memory));
    }
    if (!able) cudaGetLastError();  // forgets the error
    return able;
  }
  ~MemoryOfRanks() override {
    for (void* memory : opened_) cudaIpcCloseMemHandle(memory);
    cudaFree(own_);
  }
  void zero(std::size_t bytes) const {
    cudaDeviceSynchronize();
    cudaMemset(own_, 0, bytes);
    cudaDeviceSynchronize();
  }

 private:
  void* own_ = nullptr;
  std::vector<void*> opened_;
};

#elif defined(MINIAPP_HAS_SHARED_MEMORY)

bool have_own_devices(const Communicator&) { return true; }

class MemoryOfRanks : public PeerMemory {
 public:
  bool open(const Communicator& ranks, std::size_t bytes) {
    bytes_ = bytes;
    const std::vector<std::int64_t> own = {getpid(), static_cast<std::int64_t>(std::random_device()())};
    bool able = map(own, O_CREAT | O_EXCL | O_RDWR);
    if (able) own_ = reinterpret_cast<void*>(addresses_.back());
    const auto names = tell_all(ranks, own);
    for (int rank = 0; rank < ranks.size(); ++rank)
      if (rank != ranks.rank()) able = able && map(names[static_cast<std::size_t>(rank)], O_RDWR);
    ranks.barrier();
    shm_unlink(name(own).c_str());
    if (able) std::rotate(addresses_.begin(), addresses_.begin() + 1, addresses_.begin() + ranks.rank() + 1);
    return able;
  }
  ~MemoryOfRanks() override {
    for (const std::uint64_t address : addresses_) munmap(reinterpret_cast<void*>(address), bytes_);
  }
  void zero(std::size_t) const { std::memset(own_, 0, bytes_); }

 private:
  static std::string name(const std::vector<std::int64_t>& of) {
    return "/miniapp-" + std::to_string(of[0]) + "-" + std::to_string(of[1]);
  }
  bool map(const std::vector<std::int64_t>& of, int flags) {
    const int file = shm_open(name(of).c_str(), flags, 0600);
    if (file < 0) return false;
    void* memory = MAP_FAILED;
    if ((flags & O_CREAT) == 0 || posix_fallocate(file, 0, static_cast<off_t>(bytes_)) == 0)
      memory = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (memory == MAP_FAILED) return false;
    addresses_.push_back(reinterpret_cast<std::uint64_t>(memory));
    return true;
  }

  void* own_ = nullptr;
  std::size_t bytes_ = 0;
};

#else

bool have_own_devices(const Communicator&) { return false; }  // with HIP not tried

class MemoryOfRanks : public PeerMemory {
 public:
  bool open(const Communicator&, std::size_t) { return false; }
  void zero(std::size_t) const {}
};

#endif

}  // namespace

bool uses_peers(const Communicator& ranks) {
  return !ranks.is_alone() && (ranks.halo() == Halo::peer || (ranks.halo() == Halo::automatic && !runs_on_host));
}

namespace {

/// Memory of all ranks, given away piece by piece; the first of some ranks begins with what lend_memory() gives them.
struct Chunk {
  static constexpr std::size_t usual = std::size_t(runs_on_host ? 1 : 64) << 20;
  std::weak_ptr<const void> ranks;
  int num_ranks = 0;
  std::shared_ptr<MemoryOfRanks> memory;
  std::size_t begin = 0, size = 0, used = 0;
};

class LentPart : public PeerMemory {
 public:
  explicit LentPart(const Chunk& chunk) : memory_(chunk.memory) {
    for (int rank = 0; rank < chunk.num_ranks; ++rank) addresses_.push_back(memory_->of(rank));
  }

 private:
  std::shared_ptr<const MemoryOfRanks> memory_;
};

class PartOfChunk : public PeerMemory {
 public:
  PartOfChunk(std::shared_ptr<Chunk> chunk, std::size_t bytes) : chunk_(std::move(chunk)) {
    for (int rank = 0; rank < chunk_->num_ranks; ++rank) addresses_.push_back(chunk_->memory->of(rank) + chunk_->used);
    chunk_->used += bytes;
  }

 private:
  std::shared_ptr<Chunk> chunk_;
};

/// What lend_memory() gave to these ranks; null where they cannot open each other's.
struct Lent {
  std::weak_ptr<const void> ranks;
  std::shared_ptr<const PeerMemory> memory;
};

/// All of this process. They stay until it ends, since no rank may free what others have opened, and opening takes
/// milliseconds; what no rank uses any more is given away again.
struct AllMemory {
  std::mutex mutex;
  std::vector<std::shared_ptr<Chunk>> chunks;
  std::vector<Lent> lent;
};
AllMemory& all_memory() {
  static auto* const all = new AllMemory;
  return *all;
}

bool are_same(const std::weak_ptr<const void>& a, const std::weak_ptr<const void>& b) {
  return !a.owner_before(b) && !b.owner_before(a);
}

/// The first of these ranks; null before there is one.
std::shared_ptr<Chunk> first_chunk(const Communicator& ranks) {
  for (const std::shared_ptr<Chunk>& chunk : all_memory().chunks)
    if (are_same(chunk->ranks, ranks.identity())) return chunk;
  return nullptr;
}

/// With room for so many bytes. Null where ranks cannot open each other's memory. Collective.
std::shared_ptr<Chunk> open_chunk(const Communicator& ranks, std::size_t bytes) {
  if (num_hosts(ranks) > 1 || !have_own_devices(ranks)) return nullptr;
  const std::size_t begin = first_chunk(ranks) ? 0 : lent_bytes;
  const std::size_t size = begin + std::max(bytes, std::size_t(Chunk::usual));
  auto memory = std::make_shared<MemoryOfRanks>();
  const bool able = memory->open(ranks, size);
  if (ranks.of_all(Reduction::min, std::int64_t(able)) == 0) return nullptr;
  all_memory().chunks.push_back(
      std::make_shared<Chunk>(Chunk{ranks.identity(), ranks.size(), std::move(memory), begin, size, begin}));
  return all_memory().chunks.back();
}

}  // namespace

std::shared_ptr<const PeerMemory> lend_memory(const Communicator& ranks) {
  const std::lock_guard lock(all_memory().mutex);
  for (const Lent& lent : all_memory().lent)
    if (are_same(lent.ranks, ranks.identity())) return lent.memory;
  std::shared_ptr<Chunk> first = first_chunk(ranks);
  if (!first) first = open_chunk(ranks, 0);
  all_memory().lent.push_back({ranks.identity(), first ? std::make_shared<LentPart>(*first) : nullptr});
  return all_memory().lent.back().memory;
}

std::shared_ptr<const PeerMemory> PeerMemory::make(const Communicator& ranks, std::size_t bytes) {
  const std::lock_guard lock(all_memory().mutex);
  bytes = std::max<std::size_t>((bytes + 255) / 256, 1) * 256;
  for (const std::shared_ptr<Chunk>& chunk : all_memory().chunks) {  // in the same order on all ranks
    if (!are_same(chunk->ranks, ranks.identity())) continue;
    const std::int64_t idle = chunk.use_count() == 1;
    if (ranks.of_all(Reduction::min, idle) == 1 && chunk->used > chunk->begin) {
      chunk->memory->zero(chunk->size);
      chunk->used = chunk->begin;
      ranks.barrier();
    }
    if (chunk->used + bytes <= chunk->size) return std::make_shared<PartOfChunk>(chunk, bytes);
  }
  const std::shared_ptr<Chunk> chunk = open_chunk(ranks, bytes);
  return chunk ? std::make_shared<PartOfChunk>(chunk, bytes) : nullptr;
}

PeerMessages::PeerMessages(const Communicator& ranks, const std::vector<int>& others,
                           const std::vector<std::size_t>& sent, const std::vector<std::size_t>& received,
                           std::size_t bytes) {
  stride_ = static_cast<std::size_t>(ranks.of_all(Reduction::max, static_cast<std::int64_t>(received.back())));
  half_ = bytes / sizeof(std::uint32_t) * stride_;
  memory_ = PeerMemory::make(ranks, 2 * half_ * sizeof(std::uint64_t));
  if (!memory_) return;
  std::vector<std::vector<std::int64_t>> begins(static_cast<std::size_t>(ranks.size()));
  for (std::size_t k = 0; k < others.size(); ++k)
    begins[static_cast<std::size_t>(others[k])] = {static_cast<std::int64_t>(received[k])};
  begins = ranks.exchange(begins);
  std::vector<std::uint64_t> bases;
  std::vector<Index> slots;
  for (std::size_t k = 0; k < others.size(); ++k)
    for (std::size_t item = sent[k]; item < sent[k + 1]; ++item) {
      bases.push_back(memory_->of(others[k]));
      slots.push_back(static_cast<Index>(begins[static_cast<std::size_t>(others[k])].front() +
                                         static_cast<std::int64_t>(item - sent[k])));
    }
  own_ = reinterpret_cast<const std::uint64_t*>(memory_->of(ranks.rank()));
  bases_ = to_device("messages/peers", bases);
  slots_ = to_device("messages/slots", slots);
  rounds_ = to_device("messages/rounds", std::vector<std::uint32_t>(1 + most_teams, 0));
}

PeerSums::PeerSums(const Communicator& ranks) : rank_(ranks.rank()), size_(ranks.size()) {
  memory_ = PeerMemory::make(ranks, sizeof(std::uint64_t) * 2 * 2 * most * static_cast<std::size_t>(size_));
  if (!memory_) return;
  std::vector<std::uint64_t> bases;
  for (int rank = 0; rank < size_; ++rank) bases.push_back(memory_->of(rank));
  bases_ = to_device("messages/peers", bases);
  finished_ = to_device("messages/rounds", std::vector<std::uint32_t>(most, 0));
}

}  // namespace miniapp::messages
