// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/core/communicator.hpp"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <thread>
#include <utility>

#include "core/mpi_library.hpp"
#include "core/node.hpp"
#include "miniapp/core/features.hpp"
#ifdef MINIAPP_HAVE_MPI
#include "miniapp/core/mpi.hpp"
#if defined(OPEN_MPI) && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
#endif

namespace miniapp {
namespace {

/// Set by launchers for the processes that they start: Open MPI and others by PMIx; MPICH, Intel MPI and Cray's by PMI.
constexpr const char* launched_ranks[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK"};

const char* launched_rank_text() {
  for (const char* name : launched_ranks)
    if (const char* text = std::getenv(name)) return text;
  return nullptr;
}

/// Set by the same launchers; those of PMIx alone do not say it.
constexpr const char* launched_sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE"};

const Communicator* world_of_session = nullptr;

}  // namespace

Communicator Communicator::world() { return world_of_session ? *world_of_session : Communicator(); }

#ifdef MINIAPP_HAVE_MPI
const bool ranks_are_possible = true;
#else
const bool ranks_are_possible = false;
#endif

bool is_launched() { return ranks_are_possible && launched_rank_text(); }
int launched_rank() { return is_launched() ? std::atoi(launched_rank_text()) : 0; }
int launched_size() {
  for (const char* name : launched_sizes)
    if (const char* text = std::getenv(name)) return std::atoi(text);
  return 0;
}

Spread Communicator::spread(double value) const {
  return {of_all(Reduction::min, value), sum(value) / size_, of_all(Reduction::max, value)};
}

std::vector<std::int64_t> Communicator::offsets(std::int64_t count) const {
  std::vector<std::int64_t> result(static_cast<std::size_t>(size_) + 1, 0);
  result[static_cast<std::size_t>(rank_) + 1] = count;
  reduce(Reduction::sum, result.data(), size_ + 1);
  for (std::size_t r = 1; r < result.size(); ++r) result[r] += result[r - 1];
  return result;
}

#ifdef MINIAPP_HAVE_MPI

bool mpi_takes_device_pointers() {
#if defined(MPIX_CUDA_AWARE_SUPPORT)
  return MPIX_Query_cuda_support() == 1;
#else
  return false;
#endif
}

namespace {

MPI_Op operation(Reduction reduction) {
  return reduction == Reduction::sum ? MPI_SUM : reduction == Reduction::min ? MPI_MIN : MPI_MAX;
}

}  // namespace

struct Communicator::State {
  MPI_Comm communicator = MPI_COMM_NULL;
  MPI_Comm arrival = MPI_COMM_NULL;  ///< for ranks that arrive while others wait in a collective function
  int rank_of_host = 0, size_of_host = 1, num_hosts = 1;
  explicit State(MPI_Comm from) {
    MPI_Comm_dup(from, &communicator);
    MPI_Comm_dup(from, &arrival);
    find_hosts();
  }
  ~State() {
    MPI_Comm_free(&arrival);
    MPI_Comm_free(&communicator);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  void find_hosts();
};

namespace {

/// The name of this rank's host.
std::string own_host() {
  char name[MPI_MAX_PROCESSOR_NAME];
  int length = 0;
  MPI_Get_processor_name(name, &length);
  return {name, static_cast<std::size_t>(length)};
}

}  // namespace

/// By the names of hosts, since MPI_COMM_TYPE_SHARED is not to be had everywhere: in a container each rank was alone by
/// MPICH 5.0. A colour has 31 bits, and of 10^4 names two have the same ones in one case of 40: so there are two
/// colours.
void Communicator::State::find_hosts() {
  const std::uint64_t key = std::hash<std::string>()(own_host());
  MPI_Comm half, host;
  MPI_Comm_split(communicator, static_cast<int>(key & 0x7fffffff), 0, &half);
  MPI_Comm_split(half, static_cast<int>(key >> 33), 0, &host);
  MPI_Comm_rank(host, &rank_of_host);
  MPI_Comm_size(host, &size_of_host);
  MPI_Comm_free(&host);
  MPI_Comm_free(&half);
  num_hosts = rank_of_host == 0;
  MPI_Allreduce(MPI_IN_PLACE, &num_hosts, 1, MPI_INT, MPI_SUM, communicator);
}

struct CommunicatorAccess {
  static Communicator make(MPI_Comm communicator) {
    return Communicator(std::make_shared<Communicator::State>(communicator));
  }
  static MPI_Comm of(const Communicator& ranks) { return ranks.state_ ? ranks.state_->communicator : MPI_COMM_SELF; }
  static int rank_of_host(const Communicator& ranks) { return ranks.state_ ? ranks.state_->rank_of_host : 0; }
  static int num_hosts(const Communicator& ranks) { return ranks.state_ ? ranks.state_->num_hosts : 1; }
  static MPI_Comm duplicate(const Communicator& communicator) {
    MPI_Comm result;
    MPI_Comm_dup(of(communicator), &result);
    return result;
  }
};

Communicator make_communicator(MPI_Comm communicator) { return CommunicatorAccess::make(communicator); }
MPI_Comm duplicate(const Communicator& communicator) { return CommunicatorAccess::duplicate(communicator); }

Communicator::Communicator(std::shared_ptr<State> state) : state_(std::move(state)) {
  MPI_Comm_rank(state_->communicator, &rank_);
  MPI_Comm_size(state_->communicator, &size_);
}

MpiLibrary::MpiLibrary() {
  if (world_of_session) {
    world_ = *world_of_session;
    return;
  }
  int initialised = 0;
  MPI_Initialized(&initialised);
  if (!initialised && !launched_rank_text()) return;  // alone: starting MPI would take half a second
  if (!initialised) {
    MPI_Init(nullptr, nullptr);
    finalises_ = true;
  }
  world_ = CommunicatorAccess::make(MPI_COMM_WORLD);
  world_of_session = &world_;
}

MpiLibrary::~MpiLibrary() {
  if (world_of_session == &world_) world_of_session = nullptr;
  world_ = {};
  if (finalises_) MPI_Finalize();
}

void Communicator::reduce(Reduction reduction, double* values, int count) const {
  if (!is_alone()) MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_DOUBLE, operation(reduction), state_->communicator);
}
void Communicator::reduce(Reduction reduction, std::int64_t* values, int count) const {
  if (!is_alone()) MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_INT64_T, operation(reduction), state_->communicator);
}

int Communicator::size_of_node() const { return state_ ? state_->size_of_host : 1; }
int rank_of_node(const Communicator& ranks) { return CommunicatorAccess::rank_of_host(ranks); }
int num_hosts(const Communicator& ranks) { return CommunicatorAccess::num_hosts(ranks); }
std::string name_of_rank(const Communicator& ranks) {
  return "rank " + std::to_string(ranks.rank()) + (num_hosts(ranks) > 1 ? " on " + own_host() : "");
}

void Communicator::barrier() const {
  if (!is_alone()) MPI_Barrier(state_->communicator);
}

std::string Communicator::from(int rank, const std::string& text) const {
  if (is_alone()) return text;
  std::string result = text;
  result.resize(static_cast<std::size_t>(of_all(Reduction::max, std::int64_t(rank_ == rank ? text.size() : 0))));
  MPI_Bcast(result.data(), static_cast<int>(result.size()), MPI_CHAR, rank, state_->communicator);
  return result;
}

std::vector<std::vector<std::int64_t>> Communicator::exchange(const std::vector<std::vector<std::int64_t>>& to) const {
  if (is_alone()) return to;
  std::vector<std::int64_t> sizes(size_), sent(size_);
  for (int r = 0; r < size_; ++r) sent[r] = static_cast<std::int64_t>(to[r].size());
  MPI_Alltoall(sent.data(), 1, MPI_INT64_T, sizes.data(), 1, MPI_INT64_T, state_->communicator);
  std::vector<std::vector<std::int64_t>> from(size_);
  from[rank_] = to[rank_];
  std::vector<MPI_Request> requests;
  for (int r = 0; r < size_; ++r) {
    if (r == rank_) continue;
    from[r].resize(static_cast<std::size_t>(sizes[r]));
    if (sizes[r] > 0)
      MPI_Irecv(from[r].data(), static_cast<int>(sizes[r]), MPI_INT64_T, r, 1, state_->communicator,
                &requests.emplace_back());
    if (sent[r] > 0)
      MPI_Isend(to[r].data(), static_cast<int>(sent[r]), MPI_INT64_T, r, 1, state_->communicator,
                &requests.emplace_back());
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  return from;
}

void Communicator::gather(const void* own, void* all, const std::vector<std::int64_t>& offsets,
                          std::size_t bytes) const {
  if (is_alone()) {
    std::memcpy(all, own, static_cast<std::size_t>(offsets.back()) * bytes);
    return;
  }
  MPI_Datatype item;
  MPI_Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &item);
  MPI_Type_commit(&item);
  std::vector<int> counts(size_), starts(size_);
  for (int r = 0; r < size_; ++r) {
    counts[r] = static_cast<int>(offsets[r + 1] - offsets[r]);
    starts[r] = static_cast<int>(offsets[r]);
  }
  MPI_Allgatherv(own, counts[rank_], item, all, counts.data(), starts.data(), item, state_->communicator);
  MPI_Type_free(&item);
}

bool Communicator::all_arrive_within(double seconds) const {
  if (is_alone()) return true;
  MPI_Request request;
  MPI_Ibarrier(state_->arrival, &request);
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  int arrived = 0;
  while (MPI_Test(&request, &arrived, MPI_STATUS_IGNORE), !arrived) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

void Communicator::abort(int exit_code) const {
  if (state_) MPI_Abort(state_->communicator, exit_code);
  std::exit(exit_code);
}

struct Communicator::Messages::State {
  Communicator communicator;
  std::vector<int> ranks;
  std::vector<std::size_t> sent, received;
  std::vector<MPI_Request> requests;
};

Communicator::Messages::Messages(const Communicator& communicator, std::vector<int> ranks,
                                 std::vector<std::size_t> sent, std::vector<std::size_t> received)
    : state_(std::make_shared<State>(State{communicator, std::move(ranks), std::move(sent), std::move(received), {}})) {
}

void Communicator::Messages::start(const void* send, void* receive, std::size_t bytes) const {
  if (!state_) return;
  MPI_Comm const communicator = state_->communicator.state_->communicator;
  state_->requests.clear();
  state_->requests.reserve(2 * state_->ranks.size());
  const auto each = [&](const std::vector<std::size_t>& offsets, const auto& begin) {
    for (std::size_t k = 0; k < state_->ranks.size(); ++k)
      begin(offsets[k] * bytes, static_cast<int>((offsets[k + 1] - offsets[k]) * bytes), state_->ranks[k],
            &state_->requests.emplace_back());
  };
  each(state_->received, [&](std::size_t at, int count, int rank, MPI_Request* request) {
    MPI_Irecv(static_cast<char*>(receive) + at, count, MPI_BYTE, rank, 2, communicator, request);
  });
  each(state_->sent, [&](std::size_t at, int count, int rank, MPI_Request* request) {
    MPI_Isend(static_cast<const char*>(send) + at, count, MPI_BYTE, rank, 2, communicator, request);
  });
}

void Communicator::Messages::finish() const {
  if (!state_) return;
  MPI_Waitall(static_cast<int>(state_->requests.size()), state_->requests.data(), MPI_STATUSES_IGNORE);
}

#else

struct Communicator::State {};
struct Communicator::Messages::State {};
Communicator::Communicator(std::shared_ptr<State> state) : state_(std::move(state)) {}
MpiLibrary::MpiLibrary() = default;
MpiLibrary::~MpiLibrary() = default;
void Communicator::reduce(Reduction, double*, int) const {}
void Communicator::reduce(Reduction, std::int64_t*, int) const {}
int Communicator::size_of_node() const { return 1; }
int rank_of_node(const Communicator&) { return 0; }
int num_hosts(const Communicator&) { return 1; }
std::string name_of_rank(const Communicator&) { return "rank 0"; }
void Communicator::barrier() const {}
std::string Communicator::from(int, const std::string& text) const { return text; }
std::vector<std::vector<std::int64_t>> Communicator::exchange(const std::vector<std::vector<std::int64_t>>& to) const {
  return to;
}
void Communicator::gather(const void* own, void* all, const std::vector<std::int64_t>& offsets,
                          std::size_t bytes) const {
  std::memcpy(all, own, static_cast<std::size_t>(offsets.back()) * bytes);
}
bool Communicator::all_arrive_within(double) const { return true; }
void Communicator::abort(int exit_code) const { std::exit(exit_code); }
Communicator::Messages::Messages(const Communicator&, std::vector<int>, std::vector<std::size_t>,
                                 std::vector<std::size_t>) {}
bool mpi_takes_device_pointers() { return false; }
void Communicator::Messages::start(const void*, void*, std::size_t) const {}
void Communicator::Messages::finish() const {}

#endif

}  // namespace miniapp
