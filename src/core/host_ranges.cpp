// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/core/host_ranges.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

#include "miniapp/core/execution.hpp"
#include "miniapp/core/session.hpp"

namespace miniapp {
namespace {

std::atomic<int> asked_threads = 0;

using Host = Kokkos::DefaultHostExecutionSpace;

/// Threads that OpenMP keeps, bound to cores of their own; 1 before Kokkos is ready.
int threads_of_kokkos() { return Kokkos::is_initialized() ? std::max(Host().concurrency(), 1) : 1; }

}  // namespace

int host_threads() {
  if (asked_threads > 0) return asked_threads;
  if constexpr (runs_on_host) return threads_of_kokkos();
  static const int cores = available_cores();
  return std::max(cores, threads_of_kokkos());
}

void set_host_threads(int threads) { asked_threads = threads; }

HostRanges::HostRanges(std::size_t size, std::size_t least)
    : size_(size),
      count_(static_cast<int>(std::clamp<std::size_t>(size / std::max<std::size_t>(least, 1), 1,
                                                      static_cast<std::size_t>(host_threads())))) {}

void HostRanges::for_each(const std::function<void(int)>& body) const {
  if (count_ == 1) return body(0);
  std::vector<std::exception_ptr> thrown(count_);
  const auto run = [&](int range) {
    try {
      body(range);
    } catch (...) {
      thrown[range] = std::current_exception();
    }
  };
  if (threads_of_kokkos() > 1) {  // other threads would have to share one core, where OpenMP binds this one to it
    Kokkos::parallel_for("core/host ranges", Kokkos::RangePolicy<Host>(0, count_), run);
  } else {
    std::vector<std::thread> threads;
    for (int range = 1; range < count_; ++range) threads.emplace_back(run, range);
    run(0);
    for (std::thread& thread : threads) thread.join();
  }
  for (const std::exception_ptr& error : thrown)
    if (error) std::rethrow_exception(error);
}

}  // namespace miniapp
