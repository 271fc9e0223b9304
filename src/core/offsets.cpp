// SPDX-License-Identifier: BSD-3-Clause
#include "core/offsets.hpp"

#if defined(KOKKOS_ENABLE_CUDA)
#include <thrust/iterator/transform_iterator.h>
#include <cub/device/device_scan.cuh>

#include "miniapp/core/teams.hpp"
#endif

namespace miniapp {
namespace {

#if defined(KOKKOS_ENABLE_CUDA)

template <class Count>
struct ToOffset {
  KOKKOS_FUNCTION std::int32_t operator()(Count count) const { return count; }
};

/// By CUB, which reads counts once. Kokkos's scan reads them twice and calls printf, for which CUDA reserves memory
/// when its first kernel runs: 4 ms.
template <class Count>
void add_up(const Vector<Count>& counts, std::int32_t* sums) {
  const ExecutionSpace space;
  std::size_t bytes = 0;
  const auto scan = [&](void* memory) {
    detail::require_cuda(
        cub::DeviceScan::InclusiveSum(
            memory, bytes, thrust::make_transform_iterator(counts.data(), ToOffset<std::remove_const_t<Count>>{}), sums,
            static_cast<std::int64_t>(counts.extent(0)), space.cuda_stream()),
        "cub::DeviceScan");
  };
  scan(nullptr);
  const Vector<char> memory = make_vector<char>("core/offsets", bytes);
  scan(memory.data());  // Kokkos waits before it frees the memory, a KeepMemory reuses it in this order
}

#else

template <class Count>
struct AddUp {
  Vector<Count> counts;
  std::int32_t* sums;
  KOKKOS_FUNCTION void operator()(std::size_t i, std::int32_t& sum, bool last) const {
    sum += counts(i);
    if (last) sums[i] = sum;
  }
};

template <class Count>
void add_up(const Vector<Count>& counts, std::int32_t* sums) {
  Kokkos::parallel_scan("core/offsets", Kokkos::RangePolicy<ExecutionSpace>(0, counts.extent(0)),
                        AddUp<Count>{counts, sums});
}

#endif

}  // namespace

template <class Count>
Vector<std::int32_t> offsets_of(const Vector<Count>& counts) {
  const Vector<std::int32_t> offsets = make_vector<std::int32_t>("offsets", counts.extent(0) + 1);
  detail::fill(ExecutionSpace(), slice(offsets, 0, 1), 0);
  if (counts.extent(0) > 0) add_up(counts, offsets.data() + 1);
  return offsets;
}

template Vector<std::int32_t> offsets_of(const Vector<std::int32_t>&);
template Vector<std::int32_t> offsets_of(const Vector<const std::int32_t>&);
template Vector<std::int32_t> offsets_of(const Vector<char>&);
template Vector<std::int32_t> offsets_of(const Vector<const char>&);

}  // namespace miniapp
