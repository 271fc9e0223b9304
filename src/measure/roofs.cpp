// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/measure/roofs.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <string>

#include "miniapp/core/execution.hpp"
#include "miniapp/core/region.hpp"
#include "miniapp/measure/stopwatch.hpp"
#ifdef MINIAPP_RUNS_ON_HOST
#include "miniapp/core/lanes.hpp"
#ifdef __SSE2__
#include <emmintrin.h>
#endif
#endif

namespace miniapp::measure {

#if defined(MINIAPP_RUNS_ON_HOST) && defined(__SSE2__)
/// to = from by stores that bypass the caches.
void copy_past_caches(const Vector<double>& from, const Vector<double>& to) {
  constexpr std::size_t chunk = 4096;  ///< words of a work item
  const std::size_t words = to.extent(0);
  Kokkos::parallel_for("measure/copy", Kokkos::RangePolicy<ExecutionSpace>(0, (words + chunk - 1) / chunk),
                       [=](const std::size_t c) {
                         const double* const source = from.data();
                         double* const target = to.data();
                         const std::size_t end = std::min(words, (c + 1) * chunk);
                         std::size_t i = c * chunk;  // at a multiple of 16 bytes, as allocations begin there
                         for (; i + 2 <= end; i += 2) _mm_stream_pd(target + i, _mm_loadu_pd(source + i));
                         if (i < end) target[i] = source[i];
                         _mm_sfence();
                       });
}
#endif

/// b = a + b / 2: two are read, one is written.
void update(const Vector<const double>& a, const Vector<double>& b) {
  const double* const x = a.data();
  double* const y = b.data();
  Kokkos::parallel_for(
      "measure/update", Kokkos::RangePolicy<ExecutionSpace>(0, a.extent(0)),
      KOKKOS_LAMBDA(const std::size_t i) { y[i] = x[i] + 0.5 * y[i]; });
}

/// The sum of all entries, so that they are read.
double read_both(const Vector<const double>& a, const Vector<const double>& b) {
#ifdef MINIAPP_RUNS_ON_HOST
  constexpr std::size_t chunk = 4096, width = 4 * lane_width<double>;  ///< words of a work item, of independent sums
  const std::size_t words = a.extent(0);
  double sum = 0;
  Kokkos::parallel_reduce(
      "measure/read", Kokkos::RangePolicy<ExecutionSpace>(0, (words + chunk - 1) / chunk),
      [=](const std::size_t c, double& total) {
        const std::size_t end = std::min(words, (c + 1) * chunk);
        for (const double* const x : {a.data(), b.data()}) {
          Lanes<double> sums[4] = {};
          std::size_t i = c * chunk;
          for (; i + width <= end; i += width)
            for (int s = 0; s < 4; ++s) {
              Lanes<double> some;
              std::memcpy(&some, x + i + s * lane_width<double>, sizeof some);
              sums[s] += some;
            }
          for (; i < end; ++i) total += x[i];
          for (const Lanes<double>& part : sums)
            for (int l = 0; l < lane_width<double>; ++l) total += part[l];
        }
      },
      sum);
  return sum;
#else
  double sum = 0;
  Kokkos::parallel_reduce(
      "measure/read", Kokkos::RangePolicy<ExecutionSpace>(0, a.extent(0)),
      KOKKOS_LAMBDA(const std::size_t i, double& total) { total += a(i) + b(i); }, sum);
  return sum;
#endif
}

namespace {

/// Two arrays of half the bytes each, in memory that was written once.
struct Buffers {
  explicit Buffers(double bytes)
      : words(std::max<std::size_t>(1, static_cast<std::size_t>(bytes / 2 / sizeof(double)))),
        from(make_zeros<double>("measure/from", words)),
        to(make_zeros<double>("measure/to", words)) {
    Kokkos::deep_copy(to, from);
  }
  double bytes() const { return 2.0 * words * sizeof(double); }

  std::size_t words;
  Vector<double> from, to;
};

/// Mean seconds of one of several copies [s].
double copy_seconds(const Buffers& b, int copies, const Communicator& ranks) {
  const auto copy_all = [&] {
    for (int copy = 0; copy < copies; ++copy) Kokkos::deep_copy(ExecutionSpace(), b.to, b.from);
  };
  double seconds = time_once(copy_all, ranks);
#if defined(MINIAPP_RUNS_ON_HOST) && defined(__SSE2__)
  const auto copy_past = [&] {
    for (int copy = 0; copy < copies; ++copy) copy_past_caches(b.from, b.to);
  };
  if (ranks.size() > 1 || b.bytes() > last_level_cache() / 2)  // else that is no faster
    seconds = std::min(seconds, time_once(copy_past, ranks));
#endif
  return seconds / copies;
}

}  // namespace

double copy_bandwidth(double bytes, const Communicator& ranks) {
  const Region region("roofs");
  constexpr double long_enough = 0.03;  // [s]
  const Buffers buffers(bytes);
  const double first = copy_seconds(buffers, 1, ranks);
  const int copies = static_cast<int>(std::clamp(long_enough / first, 2., 10.));
  return ranks.size() * buffers.bytes() / copy_seconds(buffers, copies, ranks);
}

double memory_rate(double bytes, const Communicator& ranks) {
  const Region region("roofs");
  const Buffers buffers(bytes);
  const auto times = [&](double of_bytes, double least, double most) {
    return static_cast<int>(std::clamp(of_bytes / buffers.bytes(), least, most));
  };
  const int runs = times(1e8, 2, 20);      // short ones are disturbed more
  const int at_once = times(4e6, 1, 100);  // so that a look at the clock takes no part
  double seconds = copy_seconds(buffers, 3, ranks);
  const auto improve = [&](double parts, const auto& body) {  // parts of the buffers' bytes
    const auto call_all = [&] {
      for (int call = 0; call < at_once; ++call) body();
      Kokkos::fence();
    };
    const double all = time_once(call_all, ranks);
    seconds = std::min(seconds, all / at_once / parts);
  };
  for (int run = 0; run < runs; ++run) {
    if (at_once > 1) seconds = std::min(seconds, copy_seconds(buffers, at_once, ranks));
    improve(1, [&] { read_both(buffers.from, buffers.to); });
    improve(1.5, [&] { update(buffers.from, buffers.to); });
  }
  return ranks.size() * buffers.bytes() / seconds;
}

#if defined(KOKKOS_ENABLE_CUDA)
namespace {

double attribute(cudaDeviceAttr which) {
  int value = 0, device = 0;
  const bool known =
      cudaGetDevice(&device) == cudaSuccess && cudaDeviceGetAttribute(&value, which, device) == cudaSuccess;
  return known ? value : 0;
}

}  // namespace

double peak_bandwidth() {
  return 2e3 * attribute(cudaDevAttrMemoryClockRate) * attribute(cudaDevAttrGlobalMemoryBusWidth) / 8;
}
double last_level_cache() { return attribute(cudaDevAttrL2CacheSize); }
double scratch_bandwidth() {
  return 32 * 4 * 1e3 * attribute(cudaDevAttrClockRate) * attribute(cudaDevAttrMultiProcessorCount);
}
#else
double peak_bandwidth() { return 0; }
double scratch_bandwidth() { return 0; }
double last_level_cache() {
  double bytes = 0;
#if defined(MINIAPP_RUNS_ON_HOST)
  // on virtual machines, sysconf counts the caches of all processors of the physical host
  for (int index = 0; index < 8; ++index) {
    std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/size");
    double size = 0;
    if (file >> size && file.get() == 'K') bytes = std::max(bytes, 1024 * size);
  }
#endif
  return bytes;
}
#endif

double most_copied() {
  constexpr double no_cache = 1e9;
  const double cache = last_level_cache();
  return has_one_thread && cache > 0 ? std::clamp(8 * cache, 1e8, no_cache) : no_cache;
}

CopyRoof copy_roof(double bytes, const Communicator& ranks) {
  const double of_rank = std::min(ranks.of_all(Reduction::max, bytes), most_copied());
  return {ranks.size() * of_rank, copy_bandwidth(of_rank, ranks)};
}

MemoryRoof memory_roof(double bytes, const Communicator& ranks) {
  const CopyRoof copy = copy_roof(bytes, ranks);
  return {copy, memory_rate(copy.bytes / ranks.size(), ranks)};
}

template <class Real>
double fma_rate_of(const Communicator& ranks) {
#ifdef MINIAPP_RUNS_ON_HOST
  using T = Lanes<Real>;
  // two units of six cycles, a multiplication and an addition where they are not fused; sixteen registers hold them all
  constexpr int chains = 12, steps = 1 << 18, width = lane_width<Real>, runs = 10;  // within a process's time slice
  const int items = ExecutionSpace().concurrency();
#else
  using T = Real;
  constexpr int chains = 8, steps = 1 << 12, width = 1, runs = 5;
  const int items = 1 << 19;
#endif
  const Vector<Real> out("measure/fma", items);
  const Real a = Real(0.999), b = Real(1e-3);
  double best = 0;
  for (int run = 0; run <= runs; ++run) {  // the first one warms up
    ranks.barrier();
    const double start = now();
    Kokkos::parallel_for(
        "measure/fma", Kokkos::RangePolicy<ExecutionSpace>(0, items), KOKKOS_LAMBDA(const int item) {
          T x[chains];
          MINIAPP_UNROLL
          for (int c = 0; c < chains; ++c) x[c] = T{} + Real(item + c);
          for (int step = 0; step < steps; ++step) {
            MINIAPP_UNROLL
            for (int c = 0; c < chains; ++c) x[c] = x[c] * a + b;
          }
          T sum = x[0];
          MINIAPP_UNROLL
          for (int c = 1; c < chains; ++c) sum += x[c];
#ifdef MINIAPP_RUNS_ON_HOST
          for (int l = 1; l < width; ++l) sum[0] += sum[l];
          out(item) = sum[0];
#else
          out(item) = sum;
#endif
        });
    const double rate = 2.0 * chains * width * double(steps) * items / (now() - start);
    if (run > 0) best = std::max(best, rate);
  }
  return ranks.sum(best);
}

double fma_rate(Precision precision, const Communicator& ranks) {
  const Region region("roofs");
  return precision == Precision::fp64 ? fma_rate_of<double>(ranks) : fma_rate_of<float>(ranks);
}

}  // namespace miniapp::measure
