// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>
#include <cstdint>
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
template <class T>
using PinnedVector = Kokkos::View<T*, Kokkos::LayoutRight, PinnedSpace>;
template <class T>
using HostVector = Kokkos::View<T*, Kokkos::LayoutRight, Kokkos::HostSpace>;

namespace detail {

// What Kokkos would compile anew for each type of entries, in each source: a GPU's driver loads all of a source's
// kernels before one of them runs.

/// These wait for the device, and have ended when they return.
void copy_bytes(void* to, const void* from, std::size_t bytes);  // both on the device
void copy_bytes_to_host(void* to, const void* from, std::size_t bytes);
void copy_bytes_to_device(void* to, const void* from, std::size_t bytes);
void convert_entries(float* to, const double* from, std::size_t size);
void convert_entries(double* to, const float* from, std::size_t size);

/// These begin in the order of what is submitted to an instance of Kokkos.
void copy_bytes(const ExecutionSpace& on, void* to, const void* from, std::size_t bytes);
void set_to_zero(const ExecutionSpace& on, void* to, std::size_t bytes);
void fill_words(const ExecutionSpace& on, std::uint8_t* to, std::uint8_t value, std::size_t words);
void fill_words(const ExecutionSpace& on, std::uint32_t* to, std::uint32_t value, std::size_t words);
void fill_words(const ExecutionSpace& on, std::uint64_t* to, std::uint64_t value, std::size_t words);

template <class T>
void fill(const ExecutionSpace& on, const Vector<T>& vector, T value) {
  using Word = std::conditional_t<sizeof(T) == 8, std::uint64_t,
                                  std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint8_t>>;
  const auto word = std::bit_cast<Word>(value);
  if (word == 0)
    set_to_zero(on, vector.data(), vector.extent(0) * sizeof(T));
  else
    fill_words(on, reinterpret_cast<Word*>(vector.data()), word, vector.extent(0));
}

/// Errors: InputError.
void require_same_size(std::size_t to, std::size_t from);

template <class View>
inline constexpr bool is_on_device = std::is_same_v<typename View::memory_space, MemorySpace>;

template <class T>
Vector<T> allocate_vector(const std::string& label, std::size_t size) {
  const Vector<T> vector(Kokkos::view_alloc(Kokkos::WithoutInitializing, label), size);
  if constexpr (runs_on_host) ask_for_large_pages(vector.data(), size * sizeof(T));
  return vector;
}

extern template Vector<char> allocate_vector(const std::string&, std::size_t);
extern template Vector<unsigned char> allocate_vector(const std::string&, std::size_t);
extern template Vector<std::int32_t> allocate_vector(const std::string&, std::size_t);
extern template Vector<std::uint32_t> allocate_vector(const std::string&, std::size_t);
extern template Vector<std::int64_t> allocate_vector(const std::string&, std::size_t);
extern template Vector<std::uint64_t> allocate_vector(const std::string&, std::size_t);
extern template Vector<float> allocate_vector(const std::string&, std::size_t);
extern template Vector<double> allocate_vector(const std::string&, std::size_t);

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

/// to = from, arrays of the same size and type without gaps, at least one of them on the device. Errors: InputError for
/// other sizes.
template <class To, class From>
void copy_entries(const To& to, const From& from) {
  using T = typename To::value_type;
  static_assert(std::is_trivially_copyable_v<T> && std::is_same_v<std::remove_const_t<typename From::value_type>, T>);
  static_assert(detail::is_on_device<To> || detail::is_on_device<From>);
  detail::require_same_size(to.size(), from.size());
  const std::size_t bytes = to.size() * sizeof(T);
  if constexpr (detail::is_on_device<To> && detail::is_on_device<From>)
    detail::copy_bytes(to.data(), from.data(), bytes);
  else if constexpr (detail::is_on_device<From>)
    detail::copy_bytes_to_host(to.data(), from.data(), bytes);
  else
    detail::copy_bytes_to_device(to.data(), from.data(), bytes);
}

/// A device array without initial values, for data that are written before they are read.
template <class T>
Vector<T> make_vector(const std::string& label, std::size_t size) {
  if constexpr (runs_on_host)
    return detail::allocate_vector<T>(label, size);
  else
    return detail::make_in_kept_memory<T>(label, size);
}

/// Gives all entries of a device array a value, after what the device still does.
template <class T>
void fill(const Vector<T>& vector, std::type_identity_t<T> value) {
  Kokkos::fence();
  detail::fill<T>(ExecutionSpace(), vector, value);
  Kokkos::fence();
}

/// A device array of zeros.
template <class T>
Vector<T> make_zeros(const std::string& label, std::size_t size) {
  static_assert(std::is_arithmetic_v<T>);
  const Vector<T> vector = make_vector<T>(label, size);
  fill(vector, T(0));
  return vector;
}

/// Entries [begin, begin + size) of a device array, without reference counting.
template <class T>
Vector<T> slice(const Vector<T>& vector, std::size_t begin, std::size_t size) {
  return Vector<T>(vector.data() + begin, size);
}

/// to = from, each number rounded to the other precision.
template <class To, class From>
void copy_rounded(const Vector<To>& to, const Vector<From>& from) {
  detail::require_same_size(to.extent(0), from.extent(0));
  if constexpr (std::is_same_v<To, std::remove_const_t<From>>)
    copy_entries(to, from);
  else
    detail::convert_entries(to.data(), from.data(), from.extent(0));
}

/// A copy in another precision (the array itself where both are the same).
template <class To, class From>
Vector<To> convert(const Vector<From>& from) {
  if constexpr (std::is_same_v<To, From>) return from;
  const Vector<To> to = make_vector<To>("converted", from.extent(0));
  copy_rounded(to, from);
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
  if constexpr (!runs_on_host) copy_entries(host, device);
  return host;
}

/// The values of a device array.
template <class T>
auto to_vector(const Vector<T>& device) {
  std::vector<std::remove_const_t<T>> values = make_large<std::remove_const_t<T>>(device.extent(0));
  copy_entries(HostVector<std::remove_const_t<T>>(values.data(), values.size()), device);
  return values;
}

/// A device copy of values on the host.
template <class T>
Vector<T> to_device(const std::string& label, const std::vector<T>& values) {
  const Vector<T> device = make_vector<T>(label, values.size());
  copy_entries(device, HostVector<const T>(values.data(), values.size()));
  return device;
}

/// A device copy of values on the host, each rounded to T.
template <class T, class From>
requires(!std::is_same_v<T, From>) Vector<T> to_device(const std::string& label, const std::vector<From>& values) {
  const Vector<T> device = make_vector<T>(label, values.size());
  const auto host = make_host_memory(device);
  for (std::size_t i = 0; i < values.size(); ++i) host(i) = static_cast<T>(values[i]);
  if constexpr (!runs_on_host) copy_entries(device, host);
  return device;
}

/// Read-only access to `values` on the device, by a copy unless kernels run on the host; `values` must outlive it.
template <class T>
Vector<const T> read_on_device(const std::string& label, const std::vector<T>& values) {
  if constexpr (runs_on_host) return Vector<const T>(values.data(), values.size());
  return to_device(label, values);
}

}  // namespace miniapp
