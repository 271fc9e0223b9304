// SPDX-License-Identifier: BSD-3-Clause
#include "space/halo_cells.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <vector>

#include "miniapp/mesh/entities.hpp"
#include "space/join.hpp"

namespace miniapp::space {
namespace {

using Number = std::int64_t;  ///< number of a cell or a vertex in the whole mesh

/// A cell of another rank.
struct Beyond {
  std::vector<Number> vertices;
  std::vector<mesh::Point> points;
};

/// A cell as ranks send it: its number, the numbers of its vertices, and their coordinates, bit by bit.
void append_cell(const mesh::Mesh& mesh, Index cell, std::vector<Number>& letter) {
  const int corners = mesh.element_to_vertex.arity;
  const Index* const vertices = mesh.element_to_vertex[cell];
  letter.push_back(mesh.part.elements[cell]);
  for (int v = 0; v < corners; ++v) letter.push_back(mesh.part.vertices[vertices[v]]);
  for (int v = 0; v < corners; ++v)
    for (const double x : mesh.vertices[vertices[v]]) letter.push_back(std::bit_cast<Number>(x));
}

Beyond read_cell(const Number* from, int corners) {
  Beyond cell{{from, from + corners}, {}};
  from += corners;
  for (int v = 0; v < corners; ++v, from += 3)
    cell.points.push_back(
        {std::bit_cast<double>(from[0]), std::bit_cast<double>(from[1]), std::bit_cast<double>(from[2])});
  return cell;
}

/// The cells beyond the sides of cells with a lower number, by number.
std::map<Number, Beyond> find_beyond(const mesh::Mesh& mesh) {
  const Communicator& ranks = mesh.part.ranks;
  const mesh::Entities sides = mesh::dimension(mesh.kind) == 2 ? mesh::find_edges(mesh) : mesh::find_faces(mesh);
  const std::vector<SharedFace> shared = find_shared_faces(mesh, sides);
  std::vector<std::vector<Number>> to(ranks.size());
  for (const SharedFace& side : shared) append_cell(mesh, side.cell, to[side.rank]);
  const std::vector<std::vector<Number>> from = ranks.exchange(to);
  const int corners = mesh.element_to_vertex.arity;
  std::vector<std::size_t> read(ranks.size(), 0);
  std::map<Number, Beyond> found;
  for (const SharedFace& side : shared) {  // in the order in which the other rank has sent
    const Number* const cell = &from[side.rank][read[side.rank]];
    read[side.rank] += static_cast<std::size_t>(1 + 4 * corners);
    if (cell[0] > mesh.part.elements[side.cell]) found.emplace(cell[0], read_cell(cell + 1, corners));
  }
  return found;
}

}  // namespace

mesh::Mesh with_halo_cells(const mesh::Mesh& mesh) {
  const std::map<Number, Beyond> beyond = find_beyond(mesh);
  const std::vector<Number>& known = mesh.part.vertices;
  std::map<Number, mesh::Point> others;  // vertices
  for (const auto& [number, cell] : beyond)
    for (std::size_t v = 0; v < cell.vertices.size(); ++v)
      if (!std::binary_search(known.begin(), known.end(), cell.vertices[v]))
        others.emplace(cell.vertices[v], cell.points[v]);

  const int corners = mesh.element_to_vertex.arity;
  mesh::Mesh result{{}, Map(mesh.num_elements() + beyond.size(), corners), mesh.kind, {}, mesh.part};
  std::vector<Number>& numbers = result.part.vertices;
  numbers.clear();
  std::vector<Index> place;  // (vertex of the part)
  auto other = others.begin();
  const auto put = [&](Number number, const mesh::Point& point) {
    numbers.push_back(number);
    result.vertices.push_back(point);
  };
  for (std::size_t v = 0; v < known.size(); ++v) {
    for (; other != others.end() && other->first < known[v]; ++other) put(other->first, other->second);
    place.push_back(static_cast<Index>(numbers.size()));
    put(known[v], mesh.vertices[v]);
  }
  for (; other != others.end(); ++other) put(other->first, other->second);

  std::vector<Index>& entries = result.element_to_vertex.entries;
  auto entry = std::transform(mesh.element_to_vertex.entries.begin(), mesh.element_to_vertex.entries.end(),
                              entries.begin(), [&](Index vertex) { return place[vertex]; });
  for (const auto& [number, cell] : beyond) {
    result.part.elements.push_back(number);
    for (const Number vertex : cell.vertices)
      *entry++ = static_cast<Index>(std::lower_bound(numbers.begin(), numbers.end(), vertex) - numbers.begin());
  }
  return result;
}

}  // namespace miniapp::space
