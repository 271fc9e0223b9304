// SPDX-License-Identifier: BSD-3-Clause
#include "tensor/lanes/lane_groups.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include "miniapp/core/execution.hpp"
namespace miniapp::tensor {
namespace {

using Bits = std::uint32_t;
constexpr int max_open = 32;  // number of open groups

/// Groups of elements without a common vertex: each element joins the oldest open group that it does not touch.
std::vector<Index> group_elements(const mesh::Mesh& mesh, int width) {
  struct Open {
    std::vector<Index> elements;
    std::size_t order = 0;  ///< index of the group among all
  };
  std::vector<Index> groups;
  std::vector<Open> open(max_open);
  std::vector<Bits> touches(mesh.vertices.size(), 0);  // bit s: whether open group s has this vertex
  Bits begun = 0;                                      // bit s: whether open group s has an element
  std::size_t started = 0;

  const auto close = [&](int slot) {
    Open& group = open[slot];
    for (const Index e : group.elements)
      for (int v = 0; v < 8; ++v) touches[mesh.element_to_vertex[e][v]] &= ~(Bits(1) << slot);
    std::copy(group.elements.begin(), group.elements.end(), groups.begin() + group.order * width);
    group.elements.clear();
    begun &= ~(Bits(1) << slot);
  };
  // the oldest of some groups; max_open if there is none
  const auto oldest = [&](Bits slots) {
    int found = max_open;
    for (; slots != 0; slots &= slots - 1)
      if (const int slot = std::countr_zero(slots); found == max_open || open[slot].order < open[found].order)
        found = slot;
    return found;
  };
  for (std::size_t e = 0; e < mesh.num_elements(); ++e) {
    Bits touched = 0;
    for (int v = 0; v < 8; ++v) touched |= touches[mesh.element_to_vertex[e][v]];
    int slot = oldest(~touched & begun);
    if (slot == max_open) slot = std::countr_one(begun);
    if (slot == max_open) {  // all open groups touch the element: close the oldest, incomplete
      slot = oldest(begun);
      close(slot);
    }
    Open& group = open[slot];
    if (group.elements.empty()) {
      group.order = started++;
      begun |= Bits(1) << slot;
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

/// Fills in how groups reach their nodes and which nodes earlier groups visited, each group by itself: what it needs of
/// the others is where its entries lie, and the first group at each node.
class Filler {
 public:
  Filler(const space::Space& space, LaneGroups& groups)
      : space_(space),
        map_(space.element_to_node.host().entries.data()),
        n_(space.order + 1),
        nodes_(n_ * n_ * n_),
        width_(groups.width),
        groups_(groups) {}

  void run(int size) {
    groups_.access.resize(size);
    for_each_group(size, [&](int g) { groups_.access[g] = find_access(g); });
    place(size);
    first_ = std::vector<Index>(space_.num_nodes, size);
    for_each_group(size, [&](int g) { meet(g); });
    for_each_group(size, [&](int g) {
      if (groups_.access[g] == Access::indexed)
        fill_nodes(g);
      else
        fill_rows(g);
    });
    if (groups_.parts() > 1) groups_.copies = make_copies(space_, groups_, std::move(first_));
  }

 private:
  const Index* elements(int g) const { return groups_.elements.data() + std::size_t(g) * width_; }
  const Index* nodes_of(Index element) const { return map_ + std::size_t(element) * nodes_; }

  Access find_access(int g) const {
    bool masked = false;
    for (int l = 0; l < width_; ++l) {
      if (elements(g)[l] < 0) return Access::indexed;
      const Index* const nodes = nodes_of(elements(g)[l]);
      for (int row = 0; row < nodes_; row += n_) {
        const Index* const of_row = nodes + row;
        const Index start = storage(of_row[0]);
        bool rows = true;
        for (int i = 0; i < n_; ++i) {
          rows = rows && storage(of_row[i]) == start + i;
          masked = masked || of_row[i] < 0;
          if (i > 1 && i < n_ - 1) rows = rows && (of_row[i] < 0) == (of_row[i - 1] < 0);
        }
        if (!rows) return Access::indexed;
      }
    }
    return masked ? Access::masked_rows : Access::rows;
  }

  /// Where the entries of each group lie.
  void place(int size) {
    std::int64_t indexed = 0, rows = 0, masks = 0;
    groups_.offset.resize(size);
    groups_.mask_offset.resize(size);
    for (int g = 0; g < size; ++g) {
      const bool by_node = groups_.access[g] == Access::indexed, masked = groups_.access[g] == Access::masked_rows;
      std::int64_t& end = by_node ? indexed : rows;
      groups_.offset[g] = end;
      groups_.mask_offset[g] = masked ? masks : -1;
      end += std::int64_t(by_node ? nodes_ : n_ * n_) * width_;
      if (masked) masks += 3 * n_ * n_;
    }
    groups_.nodes.resize(indexed);
    groups_.node_met.resize(indexed / width_);
    groups_.row_starts.resize(rows);
    groups_.met.resize(rows);
    groups_.onto.resize(rows / width_);
    groups_.row_masks.resize(masks);
  }

  void meet(int g) {
    for (int l = 0; l < width_; ++l) {
      if (elements(g)[l] < 0) continue;
      const Index* const nodes = nodes_of(elements(g)[l]);
      for (int q = 0; q < nodes_; ++q) {
        Index& first = first_[storage(nodes[q])];
        if constexpr (has_one_thread)
          first = std::min(first, g);
        else
          Kokkos::atomic_fetch_min(&first, Index(g));
      }
    }
  }

  void fill_nodes(int g) {
    Index* const to = groups_.nodes.data() + groups_.offset[g];
    std::uint16_t* const met = groups_.node_met.data() + groups_.offset[g] / width_;
    for (int q = 0; q < nodes_; ++q) {
      unsigned bits = 0;
      for (int l = 0; l < width_; ++l) {
        const Index e = elements(g)[l], node = e < 0 ? -1 : nodes_of(e)[q];
        to[q * width_ + l] = node;
        bits |= unsigned(e < 0 || first_[storage(node)] < g) << l;
      }
      met[q] = static_cast<std::uint16_t>(bits);
    }
  }

  void fill_rows(int g) {
    const std::int64_t offset = groups_.offset[g];
    const unsigned all = (1u << n_) - 1;
    for (int row = 0; row < n_ * n_; ++row) {
      unsigned any = 0, common = all;
      for (int l = 0; l < width_; ++l) {
        const Index start = storage(nodes_of(elements(g)[l])[row * n_]);
        unsigned bits = 0;
        for (int i = 0; i < n_; ++i) bits |= unsigned(first_[start + i] < g) << i;
        groups_.row_starts[offset + row * width_ + l] = start;
        groups_.met[offset + row * width_ + l] = static_cast<std::uint16_t>(bits);
        any |= bits;
        common &= bits;
      }
      groups_.onto[offset / width_ + row] = common == all ? Onto::values : any == 0 ? Onto::nothing : Onto::mixed;
      if (groups_.mask_offset[g] >= 0) fill_masks(g, row);
    }
  }

  void fill_masks(int g, int row) {
    std::uint16_t* const masks = groups_.row_masks.data() + groups_.mask_offset[g] + 3 * row;
    const int places[] = {0, n_ > 2 ? 1 : 0, n_ - 1};
    for (int part = 0; part < 3; ++part) {
      unsigned bits = 0;
      for (int l = 0; l < width_; ++l) bits |= unsigned(nodes_of(elements(g)[l])[row * n_ + places[part]] < 0) << l;
      masks[part] = static_cast<std::uint16_t>(bits);
    }
  }

  const space::Space& space_;
  const Index* map_;  ///< (element, local node): node, ~node where masked
  int n_, nodes_, width_;
  LaneGroups& groups_;
  std::vector<Index> first_;  ///< (node): the first group that visits it
};

}  // namespace

std::size_t LaneGroups::bytes() const {
  return sizeof(Index) * (elements.size() + row_starts.size() + nodes.size()) +
         2 * (row_masks.size() + met.size() + node_met.size()) + onto.size() + 17 * access.size();
}

void for_each_group(int groups, const std::function<void(int)>& body) {
  Kokkos::parallel_for("tensor/lane groups", Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace>(0, groups),
                       [&body](int g) { body(g); });
}

LaneGroups make_lane_groups(const mesh::Mesh& mesh, const space::Space& space, int width, int parts) {
  LaneGroups groups;
  groups.width = width;
  groups.num_nodes = space.num_nodes;
  groups.elements = group_elements(mesh, width);
  const std::int64_t size = static_cast<std::int64_t>(groups.elements.size()) / width;
  for (int part = 1; part <= parts; ++part) groups.part_offsets.push_back(static_cast<Index>(size * part / parts));
  Filler(space, groups).run(static_cast<int>(size));
  return groups;
}

std::shared_ptr<const LaneGroups> LaneGroupCache::find(const Discretisation& d, int width) {
  const std::lock_guard held(lock_);
  for (const auto& groups : made_)
    if (groups->width == width) return groups;
  made_.push_back(
      std::make_shared<const LaneGroups>(make_lane_groups(*d.mesh, d.space, width, ExecutionSpace().concurrency())));
  return made_.back();
}

std::shared_ptr<const LaneGroups> lane_groups(const Discretisation& d, int width) {
  return d.lane_groups->find(d, width);
}

}  // namespace miniapp::tensor
