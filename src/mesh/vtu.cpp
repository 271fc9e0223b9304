// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/mesh/vtu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/input_file.hpp"
#include "core/printable.hpp"
#include "mesh/cells_read.hpp"
#include "mesh/vtu_numbers.hpp"
#include "mesh/xml_text.hpp"
#include "miniapp/core/error.hpp"

namespace miniapp::mesh {
namespace {

const std::string vtu_file = "file of VTK's unstructured grids, .vtu";

/// Cells of VTK by their numbers; those of low dimension are the boundaries of others.
struct VtkCell {
  int type, dimension;
  std::optional<CellKind> kind;
};
constexpr VtkCell of_kind(CellKind kind) { return {cell(kind).vtk_type, dimension(kind), kind}; }
constexpr VtkCell vtk_cells[] = {{1, 0, {}},
                                 {2, 0, {}},
                                 {3, 1, {}},
                                 {4, 1, {}},
                                 of_kind(CellKind::triangle),
                                 of_kind(CellKind::quadrilateral),
                                 of_kind(CellKind::tetrahedron),
                                 of_kind(CellKind::hexahedron),
                                 of_kind(CellKind::prism)};

/// A piece of a file.
class Piece {
 public:
  Piece(const XmlElement& root, const XmlText& text) : text_(text), numbers_(root, text), piece_(find(root)) {
    points_ = static_cast<std::size_t>(numbers_.count(piece_, "NumberOfPoints", 0));
    cells_ = static_cast<std::size_t>(numbers_.count(piece_, "NumberOfCells", 0));
  }

  Vtu read(const std::string& source) {
    Vtu vtu;
    read_points(vtu.mesh);
    read_cells(vtu.mesh);
    vtu.listed = vtu.mesh.element_to_vertex;
    const std::vector<Index> place = drop_unused(vtu.mesh);
    for (Index& vertex : vtu.listed.entries) vertex = place[vertex];
    permute_corners(vtu.mesh);
    put_right(vtu.mesh, source, [&](std::size_t, const std::string& reason, const std::string& accepted) {
      text_.fail(of_cells("connectivity").place, reason, accepted);
    });
    std::vector<Index> used;
    for (std::size_t v = 0; v < place.size(); ++v)
      if (place[v] >= 0) used.push_back(static_cast<Index>(v));
    vtu.point_data = read_data("PointData", points_, used);
    vtu.cell_data = read_data("CellData", cells_, kept_);
    return vtu;
  }

 private:
  const XmlElement& find(const XmlElement& root) const {
    if (root.name != "VTKFile") text_.fail(quote(root.name) + " where 'VTKFile' is due", "a " + vtu_file);
    const std::string& type = numbers_.get(root, "type");
    if (type != "UnstructuredGrid") text_.fail(root.place, "type " + quote(type), "UnstructuredGrid");
    const std::vector<const XmlElement*> grids = root.all("UnstructuredGrid");
    if (grids.size() != 1) text_.fail(fmt::format("{} unstructured grids", grids.size()), "one");
    const std::vector<const XmlElement*> pieces = grids.front()->all("Piece");
    if (pieces.size() != 1) text_.fail(fmt::format("{} pieces", pieces.size()), "a grid of one piece");
    return *pieces.front();
  }

  /// The section of this name; null where there is none.
  const XmlElement* section(std::string_view name) const {
    const std::vector<const XmlElement*> found = piece_.all(name);
    if (found.size() > 1) text_.fail(found[1]->place, "a second " + std::string(name), "one");
    return found.empty() ? nullptr : found.front();
  }
  std::vector<const XmlElement*> arrays(std::string_view name) const {
    const XmlElement* const found = section(name);
    return found ? found->all("DataArray") : std::vector<const XmlElement*>();
  }
  /// An array of cells.
  const XmlElement& of_cells(std::string_view name) const {
    for (const XmlElement* const array : arrays("Cells"))
      if (const std::string* const its = array->find("Name"); its && *its == name) return *array;
    text_.fail(fmt::format("no array {} of cells", name), "a whole " + vtu_file);
  }

  void read_points(Mesh& mesh) const {
    const std::vector<const XmlElement*> found = arrays("Points");
    if (found.size() != 1) text_.fail(fmt::format("{} arrays of points", found.size()), "one");
    const std::vector<double> values = numbers_.read(*found.front());
    if (values.size() != 3 * points_)
      text_.fail(found.front()->place, fmt::format("{} coordinates of {} points", values.size(), points_),
                 "three of each");
    mesh.vertices.resize(points_);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!std::isfinite(values[i]))
        text_.fail(found.front()->place, fmt::format("point {} has a coordinate {}", i / 3 + 1, values[i]),
                   "a finite number");
      mesh.vertices[i / 3][i % 3] = values[i];
    }
  }

  /// The corners of the cells that are kept, in the order of the file.
  void read_cells(Mesh& mesh) {
    const std::vector<Index> corners = numbers_.read_indices(of_cells("connectivity")),
                             ends = numbers_.read_indices(of_cells("offsets")),
                             types = numbers_.read_indices(of_cells("types"));
    if (ends.size() != cells_ || types.size() != cells_)
      text_.fail(piece_.place, fmt::format("{} offsets and {} types of {} cells", ends.size(), types.size(), cells_),
                 "one of each for a cell");
    for (std::size_t c = 0; c < cells_; ++c)
      if (ends[c] < (c > 0 ? ends[c - 1] : 0) || std::size_t(ends[c]) > corners.size())
        text_.fail(of_cells("offsets").place, fmt::format("offset {} of cell {}", ends[c], c + 1),
                   "an ascending sequence up to the length of connectivity");
    mesh.kind = keep(types);
    mesh.element_to_vertex.arity = num_vertices(mesh.kind);
    for (const Index c : kept_) {
      const Index begin = c > 0 ? ends[c - 1] : 0;
      if (ends[c] - begin != num_vertices(mesh.kind))
        text_.fail(of_cells("offsets").place,
                   fmt::format("cell {}, a {}, has {} points", c + 1, name(mesh.kind), ends[c] - begin),
                   std::to_string(num_vertices(mesh.kind)));
      for (Index i = begin; i < ends[c]; ++i) {
        if (std::size_t(corners[i]) >= points_)
          text_.fail(of_cells("connectivity").place, fmt::format("cell {} has point {}", c + 1, corners[i]),
                     fmt::format("a number below {}, that of points", points_));
        mesh.element_to_vertex.entries.push_back(corners[i]);
      }
    }
  }

  /// Finds the cells of the highest dimension and their kind.
  CellKind keep(const std::vector<Index>& types) {
    const std::string accepted =
        "a grid of straight cells of one kind: triangles, quadrilaterals, tetrahedra, hexahedra or prisms";
    const VtkCell* highest = nullptr;
    for (std::size_t c = 0; c < types.size(); ++c) {
      const auto* const found = std::find_if(std::begin(vtk_cells), std::end(vtk_cells),
                                             [&](const VtkCell& cell) { return cell.type == types[c]; });
      if (found == std::end(vtk_cells))
        text_.fail(of_cells("types").place, fmt::format("cell {} is of VTK's type {}", c + 1, types[c]), accepted);
      if (highest && found->dimension == highest->dimension && found->type != highest->type)
        text_.fail(fmt::format("cells of VTK's types {} and {}", highest->type, found->type), accepted);
      if (!highest || found->dimension > highest->dimension) {
        highest = found;
        kept_.clear();
      }
      if (found == highest) kept_.push_back(static_cast<Index>(c));
    }
    if (!highest || !highest->kind) text_.fail("no cells with an area or a volume", accepted);
    return *highest->kind;
  }

  /// VTK orders corners as Gmsh does.
  static void permute_corners(Mesh& mesh) {
    const Map listed = mesh.element_to_vertex;
    for (std::size_t e = 0; e < mesh.num_elements(); ++e)
      for (int i = 0; i < listed.arity; ++i) mesh.element_to_vertex[e][cell(mesh.kind).gmsh_vertices[i]] = listed[e][i];
  }

  /// The arrays of a section for those of its entries that are used.
  std::vector<VtuArray> read_data(std::string_view name, std::size_t entries, const std::vector<Index>& used) const {
    std::vector<VtuArray> all;
    for (const XmlElement* const array : arrays(name)) {
      const std::string& called = numbers_.get(*array, "Name");
      if (std::any_of(all.begin(), all.end(), [&](const VtuArray& other) { return other.name == called; }))
        text_.fail(array->place, "a second array " + quote(called), "each name once");
      if (!VtuNumbers::has_numbers(*array)) continue;
      const auto components = static_cast<std::size_t>(numbers_.count(*array, "NumberOfComponents", 1));
      std::vector<double> values = numbers_.read(*array);
      if (values.size() != components * entries)
        text_.fail(array->place,
                   fmt::format("array {}: {} numbers of {} {}", quote(called), values.size(), entries,
                               name == "PointData" ? "points" : "cells"),
                   fmt::format("{} of each", components));
      for (std::size_t i = 0; i < used.size(); ++i)  // ascending: none is overwritten before it is read
        std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(std::size_t(used[i]) * components), components,
                    values.begin() + static_cast<std::ptrdiff_t>(i * components));
      values.resize(used.size() * components);
      all.push_back({called, static_cast<int>(components), std::move(values)});
    }
    return all;
  }

  const XmlText& text_;
  VtuNumbers numbers_;
  const XmlElement& piece_;
  std::size_t points_, cells_;
  std::vector<Index> kept_;  ///< (element): its place in the file
};

}  // namespace

Vtu read_vtu(const std::string& path) { return parse_vtu(miniapp::read_text(path, vtu_file), path); }

Vtu parse_vtu(const std::string& text, const std::string& source) {
  XmlText xml(text, source);
  const XmlElement root = xml.parse();
  return Piece(root, xml).read(printable(source, 200));
}

}  // namespace miniapp::mesh
