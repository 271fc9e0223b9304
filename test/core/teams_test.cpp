// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/core/teams.hpp"

#include "miniapp/core/detail/replay.hpp"
#include "support/vectors.hpp"

namespace {

/// A team writes its number to its own range, by way of scratch; every thread counts itself.
struct WriteRanks {
  static constexpr int threads = 96, teams_at_once = 2;
  static constexpr std::size_t scratch_bytes = 60 * 1024;  // more than Kokkos requests from CUDA
  Vector<double> ranks, counts, totals;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    double* const last = static_cast<double*>(team.scratch()) + scratch_bytes / sizeof(double) - 1;
    if (team.team_rank() == 0) *last = team.league_rank();
    team.team_barrier();
    const double rank = *last;
    double one = 1;
    team.total(one);  // overwrites the beginning of scratch
    if (team.team_rank() == team.team_size() - 1) {
      ranks(team.league_rank()) = rank;
      totals(team.league_rank()) = one;
    }
    double count = 1;
    if (team.sum(count)) Kokkos::atomic_add(&counts(team.league_rank()), count);
    if (team.any(team.team_rank() == 0)) return;
    ranks(team.league_rank()) = -1;
  }
};

}  // namespace

TEST_CASE("Every team runs once, all of its threads, with scratch of its own", "[core][teams]") {
  const int teams = GENERATE(0, 1, 7, 1000);
  const WriteRanks body{Vector<double>("ranks", teams), Vector<double>("counts", teams),
                        Vector<double>("totals", teams)};

  for_teams(Instance(), "test/teams", teams, body);

  const auto ranks = to_std(body.ranks), counts = to_std(body.counts), totals = to_std(body.totals);
  const double threads = runs_on_host ? 1 : WriteRanks::threads;
  for (int team = 0; team < teams; ++team) {
    CHECK(ranks[team] == team);
    CHECK(counts[team] == threads);
    CHECK(totals[team] == threads);
  }
}

TEST_CASE("Replayed work is done at every call", "[core][replay]") {
  const Vector<double> x("x", 1000);
  const auto add_one = [&] {
    Kokkos::parallel_for(
        "test/replay", Kokkos::RangePolicy<ExecutionSpace>(0, x.extent(0)), KOKKOS_LAMBDA(const int i) { x(i) += 1; });
  };
  const Instance instance;
  Replay replay;

  for (int call = 0; call < 5; ++call) replay.run(instance, add_one);
  CHECK(to_std(x) == std::vector<double>(1000, 5));

  replay.reset();
  replay.run(instance, add_one);
  CHECK(to_std(x) == std::vector<double>(1000, 6));
}
