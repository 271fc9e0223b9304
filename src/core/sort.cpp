// SPDX-License-Identifier: BSD-3-Clause
#include "core/sort.hpp"

#if defined(KOKKOS_ENABLE_CUDA)
#include <cub/device/device_radix_sort.cuh>

#include "miniapp/core/teams.hpp"
#else
#include <algorithm>
#include <utility>
#include <vector>
#endif

namespace miniapp {
namespace {

#if defined(KOKKOS_ENABLE_CUDA)

template <class Key>
void sort_pairs(const Vector<Key>& keys, const Vector<std::int32_t>& values, int bits) {
  const std::size_t size = keys.extent(0);
  const Vector<Key> other_keys = make_vector<Key>("sorted keys", size);
  const Vector<std::int32_t> other_values = make_vector<std::int32_t>("sorted values", size);
  cub::DoubleBuffer<Key> key_buffers(keys.data(), other_keys.data());
  cub::DoubleBuffer<std::int32_t> value_buffers(values.data(), other_values.data());
  const ExecutionSpace space;
  std::size_t bytes = 0;
  const auto sort = [&](void* memory) {
    detail::require_cuda(cub::DeviceRadixSort::SortPairs(memory, bytes, key_buffers, value_buffers,
                                                         static_cast<std::int64_t>(size), 0, bits, space.cuda_stream()),
                         "cub::DeviceRadixSort");
  };
  sort(nullptr);
  const Vector<char> memory = make_vector<char>("sort", bytes);
  sort(memory.data());
  if (key_buffers.Current() != keys.data()) Kokkos::deep_copy(space, keys, other_keys);
  if (value_buffers.Current() != values.data()) Kokkos::deep_copy(space, values, other_values);
  space.fence();  // before the memory is freed
}

#else

template <class Key>
void sort_pairs(const Vector<Key>& keys, const Vector<std::int32_t>& values, int) {
  const auto host_keys = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), keys);
  const auto host_values = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), values);
  std::vector<std::pair<Key, std::int32_t> > pairs(keys.extent(0));
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = {host_keys(i), host_values(i)};
  std::stable_sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    host_keys(i) = pairs[i].first;
    host_values(i) = pairs[i].second;
  }
  Kokkos::deep_copy(keys, host_keys);
  Kokkos::deep_copy(values, host_values);
}

#endif

}  // namespace

void sort_by_key(const Vector<std::uint32_t>& keys, const Vector<std::int32_t>& values, int bits) {
  sort_pairs(keys, values, bits);
}
void sort_by_key(const Vector<std::uint64_t>& keys, const Vector<std::int32_t>& values, int bits) {
  sort_pairs(keys, values, bits);
}

}  // namespace miniapp
