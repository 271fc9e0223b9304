// SPDX-License-Identifier: BSD-3-Clause
#include "tensor/lane_groups.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include "miniapp/graph/colouring.hpp"

namespace miniapp::tensor {
namespace {

using Bits = std::uint32_t;
constexpr int max_open = 32;  // number of open groups

/// Groups of elements without a common vertex: each element joins the first open group that it does not touch.
std::vector<Index> group_elements(const mesh::Mesh& mesh, int width) {
  struct Open {
    std::vector<Index> elements;
    std::size_t order = 0;  ///< index of the group among all
  };
  std::vector<Index> groups;
  std::vector<Open> open(max_open);
  std::vector<Bits> touches(mesh.vertices.size(), 0);  // bit s: whether open group s has this vertex
  std::size_t started = 0;

  const auto close = [&](int slot) {
    Open& group = open[slot];
    for (const Index e : group.elements)
      for (int v = 0; v < 8; ++v) touches[mesh.element_to_vertex[e][v]] &= ~(Bits(1) << slot);
    std::copy(group.elements.begin(), group.elements.end(), groups.begin() + group.order * width);
    group.elements.clear();
  };
  for (std::size_t e = 0; e < mesh.num_elements(); ++e) {
    Bits touched = 0;
    for (int v = 0; v < 8; ++v) touched |= touches[mesh.element_to_vertex[e][v]];
    int slot = std::countr_one(touched);
    if (slot == max_open) {  // all open groups touch the element: close the oldest, incomplete
      slot = static_cast<int>(
          std::min_element(open.begin(), open.end(), [](const Open& a, const Open& b) { return a.order < b.order; }) -
          open.begin());
      close(slot);
    }
    Open& group = open[slot];
    if (group.elements.empty()) {
      group.order = started++;
      groups.resize(started * width, -1);
    }
    group.elements.push_back(static_cast<Index>(e));
    for (int v = 0; v < 8; ++v) touches[mesh.element_to_vertex[e][v]] |= Bits(1) << slot;
    if (static_cast<int>(group.elements.size()) == width) close(slot);
  }
  for (int slot = 0; slot < max_open; ++slot)
    if (!open[slot].elements.empty()) close(slot);
  return groups;
}

/// First-fit colours of groups that share vertices.
graph::Colouring colour_groups(const mesh::Mesh& mesh, const std::vector<Index>& groups, int width) {
  Csr<> vertices;
  for (std::size_t first = 0; first < groups.size(); first += width) {
    for (int l = 0; l < width; ++l)
      if (const Index e = groups[first + l]; e >= 0)
        vertices.entries.insert(vertices.entries.end(), mesh.element_to_vertex[e], mesh.element_to_vertex[e] + 8);
    vertices.end_row();
  }
  return graph::colour(vertices, mesh.vertices.size(), graph::Choice::first_fit);
}

Index storage(Index node) { return node < 0 ? ~node : node; }

/// Records which nodes of a group were met by earlier groups, and marks all its nodes as met; `rows`: whether the group
/// is accessed by rows.
void add_met(const space::Space& space, const Index* elements, bool rows, std::vector<char>& met, LaneGroups& groups) {
  const int n = space.order + 1, width = groups.width;
  const auto meet = [&](int l, int q) -> unsigned {  // lanes share no node
    return elements[l] < 0 ? 1 : std::exchange(met[storage(space.element_to_node.host()[elements[l]][q])], 1);
  };
  if (!rows) {
    for (int q = 0; q < n * n * n; ++q) {
      unsigned bits = 0;
      for (int l = 0; l < width; ++l) bits |= meet(l, q) << l;
      groups.node_met.push_back(static_cast<std::uint16_t>(bits));
    }
    return;
  }
  const unsigned all = (1u << n) - 1;
  for (int row = 0; row < n * n; ++row) {
    unsigned any = 0, common = all;
    for (int l = 0; l < width; ++l) {
      unsigned bits = 0;
      for (int i = 0; i < n; ++i) bits |= meet(l, row * n + i) << i;
      groups.met.push_back(static_cast<std::uint16_t>(bits));
      any |= bits;
      common &= bits;
    }
    groups.onto.push_back(common == all ? Onto::values : any == 0 ? Onto::nothing : Onto::mixed);
  }
}

/// Determines how group g accesses its nodes; met: (node) 1 where an earlier group met it.
void add_access(const space::Space& space, std::size_t g, std::vector<char>& met, LaneGroups& groups) {
  const int n = space.order + 1, width = groups.width;
  const Index* elements = groups.elements.data() + g * width;
  bool rows = std::none_of(elements, elements + width, [](Index e) { return e < 0; }), masked = false;
  for (int l = 0; rows && l < width; ++l) {
    const Index* nodes = space.element_to_node.host()[elements[l]];
    for (int q = 0; q < n * n * n; ++q) {
      masked = masked || nodes[q] < 0;
      if (q % n) rows = rows && storage(nodes[q]) == storage(nodes[q - 1]) + 1;
      if (q % n > 1 && q % n < n - 1) rows = rows && (nodes[q] < 0) == (nodes[q - 1] < 0);
    }
  }
  add_met(space, elements, rows, met, groups);
  groups.access.push_back(!rows ? Access::indexed : masked ? Access::masked_rows : Access::rows);
  groups.mask_offset.push_back(rows && masked ? static_cast<std::int64_t>(groups.row_masks.size()) : -1);
  if (!rows) {
    groups.offset.push_back(static_cast<std::int64_t>(groups.nodes.size()));
    for (int q = 0; q < n * n * n; ++q)
      for (int l = 0; l < width; ++l)
        groups.nodes.push_back(elements[l] < 0 ? -1 : space.element_to_node.host()[elements[l]][q]);
    return;
  }
  groups.offset.push_back(static_cast<std::int64_t>(groups.row_starts.size()));
  for (int row = 0; row < n * n; ++row) {
    for (int l = 0; l < width; ++l)
      groups.row_starts.push_back(storage(space.element_to_node.host()[elements[l]][row * n]));
    if (!masked) continue;
    for (const int i : {0, n > 2 ? 1 : 0, n - 1}) {
      unsigned bits = 0;
      for (int l = 0; l < width; ++l) bits |= unsigned(space.element_to_node.host()[elements[l]][row * n + i] < 0) << l;
      groups.row_masks.push_back(static_cast<std::uint16_t>(bits));
    }
  }
}

}  // namespace

LaneGroups make_lane_groups(const mesh::Mesh& mesh, const space::Space& space, int width, bool coloured) {
  LaneGroups groups;
  groups.width = width;
  groups.num_nodes = space.num_nodes;
  const std::vector<Index> in_order = group_elements(mesh, width);
  const int size = static_cast<int>(in_order.size()) / width;
  if (!coloured) {
    groups.elements = in_order;
    groups.colour_offsets = {0, size};
  } else {
    const graph::Colouring colours = colour_groups(mesh, in_order, width);
    groups.colour_offsets = colours.offsets;
    for (const Index g : colours.entries)
      groups.elements.insert(groups.elements.end(), in_order.begin() + g * width, in_order.begin() + (g + 1) * width);
  }
  std::vector<char> met(space.num_nodes, 0);
  for (int g = 0; g < size; ++g) add_access(space, g, met, groups);
  return groups;
}

}  // namespace miniapp::tensor
