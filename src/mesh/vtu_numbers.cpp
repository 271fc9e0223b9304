// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/vtu_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

#include "core/input_file.hpp"
#include "core/number.hpp"
#include "miniapp/core/features.hpp"

#ifdef MINIAPP_HAVE_ZLIB
#include <zlib.h>
#endif

namespace miniapp::mesh {
namespace {

constexpr std::int64_t most_index = std::numeric_limits<std::int32_t>::max();

std::string_view without_blanks(std::string_view word) {
  const std::size_t end = word.find_last_not_of(xml_blanks) + 1,
                    begin = std::min(word.find_first_not_of(xml_blanks), end);
  return word.substr(begin, end - begin);
}

template <class T>
void convert(const std::string& bytes, std::vector<double>& numbers) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    T value;
    std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
    numbers[i] = static_cast<double>(value);
  }
}

/// A type of numbers.
struct Type {
  std::string_view name;
  std::size_t size;
  bool whole;
  void (*convert)(const std::string& bytes, std::vector<double>& numbers);
};
constexpr Type number_types[] = {
    {"Float64", 8, false, convert<double>},      {"Float32", 4, false, convert<float>},
    {"Int64", 8, true, convert<std::int64_t>},   {"Int32", 4, true, convert<std::int32_t>},
    {"UInt64", 8, true, convert<std::uint64_t>}, {"UInt32", 4, true, convert<std::uint32_t>},
    {"Int16", 2, true, convert<std::int16_t>},   {"Int8", 1, true, convert<std::int8_t>},
    {"UInt16", 2, true, convert<std::uint16_t>}, {"UInt8", 1, true, convert<std::uint8_t>}};

const Type* type_of(const XmlElement& array) {
  const std::string* const name = array.find("type");
  const auto* const found = std::find_if(std::begin(number_types), std::end(number_types),
                                         [&](const Type& type) { return name && type.name == *name; });
  return found == std::end(number_types) ? nullptr : found;
}

/// (character): the six bits that it stands for, else -1.
constexpr std::array<int, 256> make_base64() {
  std::array<int, 256> bits{};
  bits.fill(-1);
  int next = 0;
  for (const char c : std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"))
    bits[static_cast<unsigned char>(c)] = next++;
  return bits;
}
constexpr std::array<int, 256> base64_bits = make_base64();

}  // namespace

/// Bytes that are decoded as they are read. Pieces of base64 may follow each other, each with its padding.
class VtuNumbers::Bytes {
 public:
  Bytes(std::string_view text, bool encoded) : text_(text), encoded_(encoded) {}

  /// At most so many bytes follow.
  std::size_t left() const { return encoded_ ? ready_ + text_.size() / 4 * 3 + 3 : text_.size(); }

  /// False where they end before, or are not base64.
  bool read(char* to, std::size_t count) {
    if (!encoded_) {
      if (count > text_.size()) return false;
      std::memcpy(to, text_.data(), count);
      text_.remove_prefix(count);
      return true;
    }
    while (count > 0) {
      if (ready_ == 0 && !decode()) return false;
      for (; ready_ > 0 && count > 0; --ready_, --count) *to++ = group_[size_ - ready_];
    }
    return true;
  }

 private:
  /// The bytes of the next four characters.
  bool decode() {
    std::uint32_t bits = 0;
    int padding = 0;
    for (int i = 0; i < 4; ++i) {
      text_.remove_prefix(std::min(text_.find_first_not_of(xml_blanks), text_.size()));
      if (text_.empty()) return false;
      const int value = base64_bits[static_cast<unsigned char>(text_.front())];
      padding += text_.front() == '=';
      if (padding > 0 ? i < 2 || text_.front() != '=' : value < 0) return false;
      bits = bits << 6 | static_cast<std::uint32_t>(std::max(value, 0));
      text_.remove_prefix(1);
    }
    for (int i = 0; i < 3; ++i) group_[i] = static_cast<char>(bits >> (16 - 8 * i) & 255);
    size_ = ready_ = static_cast<std::size_t>(3 - padding);
    return true;
  }

  std::string_view text_;
  bool encoded_;
  char group_[3] = {};
  std::size_t size_ = 0, ready_ = 0;  ///< bytes of the group, and those yet to be read
};

VtuNumbers::VtuNumbers(const XmlElement& root, const XmlText& text) : text_(text) {
  const std::string native = std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian";
  if (const std::string* order = root.find("byte_order"); order && *order != native)
    text.fail(root.place, "byte_order " + quote(*order), native);
  if (const std::string* type = root.find("header_type")) {
    if (*type != "UInt32" && *type != "UInt64")
      text.fail(root.place, "header_type " + quote(*type), "UInt32 or UInt64");
    wide_ = *type == "UInt64";
  }
  if (const std::string* compressor = root.find("compressor"); compressor && !compressor->empty()) {
    if (*compressor != "vtkZLibDataCompressor")
      text.fail(root.place, "compressor " + quote(*compressor), "vtkZLibDataCompressor, or none");
#ifndef MINIAPP_HAVE_ZLIB
    text.fail(root.place, "compressed by zlib, which this build has not", "a file without a compressor");
#endif
    zlib_ = true;
  }
  for (const XmlElement* const appended : root.all("AppendedData")) {
    const std::string encoding = get(*appended, "encoding");
    if (encoding != "raw" && encoding != "base64")
      text.fail(appended->place, "encoding " + quote(encoding), "raw or base64");
    const std::size_t begin = appended->text.find_first_not_of(xml_blanks);
    if (begin == std::string_view::npos || appended->text[begin] != '_')
      text.fail(appended->place, "no '_' before the data", "a whole file");
    appended_ = appended->text.substr(begin + 1);
    appended_base64_ = encoding == "base64";
    if (appended_base64_) appended_ = appended_.substr(0, appended_.find('<'));
    has_appended_ = true;
  }
}

bool VtuNumbers::has_numbers(const XmlElement& array) { return type_of(array) != nullptr; }

const std::string& VtuNumbers::get(const XmlElement& element, std::string_view attribute) const {
  const std::string* const value = element.find(attribute);
  if (!value)
    text_.fail(element.place, fmt::format("{} without {}", quote(element.name), attribute), "the XML of VTK's files");
  return *value;
}

std::int64_t VtuNumbers::count(const XmlElement& element, std::string_view attribute, std::int64_t otherwise) const {
  const std::string* const word = element.find(attribute);
  if (!word) return otherwise;
  std::int64_t value = 0;
  if (!parse_number(without_blanks(*word), value) || value < 0 || value > most_index)
    text_.fail(element.place, fmt::format("{} {}", attribute, quote(*word)), "a whole number 0..2147483647");
  return value;
}

void VtuNumbers::fail(const XmlElement& array, const std::string& reason, const std::string& accepted) const {
  const std::string* const name = array.find("Name");
  text_.fail(array.place, fmt::format("array {}: {}", quote(name ? *name : ""), reason), accepted);
}

std::vector<double> VtuNumbers::read(const XmlElement& array) const {
  const Type* const type = type_of(array);
  if (!type) fail(array, "type " + quote(get(array, "type")), "Float32, Float64 or an integer of 8 to 64 bits");
  if (get(array, "format") == "ascii") return read_words(array, type->whole);
  Bytes bytes = bytes_of(array);
  const std::string decoded = zlib_ ? compressed(bytes, array) : plain(bytes, array);
  if (decoded.size() % type->size > 0)
    fail(array, fmt::format("{} bytes", decoded.size()), fmt::format("a multiple of {}", type->size));
  std::vector<double> numbers(decoded.size() / type->size);
  type->convert(decoded, numbers);
  return numbers;
}

std::vector<std::int32_t> VtuNumbers::read_indices(const XmlElement& array) const {
  if (const Type* const type = type_of(array); !type || !type->whole)
    fail(array, "type " + quote(get(array, "type")), "an array of integers");
  const std::vector<double> numbers = read(array);
  std::vector<std::int32_t> indices;
  indices.reserve(numbers.size());
  for (const double number : numbers) {
    if (!(number >= 0 && number <= double(most_index)))
      fail(array, fmt::format("{:.0f}", number), "a whole number 0..2147483647");
    indices.push_back(static_cast<std::int32_t>(number));
  }
  return indices;
}

std::vector<double> VtuNumbers::read_words(const XmlElement& array, bool whole) const {
  std::vector<double> numbers;
  std::string_view rest = array.text;
  while (true) {
    rest.remove_prefix(std::min(rest.find_first_not_of(xml_blanks), rest.size()));
    if (rest.empty()) return numbers;
    const std::string_view word = rest.substr(0, rest.find_first_of(xml_blanks));
    std::int64_t integer = 0;
    double number = 0;
    if (whole ? !parse_number(word, integer) : !parse_number(word, number))
      fail(array, quote(word), whole ? "an integer" : "a number");
    numbers.push_back(whole ? static_cast<double>(integer) : number);
    rest.remove_prefix(word.size());
  }
}

VtuNumbers::Bytes VtuNumbers::bytes_of(const XmlElement& array) const {
  const std::string& format = get(array, "format");
  if (format == "binary") return {array.text, true};
  if (format != "appended") fail(array, "format " + quote(format), "ascii, binary or appended");
  const std::string& word = get(array, "offset");
  std::uint64_t offset = 0;
  if (!parse_number(without_blanks(word), offset)) fail(array, "offset " + quote(word), "a whole number");
  if (!has_appended_ || offset > appended_.size()) fail(array, "its data are missing", "a whole file");
  return {appended_.substr(offset), appended_base64_};
}

std::uint64_t VtuNumbers::header(Bytes& bytes, const XmlElement& array) const {
  std::uint64_t wide = 0;
  std::uint32_t narrow = 0;
  if (!(wide_ ? bytes.read(reinterpret_cast<char*>(&wide), 8) : bytes.read(reinterpret_cast<char*>(&narrow), 4)))
    fail(array, "its data end early", "a whole file");
  return wide_ ? wide : narrow;
}

std::string VtuNumbers::plain(Bytes& bytes, const XmlElement& array) const {
  const std::uint64_t size = header(bytes, array);
  if (size > bytes.left()) fail(array, fmt::format("its {} bytes end early", size), "a whole file");
  std::string decoded(size, '\0');
  if (!bytes.read(decoded.data(), size)) fail(array, fmt::format("its {} bytes end early", size), "a whole file");
  return decoded;
}

#ifdef MINIAPP_HAVE_ZLIB
std::string VtuNumbers::compressed(Bytes& bytes, const XmlElement& array) const {
  constexpr std::uint64_t best_ratio = 1032;  // of zlib
  const std::uint64_t blocks = header(bytes, array);
  if (blocks == 0) return {};
  const std::uint64_t of_block = header(bytes, array), of_last = header(bytes, array);
  const std::uint64_t most = best_ratio * bytes.left(), last = of_last > 0 ? of_last : of_block;
  if (blocks > bytes.left() || last > std::min(most, of_block) || (blocks > 1 && of_block > most / (blocks - 1)))
    fail(array, fmt::format("{} blocks of {} bytes end early", blocks, of_block), "a whole file");
  std::vector<std::uint64_t> sizes;
  for (std::uint64_t b = 0; b < blocks; ++b) sizes.push_back(header(bytes, array));
  std::string all((blocks - 1) * of_block + last, '\0');
  for (std::uint64_t b = 0; b < blocks; ++b) {
    if (sizes[b] > bytes.left()) fail(array, "a compressed block ends early", "a whole file");
    std::string packed(sizes[b], '\0');
    const std::uint64_t due = std::min(of_block, all.size() - b * of_block);
    uLongf size = due;
    if (!bytes.read(packed.data(), packed.size()) ||
        uncompress(reinterpret_cast<Bytef*>(all.data() + b * of_block), &size,
                   reinterpret_cast<const Bytef*>(packed.data()), packed.size()) != Z_OK ||
        size != due)
      fail(array, "a compressed block is damaged", "a whole file");
  }
  return all;
}
#else
std::string VtuNumbers::compressed(Bytes&, const XmlElement& array) const {
  fail(array, "compressed by zlib, which this build has not", "a file without a compressor");
}
#endif

}  // namespace miniapp::mesh
