// SPDX-License-Identifier: BSD-3-Clause
#include "tensor/team_threads.hpp"

#include "support/catch.hpp"
#include "support/vectors.hpp"

using namespace miniapp;
using namespace miniapp::test;
using tensor::TeamThreads;

namespace {

constexpr int threads = 37;  // no whole warps
constexpr int teams = 5;

/// Every thread keeps a number of its own, and adds the one that its right neighbour published.
struct SumOfNeighbours {
  struct Own {
    int number;
  };
  Vector<int> sums;  ///< (team, thread)

  KOKKOS_FUNCTION void operator()(const TeamMember& team) const {
    constexpr int bytes = threads * sizeof(int);
    int* const shared = static_cast<int*>(team.team_scratch(0).get_shmem(bytes));
    const int first = team.league_rank() * threads;
    TeamThreads<Own, threads> in_parallel(team);
    in_parallel.without_barrier([&](int thread, Own& own) { own.number = 100 * team.league_rank() + thread; });
    in_parallel([&](int thread, Own& own) { shared[thread] = own.number; });
    in_parallel([&](int thread, Own& own) { own.number += shared[(thread + 1) % threads]; });
    in_parallel.without_barrier([&](int thread, Own& own) { sums(first + thread) = own.number; });
  }
};

}  // namespace

TEST_CASE("A thread keeps its state from phase to phase and reads what others wrote in those before",
          "[tensor][team_threads]") {
  const Vector<int> sums("sums", teams * threads);
  TeamPolicy policy(teams, TeamThreads<SumOfNeighbours::Own, threads>::team_size);
  policy.set_scratch_size(0, Kokkos::PerTeam(threads * int(sizeof(int)) + 64));

  Kokkos::parallel_for("test/team_threads", policy, SumOfNeighbours{sums});

  const auto on_host = to_host(sums);
  for (int team = 0; team < teams; ++team)
    for (int thread = 0; thread < threads; ++thread)
      CHECK(on_host(team * threads + thread) == 200 * team + thread + (thread + 1) % threads);
}
