// SPDX-License-Identifier: BSD-3-Clause
#include "core/team_threads.hpp"

#include "support/vectors.hpp"

namespace {

constexpr int used = 37;  // no whole warps
constexpr int teams = 5;

/// Every thread keeps its own number, and adds the one published by its right neighbour.
struct SumOfNeighbours {
  struct Own {
    int number;
  };
  static constexpr int threads = 64, teams_at_once = 1;
  static constexpr std::size_t scratch_bytes = used * sizeof(int);
  Vector<int> sums;  ///< (team, thread)

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    int* const shared = static_cast<int*>(team.scratch());
    const int first = team.league_rank() * used;
    TeamThreads<Own, used> in_parallel(team);
    in_parallel.without_barrier([&](int thread, Own& own) { own.number = 100 * team.league_rank() + thread; });
    in_parallel([&](int thread, Own& own) { shared[thread] = own.number; });
    in_parallel([&](int thread, Own& own) { own.number += shared[(thread + 1) % used]; });
    in_parallel.without_barrier([&](int thread, Own& own) { sums(first + thread) = own.number; });
  }
};

}  // namespace

TEST_CASE("A thread keeps its state from phase to phase and reads what others wrote in those before",
          "[core][team_threads]") {
  const Vector<int> sums("sums", teams * used);

  for_teams(Instance(), "test/team_threads", teams, SumOfNeighbours{sums});

  const auto on_host = to_host(sums);
  for (int team = 0; team < teams; ++team)
    for (int thread = 0; thread < used; ++thread)
      CHECK(on_host(team * used + thread) == 200 * team + thread + (thread + 1) % used);
}
