// SPDX-License-Identifier: BSD-3-Clause
#include "multigrid/face_halo.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/marks.hpp"

namespace miniapp::multigrid {
namespace {

/// The directions in which a face lies.
std::array<int, 2> directions_of(int side) {
  const int normal = side / 2;
  return {normal == 0 ? 1 : 0, normal == 2 ? 1 : 2};
}

/// Sends f - y of each item.
struct SendDifference {
  const Index* entries;
  const float *f, *y;
  template <class Send>
  KOKKOS_FUNCTION void operator()(const std::size_t item, const Send& send) const {
    const Index entry = entries[item];
    send(item, entry < 0 ? 0 : y ? f[entry] - y[entry] : f[entry]);
  }
  KOKKOS_FORCEINLINE_FUNCTION void prefetch(const Team& team, std::size_t item) const { team.prefetch(entries + item); }
};

/// to (component, value) = item received (component, value).
struct PlaceReceived {
  const Index* received;
  std::size_t values, stride;
  float* to;
  template <class Receive>
  KOKKOS_FUNCTION void operator()(const std::size_t i, const Receive& receive) const {
    to[i / values * stride + i % values] = receive(static_cast<std::size_t>(received[i]));
  }
  KOKKOS_FORCEINLINE_FUNCTION void prefetch(const Team& team, std::size_t i) const { team.prefetch(received + i); }
};

/// The entries (value, component) of the nodes at some places in the map, -1 where they are masked. The map stays on
/// the device.
Vector<const Index> find_entries(const space::Space& space, const std::vector<std::int64_t>& places) {
  const Vector<const std::int64_t> place = to_device("multigrid/schwarz/places", places);
  const int components = space.components;
  const Index nodes = static_cast<Index>(space.num_nodes);
  const Vector<const Index> map = space.element_to_node.device();
  const Vector<Index> entries =
      make_vector<Index>("multigrid/schwarz/sent", places.size() * static_cast<std::size_t>(components));
  Kokkos::parallel_for(
      "multigrid/schwarz/sent",
      Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(0, std::int64_t(places.size())),
      KOKKOS_LAMBDA(const std::int64_t i) {
        const Index node = map(place(i));
        for (int c = 0; c < components; ++c) entries(i * components + c) = node < 0 ? -1 : c * nodes + node;
      });
  ExecutionSpace().fence();
  return entries;
}

}  // namespace

int FaceHalo::Listing::place(int n, int a, int b) const {
  const int x = from_last[0] ? n - 1 - a : a, y = from_last[1] ? n - 1 - b : b;
  return first_is_second ? x * n + y : y * n + x;
}

FaceHalo::FaceHalo(const Discretisation& d, const std::vector<space::SharedFace>& faces)
    : exchange_(&d.space.exchange),
      n_(d.order + 1),
      nodes_(static_cast<std::size_t>(d.space.num_nodes)),
      num_values_(faces.size() * n_ * n_) {
  const int stride[3] = {1, n_, n_ * n_};
  const auto components = static_cast<std::size_t>(d.space.components);
  std::vector<int> ranks;
  std::vector<std::size_t> offsets = {0};
  std::vector<Index> received;
  std::vector<std::int64_t> inside;  // (value): the local node of an element that is sent, as a place in the map
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const space::SharedFace& face = faces[f];
    const auto [u, v] = directions_of(face.side);
    const int normal = face.side / 2, end = face.side % 2;
    const auto number = [&, u = u, v = v](int at_u, int at_v) {
      return d.mesh->part.vertices[d.mesh->element_to_vertex[face.cell][end << normal | at_u << u | at_v << v]];
    };
    int low[2] = {0, 0};
    for (const int at_v : {0, 1})
      for (const int at_u : {0, 1})
        if (number(at_u, at_v) < number(low[0], low[1])) {
          low[0] = at_u;
          low[1] = at_v;
        }
    listings_.push_back({{low[0] == 1, low[1] == 1}, number(low[0], 1 - low[1]) < number(1 - low[0], low[1])});
    const std::size_t first = inside.size();
    inside.resize(first + static_cast<std::size_t>(n_) * n_);
    const std::int64_t corner = std::int64_t(face.cell) * n_ * n_ * n_ + (end ? n_ - 2 : 1) * stride[normal];
    for (int b = 0; b < n_; ++b)
      for (int a = 0; a < n_; ++a)
        inside[first + listings_[f].place(n_, a, b)] = corner + a * stride[u] + b * stride[v];
    if (ranks.empty() || ranks.back() != face.rank) {
      ranks.push_back(face.rank);
      offsets.push_back(0);
    }
    offsets.back() = inside.size() * components;
  }
  for (std::size_t c = 0; c < components; ++c)
    for (std::size_t k = 0; k < num_values_; ++k) received.push_back(static_cast<Index>(k * components + c));
  messages_ = {d.space.exchange.ranks(), std::move(ranks), offsets, offsets, sizeof(float)};
  sent_ = find_entries(d.space, inside);
  received_ = to_device("multigrid/schwarz/received", received);
  const Marks shared(d.space.num_entries(), to_vector(d.space.exchange.shared()));
  const std::vector<Index> sent = to_vector(sent_);
  sends_shared_ = std::any_of(sent.begin(), sent.end(), [&](Index entry) { return entry >= 0 && shared.has(entry); });
}

Index FaceHalo::place(std::size_t f, int a, int b) const {
  return static_cast<Index>(nodes_ + f * n_ * n_ + listings_[f].place(n_, a, b));
}

void FaceHalo::fetch(const Instance& instance, const Vector<const float>& f, const Vector<const float>& y, float* to,
                     std::size_t stride, const Vector<float>& unsummed) const {
  const bool sums = unsummed.extent(0) > 0 && exchange_ != nullptr, together = num_values_ > 0 && !sends_shared_;
  if (sums && !together) exchange_->sum(instance, unsummed);
  if (num_values_ == 0) return;
  const messages::Round round{sent_.extent(0), SendDifference{sent_.data(), f.data(), y.data()}, received_.extent(0),
                              PlaceReceived{received_.data(), num_values_, stride, to}};
  if (sums && together)
    exchange_->sum_with(instance, unsummed, messages_, round);
  else
    messages_.exchange<float>(instance, "multigrid/schwarz/fetch", round);
}

}  // namespace miniapp::multigrid
