// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include "miniapp/core/device.hpp"
#include "miniapp/core/kept_memory.hpp"
#include "miniapp/core/kokkos.hpp"
#include "miniapp/core/large_pages.hpp"

namespace miniapp {

/// Where kernels run and where their data live: the only aliases of the device in the project.
using ExecutionSpace = Kokkos::DefaultExecutionSpace;
using MemorySpace = ExecutionSpace::memory_space;
using TeamPolicy = Kokkos::TeamPolicy<ExecutionSpace>;
using TeamMember = TeamPolicy::member_type;

/// A one-dimensional array on the device and its host counterpart.
template <class T>
using Vector = Kokkos::View<T*, Kokkos::LayoutRight, MemorySpace>;

/// Host memory that a GPU's copies reach without a detour.
#if defined(KOKKOS_ENABLE_CUDA)
using PinnedSpace = Kokkos::CudaHostPinnedSpace;
#else
using PinnedSpace = Kokkos::HostSpace;
#endif
template <class T>
using PinnedVector = Kokkos::View<T*, Kokkos::LayoutRight, PinnedSpace>;
template <class T>
using HostVector = Kokkos::View<T*, Kokkos::LayoutRight, Kokkos::HostSpace>;

namespace detail {

/// Copies and zeros on a host, for all types of entries, each of which Kokkos would compile anew.
void copy_bytes(void* to, const void* from, std::size_t bytes);
void set_to_zero(void* to, std::size_t bytes);

/// to = from, arrays of the same size and type on the device or on the host.
template <class To, class From>
void copy_entries(const To& to, const From& from) {
  using T = typename To::value_type;
  if constexpr (runs_on_host && std::is_trivially_copyable_v<T>)
    copy_bytes(to.data(), from.data(), to.extent(0) * sizeof(T));
  else
    Kokkos::deep_copy(to, from);
}

template <class T>
Vector<T> allocate_vector(const std::string& label, std::size_t size) {
  const Vector<T> vector(Kokkos::view_alloc(Kokkos::WithoutInitializing, label), size);
  if constexpr (runs_on_host) ask_for_large_pages(vector.data(), size * sizeof(T));
  return vector;
}

/// An array in memory that a KeepMemory has kept, if one lives.
template <class T>
Vector<T> make_in_kept_memory(const std::string& label, std::size_t size) {
  const auto allocate = [&](std::size_t entries) { return allocate_vector<T>(label, entries); };
  std::unique_ptr<KeptArrays>* const kept = size > 0 ? find_kept_arrays(typeid(T)) : nullptr;
  if (!kept) return allocate(size);
  if (!*kept) *kept = std::make_unique<KeptArraysOf<Vector<T>>>();
  return static_cast<KeptArraysOf<Vector<T>>&>(**kept).make(size, allocate);
}

}  // namespace detail

/// A device array without initial values, for data that are written before they are read.
template <class T>
Vector<T> make_vector(const std::string& label, std::size_t size) {
  if constexpr (runs_on_host)
    return detail::allocate_vector<T>(label, size);
  else
    return detail::make_in_kept_memory<T>(label, size);
}

/// A device array of zeros.
template <class T>
Vector<T> make_zeros(const std::string& label, std::size_t size) {
  const Vector<T> vector = make_vector<T>(label, size);
  if constexpr (runs_on_host && std::is_arithmetic_v<T>)
    detail::set_to_zero(vector.data(), size * sizeof(T));
  else
    Kokkos::deep_copy(vector, T(0));
  return vector;
}

/// Entries [begin, begin + size) of a device array, without reference counting.
template <class T>
Vector<T> slice(const Vector<T>& vector, std::size_t begin, std::size_t size) {
  return Vector<T>(vector.data() + begin, size);
}

/// A copy in another precision (the array itself where both are the same).
template <class To, class From>
Vector<To> convert(const Vector<From>& from) {
  if constexpr (std::is_same_v<To, From>) return from;
  const Vector<To> to = make_vector<To>("converted", from.extent(0));
  Kokkos::deep_copy(to, from);
  return to;
}

/// Memory of the host for a copy of a device array, without initial values (the array itself where both are the same).
template <class T>
auto make_host_memory(const Vector<T>& device) {
  if constexpr (runs_on_host) {
    return device;
  } else {
    const HostVector<std::remove_const_t<T>> host(Kokkos::view_alloc(Kokkos::WithoutInitializing, device.label()),
                                                  device.extent(0));
    ask_for_large_pages(host.data(), host.extent(0) * sizeof(T));
    return host;
  }
}

/// A host copy of a device array (the array itself where both are the same).
template <class T>
auto to_host(const Vector<T>& device) {
  const auto host = make_host_memory(device);
  if constexpr (!runs_on_host) Kokkos::deep_copy(host, device);
  return host;
}

/// The values of a device array.
template <class T>
auto to_vector(const Vector<T>& device) {
  std::vector<std::remove_const_t<T>> values = make_large<std::remove_const_t<T>>(device.extent(0));
  detail::copy_entries(HostVector<std::remove_const_t<T>>(values.data(), values.size()), device);
  return values;
}

/// A device copy of values on the host.
template <class T>
Vector<T> to_device(const std::string& label, const std::vector<T>& values) {
  const Vector<T> device = make_vector<T>(label, values.size());
  detail::copy_entries(device, HostVector<const T>(values.data(), values.size()));
  return device;
}

/// A device copy of values on the host, each rounded to T.
template <class T, class From>
requires(!std::is_same_v<T, From>) Vector<T> to_device(const std::string& label, const std::vector<From>& values) {
  const Vector<T> device = make_vector<T>(label, values.size());
  const auto host = make_host_memory(device);
  for (std::size_t i = 0; i < values.size(); ++i) host(i) = static_cast<T>(values[i]);
  if constexpr (!runs_on_host) Kokkos::deep_copy(device, host);
  return device;
}

/// Read-only access to `values` on the device, by a copy unless kernels run on the host; `values` must outlive it.
template <class T>
Vector<const T> read_on_device(const std::string& label, const std::vector<T>& values) {
  if constexpr (runs_on_host) return Vector<const T>(values.data(), values.size());
  return to_device(label, values);
}

}  // namespace miniapp
