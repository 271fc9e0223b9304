// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/core/communicator.hpp"

#include "core/node.hpp"
#include "miniapp/core/device.hpp"
#include "miniapp/core/session.hpp"
#include "support/catch.hpp"

TEST_CASE("Sums, least and largest values are those of all ranks", "[ranks][core]") {
  const Communicator world = Communicator::world();
  const int r = world.rank(), n = world.size();
  CHECK(r == launched_rank());
  double values[2] = {1.0 + r, -r - 0.5};
  world.reduce(Reduction::sum, values, 2);
  CHECK(values[0] == n * (n + 1) / 2.);
  CHECK(values[1] == -n * n / 2.);
  CHECK(world.of_all(Reduction::min, std::int64_t(10 - r)) == 10 - (n - 1));
  CHECK(world.of_all(Reduction::max, 0.5 * r) == 0.5 * (n - 1));
  const std::vector<std::int64_t> offsets = world.offsets(std::int64_t(r) + 1);
  REQUIRE(offsets.size() == std::size_t(n) + 1);
  CHECK(offsets[r] == r * (r + 1) / 2);
  CHECK(offsets[n] == n * (n + 1) / 2);
  const Spread spread = world.spread(2. * r);
  CHECK(spread.min == 0);
  CHECK(spread.mean == n - 1);
  CHECK(spread.max == 2 * (n - 1));
}

TEST_CASE("Ranks that share a device are counted", "[ranks][core]") {
  const Communicator world = Communicator::world();  // of one host
  if (runs_on_host) {
    CHECK(sharing_ranks(world) == world.size());
    CHECK(rank_of_device(world) == world.rank());
  } else {  // where they share one, main() skips all tests
    CHECK(sharing_ranks(world) == 1);
    CHECK(rank_of_device(world) == 0);
  }
  CHECK(sharing_ranks(Communicator()) == 1);
}

TEST_CASE("A text of rank 0 reaches all ranks, whatever they had", "[ranks][core]") {
  const Communicator world = Communicator::world();
  CHECK(world.from_first(world.rank() == 0 ? "first" : "another, longer text") == "first");
  CHECK(world.from_first(world.rank() == 0 ? "" : "x").empty());
}

TEST_CASE("Each rank receives what each other sent to it", "[ranks][core]") {
  const Communicator world = Communicator::world();
  const int n = world.size();
  std::vector<std::vector<std::int64_t>> to(n);
  for (int r = 0; r < n; ++r) to[r].assign(r, 100 * world.rank() + r);  // nothing to rank 0
  const auto from = world.exchange(to);
  REQUIRE(from.size() == std::size_t(n));
  for (int r = 0; r < n; ++r) CHECK(from[r] == std::vector<std::int64_t>(world.rank(), 100 * r + world.rank()));
}

TEST_CASE("Messages between neighbours on a ring arrive, again and again", "[ranks][core]") {
  const Communicator world = Communicator::world();
  if (world.size() < 3) return;
  const int n = world.size(), left = (world.rank() + n - 1) % n, right = (world.rank() + 1) % n;
  const Communicator::Messages messages(world, {left, right}, {0, 2, 4});
  for (int round = 0; round < 3; ++round) {
    const std::vector<double> send = {world.rank() + 0.25, 10. * round, world.rank() + 0.75, 20. * round};
    std::vector<double> received(4);
    messages.start(send.data(), received.data(), sizeof(double));
    messages.finish();
    CHECK(received == std::vector<double>{left + 0.75, 20. * round, right + 0.25, 10. * round});
  }
}

TEST_CASE("Ranks that all arrive know it", "[ranks][core]") { CHECK(Communicator::world().all_arrive_within(60)); }

TEST_CASE("Ranks of one host are numbered and named without it", "[ranks][core]") {
  const Communicator world = Communicator::world();
  CHECK(num_hosts(world) == 1);
  CHECK(world.size_of_node() == world.size());
  CHECK(rank_of_node(world) == world.rank());
  CHECK(name_of_rank(world) == "rank " + std::to_string(world.rank()));
}
