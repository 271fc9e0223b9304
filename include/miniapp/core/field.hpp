// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <type_traits>
#include <vector>

#include "miniapp/core/execution.hpp"
#include "miniapp/core/host_ranges.hpp"

namespace miniapp {

/// How the components of entities are ordered in memory.
enum class Layout {
  aos,  ///< array of structures: (entity, component), the components of one entity are contiguous
  soa,  ///< structure of arrays: (component, entity), one component of all entities is contiguous
};
constexpr auto names(Layout) { return std::array{"aos", "soa"}; }

/// A pointer to the values of a field, as kernels take it. `T` is const where they are only read.
template <class T, int components, Layout layout>
struct FieldPointer {
  using Value = std::remove_const_t<T>;
  T* values = nullptr;
  std::size_t size = 0;  ///< entities

  KOKKOS_FORCEINLINE_FUNCTION T& operator()(std::size_t entity, int component) const {
    return layout == Layout::aos ? values[entity * components + component] : values[component * size + entity];
  }
  /// Copies the components of an entity to `to`, on a GPU in pieces of 16 bytes where they are contiguous.
  KOKKOS_FORCEINLINE_FUNCTION void load(std::size_t entity, Value (&to)[components]) const {
    if constexpr (in_pieces) {
      const Piece* const pieces = reinterpret_cast<const Piece*>(values + entity * components);
      MINIAPP_UNROLL
      for (int p = 0; p < components / piece_size; ++p) {
        const Piece piece = pieces[p];
        MINIAPP_UNROLL
        for (int c = 0; c < piece_size; ++c) to[p * piece_size + c] = piece.values[c];
      }
    } else {
      MINIAPP_UNROLL
      for (int c = 0; c < components; ++c) to[c] = (*this)(entity, c);
    }
  }
  /// Overwrites the components of an entity.
  KOKKOS_FORCEINLINE_FUNCTION void store(std::size_t entity, const Value (&from)[components]) const {
    if constexpr (in_pieces) {
      Piece* const pieces = reinterpret_cast<Piece*>(values + entity * components);
      MINIAPP_UNROLL
      for (int p = 0; p < components / piece_size; ++p) {
        Piece piece;
        MINIAPP_UNROLL
        for (int c = 0; c < piece_size; ++c) piece.values[c] = from[p * piece_size + c];
        pieces[p] = piece;
      }
    } else {
      MINIAPP_UNROLL
      for (int c = 0; c < components; ++c) (*this)(entity, c) = from[c];
    }
  }

 private:
  static constexpr int piece_size = 16 / sizeof(T);
  static constexpr bool in_pieces = !runs_on_host && layout == Layout::aos && components % piece_size == 0;
  struct alignas(16) Piece {
    Value values[piece_size];
  };
};

/// Values (entity, component) on the device, in either layout. Copies share the values.
template <class T, int components, Layout layout_ = Layout::aos>
class Field {
 public:
  static constexpr Layout layout = layout_;
  static constexpr int num_components = components;
  Field() = default;
  /// Filled with zeros.
  Field(const std::string& label, std::size_t size) : values_(make_zeros<T>(label, size * components)), size_(size) {}
  /// Copies `values` (entity, component).
  Field(const std::string& label, const std::vector<T>& values) : Field(with_values(label, values)) {}
  /// Copies `values` (entity, component), each rounded to T.
  template <class From>
  static Field with_values(const std::string& label, const std::vector<From>& values) {
    const Field field(make_vector<T>(label, values.size() / components * components));
    field.assign(values);
    return field;
  }

  /// Shares `values`, which are already stored in this layout.
  explicit Field(const Vector<T>& values) : values_(values), size_(values.extent(0) / components) {}

  std::size_t size() const { return size_; }
  double bytes() const { return double(size_) * components * sizeof(T); }
  const Vector<T>& values() const { return values_; }
  FieldPointer<T, components, layout> pointer() const { return {values_.data(), size_}; }
  FieldPointer<const T, components, layout> const_pointer() const { return {values_.data(), size_}; }
  void fill(T value) const { miniapp::fill(values_, value); }

  /// Overwrites all values with those of `values` (entity, component), each rounded to T.
  template <class From>
  void assign(const std::vector<From>& values) const {
    if constexpr (layout == Layout::aos && std::is_same_v<From, T>) {
      copy_entries(values_, HostVector<const T>(values.data(), size_ * components));
      return;
    }
    const auto host = make_host_memory(values_);
    const FieldPointer<T, components, layout> to{host.data(), size_};
    for_host(size_, [&](std::size_t i) {
      for (int c = 0; c < components; ++c) to(i, c) = static_cast<T>(values[i * components + c]);
    });
    if constexpr (!runs_on_host) copy_entries(values_, host);
  }
  /// The values (entity, component), on the host.
  template <class To = T>
  std::vector<To> to_vector() const {
    if constexpr (layout == Layout::aos && std::is_same_v<To, T>) return miniapp::to_vector(values_);
    const auto host = to_host(values_);
    const FieldPointer<const T, components, layout> from{host.data(), size_};
    std::vector<To> values = make_large<To>(size_ * components);
    for_host(size_, [&](std::size_t i) {
      for (int c = 0; c < components; ++c) values[i * components + c] = from(i, c);
    });
    return values;
  }

 private:
  Vector<T> values_;
  std::size_t size_ = 0;
};

}  // namespace miniapp
