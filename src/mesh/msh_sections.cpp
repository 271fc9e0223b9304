// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/msh_sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "miniapp/core/error.hpp"

namespace miniapp::mesh {
namespace {

Point read_point(MshText& text) {
  const double x = text.real(), y = text.real();
  return {x, y, text.real()};
}

void add_tag(MshText& text, MshVertices& vertices) {
  if (vertices.tags.size() >= std::size_t(std::numeric_limits<Index>::max()))
    text.fail("more than 2^31 - 1 vertices", "a smaller mesh");
  vertices.tags.push_back({text.size(), static_cast<Index>(vertices.tags.size())});
  text.tell_place();
}

/// `place`: position of its number in the text; `left`: how many cells follow at most, this one among them.
void read_element(MshText& text, std::size_t place, const MshType& type, std::int64_t owner, std::size_t left,
                  const MshVertices& vertices, MshCells& cells) {
  text.tell_place();
  const bool is_cell = type.dimension > 1;
  const int corners = is_cell ? num_vertices(type.kind) : type.dimension + 1;
  const bool has_others = is_cell && type.kind == CellKind::hexahedron && type.order > 1;
  MshCellList* const list = type.dimension == 0 ? nullptr : is_cell ? &cells.of(type.kind) : &cells.lines;
  if (list && !list->type) {
    list->type = &type;
    list->corners.reserve(left * corners);
    list->others.reserve(has_others ? left * (type.nodes - corners) : 0);
    list->places.reserve(left);
    list->owners.reserve(left);
  }
  if (list && list->type != &type)
    text.fail(fmt::format("element type {} beside type {}", type.type, list->type->type), "elements of one order");
  Index found[8];
  for (int i = 0; i < type.nodes; ++i) {
    const auto number = text.size();
    const Index node = vertices.find(number);
    if (node < 0) text.fail(fmt::format("vertex {} does not exist", number), "a vertex of $Nodes");
    if (i < corners)
      found[is_cell ? cell(type.kind).gmsh_vertices[i] : i] = node;
    else if (has_others)
      list->others.push_back(node);
  }
  if (!list) return;
  list->corners.insert(list->corners.end(), found, found + corners);
  list->places.push_back(place);
  list->owners.push_back(owner);
}

/// The number of a group; below zero where its cells are turned over, which orient() sees by itself.
std::int64_t group_number(std::int64_t number) {
  return number < 0 && number != std::numeric_limits<std::int64_t>::min() ? -number : number;
}

/// Types of Gmsh that are not read, for messages.
constexpr std::pair<int, std::string_view> other_types[] = {{7, "pyramid"},
                                                            {14, "pyramid of order 2"},
                                                            {19, "pyramid of order 2"},
                                                            {9, "triangle of order 2"},
                                                            {21, "triangle of order 3"},
                                                            {23, "triangle of order 4"},
                                                            {11, "tetrahedron of order 2"},
                                                            {29, "tetrahedron of order 3"},
                                                            {30, "tetrahedron of order 4"},
                                                            {13, "prism of order 2"},
                                                            {18, "prism of order 2"},
                                                            {90, "prism of order 3"},
                                                            {91, "prism of order 4"}};

const MshType& read_type(MshText& text) {
  const auto type = text.integer();
  const auto found =
      std::find_if(std::begin(msh_types), std::end(msh_types), [&](const MshType& one) { return one.type == type; });
  if (found == std::end(msh_types)) {
    const auto other = std::find_if(std::begin(other_types), std::end(other_types),
                                    [&](const auto& one) { return one.first == type; });
    text.fail(fmt::format("element type {}{}", type,
                          other == std::end(other_types) ? "" : fmt::format(", a {}", other->second)),
              "15 (point), 1 (line), 2 (triangle), 3 (quadrilateral), 4 (tetrahedron), 5 (hexahedron), 6 (prism), and "
              "hexahedra of orders 2 to 4 with their sides and edges; gmsh -order 1 makes straight cells");
  }
  return *found;
}

/// The count at the start of a section of format 2.2, which is a line of words in binary files too.
std::size_t count_line(MshText& text) {
  text.set_words(true);
  const std::size_t count = text.count();
  text.set_words(false);
  if (text.is_binary()) text.end_line();
  return count;
}

}  // namespace

Index MshVertices::find(std::int64_t number) const {
  if (tags.empty() || number < tags.front().number || number > tags.back().number) return -1;
  const auto guess = static_cast<std::uint64_t>(number) - static_cast<std::uint64_t>(tags.front().number);
  if (guess < tags.size() && tags[guess].number == number) return tags[guess].vertex;
  const auto less = [](const Tag& tag, std::int64_t n) { return tag.number < n; };
  const auto found = std::lower_bound(tags.begin(), tags.end(), number, less);
  return found->number == number ? found->vertex : -1;
}

MshVersion read_version(MshText& text) {
  text.enter("MeshFormat");
  const std::string version(text.word());
  if (version != "2.2" && version != "4.1") text.fail("format " + quote(version), "2.2 or 4.1");
  const std::int64_t binary = text.integer();
  if (binary != 0 && binary != 1) text.fail(fmt::format("file type {}", binary), "0, ASCII, or 1, binary");
  const std::int64_t bytes = text.integer();  // of a number in binary files
  if (binary == 1) {
    if (bytes != 8) text.fail(fmt::format("numbers of {} bytes", bytes), "8");
    text.end_line();
    text.set_binary(false, version == "2.2" ? 4 : 8);
    const auto one = static_cast<std::uint32_t>(text.integer());
    if (one == 0x01000000)
      text.set_binary(true, version == "2.2" ? 4 : 8);
    else if (one != 1)
      text.fail("no 1 after the format", "a 1 of 4 bytes, by which the order of bytes is known");
  }
  text.leave();
  return version == "2.2" ? MshVersion::v2_2 : MshVersion::v4_1;
}

MshVertices read_vertices(MshText& text, MshVersion version) {
  MshVertices vertices;
  text.enter("Nodes");
  if (version == MshVersion::v2_2) {
    std::size_t left = count_line(text);
    vertices.points.reserve(left);
    vertices.tags.reserve(left);
    for (; left > 0; --left) {
      add_tag(text, vertices);
      vertices.points.push_back(read_point(text));
    }
  } else {
    std::size_t blocks = text.count();
    for (int unused = 0; unused < 3; ++unused) text.size();  // how many in all, least and largest number
    for (; blocks > 0; --blocks) {
      const auto dim = text.integer();
      text.integer();  // of the geometric entity
      const auto parameters = text.integer() != 0 ? dim : 0;
      const std::size_t size = text.count();
      vertices.points.reserve(vertices.points.size() + size);
      vertices.tags.reserve(vertices.tags.size() + size);
      for (std::size_t n = 0; n < size; ++n) add_tag(text, vertices);
      for (std::size_t n = 0; n < size; ++n) {
        vertices.points.push_back(read_point(text));
        for (auto p = parameters; p > 0; --p) text.real();
      }
    }
  }
  text.leave();
  const auto less = [](const auto& a, const auto& b) { return a.number < b.number; };
  if (!std::is_sorted(vertices.tags.begin(), vertices.tags.end(), less))
    std::sort(vertices.tags.begin(), vertices.tags.end(), less);
  const auto same = [](const auto& a, const auto& b) { return a.number == b.number; };
  const auto twice = std::adjacent_find(vertices.tags.begin(), vertices.tags.end(), same);
  require(twice == vertices.tags.end(),
          fmt::format("{}: $Nodes: two vertices have the number {}; accepted is each number once", text.path(),
                      twice == vertices.tags.end() ? 0 : twice->number));
  return vertices;
}

std::vector<std::int64_t> MshGroups::of(MshVersion version, int dimension, std::int64_t owner) const {
  if (version == MshVersion::v2_2) return owner == 0 ? std::vector<std::int64_t>{} : std::vector{owner};
  const auto found = of_entity.find({dimension, owner});
  return found == of_entity.end() ? std::vector<std::int64_t>{} : found->second;
}

std::string MshGroups::name(const Key& key) const {
  const auto found = names.find(key);
  return found == names.end() ? std::to_string(key.second) : found->second;
}

namespace {

/// The groups of the geometric entities of format 4.1, or of the pieces that a partition cuts them into. A number below
/// zero is that of a group in which the entity is turned over.
void read_entities(MshText& text, bool partitioned, MshGroups& groups) {
  if (partitioned) {
    text.count();  // of partitions
    for (std::size_t ghosts = text.count(); ghosts > 0; --ghosts)
      for (int i = 0; i < 2; ++i) text.integer();
  }
  std::size_t counts[4];
  for (std::size_t& count : counts) count = text.count();
  for (int dim = 0; dim < 4; ++dim)
    for (std::size_t left = counts[dim]; left > 0; --left) {
      const auto number = text.integer();
      if (partitioned) {
        for (int of_parent = 0; of_parent < 2; ++of_parent) text.integer();
        for (std::size_t parts = text.count(); parts > 0; --parts) text.integer();
      }
      for (int bound = 0; bound < (dim == 0 ? 3 : 6); ++bound) text.real();
      std::vector<std::int64_t>& of_entity = groups.of_entity[{dim, number}];
      of_entity.clear();
      for (std::size_t tags = text.count(); tags > 0; --tags) of_entity.push_back(group_number(text.integer()));
      if (dim > 0)
        for (std::size_t around = text.count(); around > 0; --around) text.integer();
    }
  text.leave();
}

}  // namespace

MshGroups read_groups(MshText& text, MshVersion version) {
  MshGroups groups;
  if (text.try_enter("PhysicalNames")) {
    text.set_words(true);
    for (std::size_t left = text.count(); left > 0; --left) {
      const auto dim = static_cast<int>(text.integer());
      const auto number = text.integer();
      groups.names[{dim, number}] = text.quoted();
    }
    text.leave();
    text.set_words(false);
  }
  if (version == MshVersion::v2_2) return groups;
  if (text.try_enter("Entities")) read_entities(text, false, groups);
  if (text.try_enter("PartitionedEntities")) read_entities(text, true, groups);
  return groups;
}

namespace {

/// Cells of format 2.2: blocks of cells of one type, whose cells have their number, their tags and their vertices.
void read_binary_cells(MshText& text, const MshVertices& vertices, MshCells& cells) {
  for (std::size_t left = count_line(text); left > 0;) {
    const MshType& type = read_type(text);
    const auto size = text.integer(), tags = text.integer();
    if (size < 1 || size > static_cast<std::int64_t>(left) || tags < 0)
      text.fail(fmt::format("a block of {} elements with {} tags", size, tags),
                fmt::format("up to {}, tags from 0 on", left));
    for (std::int64_t e = 0; e < size; ++e, --left) {
      text.integer();  // its number
      const std::size_t place = text.place();
      std::int64_t owner = 0;  // the first tag: the number of the group
      for (std::int64_t tag = 0; tag < tags; ++tag) {
        const auto number = text.integer();
        if (tag == 0) owner = group_number(number);
      }
      read_element(text, place, type, owner, left, vertices, cells);
    }
  }
}

}  // namespace

MshCells read_cells(MshText& text, MshVersion version, const MshVertices& vertices) {
  MshCells cells;
  text.enter("Elements");
  if (version == MshVersion::v2_2 && text.is_binary()) {
    read_binary_cells(text, vertices, cells);
  } else if (version == MshVersion::v2_2) {
    for (std::size_t left = text.count(); left > 0; --left) {
      text.integer();  // its number
      const std::size_t place = text.place();
      const MshType& type = read_type(text);
      std::int64_t owner = 0;  // the first tag: the number of the group
      const std::size_t tags = text.count();
      for (std::size_t tag = 0; tag < tags; ++tag) {
        const auto number = text.integer();
        if (tag == 0) owner = group_number(number);
      }
      read_element(text, place, type, owner, left, vertices, cells);
    }
  } else {
    std::size_t blocks = text.count();
    for (int unused = 0; unused < 3; ++unused) text.size();  // how many in all, least and largest number
    for (; blocks > 0; --blocks) {
      text.integer();  // dimension of the geometric entity
      const auto owner = text.integer();
      const MshType& type = read_type(text);
      for (std::size_t left = text.count(); left > 0; --left) {
        text.size();  // its number
        read_element(text, text.place(), type, owner, left, vertices, cells);
      }
    }
  }
  text.leave();
  return cells;
}

}  // namespace miniapp::mesh
