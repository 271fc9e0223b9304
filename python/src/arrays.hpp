// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>

#include "miniapp/core/error.hpp"
#include "miniapp/core/execution.hpp"
#include "python/src/session.hpp"

/// Arrays of Python as vectors of the library and the other way round, without copies where kernels can use the memory.
namespace miniapp::python {

namespace nb = nanobind;

/// Numbers that a function reads; those that it writes. Of any library that knows DLPack, on a host or a GPU.
using Numbers = nb::ndarray<const double, nb::c_contig>;
using Written = nb::ndarray<double, nb::c_contig>;

#if defined(KOKKOS_ENABLE_CUDA)
using Device = nb::device::cuda;
#elif defined(KOKKOS_ENABLE_HIP)
using Device = nb::device::rocm;
#else
using Device = nb::device::cpu;
#endif

/// Whether an array lies where kernels run.
template <class Array>
bool is_on_device(const Array& array) {
  return array.device_type() == Device::value;
}

/// Errors: InputError where an array is no column of `size` numbers, or lies on a device that is not this build's.
template <class Array>
void require_column(const std::string& name, const Array& array, std::size_t size) {
  require(is_on_device(array) || array.device_type() == nb::device::cpu::value, name,
          "on a device of DLPack's type " + std::to_string(array.device_type()),
          "accepted in this build are " + std::to_string(nb::device::cpu::value) + " (hosts) and " +
              std::to_string(Device::value));
  require(array.size() == size && array.ndim() >= 1 && array.shape(0) == size, name,
          std::to_string(array.size()) + " numbers in " + std::to_string(array.ndim()) + " dimensions",
          "accepted is a column of " + std::to_string(size));
}

/// The numbers of an array as a vector: the array's memory where kernels run there, else a copy. The array must outlive
/// it. Errors: as require_column().
inline Vector<const double> read(const std::string& name, const Numbers& array, std::size_t size) {
  require_column(name, array, size);
  if (is_on_device(array)) return Vector<const double>(array.data(), size);
  const Vector<double> copy = make_vector<double>("python/" + name, size);
  Kokkos::deep_copy(copy, HostVector<const double>(array.data(), size));
  return copy;
}

/// The vector that a function writes in place of an array: the array's memory where kernels run there, else one that
/// keep() copies to it. Errors: as require_column().
class Target {
 public:
  Target(const std::string& name, const Written& array, std::size_t size) : array_(array) {
    require_column(name, array, size);
    vector = is_on_device(array) ? Vector<double>(array.data(), size) : make_vector<double>("python/" + name, size);
  }
  void keep() const {
    if (!is_on_device(array_)) Kokkos::deep_copy(HostVector<double>(array_.data(), vector.extent(0)), vector);
  }
  Vector<double> vector;

 private:
  Written array_;
};

/// Memory of the host that `owner` keeps alive as an array of NumPy, without a copy. Read-only where T is const.
template <class T>
nb::object view_of_host(T* data, std::initializer_list<std::size_t> shape, nb::handle owner) {
  return nb::cast(nb::ndarray<nb::numpy, T>(data, shape, owner), nb::rv_policy::reference);
}
/// Memory of the device likewise: on hosts view_of_host(), on a GPU an array with __dlpack__(), which CuPy and PyTorch
/// take.
template <class T>
nb::object view(T* data, std::initializer_list<std::size_t> shape, nb::handle owner) {
  if constexpr (runs_on_host)
    return view_of_host(data, shape, owner);
  else
    return nb::cast(nb::ndarray<T, Device>(data, shape, owner), nb::rv_policy::reference);
}

/// An array that owns a vector, and with it a share of Kokkos.
inline nb::object own(const Vector<double>& vector) {
  struct Held {
    std::shared_ptr<const void> session;  // first, so that it goes last
    Vector<double> vector;
  };
  auto held = std::make_unique<Held>(Held{session(), vector});
  const nb::capsule owner(held.get(), [](void* at) noexcept { delete static_cast<Held*>(at); });
  held.release();  // NOLINT(bugprone-unused-return-value): the capsule has it
  return view(vector.data(), {vector.extent(0)}, owner);
}

/// What another library launched to fill arrays has ended: streams of a GPU do not wait for each other.
inline void wait_for_others() {
  if constexpr (!runs_on_host) Kokkos::fence();
}

}  // namespace miniapp::python
