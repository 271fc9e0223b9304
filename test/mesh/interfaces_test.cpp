// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/mesh/interfaces.hpp"

#include <map>
#include <set>

#include "miniapp/mesh/generate_2d.hpp"
#include "support/all_close.hpp"
#include "support/host_threads.hpp"
#include "support/plane.hpp"
#include "support/prism_meshes.hpp"
#include "support/tetrahedra.hpp"

using mesh::CellKind;

namespace {

mesh::Mesh make_plane(const std::string& which) {
  if (which == "O-grid") return mesh::make_o_grid(14, 5);
  const bool halved = which.find("triangles") != std::string::npos;
  mesh::Mesh mesh = mesh::make_rectangle(halved ? CellKind::triangle : CellKind::quadrilateral, 5, 7);
  mesh::perturb(mesh, 0.15, 1);
  return which.find("shuffled") != std::string::npos ? mesh::shuffle(mesh, 2) : mesh;
}
std::string any_plane() {
  return GENERATE(as<std::string>(), "triangles", "quadrilaterals", "shuffled triangles", "shuffled quadrilaterals",
                  "O-grid");
}

mesh::Mesh make_solid(const std::string& which) {
  if (which == "box") return mesh::make_box(4, 3, 2);
  if (which == "turned box") return mesh::shuffle(make_turned_box(3, 2, 5), 3);
  if (which == "prisms") return make_shaken_prisms(4, 3, 2);
  if (which == "tetrahedra") return make_tetrahedra(3, 2, 4);
  return make_fan(5, 3);
}

mesh::Mesh make_any(const std::string& which) {
  const bool solid =
      which == "box" || which == "turned box" || which == "fan" || which == "prisms" || which == "tetrahedra";
  return solid ? make_solid(which) : make_plane(which);
}
std::string any_mesh() {
  return GENERATE(as<std::string>(), "triangles", "quadrilaterals", "shuffled triangles", "shuffled quadrilaterals",
                  "O-grid", "box", "turned box", "fan", "prisms", "tetrahedra");
}

/// The normal by the formulas of the header [m or m^2].
mesh::Point normal(const mesh::Mesh& mesh, const Index* vertices) {
  const auto x = [&](int i) { return mesh.vertices[vertices[i]]; };
  if (dimension(mesh.kind) == 2) return {x(1)[1] - x(0)[1], x(0)[0] - x(1)[0], 0};
  mesh::Point n;
  for (int d = 0; d < 3; ++d) {
    const int e = (d + 1) % 3, f = (d + 2) % 3;
    if (mesh.kind == CellKind::tetrahedron)
      n[d] = ((x(1)[e] - x(0)[e]) * (x(2)[f] - x(0)[f]) - (x(1)[f] - x(0)[f]) * (x(2)[e] - x(0)[e])) / 2;
    else
      n[d] = ((x(2)[e] - x(0)[e]) * (x(3)[f] - x(1)[f]) - (x(2)[f] - x(0)[f]) * (x(3)[e] - x(1)[e])) / 2;
  }
  return n;
}

/// The mean of some vertices [m].
mesh::Point centre(const mesh::Mesh& mesh, const Index* vertices, int count) {
  mesh::Point sum{};
  for (int i = 0; i < count; ++i)
    for (int d = 0; d < 3; ++d) sum[d] += mesh.vertices[vertices[i]][d] / count;
  return sum;
}
mesh::Point cell_centre(const mesh::Mesh& mesh, Index cell) {
  return centre(mesh, mesh.element_to_vertex[cell], mesh.element_to_vertex.arity);
}

double along(const mesh::Point& n, const mesh::Point& from, const mesh::Point& to) {
  return n[0] * (to[0] - from[0]) + n[1] * (to[1] - from[1]) + n[2] * (to[2] - from[2]);
}

using VertexSet = std::set<Index>;
VertexSet vertex_set(const Index* vertices, int count) { return {vertices, vertices + count}; }

/// The sides of every cell as vertex sets, cell after cell: those of a plane cell follow each other around it.
std::vector<std::vector<VertexSet>> sides_of_cells(const mesh::Mesh& mesh) {
  std::vector<std::vector<VertexSet>> sides(mesh.num_elements());
  for (std::size_t e = 0; e < mesh.num_elements(); ++e) {
    const Index* v = mesh.element_to_vertex[e];
    if (dimension(mesh.kind) == 2) {
      const int corners = mesh.element_to_vertex.arity;
      for (int i = 0; i < corners; ++i) sides[e].push_back({v[i], v[(i + 1) % corners]});
    } else {
      for (const auto& face : mesh::cell(mesh.kind).faces)
        if (face.size > 0) {
          sides[e].emplace_back();
          for (int c = 0; c < face.size; ++c) sides[e].back().insert(v[face.vertices[c]]);
        }
    }
  }
  return sides;
}

}  // namespace

TEST_CASE("Vertices, interfaces and cells of a plane mesh obey Euler's formula", "[mesh][interfaces]") {
  const std::string which = any_plane();
  const mesh::Mesh mesh = make_plane(which);

  const mesh::Interfaces found = mesh::find_interfaces(mesh);

  const int edges = int(found.to_cell.size() + found.boundary_to_cell.size());
  CHECK(int(mesh.vertices.size()) - edges + int(mesh.num_elements()) == (which == "O-grid" ? 0 : 1));  // a ring, a disc
  CHECK(int(found.boundary_to_cell.size()) == (which == "O-grid" ? 2 * 14 : 2 * (5 + 7)));
}

TEST_CASE("A box has the number of faces counted by hand", "[mesh][interfaces]") {
  const int x = 7, y = 3, z = 2;

  const mesh::Interfaces found = mesh::find_interfaces(make_turned_box(x, y, z));

  CHECK(int(found.to_cell.size()) == (x - 1) * y * z + x * (y - 1) * z + x * y * (z - 1));
  CHECK(int(found.boundary_to_cell.size()) == 2 * (x * y + x * z + y * z));
}

TEST_CASE("Every side of every cell is one interface or boundary side, in the order in which cells meet them",
          "[mesh][interfaces]") {
  const mesh::Mesh mesh = make_any(any_mesh());
  const auto sides = sides_of_cells(mesh);
  std::map<VertexSet, std::vector<Index>> cells;  // of each side
  for (std::size_t e = 0; e < sides.size(); ++e)
    for (const VertexSet& side : sides[e]) cells[side].push_back(static_cast<Index>(e));

  const mesh::Interfaces found = mesh::find_interfaces(mesh);

  std::size_t i = 0, b = 0, wrong = 0;
  const auto matches = [&](const Map& to_cell, const Map& to_vertex, std::size_t at, const VertexSet& side) {
    return at < to_cell.size() &&
           std::equal(to_cell[at], to_cell[at] + to_cell.arity, cells[side].begin(), cells[side].end()) &&
           vertex_set(to_vertex[at], to_vertex.arity) == side;
  };
  for (std::size_t e = 0; e < sides.size(); ++e) {
    for (const VertexSet& side : sides[e]) {
      if (cells[side].size() == 1)
        wrong += !matches(found.boundary_to_cell, found.boundary_to_vertex, b++, side);
      else if (cells[side].front() == static_cast<Index>(e))
        wrong += !matches(found.to_cell, found.to_vertex, i++, side);
    }
  }
  CHECK(wrong == 0);
  CHECK((i == found.to_cell.size() && i == found.to_vertex.size()));
  CHECK((b == found.boundary_to_cell.size() && b == found.boundary_to_vertex.size()));
}

TEST_CASE("Normals point out of cell 0 into cell 1, outwards at the boundary", "[mesh][interfaces]") {
  const mesh::Mesh mesh = make_any(any_mesh());

  const mesh::Interfaces found = mesh::find_interfaces(mesh);

  for (std::size_t i = 0; i < found.to_cell.size(); ++i)
    CHECK(along(normal(mesh, found.to_vertex[i]), cell_centre(mesh, found.to_cell[i][0]),
                cell_centre(mesh, found.to_cell[i][1])) > 0);
  for (std::size_t b = 0; b < found.boundary_to_cell.size(); ++b)
    CHECK(along(normal(mesh, found.boundary_to_vertex[b]), cell_centre(mesh, found.boundary_to_cell[b][0]),
                centre(mesh, found.boundary_to_vertex[b], found.boundary_to_vertex.arity)) > 0);
}

TEST_CASE("The normals of every cell add up to nothing", "[mesh][interfaces]") {
  const mesh::Mesh mesh = make_any(any_mesh());
  std::vector<double> sums(3 * mesh.num_elements());
  const auto add = [&](Index cell, const mesh::Point& n, double sign) {
    for (int d = 0; d < 3; ++d) sums[3 * cell + d] += sign * n[d];
  };

  const mesh::Interfaces found = mesh::find_interfaces(mesh);

  for (std::size_t i = 0; i < found.to_cell.size(); ++i) {
    add(found.to_cell[i][0], normal(mesh, found.to_vertex[i]), 1);
    add(found.to_cell[i][1], normal(mesh, found.to_vertex[i]), -1);
  }
  for (std::size_t b = 0; b < found.boundary_to_cell.size(); ++b)
    add(found.boundary_to_cell[b][0], normal(mesh, found.boundary_to_vertex[b]), 1);
  CHECK_THAT(values(sums), all_close<double>({std::vector<double>(sums.size())}, 16, 20));
}

TEST_CASE("The boundary encloses the area or volume of the mesh", "[mesh][interfaces]") {
  const mesh::Mesh mesh = make_any(any_mesh());
  if (mesh.kind == CellKind::prism) return;  // no other way to their volume is at hand
  const int dim = dimension(mesh.kind);

  const mesh::Interfaces found = mesh::find_interfaces(mesh);

  double sum = 0;  // of x . n / dim; a warped face is exactly the mean of its two divisions into triangles
  for (std::size_t b = 0; b < found.boundary_to_cell.size(); ++b) {
    const Index* v = found.boundary_to_vertex[b];
    if (dim == 2) {
      sum += along(normal(mesh, v), {}, centre(mesh, v, 2)) / 2;
      continue;
    }
    const int corners = found.boundary_to_vertex.arity;
    for (int start = 0; start < corners; ++start) {
      const mesh::Point &p = mesh.vertices[v[start]], &q = mesh.vertices[v[(start + 1) % corners]],
                        &r = mesh.vertices[v[(start + 2) % corners]];
      for (int d = 0; d < 3; ++d) {
        const int e = (d + 1) % 3, f = (d + 2) % 3;
        sum += p[d] * (q[e] * r[f] - q[f] * r[e]) / (corners == 4 ? 12 : 18);
      }
    }
  }
  const double expected = dim == 2 ? area(mesh) : mesh.kind == CellKind::tetrahedron ? 1 : volume(mesh);
  CHECK(sum == close<double>(expected, 512));
}

TEST_CASE("One cell has no interfaces, and no cells have no boundary", "[mesh][interfaces]") {
  const mesh::Interfaces one = mesh::find_interfaces(mesh::make_rectangle(CellKind::quadrilateral, 1, 1));
  const mesh::Interfaces none = mesh::find_interfaces({{}, Map(0, 3), CellKind::triangle});

  CHECK((one.to_cell.size() == 0 && one.to_vertex.size() == 0 && one.boundary_to_cell.size() == 4));
  CHECK((none.to_cell.size() == 0 && none.boundary_to_cell.size() == 0));
  CHECK((none.to_cell.arity == 2 && none.to_vertex.arity == 2 && none.boundary_to_cell.arity == 1));
}

TEST_CASE("Cells that cannot be neighbours are bad input, named by their numbers", "[mesh][interfaces]") {
  mesh::Mesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {2, 2, 0}}, Map(3, 3), CellKind::triangle};

  mesh.element_to_vertex.entries = {0, 1, 2, 2, 1, 3, 2, 1, 4};
  CHECK_THROWS_WITH(mesh::find_interfaces(mesh),
                    contains("cells 1 and 3 of the mesh share a side with a third cell; accepted"));

  mesh.element_to_vertex.entries = {0, 1, 2, 1, 2, 3, 0, 4, 1};  // the second one is clockwise
  CHECK_THROWS_WITH(mesh::find_interfaces(mesh),
                    contains("cells 1 and 2 of the mesh lie on the same side of their interface; accepted"));

  mesh::Mesh box = mesh::make_box(2, 1, 1);
  for (int v = 0; v < 8; v += 2) std::swap(box.element_to_vertex[1][v], box.element_to_vertex[1][v + 1]);
  CHECK_THROWS_AS(mesh::find_interfaces(box), InputError);
}

TEST_CASE("Interfaces are the same for any number of threads", "[mesh][interfaces]") {
  const bool solid = GENERATE(true, false);
  mesh::Mesh mesh = solid ? mesh::make_box(41, 37, 43) : mesh::make_rectangle(CellKind::quadrilateral, 250, 301);
  mesh = mesh::shuffle(mesh, 1);
  const auto find = [&](int threads) {
    const test::HostThreads host(threads);
    return mesh::find_interfaces(mesh);
  };
  const mesh::Interfaces one = find(1), several = find(5);

  CHECK(several.to_cell.entries == one.to_cell.entries);
  CHECK(several.to_vertex.entries == one.to_vertex.entries);
  CHECK(several.boundary_to_cell.entries == one.boundary_to_cell.entries);
  CHECK(several.boundary_to_vertex.entries == one.boundary_to_vertex.entries);
}

TEST_CASE("Of several wrong sides the same is named by any number of threads", "[mesh][interfaces]") {
  mesh::Mesh mesh = mesh::make_rectangle(CellKind::quadrilateral, 250, 301);
  for (const std::size_t e : {70000, 30000, 50000})  // turned inside out
    std::swap(mesh.element_to_vertex[e][1], mesh.element_to_vertex[e][3]);
  const test::HostThreads threads(GENERATE(1, 5));

  CHECK_THROWS_WITH(mesh::find_interfaces(mesh), test::contains("cells 29751 and 30001 of the mesh"));
}
