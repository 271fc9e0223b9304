// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/measure/roofs.hpp"

#include <algorithm>
#include <fstream>
#include <string>

#include "miniapp/core/execution.hpp"
#include "miniapp/measure/stopwatch.hpp"
#ifdef MINIAPP_RUNS_ON_HOST
#include "miniapp/core/lanes.hpp"
#endif

namespace miniapp::measure {

double copy_bandwidth(double bytes, const Communicator& ranks) {
  constexpr int copies = 10;
  const auto words = std::max<std::size_t>(1, static_cast<std::size_t>(bytes / 2 / sizeof(double)));
  const Vector<double> from = make_zeros<double>("measure/from", words), to = make_zeros<double>("measure/to", words);
  Kokkos::deep_copy(to, from);
  ranks.barrier();
  const double start = now();
  for (int copy = 0; copy < copies; ++copy) Kokkos::deep_copy(ExecutionSpace(), to, from);
  const double seconds = ranks.of_all(Reduction::max, now() - start);
  return 2.0 * words * sizeof(double) * copies * ranks.size() / seconds;
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

CopyRoof copy_roof(const Cost& cost, const Communicator& ranks) {
  const double bytes = std::min(cost.bytes, most_copied);
  return {bytes, copy_bandwidth(bytes, ranks)};
}

template <class Real>
double fma_rate() {
#ifdef MINIAPP_RUNS_ON_HOST
  using T = Lanes<Real>;
  constexpr int chains = 16, steps = 1 << 20, width = lane_width<Real>;
  const int items = ExecutionSpace().concurrency();
#else
  using T = Real;
  constexpr int chains = 8, steps = 1 << 12, width = 1;
  const int items = 1 << 19;
#endif
  const Vector<Real> out("measure/fma", items);
  const Real a = Real(0.999), b = Real(1e-3);
  double best = 0;
  for (int run = 0; run < 6; ++run) {  // the first one warms up
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
  return best;
}

template double fma_rate<double>();
template double fma_rate<float>();

}  // namespace miniapp::measure
