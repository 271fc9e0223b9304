// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/space/exchange.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "core/marks.hpp"

namespace miniapp::space {
namespace {

/// An entry's value on a rank: item `item` of what comes from there, or Copies::itself.
struct Source {
  int rank;
  Index item;
  auto operator<=>(const Source&) const = default;  // NOLINT(modernize-use-nullptr): a fault of clang-tidy 14
};

/// The entries that more than one other rank has, which are few, and their sources.
struct Several {
  Marks marks;
  std::map<Index, std::vector<Source>> sources;

  Several(const std::vector<SharedEntries>& shared, std::size_t num_entries, int own_rank) : marks(num_entries) {
    if (shared.size() < 2) return;
    Marks seen(num_entries);
    for (const SharedEntries& with : shared)
      for (const Index entry : with.entries)
        if (!seen.add(entry)) marks.add(entry);
    Index item = 0;
    for (const SharedEntries& with : shared)
      for (const Index entry : with.entries) {
        if (marks.has(entry)) sources[entry].push_back({with.rank, item});
        ++item;
      }
    for (auto& [entry, of_entry] : sources) {
      of_entry.push_back({own_rank, detail::Copies<double>::itself});
      std::sort(of_entry.begin(), of_entry.end());
    }
  }
};

}  // namespace

Exchange::Exchange(Communicator ranks, const std::vector<SharedEntries>& shared, std::size_t num_entries)
    : ranks_(std::move(ranks)), neighbours_(static_cast<int>(shared.size())) {
  if (empty()) return;
  using Copies = detail::Copies<double>;
  const Several several(shared, num_entries, ranks_.rank());
  Marks not_owned(num_entries);
  std::vector<int> others;
  std::vector<std::size_t> offsets = {0};
  std::vector<Index> entries, starts = {0}, from, partners;
  for (const SharedEntries& with : shared) {
    const bool is_owner = ranks_.rank() < with.rank;
    for (const Index entry : with.entries) {
      const auto item = static_cast<Index>(num_items_++);
      if (!is_owner) not_owned.add(entry);
      if (!several.marks.has(entry)) {
        entries.push_back(entry);
        partners.push_back(item);
        from.insert(from.end(), {is_owner ? Copies::itself : item, is_owner ? item : Copies::itself});
      } else {
        const std::vector<Source>& sources = several.sources.at(entry);
        const auto is_earlier = [&](const Source& source) {
          return source.item != Copies::itself && source.item < item;
        };
        if (std::any_of(sources.begin(), sources.end(), is_earlier)) continue;
        entries.push_back(entry);
        partners.push_back(Copies::several);
        for (const Source& source : sources) from.push_back(source.item);
      }
      starts.push_back(static_cast<Index>(from.size()));
    }
    others.push_back(with.rank);
    offsets.push_back(num_items_);
  }
  messages_ = {ranks_, std::move(others), offsets, offsets, sizeof(double)};
  entries_ = to_device("space/shared entries", entries);
  partners_ = to_device("space/partners", partners);
  offsets_ = to_device("space/offsets", starts);
  sources_ = to_device("space/sources", from);
  not_owned_host_ = not_owned.list();
  not_owned_ = to_device("space/not owned", not_owned_host_);
  const Vector<unsigned char> owned = make_vector<unsigned char>("space/owned", num_entries);
  fill(owned, 1);
  zero_others(Instance(), owned);
  owned_ = owned;
}

template <class Real>
void Exchange::sum(const Instance& instance, const Vector<Real>& y, double* sums, int count) const {
  if (items() == 0) return reduce(instance, sums, count);
  messages_.exchange<Real>(instance, "space/sum", round<Real>(y), sums, count);
}

template <class Real>
void Exchange::start(const Instance& instance, const Vector<Real>& y) const {
  if (items() > 0) messages_.start<Real>(instance, "space/send", entries_.extent(0), round<Real>(y).send);
}

template <class Real>
void Exchange::finish(const Instance& instance, const Vector<Real>& y, double* sums, int count) const {
  if (items() == 0) return reduce(instance, sums, count);
  messages_.finish<Real>(instance, "space/sum", entries_.extent(0), round<Real>(y).receive, sums, count);
}

template <class Real>
void Exchange::zero_others(const Instance& instance, const Vector<Real>& y) const {
  if (not_owned_.extent(0) == 0) return;
  for_items(instance, "space/zero others", not_owned_.extent(0), detail::ZeroOthers<Real>{not_owned_.data(), y.data()});
}

template void Exchange::sum(const Instance&, const Vector<float>&, double*, int) const;
template void Exchange::sum(const Instance&, const Vector<double>&, double*, int) const;
template void Exchange::start(const Instance&, const Vector<float>&) const;
template void Exchange::start(const Instance&, const Vector<double>&) const;
template void Exchange::finish(const Instance&, const Vector<float>&, double*, int) const;
template void Exchange::finish(const Instance&, const Vector<double>&, double*, int) const;
template void Exchange::zero_others(const Instance&, const Vector<float>&) const;
template void Exchange::zero_others(const Instance&, const Vector<double>&) const;

}  // namespace miniapp::space
