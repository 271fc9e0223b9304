// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "miniapp/space/vtu.hpp"

/// VTK's XML format of one piece of an unstructured grid with appended raw data.
namespace miniapp::space {

/// The components of a field in a file: vectors have three.
constexpr int stored_components(int components) { return components == 2 ? 3 : components; }

/// The arrays of a file. They are announced, then filled in place, and finish() ends the file.
class VtkFile {
 public:
  /// `version`: of the format; 2.2 has Lagrange cells as they are now, more readers know 1.0.
  VtkFile(std::size_t points, std::size_t cells, const char* version)
      : points_(points), cells_(cells), version_(version) {}

  /// Announces an array of a section: "PointData", "CellData", "Points" or "Cells". Sections come in this order.
  template <class T>
  void announce(const char* section, std::string name, int components, std::size_t entries) {
    constexpr const char* type = std::is_floating_point_v<T> ? "Float64"
                                 : sizeof(T) == 1            ? "UInt8"
                                 : sizeof(T) == 4            ? "Int32"
                                                             : "Int64";
    arrays_.push_back({section, type, std::move(name), components, entries * std::size_t(components) * sizeof(T)});
  }
  /// Makes room for all arrays. Their numbers are zero and aligned.
  void begin();
  /// The values of the i-th array that was announced.
  template <class T>
  T* values(std::size_t i) {
    return reinterpret_cast<T*>(file_.data() + places_[i] + sizeof(std::uint64_t));
  }
  std::string finish(Compress compress);

 private:
  struct Array {
    const char* section;
    const char* type;
    std::string name;
    int components;
    std::size_t bytes;
  };
  /// What stands before the arrays, whose lengths begin at these places behind it.
  std::string head(const std::vector<std::size_t>& offsets, Compress compress) const;
  std::string compressed() const;

  std::size_t points_, cells_;
  const char* version_;
  std::vector<Array> arrays_;
  std::vector<std::size_t> places_;  ///< (array): where its length stands in the file
  std::string file_;
};

}  // namespace miniapp::space
