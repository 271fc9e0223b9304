// SPDX-License-Identifier: BSD-3-Clause
#include "python/src/mesh.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "miniapp/mesh/conforming.hpp"
#include "miniapp/mesh/read.hpp"
#include "miniapp/space/space.hpp"
#include "miniapp/tensor/user_problem.hpp"
#include "python/src/linear.hpp"

namespace miniapp::python {

using namespace nb::literals;

namespace {

using Points = nb::ndarray<const double, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;
using Indices = nb::ndarray<const Index, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

Mesh share(mesh::Mesh mesh) { return {std::make_shared<const mesh::Mesh>(std::move(mesh))}; }

Mesh box(int nx, int ny, int nz, double deform) {
  for (const auto& [name, cells] : {std::pair("nx", nx), {"ny", ny}, {"nz", nz}})
    require(cells > 0, name, cells, "accepted are numbers from 1 on");
  const auto kokkos = session();
  mesh::Mesh made = tensor::make_named_box(nx, ny, nz);
  mesh::deform(made, deform);
  return share(std::move(made));
}

mesh::CellKind kind_called(const std::string& text) {
  for (const mesh::CellKind kind : mesh::cell_kinds)
    if (mesh::dimension(kind) == 3 && mesh::name(kind) == text) return kind;
  throw InputError("kind", text, "accepted are tetrahedron, hexahedron, prism");
}

Mesh of_arrays(const Points& vertices, const Indices& cells, const std::string& kind) {
  mesh::Mesh made;
  made.kind = kind_called(kind);
  const int corners = mesh::num_vertices(made.kind);
  require(cells.shape(0) > 0 && cells.shape(1) == static_cast<std::size_t>(corners), "cells",
          std::to_string(cells.shape(0)) + " x " + std::to_string(cells.shape(1)),
          "accepted is at least one row of " + std::to_string(corners));
  made.vertices.resize(vertices.shape(0));
  for (std::size_t i = 0; i < made.vertices.size(); ++i)
    for (std::size_t d = 0; d < 3; ++d) {
      made.vertices[i][d] = vertices(i, d);
      require(std::isfinite(vertices(i, d)), "vertices", i, "is not finite");
    }
  made.element_to_vertex = Map(cells.shape(0), corners);
  std::copy_n(cells.data(), cells.size(), made.element_to_vertex.entries.begin());
  mesh::require_vertices(made);
  mesh::require_conforming(made);
  return share(std::move(made));
}

/// The sides of the surface, (side, (cell, side of it)), and their centres.
nb::tuple surface(const Mesh& m) {
  const std::vector<mesh::CellSide> sides = space::surface_sides(*m.mesh);
  struct Arrays {
    std::vector<Index> sides;
    std::vector<double> centres;
  };
  auto arrays = std::make_unique<Arrays>();
  for (const mesh::CellSide& side : sides) {
    arrays->sides.insert(arrays->sides.end(), {side.cell, static_cast<Index>(side.side)});
    mesh::Point centre{};
    int corners = 0;
    for (const Index vertex : mesh::side_vertices(*m.mesh, side)) {
      if (vertex < 0) continue;
      ++corners;
      for (std::size_t d = 0; d < 3; ++d) centre[d] += m.mesh->vertices[static_cast<std::size_t>(vertex)][d];
    }
    for (const double sum : centre) arrays->centres.push_back(sum / corners);
  }
  const nb::capsule owner(arrays.get(), [](void* at) noexcept { delete static_cast<Arrays*>(at); });
  Arrays& held = *arrays.release();
  return nb::make_tuple(view_of_host(held.sides.data(), {sides.size(), 2}, owner),
                        view_of_host(held.centres.data(), {sides.size(), 3}, owner));
}

Mesh with_group(const Mesh& m, const std::string& name, const Indices& sides) {
  require(!name.empty() && !m.mesh->find_group(name), "name", name, "accepted is one that no group has yet");
  require(sides.shape(0) > 0, "sides", "", "there are none; accepted is at least one row (cell, side)");
  mesh::Group group{name, 2, {}, {}};
  const int per_cell = mesh::cell(m.mesh->kind).num_sides();
  for (std::size_t i = 0; i < sides.shape(0); ++i) {
    const bool is_pair = sides.shape(1) == 2;
    require(is_pair && sides(i, 0) >= 0 && std::size_t(sides(i, 0)) < m.mesh->num_elements() && sides(i, 1) >= 0 &&
                sides(i, 1) < per_cell,
            "sides", i, "is no side of a cell; accepted are rows (cell, side), as surface() has them");
    group.sides.push_back({sides(i, 0), static_cast<int>(sides(i, 1))});
  }
  std::sort(group.sides.begin(), group.sides.end());
  group.sides.erase(std::unique(group.sides.begin(), group.sides.end()), group.sides.end());
  mesh::Mesh copy = *m.mesh;
  copy.groups.push_back(std::move(group));
  return share(std::move(copy));
}

nb::dict groups(const Mesh& m) {
  nb::dict names;
  for (const mesh::Group& group : m.mesh->groups) names[group.name.c_str()] = group.dimension;
  return names;
}

}  // namespace

void bind_mesh(nb::module_& m) {
  nb::class_<Mesh>(m, "Mesh", R"(A conforming mesh of hexahedra, tetrahedra or prisms. It does not change.

Mesh(vertices, cells, kind="hexahedron"): vertices (vertex, 3) float64 [m], cells (cell, corner) int32, both copied.
Corner a + 2 b + 4 c of a hexahedron lies at (2a-1, 2b-1, 2c-1) of its cube; 0, 1, 2 of the others counter-clockwise as
seen from the rest.)")
      .def(
          "__init__",
          [](Mesh* self, const Points& vertices, const Indices& cells, const std::string& kind) {
            new (self) Mesh(of_arrays(vertices, cells, kind));
          },
          "vertices"_a, "cells"_a, "kind"_a = "hexahedron")
      .def_static(
          "read",
          [](const std::string& path) {
            const auto kokkos = session();
            return share(mesh::read_gmsh(path));
          },
          "path"_a, "Reads a file of Gmsh, format 2.2 or 4.1, with its physical groups.")
      .def_static("box", &box, "nx"_a, "ny"_a, "nz"_a, "deform"_a = 0.0,
                  R"(nx * ny * nz hexahedra of the unit cube; its sides are the groups x0, x1, y0, y1, z0, z1.

deform: moves vertices by deform * sin(pi x) sin(pi y) sin(pi z) * (1, -1, 1/2) [m].)")
      .def_prop_ro(
          "vertices",
          [](nb::handle self) {
            const mesh::Mesh& mesh = *nb::cast<const Mesh&>(self).mesh;
            return view_of_host(mesh.vertices.data()->data(), {mesh.vertices.size(), 3}, self);
          },
          "Coordinates (vertex, 3) [m]: the mesh's own memory, read-only.")
      .def_prop_ro(
          "cells",
          [](nb::handle self) {
            const Map& map = nb::cast<const Mesh&>(self).mesh->element_to_vertex;
            return view_of_host(map.entries.data(), {map.size(), static_cast<std::size_t>(map.arity)}, self);
          },
          "Vertices (cell, corner) int32: the mesh's own memory, read-only.")
      .def_prop_ro(
          "kind", [](const Mesh& self) { return mesh::name(self.mesh->kind); }, "'hexahedron', 'tetrahedron', ..")
      .def_prop_ro(
          "order", [](const Mesh& self) { return self.mesh->curved.empty() ? 1 : self.mesh->curved.order; },
          "The order of the cells' map; 1: straight edges.")
      .def_prop_ro("groups", &groups, "{name: dimension} of the groups: 3 of cells, 2 of sides.")
      .def("surface", &surface, R"(The sides without a neighbour: (sides, centres).

sides (side, 2) int32: cell, and which of its sides; centres (side, 3) [m]: means of their corners.)")
      .def("with_group", &with_group, "name"_a, "sides"_a,
           "A copy with one more group of sides, rows (cell, side) as surface() has them.");
}

}  // namespace miniapp::python
