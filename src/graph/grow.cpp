// SPDX-License-Identifier: BSD-3-Clause
#include "graph/grow.hpp"

#include <algorithm>
#include <limits>

namespace miniapp::graph {
namespace {

/// A first-in, first-out queue that is cleared as a whole.
struct Queue {
  std::vector<Id> ids;
  std::size_t head = 0;

  void clear() {
    ids.clear();
    head = 0;
  }
};

/// Items are queued by the number of their links that the block does not have yet. As that number falls, an item is
/// added to another queue; its old entry is skipped when it comes up.
template <class Count>
class Growth {
 public:
  Growth(const Links& items_to_links, const Links& links_to_items, int block_size)
      : links_(items_to_links),
        items_(links_to_items),
        block_size_(block_size),
        missing_(make_large<Count>(links_.size())),
        state_(make_large<Link>(items_.size(), Link::untouched)),
        last_(static_cast<Id>(links_.size()) - 1) {
    Count most = 0;
    for (Id item = 0; item < links_.size(); ++item) {
      missing_[item] = static_cast<Count>(links_.degree(item));
      most = std::max(most, missing_[item]);
    }
    queues_.resize(std::size_t(most) + 1);
    front_.ids.reserve(items_.size());
  }

  Blocks run(const std::vector<Index>& label) {
    Blocks blocks;
    blocks.entries.reserve(links_.size());
    while (blocks.entries.size() < links_.size()) {
      const std::size_t end = std::min(links_.size(), blocks.entries.size() + block_size_);
      while (blocks.entries.size() < end) {
        Id item = next();
        if (item == no_id) item = start();
        blocks.entries.push_back(label[item]);
        take(item);
      }
      blocks.end_row();
      forget();
    }
    return blocks;
  }

 private:
  enum class Link : std::uint8_t { untouched, of_earlier, of_this };
  static constexpr Count taken = std::numeric_limits<Count>::max();

  /// The item with the fewest missing links; ties are broken by the order of discovery.
  Id next() {
    for (; lowest_ < queues_.size(); ++lowest_) {
      Queue& queue = queues_[lowest_];
      while (queue.head < queue.ids.size())
        if (const Id item = queue.ids[queue.head++]; missing_[item] == lowest_) return item;
    }
    return no_id;
  }

  /// An item of the first link touched by blocks that still has free items; otherwise the last free item. In
  /// breadth-first order that one is at a far end, from where blocks fit the outline of the mesh better than from its
  /// middle.
  Id start() {
    for (; front_.head < front_.ids.size(); ++front_.head)
      for (const Id item : items_[front_.ids[front_.head]])
        if (missing_[item] != taken) return item;
    while (missing_[last_] == taken) --last_;
    return last_;
  }

  /// Adds the item and its links to the block; items of the newly added links have one missing link less.
  void take(Id item) {
    missing_[item] = taken;
    for (const Id link : links_[item]) {
      if (state_[link] == Link::of_this) continue;
      if (state_[link] == Link::untouched) front_.ids.push_back(link);
      state_[link] = Link::of_this;
      mine_.push_back(link);
      for (const Id other : items_[link])
        if (missing_[other] != taken) come_closer(other);
    }
  }

  void come_closer(Id item) {
    if (missing_[item] == links_.degree(item)) reached_.push_back(item);
    const std::size_t level = --missing_[item];
    queues_[level].ids.push_back(item);
    lowest_ = std::min(lowest_, level);
  }

  void forget() {
    for (const Id item : reached_)
      if (missing_[item] != taken) missing_[item] = static_cast<Count>(links_.degree(item));
    for (const Id link : mine_) state_[link] = Link::of_earlier;
    reached_.clear();
    mine_.clear();
    for (Queue& queue : queues_) queue.clear();
  }

  const Links &links_, &items_;
  std::size_t block_size_;
  std::vector<Count> missing_;  ///< (item) number of links that the block does not have, or `taken`
  std::vector<Link> state_;
  std::vector<Queue> queues_;       ///< (missing) items
  std::size_t lowest_ = 0;          ///< queues below it are empty
  std::vector<Id> reached_, mine_;  ///< items in the queues, links of the block
  Queue front_;                     ///< links in the order in which blocks touched them
  Id last_;                         ///< items after it are taken
};

}  // namespace

Blocks grow(const Links& items_to_links, const Links& links_to_items, const std::vector<Index>& label, int block_size) {
  Id most = 0;
  for (Id item = 0; item < items_to_links.size(); ++item) most = std::max(most, items_to_links.degree(item));
  if (most < std::numeric_limits<std::uint8_t>::max())  // the usual case; 8-bit counts stay in the cache
    return Growth<std::uint8_t>(items_to_links, links_to_items, block_size).run(label);
  return Growth<Id>(items_to_links, links_to_items, block_size).run(label);
}

}  // namespace miniapp::graph
