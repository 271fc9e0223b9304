// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/indirect/case.hpp"

#include <algorithm>
#include <cmath>

#include "graph/sort_sets.hpp"
#include "indirect/bind.hpp"
#include "indirect/loops/geometry.hpp"
#include "miniapp/graph/transpose.hpp"
#include "miniapp/mesh/generate.hpp"
#include "miniapp/mesh/generate_2d.hpp"

namespace miniapp::indirect {
namespace {

/// What a kind of loop consists of.
struct Parts {
  bool at_vertices;  ///< whether the targets are vertices; else cells
  Case (*make)(const mesh::Mesh&);
  std::unique_ptr<BoundLoop> (*aos)(const Case&, PlanArrays);
  std::unique_ptr<BoundLoop> (*soa)(const Case&, PlanArrays);
};
const Parts& parts(LoopKind kind) {
  static constexpr Parts all[] = {
      {false, airfoil_case, bind_airfoil<Layout::aos>, bind_airfoil<Layout::soa>},
      {false, shallow_water_case, bind_shallow_water<Layout::aos>, bind_shallow_water<Layout::soa>},
      {true, hydro_stress_case, bind_hydro_stress<Layout::aos>, bind_hydro_stress<Layout::soa>},
      {true, corner_acceleration_case, bind_corner_acceleration<Layout::aos>, bind_corner_acceleration<Layout::soa>},
      {false, euler_flux_case, bind_euler_flux<Layout::aos>, bind_euler_flux<Layout::soa>},
  };
  return all[static_cast<int>(kind)];
}

/// new[i] = old[order[i]], `components` values each.
std::vector<double> take(const std::vector<double>& old, const std::vector<Index>& order, int components) {
  std::vector<double> result(old.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    std::copy_n(&old[std::size_t(order[i]) * components], components, &result[i * components]);
  return result;
}
std::vector<mesh::Point> cell_centres(const mesh::Mesh& mesh) {
  std::vector<mesh::Point> centres;
  centres.reserve(mesh.num_elements());
  for (std::size_t cell = 0; cell < mesh.num_elements(); ++cell) centres.push_back(cell_centre(mesh, cell));
  return centres;
}

}  // namespace

mesh::Mesh make_mesh(LoopKind kind, std::int64_t elements) {
  const double size = double(std::max<std::int64_t>(elements, 1));
  const auto root = [](double x, double power) {
    return std::max(1, static_cast<int>(std::lround(std::pow(x, power))));
  };
  switch (kind) {
    case LoopKind::airfoil: {  // two edges per cell
      const auto [around, outwards] = mesh::o_grid_sides(std::max(4, static_cast<int>(std::lround(size / 2))));
      return mesh::make_o_grid(std::max(around, 4), std::max(outwards, 1));
    }
    case LoopKind::shallow_water: {  // three edges per square of two triangles
      const int side = root(size / 3, 0.5);
      return mesh::make_rectangle(mesh::CellKind::triangle, side, side);
    }
    case LoopKind::corner_acceleration: {
      const int side = root(size, 0.5);
      return mesh::make_rectangle(mesh::CellKind::quadrilateral, side, side);
    }
    case LoopKind::hydro_stress: {
      const int side = root(size, 1. / 3);
      return mesh::make_box(side, side, side);
    }
    case LoopKind::euler_flux: {  // three faces per cell
      const int side = std::max(2, static_cast<int>(std::lround(std::cbrt(size / 3) + 1. / 3)));
      return mesh::make_box(side, side, side);
    }
  }
  return {};
}

Case make_case(LoopKind kind, const mesh::Mesh& mesh) {
  Case data = parts(kind).make(mesh);
  data.points = parts(kind).at_vertices ? mesh.vertices : cell_centres(mesh);
  return data;
}

Case reorder(const Case& original, const graph::Ordering& ordering) {
  const std::vector<Index>& from = ordering.from.entries;
  Case result;
  result.map = graph::permute(original.map, from, ordering.to);
  result.to_size = original.to_size;
  std::vector<std::vector<Index>> other_order;  // (other map, new place): old entity
  for (const Case::Other& other : original.others) {
    const std::vector<Index> place = graph::first_touch(other.map, from, other.to_size);
    result.others.push_back({graph::permute(other.map, from, place), other.to_size});
    other_order.push_back(graph::inverse(place));
  }
  const std::vector<Index> target_order = graph::inverse(ordering.to);
  for (const Case::Values& values : original.values) {
    const std::vector<Index>& order = values.set == Case::elements  ? from
                                      : values.set == Case::targets ? target_order
                                                                    : other_order[values.set];
    result.values.push_back({values.set, values.components, take(values.values, order, values.components)});
  }
  return result;
}

std::vector<double> in_old_order(const std::vector<double>& result, const std::vector<int>& components,
                                 const std::vector<Index>& to_place) {
  std::vector<double> old(result.size());
  std::size_t begin = 0;
  for (const int n : components) {
    for (std::size_t t = 0; t < to_place.size(); ++t)
      std::copy_n(&result[begin + std::size_t(to_place[t]) * n], n, &old[begin + t * n]);
    begin += to_place.size() * n;
  }
  return old;
}

std::unique_ptr<BoundLoop> bind(LoopKind kind, const Case& data, Layout layout, PlanArrays plan) {
  const Parts& p = parts(kind);
  return (layout == Layout::aos ? p.aos : p.soa)(data, std::move(plan));
}

}  // namespace miniapp::indirect
