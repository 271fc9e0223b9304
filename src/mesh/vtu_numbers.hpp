// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "mesh/xml_text.hpp"

namespace miniapp::mesh {

/// The arrays of a file of VTK's XML format: as text, or as bytes in base64, in their place or appended at the end,
/// there also raw, compressed by zlib or not.
class VtuNumbers {
 public:
  /// `root`: VTKFile; both stay as long as this does. Errors: InputError where numbers are stored as no build, or not
  /// this one, reads them.
  VtuNumbers(const XmlElement& root, const XmlText& text);

  /// The numbers of a DataArray. 64-bit integers beyond 2^53 are rounded. Errors: InputError naming the array.
  std::vector<double> read(const XmlElement& array) const;
  /// Those of an array of integers, which are at most 2^31 - 1 and not negative.
  std::vector<std::int32_t> read_indices(const XmlElement& array) const;

  /// Whether it is an array of numbers: not of texts.
  static bool has_numbers(const XmlElement& array);
  /// A whole number of an attribute, 0..2^31 - 1, `otherwise` where there is none.
  std::int64_t count(const XmlElement& element, std::string_view attribute, std::int64_t otherwise) const;
  /// An attribute. Errors: InputError where there is none.
  const std::string& get(const XmlElement& element, std::string_view attribute) const;

 private:
  class Bytes;
  [[noreturn]] void fail(const XmlElement& array, const std::string& reason, const std::string& accepted) const;
  std::vector<double> read_words(const XmlElement& array, bool whole) const;
  Bytes bytes_of(const XmlElement& array) const;
  std::uint64_t header(Bytes& bytes, const XmlElement& array) const;
  std::string plain(Bytes& bytes, const XmlElement& array) const;
  std::string compressed(Bytes& bytes, const XmlElement& array) const;

  const XmlText& text_;
  bool wide_ = false, zlib_ = false;  ///< lengths of 64 bits; compressed
  std::string_view appended_;
  bool appended_base64_ = false, has_appended_ = false;
};

}  // namespace miniapp::mesh
