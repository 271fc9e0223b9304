// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/weakform/detail/fans.hpp"

#include <algorithm>
#include <set>

#include "support/simplex_meshes.hpp"

namespace {

using Cell = std::vector<Index>;

/// Coordinates and a zero, (vertex, dim + 1).
std::vector<double> rows(const mesh::Mesh& mesh) {
  const int dim = mesh::dimension(mesh.kind);
  std::vector<double> result;
  for (const mesh::Point& x : mesh.vertices) {
    result.insert(result.end(), x.begin(), x.begin() + dim);
    result.push_back(0);
  }
  return result;
}

std::vector<Cell> fans_of(const mesh::Mesh& mesh, int ring) {
  const auto fans = to_host(weakform::detail::make_fans(to_device("cells", mesh.element_to_vertex.entries),
                                                        mesh::dimension(mesh.kind), to_device("rows", rows(mesh)),
                                                        mesh::dimension(mesh.kind) + 1, ring));
  std::vector<Cell> result;
  for (std::size_t i = 0; i < fans.extent(0); i += 2 + ring) result.emplace_back(&fans(i), &fans(i) + 2 + ring);
  return result;
}

/// A cell by its vertices in ascending order, after an even permutation, and an odd one's last two exchanged: cells are
/// equal if they are the same simplex with the same orientation.
Cell oriented(Cell cell) {
  bool odd = false;
  for (std::size_t i = 0; i < cell.size(); ++i)
    for (std::size_t j = i + 1; j < cell.size(); ++j)
      if (cell[j] < cell[i]) {
        std::swap(cell[i], cell[j]);
        odd = !odd;
      }
  if (odd) std::swap(cell[cell.size() - 2], cell.back());
  return cell;
}

/// The cells of fans, as detail/fans.hpp describes them.
std::multiset<Cell> cells_of(const std::vector<Cell>& fans, int dim) {
  std::multiset<Cell> cells;
  for (const Cell& fan : fans) {
    const Index a = fan[0] < 0 ? ~fan[0] : fan[0], b = fan[1];
    if (dim == 2) {
      cells.insert(oriented({a, b, fan[2]}));
      if (fan[3] != fan[2]) cells.insert(oriented({b, a, fan[3]}));
      continue;
    }
    for (std::size_t i = 2; i + 1 < fan.size(); ++i)
      if (fan[i] != fan[i + 1]) cells.insert(oriented({a, b, fan[i], fan[i + 1]}));
    if (fan[0] < 0) cells.insert(oriented({a, b, fan.back(), fan[2]}));
  }
  return cells;
}

std::multiset<Cell> cells_of(const mesh::Mesh& mesh) {
  std::multiset<Cell> cells;
  const Map& map = mesh.element_to_vertex;
  for (std::size_t e = 0; e < map.size(); ++e) cells.insert(oriented({map[e], map[e] + map.arity}));
  return cells;
}

/// `count` tetrahedra around the edge from 0 to 1, all the way round if `closed`.
mesh::Mesh around_an_edge(int count, bool closed) {
  mesh::Mesh mesh;
  mesh.kind = mesh::CellKind::tetrahedron;
  mesh.vertices = {{0, 0, -9}, {0, 0, 9}};
  const int points = closed ? count : count + 1;
  for (int p = 0; p < points; ++p) {
    const double angle = 6.2 * p / points;
    mesh.vertices.push_back({std::cos(angle), std::sin(angle), 0});
  }
  mesh.element_to_vertex = Map(count, 4);
  const int step = count % 5 == 0 ? 3 : 5;
  for (int e = 0; e < count; ++e) {  // in an order that is not that of the ring
    const int cell = e * step % count;
    const Index vertices[4] = {0, 1, static_cast<Index>(2 + cell), static_cast<Index>(2 + (cell + 1) % points)};
    std::copy_n(vertices, 4, mesh.element_to_vertex[e]);
  }
  return mesh;
}

}  // namespace

TEST_CASE("Every cell is in one fan, with its orientation", "[weakform][fans]") {
  const int dim = GENERATE(2, 3), ring = dim == 2 ? 2 : GENERATE(3, 6);
  const mesh::Mesh mesh = make_simplices(dim, 5);
  CHECK(cells_of(fans_of(mesh, ring), dim) == cells_of(mesh));
}

TEST_CASE("The six cells around the diagonal of a cube are a fan, in whichever order they are", "[weakform][fans]") {
  mesh::Mesh mesh = mesh::make_tetrahedron_box(7, 5, 6);
  mesh::perturb(mesh, 0.12, 1);
  if (GENERATE(false, true)) mesh = mesh::shuffle(mesh, 3);
  const std::vector<Cell> fans = fans_of(mesh, 6);
  CHECK(fans.size() == 7 * 5 * 6);
  CHECK(std::all_of(fans.begin(), fans.end(), [](const Cell& fan) { return fan[0] < 0; }));
}

TEST_CASE("Cells around an edge are as few fans as their number allows", "[weakform][fans]") {
  struct Case {
    int count;
    bool closed;
    int ring;
    std::size_t fans;
  };
  const Case c = GENERATE(Case{1, false, 6, 1}, Case{4, true, 6, 1}, Case{5, false, 6, 1}, Case{6, true, 6, 1},
                          Case{6, false, 6, 2}, Case{7, true, 6, 2}, Case{3, true, 3, 1}, Case{4, true, 3, 2},
                          Case{32, true, 6, 7}, Case{33, true, 6, 8});
  const mesh::Mesh mesh = around_an_edge(c.count, c.closed);
  const std::vector<Cell> fans = fans_of(mesh, c.ring);
  CAPTURE(c.count, c.closed, c.ring);
  CHECK(fans.size() == c.fans);
  CHECK(cells_of(fans, 3) == cells_of(mesh));
  CHECK((fans[0][0] < 0) == (c.closed && c.count == c.ring));
}

TEST_CASE("Two triangles at an edge are a fan, and one alone repeats its node", "[weakform][fans]") {
  const mesh::Mesh mesh = mesh::make_rectangle(mesh::CellKind::triangle, 1, 1);
  const std::vector<Cell> fans = fans_of(mesh, 2);
  REQUIRE(fans.size() == 1);
  CHECK(fans[0][2] != fans[0][3]);
  CHECK(cells_of(fans, 2) == cells_of(mesh));
}

TEST_CASE("No cells have no fans", "[weakform][fans]") {
  mesh::Mesh mesh;
  mesh.kind = mesh::CellKind::tetrahedron;
  mesh.element_to_vertex = Map(0, 4);
  CHECK(fans_of(mesh, 6).empty());
}
