// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/indirect/case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/agree.hpp"
#include "graph/sort_sets.hpp"
#include "indirect/bind.hpp"
#include "indirect/loops/geometry.hpp"
#include "miniapp/core/error.hpp"
#include "miniapp/core/host_ranges.hpp"
#include "miniapp/graph/transpose.hpp"
#include "space/halo_cells.hpp"
#include "space/join.hpp"

namespace miniapp::indirect {
namespace {

const LoopParts& parts(LoopKind kind) { return *all_loops[static_cast<std::size_t>(kind)]; }

/// new[i] = old[order[i]], `components` values each.
std::vector<double> take(const std::vector<double>& old, const std::vector<Index>& order, int components) {
  std::vector<double> result = make_large<double>(order.size() * components);
  for_host(order.size(), [&](std::size_t i) {
    std::copy_n(&old[std::size_t(order[i]) * components], components, &result[i * components]);
  });
  return result;
}
std::vector<mesh::Point> cell_centres(const mesh::Mesh& mesh) {
  std::vector<mesh::Point> centres = make_large<mesh::Point>(mesh.num_elements());
  for_host(centres.size(), [&](std::size_t cell) { centres[cell] = cell_centre(mesh, cell); });
  return centres;
}

/// Notes the targets that other ranks have too; `numbers` (target): in the whole mesh.
void share(Case& data, const Communicator& ranks, const std::vector<std::int64_t>& numbers) {
  data.ranks = ranks;
  std::vector<std::pair<std::int64_t, Index>> places;
  for (std::size_t t = 0; t < numbers.size(); ++t) places.emplace_back(numbers[t], static_cast<Index>(t));
  std::sort(places.begin(), places.end());
  for (const auto& [rank, of_both] : space::find_shared(numbers, ranks)) {
    space::SharedEntries& with = data.shared.emplace_back(space::SharedEntries{rank, {}});
    for (const std::int64_t number : of_both)
      with.entries.push_back(std::lower_bound(places.begin(), places.end(), std::pair(number, Index(0)))->second);
  }
}

/// Leaves the interfaces whose cell with the lower number is one of the first `own`. `numbers` (cell): in the whole
/// mesh.
void keep_own_interfaces(Case& data, const std::vector<std::int64_t>& numbers, std::size_t own) {
  std::vector<Index> kept;
  for (int e = 0; e < data.from_size(); ++e) {
    const Index a = data.map[e][0], b = data.map[e][1];
    if (std::size_t(numbers[a] < numbers[b] ? a : b) < own) kept.push_back(e);
  }
  const auto take_rows = [&](Map& map) {
    Map rows(kept.size(), map.arity);
    for (std::size_t i = 0; i < kept.size(); ++i) std::copy_n(map[kept[i]], map.arity, rows[i]);
    map = std::move(rows);
  };
  take_rows(data.map);
  for (Case::Other& other : data.others) take_rows(other.map);
  for (Case::Values& values : data.values)
    if (values.set == Case::elements) values.values = take(values.values, kept, values.components);
}

/// Replaces the state of a case on `local`. Errors: InputError where fields have too few numbers.
void set_state(const LoopParts& loop, const mesh::Mesh& local, const std::vector<FieldValues>& state, Case& data) {
  require(state.size() == loop.state.size(), "state", state.size(),
          fmt::format("fields; accepted are the {} of the loop", loop.state.size()));
  for (std::size_t f = 0; f < loop.state.size(); ++f) {
    const NamedValues& named = loop.state[f];
    const bool at_vertices = named.field.site == Site::vertices;
    const std::size_t entities = at_vertices ? local.vertices.size() : local.num_elements();
    const std::vector<std::int64_t>& numbers = at_vertices ? local.part.vertices : local.part.elements;
    const std::vector<double>& given = state[f].values;
    Case::Values& to = data.values[named.values];
    const auto components = static_cast<std::size_t>(named.field.components);
    const std::size_t least = numbers.empty() ? entities : 1 + *std::max_element(numbers.begin(), numbers.end());
    require(given.size() >= least * components, named.field.name, given.size(),
            fmt::format("numbers; accepted are {} for each of {}", components, least));
    for_host(entities, [&](std::size_t i) {
      const std::size_t number = numbers.empty() ? i : static_cast<std::size_t>(numbers[i]);
      std::copy_n(&given[number * components], components, to[i] + named.first);
    });
  }
  if (loop.complete) loop.complete(local, data);
}

}  // namespace

std::array<int, 3> mesh_sides(LoopKind kind, std::int64_t elements) {
  return parts(kind).sides(static_cast<double>(std::max<std::int64_t>(elements, 1)) / parts(kind).per_box);
}

Precision usual_precision(LoopKind kind) { return parts(kind).precision; }

int mesh_dimension(LoopKind kind) { return parts(kind).dim; }

double num_elements(LoopKind kind, const std::array<int, 3>& sides) {
  return parts(kind).per_box * sides[0] * sides[1] * sides[2];
}

mesh::Mesh make_mesh(LoopKind kind, const std::array<int, 3>& sides, const Communicator& ranks,
                     graph::Partition partition) {
  if (ranks.is_alone()) return parts(kind).make_mesh(sides);
  return parts(kind).make_part(sides, graph::part_of_box(sides, partition, ranks.rank(), ranks.size()), ranks);
}

Case make_case(LoopKind kind, const mesh::Mesh& mesh, const std::vector<FieldValues>* state) {
  const Communicator& ranks = mesh.part.ranks;
  const bool at_vertices = parts(kind).at_vertices;
  const auto make = [&](const mesh::Mesh& local) {
    Case data = parts(kind).make_case(local);
    if (state) agree(ranks, [&] { set_state(parts(kind), local, *state, data); });
    data.points = at_vertices ? local.vertices : cell_centres(local);
    if (!ranks.is_alone()) share(data, ranks, at_vertices ? local.part.vertices : local.part.elements);
    return data;
  };
  if (ranks.is_alone() || at_vertices) return make(mesh);
  const mesh::Mesh with_halo = space::with_halo_cells(mesh);
  Case data = make(with_halo);
  keep_own_interfaces(data, with_halo.part.elements, mesh.num_elements());
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
  result.ranks = original.ranks;
  result.shared = original.shared;
  for (space::SharedEntries& with : result.shared)
    for (Index& target : with.entries) target = ordering.to[target];
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
    result.values.emplace_back(values.set, values.components, take(values.values, order, values.components));
  }
  return result;
}

std::vector<double> in_old_order(const std::vector<double>& result, const std::vector<int>& components,
                                 const std::vector<Index>& to_place) {
  std::vector<double> old = make_large<double>(result.size());
  std::size_t begin = 0;
  for (const int n : components) {
    for_host(to_place.size(), [&](std::size_t t) {
      std::copy_n(&result[begin + std::size_t(to_place[t]) * n], n, &old[begin + t * n]);
    });
    begin += to_place.size() * n;
  }
  return old;
}

std::unique_ptr<BoundLoop> bind(LoopKind kind, const Case& data, Precision precision, Layout layout, PlanArrays plan) {
  const auto bind_it = parts(kind).bind[std::size_t(precision)][std::size_t(layout)];
  std::unique_ptr<ShareableLoop> loop;
  agree(data.ranks, [&] { loop = bind_it(data, std::move(plan)); });
  loop->share(data);
  return loop;
}

}  // namespace miniapp::indirect
