// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/mesh/entities.hpp"

#include <map>
#include <set>

#include "miniapp/mesh/generate_2d.hpp"

#include "support/prism_meshes.hpp"
#include "support/tetrahedra.hpp"
#include "support/vectors.hpp"

namespace {

mesh::Mesh make_ball(int which) {
  if (which == 0) return make_turned_box(1, 1, 1);
  if (which == 1) return make_turned_box(7, 3, 2);
  if (which == 2) return make_fan(3, 2);
  if (which == 3) return make_fan(5, 3);
  if (which == 4) return make_shaken_prisms(3, 2, 4);
  return make_tetrahedra(3, 2, 4);
}

/// Triangles that all share one vertex.
mesh::Mesh make_star(int triangles) {
  mesh::Mesh mesh{std::vector<mesh::Point>(triangles + 1), Map(triangles, 3), mesh::CellKind::triangle};
  for (Index t = 0; t < triangles; ++t) {
    Index* const v = mesh.element_to_vertex[t];
    v[t % 3] = 0, v[(t + 1) % 3] = 1 + t, v[(t + 2) % 3] = 1 + (t + 7) % triangles;
  }
  return mesh;
}

mesh::Side side_of(const mesh::Cell& cell, int dimension, int slot) {
  return dimension == 1 ? cell.edges[slot] : cell.faces[slot];
}

/// Entities are right if cells have the same number where they have the same set of vertices and nowhere else, and if
/// numbers follow the order of uses. `all`: the cells of each kind.
void check_entities(const std::vector<mesh::Mesh>& all, const std::vector<mesh::Entities>& entities, int dimension) {
  std::map<std::set<Index>, Index> numbers;
  std::vector<Index> uses;
  std::size_t wrong = 0;
  REQUIRE(entities.size() == all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const mesh::Mesh& mesh = all[i];
    const mesh::Cell& cell = mesh::cell(mesh.kind);
    const int slots = dimension == 1 ? cell.num_edges : cell.num_faces;
    const auto of_cell = to_host(entities[i].of_cell);
    REQUIRE(entities[i].slots == slots);
    REQUIRE(of_cell.extent(0) == mesh.num_elements() * slots);
    for (std::size_t e = 0; e < mesh.num_elements(); ++e)
      for (int s = 0; s < slots; ++s) {
        std::set<Index> vertices;
        const mesh::Side side = side_of(cell, dimension, s);
        for (int c = 0; c < side.size; ++c) vertices.insert(mesh.element_to_vertex[e][side.vertices[c]]);
        const auto [known, is_new] = numbers.emplace(vertices, static_cast<Index>(uses.size()));
        if (is_new) uses.push_back(0);
        wrong += of_cell(e * slots + s) != known->second;
        ++uses[known->second];
      }
  }
  CHECK(wrong == 0);
  for (const mesh::Entities& own : entities) {
    const auto multiplicity = to_host(own.multiplicity);
    REQUIRE(own.size() == uses.size());
    CHECK(std::equal(uses.begin(), uses.end(), multiplicity.data()));
  }
}

/// An L of hexahedra, of prisms beside them and of tetrahedra above the prisms, in parts of one kind over common
/// vertices: prisms share quadrilaterals with hexahedra, and triangles with tetrahedra. Cells are turned at random.
std::vector<mesh::Mesh> make_mixed() {
  const int nx = 4, ny = 2, nz = 3;
  const mesh::Mesh box = mesh::make_box(nx, ny, nz), tetrahedra = make_tetrahedra(nx, ny, nz);
  std::vector<mesh::Mesh> all{{box.vertices, Map(0, 8), mesh::CellKind::hexahedron},
                              {box.vertices, Map(0, 6), mesh::CellKind::prism},
                              {box.vertices, Map(0, 4), mesh::CellKind::tetrahedron}};
  const auto add = [](mesh::Mesh& mesh, const std::vector<Index>& cells) {
    auto& entries = mesh.element_to_vertex.entries;
    entries.insert(entries.end(), cells.begin(), cells.end());
  };
  for (std::size_t e = 0; e < box.num_elements(); ++e) {
    const Index* const v = box.element_to_vertex[e];
    const bool is_left = box.vertices[v[1]][0]<0.6, is_top = box.vertices[v[0]][2]> 0.6;
    if (is_left && !is_top) add(all[0], {v, v + 8});
    if (!is_left && !is_top) add(all[1], {v[0], v[1], v[3], v[4], v[5], v[7], v[0], v[3], v[2], v[4], v[7], v[6]});
    if (!is_left && is_top)
      add(all[2], {tetrahedra.element_to_vertex[6 * e], tetrahedra.element_to_vertex[6 * e] + 24});
  }
  for (mesh::Mesh& mesh : all) mesh::rotate_elements(mesh, 5);
  return all;
}

std::vector<mesh::Cells> on_device(const std::vector<mesh::Mesh>& all) {
  std::vector<mesh::Cells> cells;
  for (const mesh::Mesh& mesh : all)
    cells.push_back({mesh.kind, to_device<Index>("cells", mesh.element_to_vertex.entries)});
  return cells;
}

/// How many entities have each multiplicity.
std::map<Index, int> histogram(const mesh::Entities& entities) {
  std::map<Index, int> counts;
  const auto multiplicity = to_host(entities.multiplicity);
  for (std::size_t i = 0; i < entities.size(); ++i) ++counts[multiplicity(i)];
  return counts;
}

}  // namespace

TEST_CASE("Vertices, edges, faces and elements obey Euler's formula of a ball", "[mesh][entities]") {
  const mesh::Mesh mesh = make_ball(GENERATE(range(0, 6)));

  const auto edges = mesh::find_edges(mesh).size(), faces = mesh::find_faces(mesh).size();

  CHECK(mesh.vertices.size() + faces == edges + mesh.num_elements() + 1);
}

TEST_CASE("A box has the numbers of edges and faces counted by hand", "[mesh][entities]") {
  const int x = 7, y = 3, z = 2;
  const mesh::Mesh mesh = make_turned_box(x, y, z);

  CHECK(int(mesh::find_edges(mesh).size()) == x * (y + 1) * (z + 1) + (x + 1) * y * (z + 1) + (x + 1) * (y + 1) * z);
  CHECK(int(mesh::find_faces(mesh).size()) == x * y * (z + 1) + x * (y + 1) * z + (x + 1) * y * z);
}

TEST_CASE("Cells share an edge's or a face's number if and only if they share its vertices, in the order of uses",
          "[mesh][entities]") {
  const mesh::Mesh mesh = make_ball(GENERATE(range(0, 6)));

  check_entities({mesh}, {mesh::find_edges(mesh)}, 1);
  check_entities({mesh}, {mesh::find_faces(mesh)}, 2);
}

TEST_CASE("A face's neighbour is the other cell that has it, and none on the surface", "[mesh][entities]") {
  const mesh::Mesh mesh = GENERATE(make_turned_box(3, 2, 2), make_fan(5, 2), mesh::make_box(1, 1, 1));
  const mesh::Entities faces = mesh::find_faces(mesh);
  const auto of_cell = to_std(faces.of_cell), multiplicity = to_std(faces.multiplicity);

  const auto neighbours = to_std(mesh::find_neighbours(faces));

  for (std::size_t position = 0; position < of_cell.size(); ++position) {
    const Index neighbour = neighbours[position];
    CHECK((neighbour < 0) == (multiplicity[of_cell[position]] == 1));
    if (neighbour < 0) continue;
    CHECK(neighbour / 6 != static_cast<Index>(position / 6));
    CHECK(of_cell[neighbour] == of_cell[position]);
    CHECK(neighbours[neighbour] == static_cast<Index>(position));
  }
}

TEST_CASE("Cells of different kinds share edges and faces", "[mesh][entities]") {
  const std::vector<mesh::Mesh> all = make_mixed();
  const std::size_t vertices = all[0].vertices.size();
  std::set<Index> used;
  int cells = 0;
  for (const mesh::Mesh& mesh : all) {
    used.insert(mesh.element_to_vertex.entries.begin(), mesh.element_to_vertex.entries.end());
    cells += static_cast<int>(mesh.num_elements());
  }

  const auto edges = mesh::find_edges(vertices, on_device(all)), faces = mesh::find_faces(vertices, on_device(all));

  REQUIRE(cells == 8 + 16 + 24);
  check_entities(all, edges, 1);
  check_entities(all, faces, 2);
  CHECK(used.size() + faces[0].size() == edges[0].size() + cells + 1);  // Euler's formula of a ball
}

TEST_CASE("Any number of cells may meet at a vertex", "[mesh][entities]") {
  const mesh::Mesh mesh = make_star(GENERATE(8, 16, 17, 100, 1000));

  check_entities({mesh}, {mesh::find_edges(mesh)}, 1);
}

TEST_CASE("Plane cells have edges and no faces, and no cells have neither", "[mesh][entities]") {
  const mesh::Mesh plane = mesh::make_rectangle(mesh::CellKind::quadrilateral, 4, 3);

  CHECK(mesh::find_edges(plane).size() == 4 * 4 + 5 * 3);
  CHECK(mesh::find_faces(plane).size() == 0);
  CHECK(mesh::find_edges({{}, Map(0, 8), mesh::CellKind::hexahedron}).size() == 0);
}

TEST_CASE("Multiplicities count the elements at each edge and face", "[mesh][entities]") {
  const int x = 4, y = 3, z = 2;
  const mesh::Mesh mesh = make_turned_box(x, y, z);
  const int surface = 2 * (x * y + x * z + y * z), inner = (x - 1) * y * z + x * (y - 1) * z + x * y * (z - 1),
            rim = 4 * (x + y + z), inner_lines = x * (y - 1) * (z - 1) + (x - 1) * y * (z - 1) + (x - 1) * (y - 1) * z;

  const auto faces = histogram(mesh::find_faces(mesh)), edges = histogram(mesh::find_edges(mesh));

  CHECK(faces == std::map<Index, int>{{1, surface}, {2, inner}});
  CHECK(edges.at(1) == rim);
  CHECK(edges.at(4) == inner_lines);
}

TEST_CASE("An edge may belong to any number of elements", "[mesh][entities]") {
  const int sectors = GENERATE(3, 5), layers = 2;

  const auto edges = histogram(mesh::find_edges(make_fan(sectors, layers)));

  CHECK(edges.rbegin()->first == (sectors > 4 ? sectors : 4));
  CHECK(edges.at(sectors) >= layers);
}
