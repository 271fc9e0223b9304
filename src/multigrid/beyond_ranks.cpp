// SPDX-License-Identifier: BSD-3-Clause
#include "multigrid/beyond_ranks.hpp"

#include <type_traits>
#include <utility>

namespace miniapp::multigrid {
namespace {

/// The directions in which a face lies.
std::array<int, 2> directions_of(int side) {
  const int normal = side / 2;
  return {normal == 0 ? 1 : 0, normal == 2 ? 1 : 2};
}

using Items = Kokkos::RangePolicy<ExecutionSpace>;

/// f - y of the items that are sent: send (item, value), to other ranks or to a buffer.
template <class Send>
struct SendBeyond {
  Send send;
  const Index* entries;
  const float *f, *y;
  KOKKOS_FUNCTION void operator()(const std::size_t item) const {
    const Index entry = entries[item];
    send(item, entry < 0 ? 0 : y ? f[entry] - y[entry] : f[entry]);
  }
};

/// to (component, value) = item received (component, value).
template <class Receive>
struct ReceiveBeyond {
  Receive receive;
  const Index* received;
  std::size_t values, stride;
  float* to;
  KOKKOS_FUNCTION void operator()(const std::size_t i) const {
    to[i / values * stride + i % values] = receive(static_cast<std::size_t>(received[i]));
    if (i == 0) receive.finish();
  }
};

}  // namespace

int BeyondRanks::Listing::place(int n, int a, int b) const {
  const int x = from_last[0] ? n - 1 - a : a, y = from_last[1] ? n - 1 - b : b;
  return first_is_second ? x * n + y : y * n + x;
}

BeyondRanks::BeyondRanks(const Discretisation& d, const std::vector<space::SharedFace>& faces)
    : n_(d.order + 1), nodes_(static_cast<std::size_t>(d.space.num_nodes)), num_values_(faces.size() * n_ * n_) {
  const int stride[3] = {1, n_, n_ * n_};
  const auto components = static_cast<std::size_t>(d.space.components);
  std::vector<int> ranks;
  std::vector<std::size_t> offsets = {0};
  std::vector<Index> sent, received;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const space::SharedFace& face = faces[f];
    const auto [u, v] = directions_of(face.side);
    const int normal = face.side / 2, end = face.side % 2;
    const auto number = [&, u = u, v = v](int at_u, int at_v) {
      return d.mesh.part.vertices[d.mesh.element_to_vertex[face.cell][end << normal | at_u << u | at_v << v]];
    };
    int low[2] = {0, 0};
    for (const int at_v : {0, 1})
      for (const int at_u : {0, 1})
        if (number(at_u, at_v) < number(low[0], low[1])) {
          low[0] = at_u;
          low[1] = at_v;
        }
    listings_.push_back({{low[0] == 1, low[1] == 1}, number(low[0], 1 - low[1]) < number(1 - low[0], low[1])});
    std::vector<Index> inside(static_cast<std::size_t>(n_) * n_);
    for (int b = 0; b < n_; ++b)
      for (int a = 0; a < n_; ++a)
        inside[listings_[f].place(n_, a, b)] =
            d.space.element_to_node
                .host()[face.cell][(end ? n_ - 2 : 1) * stride[normal] + a * stride[u] + b * stride[v]];
    for (std::size_t i = 0; i < inside.size(); ++i)
      for (std::size_t c = 0; c < components; ++c)
        sent.push_back(inside[i] < 0 ? -1 : static_cast<Index>(c * nodes_) + inside[i]);
    if (ranks.empty() || ranks.back() != face.rank) {
      ranks.push_back(face.rank);
      offsets.push_back(0);
    }
    offsets.back() = sent.size();
  }
  for (std::size_t c = 0; c < components; ++c)
    for (std::size_t k = 0; k < num_values_; ++k) received.push_back(static_cast<Index>(k * components + c));
  const Communicator& all = d.space.exchange.ranks();
  if (messages::uses_peers(all)) messages_of_peers_ = {all, ranks, offsets, offsets, sizeof(float)};
  if (!messages_of_peers_.possible()) messages_ = {all, std::move(ranks), offsets, offsets, sizeof(float)};
  sent_ = to_device("multigrid/schwarz/sent", sent);
  received_ = to_device("multigrid/schwarz/received", received);
}

Index BeyondRanks::place(std::size_t f, int a, int b) const {
  return static_cast<Index>(nodes_ + f * n_ * n_ + listings_[f].place(n_, a, b));
}

void BeyondRanks::fetch(const Instance& instance, const Vector<const float>& f, const Vector<const float>& y, float* to,
                        std::size_t stride) const {
  if (num_values_ == 0) return;
  const auto send = [&](const auto& sender) {
    Kokkos::parallel_for("multigrid/schwarz/send", Items(instance.space(), 0, sent_.extent(0)),
                         SendBeyond<std::decay_t<decltype(sender)>>{sender, sent_.data(), f.data(), y.data()});
  };
  const auto receive = [&](const auto& receiver) {
    Kokkos::parallel_for(
        "multigrid/schwarz/receive", Items(instance.space(), 0, received_.extent(0)),
        ReceiveBeyond<std::decay_t<decltype(receiver)>>{receiver, received_.data(), num_values_, stride, to});
  };
  if (messages_of_peers_.possible()) {
    send(messages_of_peers_.sender<float>());
    return receive(messages_of_peers_.receiver<float>());
  }
  send(messages::ToBuffer<float>{messages_.send<float>()});
  messages_.swap(instance, sizeof(float));
  receive(messages::FromBuffer<float>{messages_.received<float>()});
}

}  // namespace miniapp::multigrid
