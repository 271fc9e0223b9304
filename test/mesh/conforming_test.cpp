// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/mesh/conforming.hpp"

#include "miniapp/mesh/generate_2d.hpp"
#include "miniapp/mesh/read.hpp"
#include "miniapp/mesh/reorder.hpp"
#include "support/all_close.hpp"
#include "support/plane.hpp"
#include "support/prism_meshes.hpp"
#include "support/tetrahedra.hpp"

using mesh::CellKind;

namespace {

mesh::Mesh make_mesh(const std::string& which) {
  if (which == "O-grid") return mesh::make_o_grid(14, 5);
  if (which == "fan") return make_fan(5, 3);
  if (which == "box") return mesh::shuffle(make_turned_box(3, 2, 5), 3);
  if (which == "prisms") return mesh::shuffle(make_shaken_prisms(4, 3, 2), 2);
  if (which == "tetrahedra") return mesh::shuffle(make_tetrahedra(3, 2, 4), 1);
  mesh::Mesh mesh = mesh::make_rectangle(which == "triangles" ? CellKind::triangle : CellKind::quadrilateral, 5, 7);
  mesh::perturb(mesh, 0.15, 1);
  return mesh::shuffle(mesh, 2);
}
std::string any_mesh() {
  return GENERATE(as<std::string>(), "triangles", "quadrilaterals", "O-grid", "box", "fan", "prisms", "tetrahedra");
}

/// Vertices and cells, counted from 1 as in messages.
mesh::Mesh make(CellKind kind, std::vector<mesh::Point> vertices, const std::vector<Index>& cells) {
  mesh::Mesh mesh;
  mesh.kind = kind;
  mesh.vertices = std::move(vertices);
  mesh.element_to_vertex.arity = num_vertices(kind);
  for (const Index vertex : cells) mesh.element_to_vertex.entries.push_back(vertex - 1);
  return mesh;
}

std::string complaint(const mesh::Mesh& mesh) {
  try {
    mesh::require_conforming(mesh);
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing";
}

/// Gives the cells from `first` on vertices of their own, at the same places.
void cut(mesh::Mesh& mesh, std::size_t first) {
  std::vector<Index> copy(mesh.vertices.size(), -1);
  for (std::size_t e = first; e < mesh.num_elements(); ++e)
    for (int v = 0; v < num_vertices(mesh.kind); ++v) {
      Index& vertex = mesh.element_to_vertex[e][v];
      if (copy[vertex] < 0) {
        copy[vertex] = static_cast<Index>(mesh.vertices.size());
        mesh.vertices.push_back(mesh.vertices[vertex]);
      }
      vertex = copy[vertex];
    }
}

const std::vector<mesh::Point> unit_square{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};

}  // namespace

TEST_CASE("Cells of generated meshes fit together, along slits too", "[mesh][conforming]") {
  mesh::Mesh mesh = make_mesh(any_mesh());

  CHECK(complaint(mesh) == "nothing");

  cut(mesh, mesh.num_elements() / 3);
  CHECK(complaint(mesh) == "nothing");
}

TEST_CASE("Cells with the same vertices are one cell twice, whatever their order", "[mesh][conforming]") {
  mesh::Mesh mesh = make_mesh(any_mesh());
  const int corners = num_vertices(mesh.kind);
  std::vector<Index> again(mesh.element_to_vertex[4], mesh.element_to_vertex[4] + corners);
  if (GENERATE(false, true)) std::reverse(again.begin(), again.end());
  auto& entries = mesh.element_to_vertex.entries;
  entries.insert(entries.end(), again.begin(), again.end());

  const std::string found = complaint(mesh);

  // three cells share the sides that the cell has in common with others: what is seen first is named
  CHECK_THAT(found, contains(std::to_string(mesh.num_elements())) &&
                        (contains("cells 5 and") || contains("share a side with a third cell")));
  mesh.element_to_vertex.entries.erase(entries.begin(), entries.end() - corners);
  mesh.element_to_vertex.entries.insert(entries.end(), again.begin(), again.end());
  CHECK_THAT(complaint(mesh), contains("cells 1 and 2 of the mesh have the same vertices; accepted is each cell once"));
}

TEST_CASE("Two cells on one side of their side, and sides of three cells, are refused with the cells",
          "[mesh][conforming]") {
  std::vector<mesh::Point> points = unit_square;
  points.push_back({0.2, 0.6, 0});

  // edge 1 3 has cell 1 below it and the others above
  CHECK(complaint(make(CellKind::triangle, points, {1, 2, 3, 1, 3, 4})) == "nothing");
  CHECK(complaint(make(CellKind::triangle, points, {1, 3, 4, 1, 3, 5})) ==
        "cells 1 and 2 of the mesh lie on the same side of their interface; accepted are cells that do not overlap");
  CHECK(complaint(make(CellKind::triangle, points, {1, 2, 3, 1, 3, 4, 1, 3, 5})) ==
        "cells 1 and 3 of the mesh share a side with a third cell; accepted are sides of two cells or one");
  points.push_back({0.7, 0.1, 0});  // two cells on each side: pairs that fit
  CHECK(complaint(make(CellKind::triangle, points, {1, 2, 3, 1, 3, 4, 1, 6, 3, 1, 3, 5})) ==
        "cells 1 and 3 of the mesh share a side with a third cell; accepted are sides of two cells or one");
}

TEST_CASE("A vertex inside a side of the surface is refused with its cell", "[mesh][conforming]") {
  std::vector<mesh::Point> points = unit_square;
  points.insert(points.end(), {{2, 0, 0}, {2, 1, 0}, {1, 0.5, 0}});
  const mesh::Mesh plane = make(CellKind::quadrilateral, points, {1, 2, 3, 4, 2, 5, 6, 7});

  CHECK(complaint(plane) ==
        "vertex 7 of the mesh, (1, 0.5, 0), lies inside a side of cell 1, which does not have it; accepted are cells "
        "that share whole sides");
  mesh::Mesh apart = plane;
  apart.vertices[6][0] += 1e-4;  // as far from the side as files can tell
  CHECK(complaint(apart) == "nothing");

  // one hexahedron beside four: the middle of its face, and of two edges
  mesh::Mesh solid = mesh::make_box(2, 2, 1);
  for (mesh::Point& point : solid.vertices) point = {point[0] + 1, point[1], point[2]};
  const auto first = static_cast<Index>(solid.vertices.size());
  for (const double x : {0., 1.})
    for (const double y : {0., 1.})
      for (const double z : {0., 1.}) solid.vertices.push_back({x, y, z});
  for (const Index corner : {0, 4, 2, 6, 1, 5, 3, 7}) solid.element_to_vertex.entries.push_back(first + corner);
  CHECK_THAT(complaint(solid), contains("(1, 0.5, ") && contains("lies inside a side of cell 5"));
}

TEST_CASE("A vertex inside a side is found where it comes last in all of its own sides", "[mesh][conforming]") {
  const std::vector<mesh::Point> points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, -1}, {0.3, 0.3, 0}, {0.3, 0.3, 1}};
  // a tetrahedron below 1 2 3, and three above it around 5, which their sides on the surface end with
  const mesh::Mesh mesh = make(CellKind::tetrahedron, points, {1, 3, 2, 4, 1, 2, 6, 5, 2, 3, 6, 5, 3, 1, 6, 5});

  CHECK_THAT(complaint(mesh), contains("vertex 5 of the mesh, (0.3, 0.3, 0), lies inside a side of cell 1,"));
}

TEST_CASE("Vertices of warped sides do not hang where the side bends away", "[mesh][conforming]") {
  mesh::Mesh mesh = mesh::make_box(1, 1, 1);
  mesh.vertices[7] = {1.2, 1.1, 1.3};
  const mesh::Point middle{1.05, 0.525, 0.575};  // of the warped side x = 1, the mean of its corners
  CHECK(complaint(mesh) == "nothing");

  const auto with_cell_at = [&](const mesh::Point& corner) {
    mesh::Mesh both = mesh;
    const auto first = static_cast<Index>(both.vertices.size());
    for (int v = 0; v < 8; ++v)
      both.vertices.push_back({corner[0] + (v & 1), corner[1] + (v >> 1 & 1), corner[2] + (v >> 2)});
    for (int v = 0; v < 8; ++v) both.element_to_vertex.entries.push_back(first + v);
    return complaint(both);
  };

  CHECK_THAT(with_cell_at(middle), contains("vertex 9 of the mesh") && contains("cell 1,"));
  CHECK(with_cell_at({middle[0] + 1e-3, middle[1], middle[2]}) == "nothing");
}
