// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/indirect/case.hpp"

#include <algorithm>

#include "graph/sort_sets.hpp"
#include "indirect/bind.hpp"
#include "indirect/loops/geometry.hpp"
#include "miniapp/graph/transpose.hpp"

namespace miniapp::indirect {
namespace {

const LoopParts& parts(LoopKind kind) { return *all_loops[static_cast<std::size_t>(kind)]; }

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
  return parts(kind).make_mesh(static_cast<double>(std::max<std::int64_t>(elements, 1)));
}

Case make_case(LoopKind kind, const mesh::Mesh& mesh) {
  Case data = parts(kind).make_case(mesh);
  data.points = parts(kind).at_vertices ? mesh.vertices : cell_centres(mesh);
  return data;
}

double estimated_memory(LoopKind kind, double elements, bool metis) {
  return elements * (metis ? parts(kind).bytes_with_metis : parts(kind).bytes);
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
  const LoopParts& p = parts(kind);
  return (layout == Layout::aos ? p.bind_aos : p.bind_soa)(data, std::move(plan));
}

}  // namespace miniapp::indirect
