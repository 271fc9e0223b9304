// SPDX-License-Identifier: BSD-3-Clause
// Values and sums between ranks arrive alike by every transport.
#include "miniapp/messages/messages.hpp"

#include <fstream>
#include <sstream>
#include <string>

#ifdef __linux__
#include <sys/stat.h>
#endif

#include "messages/words.hpp"
#include "support/parts.hpp"
#include "support/vectors.hpp"

using messages::Messages;

/// Item i of a rank is 100 (round + rank) + i.
struct SendNumbers {
  double first;
  template <class Send>
  KOKKOS_FUNCTION void operator()(const std::size_t item, const Send& send) const {
    send(item, first + double(item));
  }
  KOKKOS_FUNCTION void prefetch(const Team&, std::size_t) const {}
};
struct StoreNumbers {
  double* to;
  template <class Receive>
  KOKKOS_FUNCTION void operator()(const std::size_t item, const Receive& receive) const {
    to[item] = receive(item);
  }
  KOKKOS_FUNCTION void prefetch(const Team&, std::size_t) const {}
};

namespace {

/// Messages of 300 (rank + 1) items, which several teams of a GPU send, to each other rank, of none to rank 0 if
/// `first_is_idle`.
struct Ring {
  std::vector<int> others;
  std::vector<std::size_t> sent{0}, received{0};
  std::vector<double> expected;  ///< (item received), without the round
  Messages messages;

  Ring(const Communicator& ranks, bool first_is_idle) {
    const auto length = [&](int from, int to) { return first_is_idle && to == 0 ? 0 : std::size_t(300 * (from + 1)); };
    for (int other = 0; other < ranks.size(); ++other) {
      if (other == ranks.rank()) continue;
      others.push_back(other);
      std::size_t first = 0;  // of the other one's items for this rank
      for (int to = 0; to < ranks.rank(); ++to)
        if (to != other) first += length(other, to);
      for (std::size_t i = 0; i < length(other, ranks.rank()); ++i) expected.push_back(1e4 * other + double(first + i));
      sent.push_back(sent.back() + length(ranks.rank(), other));
      received.push_back(expected.size());
    }
    messages = {ranks, others, sent, received, sizeof(double)};
  }
};

}  // namespace

TEST_CASE("Values arrive at their places, and sums with them, round after round", "[ranks][messages]") {
  const Communicator world = by_way(Communicator::world(), GENERATE(0, 1));
  if (world.is_alone()) return;
  const bool first_is_idle = GENERATE(false, true);
  const int ways = GENERATE(1, 2, 3);  // in steps, at once, in turn
  const Ring ring(world, first_is_idle);
  const Instance instance;
  const Vector<double> to = make_vector<double>("to", ring.expected.size()), sums = make_vector<double>("sums", 2);
  const bool by_peers = world.halo() == Halo::peer && !first_is_idle;
  CHECK((ring.messages.halo() == Halo::peer) == by_peers);
  CHECK(ring.messages.waits() != by_peers);

  for (int round = 0; round < 5; ++round) {
    Kokkos::deep_copy(to, NAN);
    Kokkos::deep_copy(sums, 1. + world.rank() + round);
    const SendNumbers numbers{1e4 * (round + world.rank())};
    const StoreNumbers store{to.data()};
    if (ways == 1 || (ways == 3 && round % 2 == 0)) {
      ring.messages.start<double>(instance, "test/send", ring.sent.back(), numbers);
      ring.messages.finish<double>(instance, "test/receive", to.extent(0), store, sums.data(), 2);
    } else {
      const messages::Round all{ring.sent.back(), numbers, to.extent(0), store};
      ring.messages.exchange<double>(instance, "test/exchange", all, sums.data(), 2);
    }
    instance.fence();
    std::vector<double> expected = ring.expected;
    for (double& value : expected) value += 1e4 * round;
    CHECK(to_std(to) == expected);
    CHECK(to_std(sums) == std::vector<double>(2, world.size() * (world.size() + 1) / 2. + world.size() * round));
  }
}

TEST_CASE("Words arrive in the order of ranks, however many each sends", "[ranks][messages]") {
  const Communicator world = by_way(Communicator::world(), GENERATE(0, 1));
  if (world.is_alone()) return;
  std::vector<int> others;
  for (int other = 0; other < world.size(); ++other)
    if (other != world.rank()) others.push_back(other);
  // `times` words of each pair, none to rank 0; the last ones take several rounds
  for (const std::uint64_t times : {3, 0, 500, 2, runs_on_host ? 300000 : 5000000}) {
    const auto count = [&](int from, int to) { return to == 0 ? 0 : times + 7 * std::uint64_t(from); };
    const auto word = [&](int from, int to, std::uint64_t i) { return (times << 20) + 1000u * from + 100u * to + i; };
    std::vector<std::uint64_t> words, expected;
    std::vector<std::size_t> offsets{0}, expected_offsets{0};
    for (const int other : others) {
      for (std::uint64_t i = 0; i < count(world.rank(), other); ++i) words.push_back(word(world.rank(), other, i));
      for (std::uint64_t i = 0; i < count(other, world.rank()); ++i) expected.push_back(word(other, world.rank(), i));
      offsets.push_back(words.size());
      expected_offsets.push_back(expected.size());
    }
    const auto received = messages::exchange_words(world, others, offsets, to_device("words", words));
    CHECK(received.offsets == expected_offsets);
    CHECK((to_vector(received.words) == expected));
  }
}

TEST_CASE("Two rounds at once arrive as two rounds do", "[ranks][messages]") {
  const Communicator world = by_way(Communicator::world(), GENERATE(0, 1));
  if (world.is_alone()) return;
  const Ring ring(world, false), other(world, GENERATE(false, true));
  const Instance instance;
  const Vector<double> to = make_vector<double>("to", ring.expected.size()),
                       to_other = make_vector<double>("to", other.expected.size());
  for (int round = 0; round < 3; ++round) {
    const SendNumbers numbers{1e4 * (round + world.rank())}, more{1e4 * (10 + round + world.rank())};
    ring.messages.exchange_both<double>(
        instance, "test/both", messages::Round{ring.sent.back(), numbers, to.extent(0), StoreNumbers{to.data()}},
        other.messages, messages::Round{other.sent.back(), more, to_other.extent(0), StoreNumbers{to_other.data()}});
    instance.fence();
    std::vector<double> expected = ring.expected, expected_other = other.expected;
    for (double& value : expected) value += 1e4 * round;
    for (double& value : expected_other) value += 1e4 * (10 + round);
    CHECK(to_std(to) == expected);
    CHECK(to_std(to_other) == expected_other);
  }
}

#ifdef __linux__
TEST_CASE("Memory of ranks has no name that stays, and is open to no other user", "[ranks][messages]") {
  if (!runs_on_host || Communicator::world().is_alone()) return;
  const auto memory = messages::PeerMemory::make(Communicator::world(), 8);
  if (!memory) return;
  int found = 0;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (line.find("/miniapp-") == std::string::npos || line.find("rw-s") == std::string::npos) continue;
    CAPTURE(line);
    CHECK(line.find("(deleted)") != std::string::npos);
    struct stat file;
    if (stat(("/proc/self/map_files/" + line.substr(0, line.find(' '))).c_str(), &file) == 0)  // with privileges
      CHECK((file.st_mode & 077) == 0);
    ++found;
  }
  CHECK(found >= Communicator::world().size());
}
#endif

TEST_CASE("One rank's sums stay as they are", "[messages]") {
  const Messages messages(Communicator(), {}, {0}, {0}, sizeof(float));
  const Vector<double> sums = test::to_device<double>(std::vector<double>{3, 4});
  messages.reduce(Instance(), sums.data(), 2);
  CHECK(to_std(sums) == std::vector<double>{3, 4});
  CHECK_FALSE(messages.waits());
  CHECK(messages.bytes() == 0);
}

TEST_CASE("Ways between GPUs cannot be on processors", "[messages]") {
  if (!runs_on_host) return;
  for (const Halo halo : {Halo::automatic, Halo::host, Halo::peer}) CHECK(messages::why_not(halo).empty());
  for (const Halo halo : {Halo::device, Halo::nccl})
    CHECK(messages::why_not(halo) == "of GPUs; accepted on processors are auto, host, peer");
}
