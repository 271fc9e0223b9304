// SPDX-License-Identifier: BSD-3-Clause
#include "tensor/lanes/lane_copies.hpp"

#include <algorithm>
#include <unordered_map>

#include "miniapp/graph/transpose.hpp"
#include "tensor/lanes/lane_groups.hpp"

namespace miniapp::tensor {
namespace {

constexpr std::uint16_t all_bits = 0xffff;

/// The copies of consecutive nodes.
struct Run {
  Index node, size;
};

/// Finds the copies of each part by itself; what parts need of each other is how many copies earlier ones have.
class Copier {
 public:
  Copier(const space::Space& space, const LaneGroups& groups, const std::vector<Index>& first, LaneCopies& copies)
      : map_(space.element_to_node.host().entries.data()),
        n_(space.order + 1),
        nodes_(n_ * n_ * n_),
        groups_(groups),
        first_(first),
        copies_(copies),
        runs_(groups.parts()),
        begin_(groups.parts() + 1, 0) {}

  void run() {
    copies_.offset.assign(groups_.size(), -1);
    for_each_part([this](int part) {
      for (int g = groups_.part_offsets[part]; g < groups_.part_offsets[part + 1]; ++g)
        if (any_of_lanes(g, part, 0, nodes_)) copies_.offset[g] = 0;
    });
    place();
    for_each_part([this](int part) { find(part); });
    for (int part = 0; part < groups_.parts(); ++part) begin_[part + 1] += begin_[part];
    copies_.size = begin_.back();
    for_each_part([this](int part) { shift(part); });
  }

  /// Lists the copies of each node; `position` (node) is overwritten.
  void list(std::vector<Index>& position) {
    std::fill(position.begin(), position.end(), -1);
    Map node_of_copy(copies_.size, 1);  // its place in the list
    auto to = node_of_copy.entries.begin();
    for (const std::vector<Run>& runs : runs_)
      for (const Run& run : runs)
        for (Index node = run.node; node < run.node + run.size; ++node) {
          if (position[node] < 0) {
            position[node] = static_cast<Index>(copies_.nodes.size());
            copies_.nodes.push_back(node);
          }
          *to++ = position[node];
        }
    copies_.of_node = graph::transpose(node_of_copy, copies_.nodes.size());
  }

 private:
  template <class Body>
  void for_each_part(const Body& body) const {
    Kokkos::parallel_for("tensor/lane copies",
                         Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace>(0, groups_.parts()),
                         [&body](int part) { body(part); });
  }

  int width() const { return groups_.width; }
  bool is_indexed(int g) const { return groups_.access[g] == Access::indexed; }
  Index element(int g, int l) const { return groups_.elements[std::size_t(g) * width() + l]; }
  const Index* nodes_of(Index element) const { return map_ + std::size_t(element) * nodes_; }
  bool belongs_to_earlier(Index node, int part) const { return first_[storage(node)] < groups_.part_offsets[part]; }

  /// Whether one of the nodes q in [begin, end) of a lane belongs to an earlier part.
  bool any_of_lanes(int g, int part, int begin, int end) const {
    for (int l = 0; l < width(); ++l)
      if (const Index e = element(g, l); e >= 0)
        for (int q = begin; q < end; ++q)
          if (belongs_to_earlier(nodes_of(e)[q], part)) return true;
    return false;
  }

  void place() {
    std::int64_t end = 0;
    for (int g = 0; g < groups_.size(); ++g) {
      if (copies_.offset[g] < 0) continue;
      copies_.offset[g] = end;
      end += std::int64_t(is_indexed(g) ? nodes_ : n_ * n_) * width();
    }
    copies_.places.resize(end);
    copies_.met.resize(end);
    copies_.onto.resize(end / width());
  }

  /// Numbers the copies of a part from zero, in the order in which its groups visit them.
  void find(int part) {
    std::unordered_map<Index, Index> rows, nodes;  // first node: first copy
    const auto look_up = [&](std::unordered_map<Index, Index>& known, Index node, Index size, std::int64_t entry) {
      const auto [found, is_new] = known.emplace(node, begin_[part + 1]);
      if (is_new) {
        runs_[part].push_back({node, size});
        begin_[part + 1] += size;
      }
      copies_.places[entry] = found->second;
      copies_.met[entry] = is_new ? 0 : all_bits;
    };
    for (int g = groups_.part_offsets[part]; g < groups_.part_offsets[part + 1]; ++g) {
      if (copies_.offset[g] < 0) continue;
      std::int64_t entry = copies_.offset[g];
      if (is_indexed(g)) {
        for (int q = 0; q < nodes_; ++q)
          for (int l = 0; l < width(); ++l, ++entry) {
            const Index e = element(g, l), node = e < 0 ? -1 : nodes_of(e)[q];
            copies_.places[entry] = -1;
            if (node >= 0 && belongs_to_earlier(node, part)) look_up(nodes, node, 1, entry);
          }
        continue;
      }
      for (int row = 0; row < n_ * n_; ++row, entry += width()) {
        const bool is_copied = any_of_lanes(g, part, row * n_, (row + 1) * n_);
        for (int l = 0; l < width(); ++l) {
          copies_.places[entry + l] = -1;
          if (is_copied) look_up(rows, storage(nodes_of(element(g, l))[row * n_]), n_, entry + l);
        }
        const auto met = copies_.met.begin() + entry;
        const auto stored = std::count(met, met + width(), all_bits);
        copies_.onto[entry / width()] = stored == 0 ? Onto::nothing : stored == width() ? Onto::values : Onto::mixed;
      }
    }
  }

  /// Numbers them among those of all parts.
  void shift(int part) {
    for (int g = groups_.part_offsets[part]; g < groups_.part_offsets[part + 1]; ++g) {
      if (copies_.offset[g] < 0) continue;
      Index* const places = copies_.places.data() + copies_.offset[g];
      for (int i = 0; i < (is_indexed(g) ? nodes_ : n_ * n_) * width(); ++i)
        if (places[i] >= 0) places[i] += begin_[part];
    }
  }

  const Index* map_;  ///< (element, local node): node, ~node where masked
  int n_, nodes_;
  const LaneGroups& groups_;
  const std::vector<Index>& first_;
  LaneCopies& copies_;
  std::vector<std::vector<Run>> runs_;  ///< (part): its copies, in their order
  std::vector<Index> begin_;            ///< (part): its first copy
};

}  // namespace

LaneCopies make_copies(const space::Space& space, const LaneGroups& groups, std::vector<Index> first) {
  LaneCopies copies;
  Copier copier(space, groups, first, copies);
  copier.run();
  copier.list(first);
  return copies;
}

}  // namespace miniapp::tensor
