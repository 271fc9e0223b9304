// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/streaming/entries.hpp"

#ifdef MINIAPP_RUNS_ON_HOST
namespace miniapp::streaming::detail {
namespace {

Kokkos::RangePolicy<ExecutionSpace> blocks(const Instance& instance, std::size_t n) {
  return {instance.space(), 0, (n + block - 1) / block};
}

/// The sums of one loop.
template <int count>
struct Sums {
  double value[count] = {};
  KOKKOS_INLINE_FUNCTION void operator+=(const Sums& other) {
    for (int s = 0; s < count; ++s) value[s] += other.value[s];
  }
  KOKKOS_INLINE_FUNCTION void operator+=(const volatile Sums& other) volatile {  // for Kokkos 3
    for (int s = 0; s < count; ++s) value[s] = value[s] + other.value[s];
  }
};

template <int count>
struct SumBlock {
  using value_type = Sums<count>;
  std::size_t n;
  const void* body;
  void (*run)(const void*, std::size_t, std::size_t, double*);
  void operator()(int b, Sums<count>& total) const {
    const std::size_t begin = std::size_t(b) * block;
    run(body, begin, std::min(begin + block, n), total.value);
  }
};

}  // namespace

void for_blocks(const Instance& instance, const char* label, std::size_t n, const void* body,
                void (*run)(const void*, std::size_t, std::size_t)) {
  Kokkos::parallel_for(label, blocks(instance, n), [=](int b) {
    const std::size_t begin = std::size_t(b) * block;
    run(body, begin, std::min(begin + block, n));
  });
}

template <int count>
void sum_blocks(const Instance& instance, const char* label, std::size_t n, const void* body,
                void (*run)(const void*, std::size_t, std::size_t, double*), double* result) {
  Kokkos::parallel_reduce(label, blocks(instance, n), SumBlock<count>{n, body, run},
                          Kokkos::View<Sums<count>, MemorySpace>(reinterpret_cast<Sums<count>*>(result)));
}

static_assert(most_sums == 8);
using Run = void(const void*, std::size_t, std::size_t, double*);
template void sum_blocks<1>(const Instance&, const char*, std::size_t, const void*, Run*, double*);
template void sum_blocks<2>(const Instance&, const char*, std::size_t, const void*, Run*, double*);
template void sum_blocks<3>(const Instance&, const char*, std::size_t, const void*, Run*, double*);
template void sum_blocks<4>(const Instance&, const char*, std::size_t, const void*, Run*, double*);
template void sum_blocks<5>(const Instance&, const char*, std::size_t, const void*, Run*, double*);
template void sum_blocks<6>(const Instance&, const char*, std::size_t, const void*, Run*, double*);
template void sum_blocks<7>(const Instance&, const char*, std::size_t, const void*, Run*, double*);
template void sum_blocks<8>(const Instance&, const char*, std::size_t, const void*, Run*, double*);

}  // namespace miniapp::streaming::detail
#endif
