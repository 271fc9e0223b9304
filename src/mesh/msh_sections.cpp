// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/msh_sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

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
  vertices.tags.push_back({text.integer(), static_cast<Index>(vertices.tags.size())});
}

/// The cell kind of a Gmsh element type, if there is one.
std::optional<CellKind> cell_kind(std::int64_t type) {
  for (const CellKind kind : cell_kinds)
    if (cell(kind).gmsh_type == type) return kind;
  return {};
}

/// `place`: position of its number in the text; `left`: how many cells follow at most, this one among them.
void read_element(MshText& text, std::size_t place, std::int64_t type, std::int64_t owner, std::size_t left,
                  const MshVertices& vertices, MshCells& cells) {
  const std::optional<CellKind> kind = cell_kind(type);  // points and lines have none
  const int arity = type == 15 ? 1 : type == 1 ? 2 : num_vertices(*kind);
  Index corners[8];
  for (int i = 0; i < arity; ++i) {
    const auto number = text.integer();
    Index& corner = corners[kind ? cell(*kind).gmsh_vertices[i] : i];
    corner = vertices.find(number);
    if (corner < 0) text.fail(fmt::format("vertex {} does not exist", number), "a vertex of $Nodes");
  }
  if (arity == 1) return;
  MshCellList& list = kind ? cells.of_kind[static_cast<int>(*kind)] : cells.lines;
  if (list.places.empty()) {
    list.corners.reserve(left * arity);
    list.places.reserve(left);
    list.owners.reserve(left);
  }
  list.corners.insert(list.corners.end(), corners, corners + arity);
  list.places.push_back(place);
  list.owners.push_back(owner);
}

/// The number of a group; below zero where its cells are turned over, which orient() sees by itself.
std::int64_t group_number(std::int64_t number) {
  return number < 0 && number != std::numeric_limits<std::int64_t>::min() ? -number : number;
}

std::int64_t read_type(MshText& text) {
  const auto type = text.integer();
  if (type != 15 && type != 1 && !cell_kind(type))
    text.fail(fmt::format("element type {}", type),
              "15 (point), 1 (line), 2 (triangle), 3 (quadrilateral), 4 (tetrahedron), 5 (hexahedron), 6 (prism)");
  return type;
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
  if (text.integer() != 0) text.fail("a binary file", "ASCII, 0 here: Mesh.Binary = 0 in Gmsh");
  text.integer();  // size of a number in binary files
  text.leave();
  return version == "2.2" ? MshVersion::v2_2 : MshVersion::v4_1;
}

MshVertices read_vertices(MshText& text, MshVersion version) {
  MshVertices vertices;
  text.enter("Nodes");
  if (version == MshVersion::v2_2) {
    std::size_t left = text.count();
    vertices.points.reserve(left);
    vertices.tags.reserve(left);
    for (; left > 0; --left) {
      add_tag(text, vertices);
      vertices.points.push_back(read_point(text));
    }
  } else {
    std::size_t blocks = text.count();
    for (int unused = 0; unused < 3; ++unused) text.integer();  // how many in all, least and largest number
    for (; blocks > 0; --blocks) {
      const auto dim = text.integer();
      text.integer();  // of the geometric entity
      const auto parameters = text.integer() != 0 ? dim : 0;
      const std::size_t size = text.count();
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
    for (std::size_t left = text.count(); left > 0; --left) {
      const auto dim = static_cast<int>(text.integer());
      const auto number = text.integer();
      groups.names[{dim, number}] = text.quoted();
    }
    text.leave();
  }
  if (version == MshVersion::v2_2) return groups;
  if (text.try_enter("Entities")) read_entities(text, false, groups);
  if (text.try_enter("PartitionedEntities")) read_entities(text, true, groups);
  return groups;
}

MshCells read_cells(MshText& text, MshVersion version, const MshVertices& vertices) {
  MshCells cells;
  text.enter("Elements");
  if (version == MshVersion::v2_2) {
    for (std::size_t left = text.count(); left > 0; --left) {
      text.integer();  // its number
      const std::size_t place = text.place();
      const auto type = read_type(text);
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
    for (int unused = 0; unused < 3; ++unused) text.integer();  // how many in all, least and largest number
    for (; blocks > 0; --blocks) {
      text.integer();  // dimension of the geometric entity
      const auto owner = text.integer();
      const auto type = read_type(text);
      for (std::size_t left = text.count(); left > 0; --left) {
        text.integer();  // its number
        read_element(text, text.place(), type, owner, left, vertices, cells);
      }
    }
  }
  text.leave();
  return cells;
}

}  // namespace miniapp::mesh
