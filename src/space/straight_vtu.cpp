// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "miniapp/core/error.hpp"
#include "miniapp/core/host_ranges.hpp"
#include "miniapp/space/vtu.hpp"
#include "space/vtk_file.hpp"

namespace miniapp::space {
namespace {

template <class Fields>
void announce(VtkFile& file, const char* section, const Fields& fields, std::size_t entities) {
  for (const auto& field : fields) {
    require(field.values.size() == entities * static_cast<std::size_t>(field.components), "vtu", field.name,
            fmt::format("{} values; accepted are {} for each of {}", field.values.size(), field.components, entities));
    file.announce<double>(section, field.name, stored_components(field.components), entities);
  }
}

template <class Fields>
void fill(VtkFile& file, std::size_t first, const Fields& fields, std::size_t entities) {
  for (const auto& field : fields) {
    const auto from = static_cast<std::size_t>(field.components);
    const auto to = static_cast<std::size_t>(stored_components(field.components));
    double* const values = file.values<double>(first++);
    for_host(entities, [&](std::size_t i) { std::copy_n(&field.values[i * from], from, values + i * to); });
  }
}

}  // namespace

std::string vtu(const mesh::Mesh& mesh, const std::vector<PointField>& vertices, const std::vector<CellField>& cells,
                Compress compress) {
  require(mesh.kind != mesh::CellKind::prism && mesh.curved.empty(),
          "vtu: prisms or curved elements; accepted are other cells with straight sides");
  const std::size_t points = mesh.vertices.size(), elements = mesh.num_elements();
  const int corners = mesh::num_vertices(mesh.kind);
  VtkFile file(points, elements, "1.0");
  announce(file, "PointData", vertices, points);
  announce(file, "CellData", cells, elements);
  file.announce<double>("Points", "points", 3, points);
  file.announce<std::int32_t>("Cells", "connectivity", 1, elements * std::size_t(corners));
  file.announce<std::int64_t>("Cells", "offsets", 1, elements);
  file.announce<unsigned char>("Cells", "types", 1, elements);
  file.begin();
  fill(file, 0, vertices, points);
  fill(file, vertices.size(), cells, elements);
  const std::size_t next = vertices.size() + cells.size();
  for_host(points, [&](std::size_t v) { std::copy_n(mesh.vertices[v].begin(), 3, file.values<double>(next) + 3 * v); });
  for_host(elements, [&](std::size_t e) {
    for (int i = 0; i < corners; ++i)  // VTK orders corners as Gmsh does
      file.values<std::int32_t>(next + 1)[e * corners + i] =
          mesh.element_to_vertex[e][mesh::cell(mesh.kind).gmsh_vertices[i]];
    file.values<std::int64_t>(next + 2)[e] = static_cast<std::int64_t>((e + 1) * corners);
  });
  std::fill_n(file.values<unsigned char>(next + 3), elements,
              static_cast<unsigned char>(mesh::cell(mesh.kind).vtk_type));
  return file.finish(compress);
}

}  // namespace miniapp::space
