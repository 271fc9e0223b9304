// SPDX-License-Identifier: BSD-3-Clause
#include "space/vtk_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>

#include "miniapp/core/error.hpp"
#include "miniapp/core/features.hpp"
#include "miniapp/core/host_ranges.hpp"

#ifdef MINIAPP_HAVE_ZLIB
#include <zlib.h>
#endif

namespace miniapp::space {
namespace {

constexpr std::string_view mark = "<AppendedData encoding=\"raw\">\n_", tail = "\n</AppendedData>\n</VTKFile>\n";

#ifdef MINIAPP_HAVE_ZLIB
std::string pack(const char* bytes, std::size_t count) {
  uLongf size = compressBound(count);
  std::string packed(size, '\0');
  constexpr int fastest = 1;  // the last digits of numbers are noise, which no level makes smaller
  if (compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(bytes), count,
                fastest) != Z_OK)
    throw ResultError("zlib could not compress the fields");
  packed.resize(size);
  return packed;
}
#else
std::string pack(const char*, std::size_t) { throw InputError("compress", "zlib", why_not(Compress::zlib)); }
#endif

}  // namespace

std::string why_not([[maybe_unused]] Compress compress) {
#ifndef MINIAPP_HAVE_ZLIB
  if (compress == Compress::zlib) return "this build has no zlib; accepted is none";
#endif
  return "";
}

std::string VtkFile::head(const std::vector<std::size_t>& offsets, Compress compress) const {
  std::string xml =
      fmt::format(R"(<?xml version="1.0"?>
<VTKFile type="UnstructuredGrid" version="{}" byte_order="{}" header_type="UInt64"{}>
<UnstructuredGrid>
<Piece NumberOfPoints="{}" NumberOfCells="{}">
)",
                  version_, std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian",
                  compress == Compress::zlib ? " compressor=\"vtkZLibDataCompressor\"" : "", points_, cells_);
  for (const std::string_view section : {"PointData", "CellData", "Points", "Cells"}) {
    xml += fmt::format("<{}>\n", section);
    for (std::size_t i = 0; i < arrays_.size(); ++i)
      if (const Array& array = arrays_[i]; array.section == section)
        xml += fmt::format(R"(<DataArray type="{}" Name="{}" NumberOfComponents="{}" format="appended" offset="{}"/>)",
                           array.type, array.name, array.components, offsets[i]) +
               "\n";
    xml += fmt::format("</{}>\n", section);
  }
  xml += "</Piece>\n</UnstructuredGrid>\n";
  xml.append((8 - (xml.size() + mark.size()) % 8) % 8, ' ');  // numbers are aligned
  return xml.append(mark);
}

void VtkFile::begin() {
  std::size_t size = 0;
  for (const Array& array : arrays_) {
    places_.push_back(size);
    size += sizeof(std::uint64_t) + (array.bytes + 7) / 8 * 8;
  }
  const std::string xml = head(places_, Compress::none);
  file_.reserve(xml.size() + size + tail.size());
  file_ = xml;
  file_.resize(xml.size() + size, '\0');
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    places_[i] += xml.size();
    const std::uint64_t bytes = arrays_[i].bytes;
    std::memcpy(file_.data() + places_[i], &bytes, sizeof bytes);
  }
}

std::string VtkFile::compressed() const {
  constexpr std::size_t block = 1 << 20;
  struct Piece {
    std::size_t array, begin, bytes;
    std::string packed;
  };
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i < arrays_.size(); ++i)
    for (std::size_t at = 0; at < arrays_[i].bytes; at += block)
      pieces.push_back({i, at, std::min(block, arrays_[i].bytes - at), {}});
  for_host(
      pieces.size(),
      [&](std::size_t p) {
        Piece& piece = pieces[p];
        piece.packed = pack(file_.data() + places_[piece.array] + sizeof(std::uint64_t) + piece.begin, piece.bytes);
      },
      1);
  std::string data;
  std::vector<std::size_t> offsets;
  std::size_t next = 0;
  for (std::size_t i = 0; i < arrays_.size(); ++i) {  // blocks, bytes of one, of the last if less, of each packed
    offsets.push_back(data.size());
    std::size_t last = next;
    while (last < pieces.size() && pieces[last].array == i) ++last;
    std::vector<std::uint64_t> sizes{last - next, block, arrays_[i].bytes % block};
    for (std::size_t p = next; p < last; ++p) sizes.push_back(pieces[p].packed.size());
    data.append(reinterpret_cast<const char*>(sizes.data()), sizes.size() * sizeof(std::uint64_t));
    for (; next < last; ++next) data += pieces[next].packed;
  }
  return head(offsets, Compress::zlib) + data;
}

std::string VtkFile::finish(Compress compress) {
  if (compress == Compress::zlib) file_ = compressed();
  file_ += tail;
  return std::move(file_);
}

}  // namespace miniapp::space
