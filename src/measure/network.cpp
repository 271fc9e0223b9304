// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/measure/network.hpp"

#include "miniapp/measure/stopwatch.hpp"

namespace miniapp::measure {

Network measure_network(const Communicator& ranks) {
  constexpr int repetitions = 20;
  Network network;
  const int partner = ranks.rank() ^ 1;
  for (std::size_t bytes = 8; bytes <= (2u << 20); bytes *= 8) {
    const std::vector<char> send(bytes);
    std::vector<char> receive(bytes);
    const Communicator::Messages messages =
        partner < ranks.size() ? Communicator::Messages(ranks, {partner}, {0, bytes}) : Communicator::Messages();
    const auto exchange = [&] {
      messages.start(send.data(), receive.data(), 1);
      messages.finish();
    };
    network.messages.push_back({double(bytes), time(exchange, repetitions, ranks).median});
  }
  network.sum = time([&] { ranks.sum(1.); }, repetitions, ranks).median;
  return network;
}

}  // namespace miniapp::measure
