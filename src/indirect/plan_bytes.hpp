// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

/// Serialisation of plans: little-endian integers and arrays of them.
namespace miniapp::indirect {

/// FNV-1a, 64 bits.
inline std::uint64_t plan_checksum(std::string_view bytes) {
  std::uint64_t value = 14695981039346656037u;
  for (const char byte : bytes) value = (value ^ static_cast<unsigned char>(byte)) * 1099511628211u;
  return value;
}

/// Appends integers and arrays.
class PlanWriter {
 public:
  explicit PlanWriter(std::string start) : bytes_(std::move(start)) {}

  template <class T>
  void integer(T value) {
    const auto bits = static_cast<std::make_unsigned_t<T>>(value);
    for (std::size_t i = 0; i < sizeof(T); ++i) bytes_ += static_cast<char>(bits >> (8 * i) & 0xffu);
  }
  template <class T>
  void array(const std::vector<T>& values) {
    integer(static_cast<std::uint64_t>(values.size()));
    if constexpr (std::endian::native == std::endian::little)
      bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
    else
      for (const T value : values) integer(value);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// Reads them back. After an early end of the bytes it returns zeros and empty arrays.
class PlanReader {
 public:
  explicit PlanReader(std::string_view bytes) : left_(bytes) {}

  template <class T>
  void integer(T& value) {
    using Bits = std::make_unsigned_t<T>;
    Bits bits = 0;
    if (!take(sizeof(T))) return;
    for (std::size_t i = 0; i < sizeof(T); ++i)
      bits = static_cast<Bits>(bits | static_cast<Bits>(Bits(static_cast<unsigned char>(taken_[i])) << (8 * i)));
    value = static_cast<T>(bits);
  }
  /// Allocates memory only for bytes that exist.
  template <class T>
  void array(std::vector<T>& values) {
    std::uint64_t size = 0;
    integer(size);
    if (size > left_.size() / sizeof(T)) ended_early_ = true;
    if (ended_early_ || !take(size * sizeof(T))) return;
    values.resize(size);
    if constexpr (std::endian::native == std::endian::little) {
      if (size > 0) std::memcpy(values.data(), taken_.data(), taken_.size());
    } else {
      PlanReader entries(taken_);
      for (T& value : values) entries.integer(value);
    }
  }
  bool ended_early() const { return ended_early_; }
  bool at_end() const { return left_.empty(); }

 private:
  bool take(std::size_t size) {
    ended_early_ = ended_early_ || size > left_.size();
    if (ended_early_) return false;
    taken_ = left_.substr(0, size);
    left_.remove_prefix(size);
    return true;
  }

  std::string_view left_, taken_;
  bool ended_early_ = false;
};

}  // namespace miniapp::indirect
