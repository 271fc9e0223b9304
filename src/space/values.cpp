// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/space/values.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "miniapp/core/error.hpp"

namespace miniapp::space {
namespace {

constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();

void require_vector(const Space& space, std::size_t entries) {
  require(entries == space.num_entries(), "x", std::to_string(entries),
          "entries; accepted are the " + std::to_string(space.num_entries()) + " of the space");
}

/// (node): the lowest place in elements of this rank, element of the whole mesh times nodes of one plus local node.
std::vector<std::int64_t> first_places(const mesh::Mesh& mesh, const Space& space) {
  std::vector<std::int64_t> first(static_cast<std::size_t>(space.num_nodes), none);
  const auto& map = space.element_to_node.host();
  const int arity = space.element_to_node.arity();
  for (std::size_t e = 0; e < mesh.num_elements(); ++e)
    for (int i = 0; i < arity; ++i) {
      const Index node = map[e][i];
      std::int64_t& place = first[static_cast<std::size_t>(node < 0 ? ~node : node)];
      place = std::min(place, mesh.number(e) * arity + i);
    }
  require(std::find(first.begin(), first.end(), none) == first.end(), "space", "",
          "has a node that belongs to no element; accepted are spaces of a mesh");
  return first;
}

/// Copies of nodes get the owner's number. Collective.
void copy_from_owners(const Space& space, std::vector<std::int64_t>& numbers) {
  if (space.exchange.empty()) return;
  std::vector<double> exact(space.num_entries(), 0);  // up to 2^53
  for (Index node = 0; node < space.num_nodes; ++node)
    exact[space.entry(node, 0)] = double(numbers[static_cast<std::size_t>(node)]);
  const Vector<double> values = to_device<double>("space/numbers", exact);
  const Instance instance;
  space.exchange.copy_from_owners(instance, values);
  instance.fence();
  const auto host = to_host(values);
  for (Index node = 0; node < space.num_nodes; ++node)
    numbers[static_cast<std::size_t>(node)] = static_cast<std::int64_t>(host(space.entry(node, 0)));
}

/// Gives nodes that this rank owns the lowest of all ranks' places. Collective.
void lower_to_least(const Space& space, const std::vector<std::int64_t>& offsets, std::vector<std::int64_t>& places) {
  const Communicator& ranks = space.exchange.ranks();
  std::vector<std::int64_t> by_owner(places.size(), 0);  // (node): number rank after rank
  std::vector<Index> owned;
  for (Index node = 0; node < space.num_nodes; ++node)
    if (space.owns(node)) {
      by_owner[static_cast<std::size_t>(node)] =
          offsets[static_cast<std::size_t>(ranks.rank())] + static_cast<std::int64_t>(owned.size());
      owned.push_back(node);
    }
  copy_from_owners(space, by_owner);
  std::vector<std::vector<std::int64_t>> to(static_cast<std::size_t>(ranks.size()));
  for (Index node = 0; node < space.num_nodes; ++node) {
    if (space.owns(node)) continue;
    const std::int64_t number = by_owner[static_cast<std::size_t>(node)];
    const auto owner = std::upper_bound(offsets.begin(), offsets.end(), number) - offsets.begin() - 1;
    to[static_cast<std::size_t>(owner)].insert(to[static_cast<std::size_t>(owner)].end(),
                                               {number, places[static_cast<std::size_t>(node)]});
  }
  for (const std::vector<std::int64_t>& words : ranks.exchange(to))
    for (std::size_t w = 0; w + 1 < words.size(); w += 2) {
      const auto own = static_cast<std::size_t>(words[w] - offsets[static_cast<std::size_t>(ranks.rank())]);
      std::int64_t& place = places[static_cast<std::size_t>(owned[own])];
      place = std::min(place, words[w + 1]);
    }
}

}  // namespace

void set_to_zero(const Space& space, const Vector<double>& x) {
  require_vector(space, x.extent(0));
  std::vector<Index> constrained;
  for (int c = 0; c < space.components; ++c)
    for (const Index node : space.masked) constrained.push_back(static_cast<Index>(space.entry(node, c)));
  const Vector<const Index> entries = to_device<Index>("space/constrained", constrained);
  Kokkos::parallel_for(
      "space/set to zero", Kokkos::RangePolicy<ExecutionSpace>(0, entries.extent(0)),
      KOKKOS_LAMBDA(const std::size_t i) { x(entries(i)) = 0; });
  ExecutionSpace().fence();
}

WholeNodes::WholeNodes(const mesh::Mesh& mesh, const Space& space)
    : space_(space),
      numbers_(first_places(mesh, space)),
      offsets_(space.exchange.ranks().offsets(space.num_owned())),
      places_(static_cast<std::size_t>(offsets_.back())) {
  const Communicator& ranks = space.exchange.ranks();
  if (!space.exchange.empty()) lower_to_least(space, offsets_, numbers_);
  std::vector<std::int64_t> own;
  for (Index node = 0; node < space.num_nodes; ++node)
    if (space.owns(node)) own.push_back(numbers_[static_cast<std::size_t>(node)]);
  ranks.gather(own.data(), places_.data(), offsets_, sizeof(std::int64_t));
  std::vector<std::int64_t> sorted = places_;
  std::sort(sorted.begin(), sorted.end());
  const auto number = [&](std::int64_t& place) {
    place = std::lower_bound(sorted.begin(), sorted.end(), place) - sorted.begin();
  };
  std::for_each(places_.begin(), places_.end(), number);
  for (Index node = 0; node < space.num_nodes; ++node)
    if (space.owns(node)) number(numbers_[static_cast<std::size_t>(node)]);
  copy_from_owners(space, numbers_);
}

std::vector<double> WholeNodes::gather(const Vector<const double>& x) const {
  require_vector(space_, x.extent(0));
  const auto components = static_cast<std::size_t>(space_.components);
  const auto host = to_host(x);
  std::vector<double> own, whole(places_.size() * components), sorted(whole.size());
  for (Index node = 0; node < space_.num_nodes; ++node)
    for (int c = 0; space_.owns(node) && c < space_.components; ++c) own.push_back(host(space_.entry(node, c)));
  space_.exchange.ranks().gather(own.data(), whole.data(), offsets_, components * sizeof(double));
  for (std::size_t i = 0; i < places_.size(); ++i)
    std::copy_n(&whole[i * components], components, &sorted[static_cast<std::size_t>(places_[i]) * components]);
  return sorted;
}

Vector<double> WholeNodes::scatter(const std::vector<double>& whole) const {
  const auto components = static_cast<std::size_t>(space_.components);
  require(whole.size() == places_.size() * components, "whole", std::to_string(whole.size()),
          "values; accepted are " + std::to_string(places_.size() * components) + ", one for each node and component");
  std::vector<double> own(space_.num_entries());
  for (Index node = 0; node < space_.num_nodes; ++node)
    for (int c = 0; c < space_.components; ++c)
      own[space_.entry(node, c)] =
          whole[static_cast<std::size_t>(numbers_[static_cast<std::size_t>(node)]) * components +
                static_cast<std::size_t>(c)];
  return to_device<double>("space/scattered", own);
}

}  // namespace miniapp::space
