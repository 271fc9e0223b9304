// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/mesh/read.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "core/printable.hpp"
#include "mesh/cells_read.hpp"
#include "mesh/groups.hpp"
#include "mesh/msh_curved.hpp"
#include "mesh/msh_sections.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/core/region.hpp"
#include "miniapp/mesh/conforming.hpp"

namespace miniapp::mesh {
namespace {

/// Cells that are listed several times, once for each of their groups, as format 2.2 does: keeps each once. Returns
/// (cell of the file): its number.
std::vector<Index> merge_listed(MshCellList& list, int arity, const MshText& text) {
  const std::size_t listed = list.owners.size(), others = listed > 0 ? list.others.size() / listed : 0;
  std::vector<Index> kept(listed);
  const auto corners = [&](std::size_t c) { return list.corners.begin() + static_cast<std::ptrdiff_t>(c * arity); };
  const auto lowest = [&](std::size_t c) { return *std::min_element(corners(c), corners(c) + arity); };
  // (vertex): the last cell so far whose lowest vertex it is; (cell): the one before, and the sum of its vertices
  std::vector<Index> last(list.corners.empty() ? 0 : *std::max_element(list.corners.begin(), list.corners.end()) + 1,
                          -1);
  struct Link {
    Index before;
    std::int64_t sum;
  };
  std::vector<Link> links;
  links.reserve(listed);
  std::vector<std::size_t> first;  // (cell): the first in the file
  std::size_t size = 0;
  for (std::size_t c = 0; c < listed; ++c) {
    Index& newest = last[lowest(c)];
    const auto sum = std::accumulate(corners(c), corners(c) + arity, std::int64_t{0});
    Index same = newest;
    while (same >= 0 && !(links[same].sum == sum && std::is_permutation(corners(c), corners(c) + arity, corners(same))))
      same = links[same].before;
    if (same >= 0) {
      const bool equal = std::equal(corners(c), corners(c) + arity, corners(same));
      const std::int64_t owner = list.owners[c], other = list.owners[first[same]];
      const bool elsewhere = owner != other && owner != 0 && other != 0;
      if (!equal || !elsewhere)
        text.fail_at(list.places[c],
                     fmt::format("cell {} has the vertices of cell {}{}", c + 1, first[same] + 1,
                                 equal ? "" : " in another order"),
                     "each cell once, or with the same vertices once in each of its groups");
      kept[c] = same;
      continue;
    }
    std::copy_n(corners(c), arity, corners(size));
    std::copy_n(list.others.begin() + static_cast<std::ptrdiff_t>(c * others), others,
                list.others.begin() + static_cast<std::ptrdiff_t>(size * others));
    list.places[size] = list.places[c];
    links.push_back({newest, sum});
    first.push_back(c);
    newest = static_cast<Index>(size);
    kept[c] = static_cast<Index>(size++);
  }
  list.corners.resize(size * arity);
  list.others.resize(size * others);
  list.places.resize(size);
  return kept;
}

/// Makes the groups of a mesh from the cells of its file.
class GroupBuilder {
 public:
  GroupBuilder(const MshGroups& groups, MshVersion version) : groups_(groups), version_(version) {}

  /// `number`: the number of each listed cell.
  void add_cells(int dim, const MshCellList& list, const std::vector<Index>& number) {
    std::vector<Group*> found;
    for (std::size_t c = 0; c < list.owners.size(); ++c) {
      if (c == 0 || list.owners[c] != list.owners[c - 1]) found = of(dim, list.owners[c]);
      for (Group* group : found) group->cells.push_back(number[c]);
    }
  }

  /// `place`: the new number of each vertex. Errors: InputError where a member of a group is a side of no cell.
  void add_sides(int dim, int size, const MshCellList& list, const Mesh& mesh, const std::vector<Index>& place,
                 const MshText& text) {
    std::vector<SideVertices> wanted;
    std::vector<std::size_t> numbers;
    for (std::size_t c = 0; c < list.owners.size(); ++c) {
      if (groups_.of(version_, dim, list.owners[c]).empty()) continue;
      SideVertices vertices{-1, -1, -1, -1};
      bool known = true;
      for (int i = 0; i < size; ++i) {
        vertices[i] = place[list.corners[c * size + i]];
        known = known && vertices[i] >= 0;
      }
      if (!known) vertices = {-1, -1, -1, -1};  // no cell has the vertex
      wanted.push_back(sorted(vertices));
      numbers.push_back(c);
    }
    std::vector<char> met(wanted.size(), 0);
    for (const auto& [side, w] : match_sides(mesh, wanted)) {
      met[w] = 1;
      for (Group* group : of(dim, list.owners[numbers[w]])) group->sides.push_back(side);
    }
    for (std::size_t w = 0; w < wanted.size(); ++w)
      if (!met[w])
        text.fail_at(
            list.places[numbers[w]],
            "a member of the group " + quote(of(dim, list.owners[numbers[w]]).front()->name) + " is a side of no cell",
            "a group of cells or of their sides");
  }

  std::vector<Group> finish() {
    std::vector<Group> groups;
    for (auto& [key, group] : by_key_) {
      if (!std::is_sorted(group.cells.begin(), group.cells.end())) std::sort(group.cells.begin(), group.cells.end());
      group.cells.erase(std::unique(group.cells.begin(), group.cells.end()), group.cells.end());
      std::sort(group.sides.begin(), group.sides.end());
      group.sides.erase(std::unique(group.sides.begin(), group.sides.end()), group.sides.end());
      groups.push_back(std::move(group));
    }
    return groups;
  }

 private:
  std::vector<Group*> of(int dim, std::int64_t owner) {
    std::vector<Group*> found;
    for (const std::int64_t number : groups_.of(version_, dim, owner)) {
      const MshGroups::Key key(dim, number);
      found.push_back(&by_key_.try_emplace(key, Group{groups_.name(key), dim, {}, {}}).first->second);
    }
    return found;
  }

  const MshGroups& groups_;
  MshVersion version_;
  std::map<MshGroups::Key, Group> by_key_;
};

}  // namespace

Mesh read_gmsh(const std::string& path) {
  std::string text;
  {
    const Region region("file");
    text = read_text(path);
  }
  const Region region("parsing");
  return parse_gmsh(std::move(text), path);
}

Mesh parse_gmsh(std::string contents, const std::string& path) {
  MshText text(std::move(contents), path);
  const MshVersion version = read_version(text);
  MshVertices vertices = read_vertices(text, version);
  const MshGroups groups = read_groups(text, version);
  MshCells cells = read_cells(text, version, vertices);
  text.require_single_mesh();
  const auto list = [&](CellKind kind) -> MshCellList& { return cells.of(kind); };
  const auto has = [&](CellKind kind) { return !list(kind).corners.empty(); };
  const auto demand = [&](bool right, const std::string& reason) {
    require(right, text.path() + ": " + reason +
                       "; accepted are cells of one kind: all triangles, quadrilaterals, tetrahedra, hexahedra or "
                       "prisms");
  };
  Mesh mesh;
  int dim = 0;
  for (const CellKind kind : cell_kinds)
    if (has(kind)) dim = std::max(dim, dimension(kind));
  demand(dim > 0, "no cells");
  bool found = false;
  for (const CellKind kind : cell_kinds) {
    if (!has(kind) || dimension(kind) < dim) continue;  // plane cells next to solids are boundary faces
    demand(!found, std::string(cell(mesh.kind).names) + " and " + cell(kind).names);
    found = true;
    mesh.kind = kind;
  }
  const MshType& type = *list(mesh.kind).type;
  require(type.order == 1 || mesh.kind == CellKind::hexahedron,
          fmt::format("{}: {} of order {}; accepted of an order above 1 are hexahedra", text.path(),
                      cell(mesh.kind).names, type.order));
  mesh.vertices = std::move(vertices.points);
  mesh.element_to_vertex.arity = num_vertices(mesh.kind);
  const std::vector<Index> number = merge_listed(list(mesh.kind), num_vertices(mesh.kind), text);
  if (type.order > 1) mesh.curved = curved_nodes(list(mesh.kind), mesh.vertices);
  mesh.element_to_vertex.entries = std::move(list(mesh.kind).corners);
  const std::vector<Index> place = drop_unused(mesh);
  put_right(mesh, text.path(), [&](std::size_t element, const std::string& reason, const std::string& accepted) {
    text.fail_at(list(mesh.kind).places[element], reason, accepted);
  });
  GroupBuilder builder(groups, version);
  builder.add_cells(dim, list(mesh.kind), number);
  if (dim == 2) {
    builder.add_sides(1, 2, cells.lines, mesh, place, text);
  } else {
    for (const CellKind kind : {CellKind::triangle, CellKind::quadrilateral})
      builder.add_sides(2, num_vertices(kind), list(kind), mesh, place, text);
  }
  mesh.groups = builder.finish();
  return mesh;
}

namespace {

/// The number of the group of each cell, its place + 1; 0 where it is in none.
std::vector<std::size_t> group_of_cells(const Mesh& mesh) {
  std::vector<std::size_t> of_cell(mesh.num_elements(), 0);
  for (std::size_t g = 0; g < mesh.groups.size(); ++g)
    for (const Index e : mesh.groups[g].cells) {
      if (of_cell[e] > 0)
        throw InputError(
            fmt::format("cell {} is in the groups {} and {}; accepted is one group per cell, since format 2.2 "
                        "has room for one",
                        e + 1, quote(mesh.groups[of_cell[e] - 1].name), quote(mesh.groups[g].name)));
      of_cell[e] = g + 1;
    }
  return of_cell;
}

/// Each side of a group once, though two cells share it.
std::vector<CellSide> distinct_sides(const Mesh& mesh, const Group& group) {
  std::vector<CellSide> distinct;
  std::set<SideVertices> known;
  for (const CellSide& side : group.sides)
    if (known.insert(side_vertices(mesh, side)).second) distinct.push_back(side);
  return distinct;
}

}  // namespace

void write_gmsh(const Mesh& mesh, const std::string& path) {
  require_straight(mesh, printable(path, 200));
  const std::string magic = "$MeshFormat";
  std::string start(magic.size(), ' ');
  std::error_code error;
  if (std::filesystem::is_regular_file(path, error) && std::filesystem::file_size(path, error) > 0)
    require(std::ifstream(path, std::ios::binary).read(start.data(), std::streamsize(start.size())) && start == magic,
            printable(path, 200) + ": holds something else, which stays; accepted is a new file or a mesh of Gmsh");
  const std::vector<std::size_t> group_of_cell = group_of_cells(mesh);
  std::vector<std::vector<CellSide>> sides;
  std::size_t elements = mesh.num_elements();
  for (const Group& group : mesh.groups) {
    sides.push_back(distinct_sides(mesh, group));
    elements += sides.back().size();
  }
  std::ofstream file(path, std::ios::binary);
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  const auto flush = [&](std::size_t kept) {
    if (text.size() <= kept) return;
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    text.clear();
  };
  fmt::format_to(out, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n");
  if (!mesh.groups.empty()) {
    fmt::format_to(out, "$PhysicalNames\n{}\n", mesh.groups.size());
    for (std::size_t g = 0; g < mesh.groups.size(); ++g)
      fmt::format_to(out, "{} {} \"{}\"\n", mesh.groups[g].dimension, g + 1, mesh.groups[g].name);
    fmt::format_to(out, "$EndPhysicalNames\n");
  }
  fmt::format_to(out, "$Nodes\n{}\n", mesh.vertices.size());
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    const auto& [x, y, z] = mesh.vertices[v];
    fmt::format_to(out, "{} {} {} {}\n", v + 1, x, y, z);
    flush(1 << 20);
  }
  fmt::format_to(out, "$EndNodes\n$Elements\n{}\n", elements);
  const Cell& kind = cell(mesh.kind);
  for (std::size_t e = 0; e < mesh.num_elements(); ++e) {
    fmt::format_to(out, "{} {} 2 {} 1", e + 1, kind.gmsh_type, group_of_cell[e]);
    for (int i = 0; i < kind.num_vertices; ++i)
      fmt::format_to(out, " {}", mesh.element_to_vertex[e][kind.gmsh_vertices[i]] + 1);
    fmt::format_to(out, "\n");
    flush(1 << 20);
  }
  std::size_t number = mesh.num_elements();
  for (std::size_t g = 0; g < sides.size(); ++g)
    for (const CellSide& side : sides[g]) {
      const Side& local = kind.side(side.side);
      fmt::format_to(out, "{} {} 2 {} 1", ++number, local.size - 1, g + 1);  // line 1, triangle 2, quadrilateral 3
      for (int i = 0; i < local.size; ++i)
        fmt::format_to(out, " {}", mesh.element_to_vertex[side.cell][local.vertices[i]] + 1);
      fmt::format_to(out, "\n");
      flush(1 << 20);
    }
  fmt::format_to(out, "$EndElements\n");
  flush(0);
  file.flush();
  require(file.good(), printable(path, 200) + ": cannot be written; accepted is the path of a file");
}

}  // namespace miniapp::mesh
